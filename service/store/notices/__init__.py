"""Storage of notices (decision 151)."""
