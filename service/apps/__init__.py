"""Other people's apps: they act for a player with a token that the player has allowed them (decision 177)."""

from service.apps.server import Apps

__all__ = ["Apps"]
