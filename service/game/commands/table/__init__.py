"""Commands around the game: seats, host, chat, votes, taking back, readiness."""
