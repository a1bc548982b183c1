"""Stream tickets for browsers' `EventSource`, which cannot send a token: a ticket opens one stream once.

A ticket, and its use, are stored as results of idempotent requests, so only the first use succeeds.
"""

import secrets
from typing import Final, NoReturn

from service.api.http.problems import Unauthorized
from service.store.port import IdempotencyKeyReused, IdempotencyStore, StillWorking

TTL_MS: Final = 60_000
_PREFIX: Final = "st_"


#: Stands for the events of the account, in place of a table.
ACCOUNT: Final = "me"


def issue(store: IdempotencyStore, token_hash: str, table: str) -> str:
    """Return a new ticket for one stream of a table or the account, valid for `TTL_MS` as long as the token is."""
    ticket = _PREFIX + secrets.token_urlsafe(24)
    store.remember("ticket", ticket, "", lambda: {"token_hash": token_hash, "table": table}, ttl_ms=TTL_MS)
    return ticket


def redeem(store: IdempotencyStore, ticket: str, table: str) -> str:
    """Void a ticket for a table, and return the hash of the token for which it was issued.

    Raises:
        Unauthorized: there is no such ticket, it has been redeemed, or it is for other events.
    """
    try:
        issued = store.remember("ticket", ticket, "", _unknown_ticket, ttl_ms=1)
        store.remember("ticket used", ticket, secrets.token_hex(8), dict, ttl_ms=2 * TTL_MS)
    except (_UnknownTicketError, IdempotencyKeyReused, StillWorking):
        issued = None
    if issued is None or issued["table"] != table:
        where: dict[str, object] = {"path": "/v1/me/stream-ticket"}
        if table != ACCOUNT:
            where = {"path": f"/v1/tables/{table}/stream-ticket", "table": table}
        raise Unauthorized(reason="bad_ticket", **where)
    return str(issued["token_hash"])


class _UnknownTicketError(Exception):
    """The ticket was never issued, or has expired."""


def _unknown_ticket() -> NoReturn:
    raise _UnknownTicketError
