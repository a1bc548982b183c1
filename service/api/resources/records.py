"""Import of games that were played elsewhere."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import BY_HANDLER, IMPORTED
from service.api.http.parsing import load
from service.api.http.problems import InvalidFields
from service.api.http.responses import json_response
from service.api.http.yielding import rest
from service.api.operations import ApiRequest, Resource
from service.api.schemas import records as schemas
from service.api.schemas.checks import MOST_VALUES
from service.common import fastjson
from service.common.errors import InvalidRequest
from service.game.ids import id_from
from service.game.records import text
from service.game.records.importing import imported
from service.game.state.queries import game_of

resource: Final = Resource(
    "Records",
    "Games from elsewhere, which can then be replayed and analysed. `GET /v1/games/{game}/record` exports records, "
    "also as text.",
)

_MAX_BYTES: Final = 4 * 1024 * 1024
_SCHEMA: Final = schemas.AskedGameRecord()


@resource.operation(
    "POST",
    "/v1/records",
    body=schemas.RecordToImport(),
    response=schemas.ImportedGame(),
    status=201,
    budget="import",
    max_body_bytes=_MAX_BYTES,
    too_large="long_record",
    most_values=MOST_VALUES,
    is_long=True,
    errors=("invalid-option", "too-complex"),
    example={"text": '[Ruleset "shengji"]\n[Players 4]\n\n[Round 1]\n'},
    scope="tables:host",
    keeps=BY_HANDLER,
)
def import_record(request: ApiRequest) -> Response:
    """Import a game.

    The record is replayed by the rules. If it is valid, the caller alone can replay its rounds, have them analysed and
    compare them with par; the game does not count for ratings, and is kept for 30 days. If it is invalid, `params` has
    the `round`, the number of the `action` from 0, and for a text the `line`. Importing the same record again returns
    the same game.
    """
    body, services, player = request.body, request.services, request.player_id
    if len(body) != 1:
        raise InvalidRequest(reason="record_or_text")
    record, lines = (body["record"], {}) if "record" in body else _read(body["text"])
    table = id_from("tb_", hashlib.sha256(fastjson.dumps([player, record])).digest())
    try:
        log = imported(record, player, table, services.tables.now(), rest)
    except InvalidRequest as refusal:
        raise _placed(refusal, record, lines) from None
    state = services.archive.add_imported(log, lambda size: request.keep(IMPORTED + size))
    game = game_of(state)["id"]
    answer = {"game": game, "rounds": len(game_of(state)["results"])}
    return json_response(answer, 201, {"Location": f"/v1/games/{game}/record"})


def _read(content: str) -> tuple[dict[str, object], dict[text.Place, int]]:
    """Parse a text into a record of the right shape, and its lines."""
    record, lines = text.read(content, rest)
    try:
        return load(_SCHEMA, record), lines
    except InvalidFields as refusal:
        pointer = refusal.faults[0].pointer
        parts = [part for part in pointer.split("/")[1:] if part not in ("rounds", "actions")]
        place: text.Place = tuple(int(part) if part.isdigit() else part for part in parts)
        line = lines.get(place[:2]) or lines.get(place[:1]) or 1
        raise InvalidRequest(reason="record_value", field="text", line=line, value=pointer) from None


def _placed(refusal: InvalidRequest, record: Mapping[str, Any], lines: Mapping[text.Place, int]) -> InvalidRequest:
    """Add the place in the request to a refusal: a line of the text, or a field of the record."""
    params = dict(refusal.params)
    place: text.Place = ()
    if "round" in params:
        place = (params["round"] - record["rounds"][0]["round"],)
        place += (params["action"],) if "action" in params else ()
    if lines:
        return type(refusal)(**{**params, "field": "text", "line": lines.get(place, 1)})
    names = ("record/rounds", "actions")
    field = "/".join(f"{name}/{number}" for name, number in zip(names, place, strict=False)) or "record"
    return type(refusal)(**{**params, "field": field})
