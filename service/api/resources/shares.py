"""Shared finished rounds: anyone with the link may read them, even without an account.

The code of a round is derived from its server seed, which only its record reveals. So nothing is stored: anyone who may
read the record may share the round, and the code is void once the record has expired.
"""

import hmac
from base64 import b32encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.resources.games import log_of, recorded_round, respond, round_events, whole_log
from service.api.schemas import shares as schemas
from service.common import typed
from service.game.errors import NotFound

resource: Final = Resource(
    "Shared rounds",
    "Finished rounds, shared by a link. Whoever may read the record of a round may share it; the link works as long "
    "as the record is kept.",
)

#: Number of letters of a code, 5 bits each, so that it cannot be guessed.
_LETTERS: Final = 26


def _code_of(game: str, played: Mapping[str, Any]) -> str:
    """Return the code of a recorded round."""
    secret = bytes.fromhex(played["shuffle"]["server_seed"])
    digest = hmac.digest(secret, f"share {game} {played['round']}".encode(), sha256)
    return b32encode(digest).decode().lower()[:_LETTERS]


@resource.operation(
    "POST",
    "/v1/games/<game>/rounds/<int:n>/share",
    response=schemas.SharedCode(),
    errors=("private-table", "no-spectators", "not-finished"),
    cost=50,
    scope="games:read",
    keeps=NOTHING,
)
def share_round(request: ApiRequest, game: str, n: int) -> Response:
    """Share a finished round.

    The code lets anybody read the round, from every seat; asking again returns the same code.
    """
    played = recorded_round(request, log_of(request, game), n)
    return json_response({"code": _code_of(game, played)})


@resource.operation(
    "GET",
    "/v1/shared-rounds/<game>/<int:n>",
    query=schemas.SharedQuery(),
    response=schemas.SharedRound(),
    errors=("not-finished",),
    auth=None,
    cost=50,
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag."},
)
def get_shared_round(request: ApiRequest, game: str, n: int) -> Response:
    """Read a round that somebody has shared.

    Its record, and its events as a seat saw them: what is needed to replay it. A wrong code is answered with
    `not-found`.
    """
    log = whole_log(request.services, game)
    played = recorded_round(request, log, n)
    code = typed.code(request.query["code"]).lower()
    if not hmac.compare_digest(code.encode(), _code_of(game, played).encode()):
        raise NotFound(what="round", round=n)
    return respond(request, {"record": played, **round_events(request, log, n)}, n)
