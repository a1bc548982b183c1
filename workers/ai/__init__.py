"""AI players: a view in, an action out."""
