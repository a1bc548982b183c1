"""Events: the envelope, and the data of each type."""
