"""Players in the store: their records and tables, their tokens, their results."""
