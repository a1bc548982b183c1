"""Around the game: seats, the host, chat, votes, taking back, readiness."""
