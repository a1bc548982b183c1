"""The plays among which a seat chooses."""
