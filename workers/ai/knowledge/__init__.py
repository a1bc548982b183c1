"""Knowledge of a seat, derived from its view: cards, voids, sides and probabilities."""
