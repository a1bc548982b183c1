"""What notices need in the store (decision 151)."""
