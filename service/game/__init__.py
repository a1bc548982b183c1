"""One table's life as a state machine: decide, evolve, view."""
