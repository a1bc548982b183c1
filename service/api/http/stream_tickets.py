"""Stream tickets: a browser's `EventSource` cannot send a token, so it gets a ticket that opens one stream once.

A ticket is stored as the result of an idempotent request, and so is its use: whoever redeems it first gets it.
"""

import secrets
from typing import Final, NoReturn

from service.api.http.problems import Unauthorized
from service.store.port import IdempotencyKeyReused, IdempotencyStore, StillWorking

TTL_MS: Final = 60_000
_PREFIX: Final = "st_"


#: In place of a table: the events of the account.
ACCOUNT: Final = "me"


def issue(store: IdempotencyStore, token_hash: str, table: str) -> str:
    """Return a new ticket for one stream of a table, or of the account, valid for `TTL_MS` while the token is."""
    ticket = _PREFIX + secrets.token_urlsafe(24)
    store.remember("ticket", ticket, "", lambda: {"token_hash": token_hash, "table": table}, ttl_ms=TTL_MS)
    return ticket


def redeem(store: IdempotencyStore, ticket: str, table: str) -> str:
    """Return the hash of the token for which a ticket for the table was issued, and void the ticket.

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
