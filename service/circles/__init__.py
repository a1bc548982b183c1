"""Circles: people who play together again and again. Players, the API and its documents call them rooms."""
