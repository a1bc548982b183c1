"""Accounts: the tokens of a player, how another device or a lost one gets in, and what is kept of a player.

Tables know nothing of this room, and it knows nothing of HTTP.
"""

from service.accounts.accounts import Accounts

__all__ = ["Accounts"]
