"""What events mean: each takes the state of a table to the next."""
