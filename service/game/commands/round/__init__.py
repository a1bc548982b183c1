"""The steps of a round, from the deal to the score."""
