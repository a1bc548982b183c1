"""Events of teams that are shown to those who watch."""
