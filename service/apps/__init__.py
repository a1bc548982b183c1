"""Third-party apps, which act for a player with a token granted by the player (decision 177)."""

from service.apps.server import Apps

__all__ = ["Apps"]
