"""What may be done at a table, and the events that it brings about."""
