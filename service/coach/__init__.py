"""The coach: what a player has played, where it cost levels, and riddles cut from it."""
