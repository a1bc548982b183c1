"""Stream tickets: an `EventSource` of a browser cannot send a token, so it gets a word that opens one stream once.

A ticket is kept like the answer of an idempotent request, and so is its use: the first one to claim it has it.
"""

import secrets
from typing import Any, Final, NoReturn

from service.api.http.problems import Unauthorized
from service.store.port import IdempotencyKeyReused, IdempotencyStore, StillWorking

LIFE_MS: Final = 60_000
_PREFIX: Final = "tk_"


def issue(store: IdempotencyStore, player: str, table: str) -> str:
    """Return a new ticket for one stream of a player at a table."""
    ticket = _PREFIX + secrets.token_urlsafe(24)
    store.remember("ticket", ticket, "", lambda: {"player": player, "table": table}, ttl_ms=LIFE_MS)
    return ticket


def redeem(store: IdempotencyStore, ticket: str, table: str) -> str:
    """Return whose ticket for the table it is. It is void afterwards.

    Raises:
        Unauthorized: there is no such ticket, or it has been used.
    """
    issued: dict[str, Any] = store.remember("ticket", ticket, "", _unknown, ttl_ms=1)
    mark = secrets.token_hex(8)
    try:
        store.remember("ticket used", ticket, mark, dict, ttl_ms=2 * LIFE_MS)
    except (IdempotencyKeyReused, StillWorking):
        raise Unauthorized from None
    if issued["table"] != table:
        raise Unauthorized
    return str(issued["player"])


def _unknown() -> NoReturn:
    raise Unauthorized
