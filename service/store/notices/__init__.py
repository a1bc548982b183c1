"""What telling people of their turn needs in the store (decision 151)."""
