"""Accounts: a player's tokens, link and recovery codes, and all stored data of a player.

Tables do not depend on this package, and it does not depend on HTTP.
"""

from service.accounts.accounts import Accounts

__all__ = ["Accounts"]
