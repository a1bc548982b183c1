"""Commands: which are allowed at a table, and the events that they cause."""
