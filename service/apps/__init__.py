"""Third-party apps: they act for a player with a token that the player has granted (decision 177)."""

from service.apps.server import Apps

__all__ = ["Apps"]
