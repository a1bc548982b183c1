"""What the store keeps of players: their records and tables, their tokens, their results."""
