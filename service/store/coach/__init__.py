"""What the coach remembers: past rounds, and riddles."""
