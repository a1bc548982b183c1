"""Events: how each changes the state of a table."""
