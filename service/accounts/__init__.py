"""Accounts: a player's tokens, link and recovery codes for other devices, and all data stored of a player.

Tables know nothing of this room, and it knows nothing of HTTP.
"""

from service.accounts.accounts import Accounts

__all__ = ["Accounts"]
