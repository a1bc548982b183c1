"""What a seat knows, from its view alone: cards, voids, sides, and the probabilities that follow."""
