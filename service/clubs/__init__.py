"""Clubs: people who hold tables and events for one another. Says who belongs to one, and what each may do there."""
