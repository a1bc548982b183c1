"""The state of a table: its types, its settings, and what follows from it alone."""
