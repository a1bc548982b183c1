"""Scopes: what a token allows."""

from collections.abc import Iterable
from typing import Final

from service.store.players.tokens import Token

#: Scope -> what it allows.
SCOPES: Final[dict[str, str]] = {
    "profile:read": "Read profiles, results and the leaderboard.",
    "social:read": "Read one's own friends, blocks, mutes and objections.",
    "games:read": "Read finished games, have them analysed, check records, ask about rules.",
    "tables:read": "Read tables and their events, and list one's own.",
    "tables:play": "Sit down, play and vote.",
    "tables:host": "Make tables, change and close them, and say who sits there.",
    "chat:write": "Write in the chat of tables.",
    "social:write": "Mute, block and report players, make friends, invite to tables, object to plays of AI players.",
    "push:write": "Subscribe to notices, and see and change only what the same token has subscribed.",
    "account": "Change profile, tokens and codes, export and delete the account.",
}


def allowed(token: Token) -> list[str]:
    """Return the scopes of a token, in the order of `SCOPES`."""
    granted = token["scopes"]
    return [scope for scope in SCOPES if granted is None or scope in granted]


def missing(token: Token, wanted: Iterable[str]) -> list[str]:
    """Return the scopes that a token lacks."""
    granted = token["scopes"]
    return [] if granted is None else [scope for scope in wanted if scope not in granted]
