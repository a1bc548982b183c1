"""The state of a table: its types, its settings, and pure functions of it."""
