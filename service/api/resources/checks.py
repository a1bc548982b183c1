"""Checks: verifying records and shuffles."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http.responses import json_response
from service.api.http.yielding import rest
from service.api.operations import ApiRequest, Resource
from service.api.schemas import checks as schemas
from service.game.records import record, replay
from service.game.shuffle import commitment, message, permutation
from service.rules.cards import names_of
from service.rules.options.rulesets import composition, deck_of, effective_options

resource: Final = Resource("Checks", "Records and shuffles can be verified, here or without the service.")

#: Size limit of a record, which is far larger than any other body: 12,000 steps, the most checked at once, take about
#: 1.6 MB.
_MAX_RECORD_BYTES: Final = 4 * 1024 * 1024
_SEED: Final = "00" * 32


@resource.operation(
    "POST",
    "/v1/record-checks",
    body=schemas.AskedRecord(),
    response=schemas.RecordCheck(),
    budget="oracle",
    cost=100,
    max_body_bytes=_MAX_RECORD_BYTES,
    too_large="long_record",
    most_values=schemas.MOST_VALUES,
    is_long=True,
    errors=("invalid-option", "too-complex"),
    example={
        "format": record.FORMAT,
        "game": "gm_7h2kx5q2m4na_1",
        "ruleset": "shengji",
        "players": 4,
        "options": {},
        "clock": {},
        "rounds": [],
    },
    scope="games:read",
    keeps=NOTHING,
)
def check_record(request: ApiRequest) -> Response:
    """Verify a record.

    Repeats every shuffle from its seed and checks every action against the rules. Work is bounded: a record of
    more than 4 MiB is refused with `too-large`, and one that would take too long with `too-complex`. Send some of its
    `rounds` at a time instead; each is checked by itself.
    """
    return json_response(replay.check(request.body, pause=rest))


@resource.operation(
    "POST",
    "/v1/shuffle-checks",
    body=schemas.ShuffleToRepeat(),
    response=schemas.ShuffleCheck(),
    budget="oracle",
    errors=("invalid-option",),
    example={
        "server_seed": _SEED,
        "commitment": commitment(bytes.fromhex(_SEED)),
        "entropy": {"0": "00ff"},
        "shuffle_name": "tb_7h2kx5q2m4na",
        "round": 1,
        "ruleset": "shengji",
        "players": 4,
        "options": {},
        "attempt": 0,
    },
    scope="games:read",
    keeps=NOTHING,
)
def check_shuffle(request: ApiRequest) -> Response:
    """Verify a shuffle.

    Takes the values of `round_opened` and `round_ended`, or of a record. `docs/shuffle.md` describes the algorithm, so
    that shuffles can be verified without this service.
    """
    body = request.body
    seed = bytes.fromhex(body["server_seed"])
    options = effective_options(body["ruleset"], body["players"], body.get("options", {}))
    cards = deck_of(composition(body["ruleset"], body["players"], options))
    entropy = {int(seat): value for seat, value in body["entropy"].items()}
    signed = message(body["shuffle_name"], body["round"], entropy, f"deck:{body['attempt']}")
    deck = [cards[at] for at in permutation(seed, signed, len(cards))]
    matches = commitment(seed) == body["commitment"]
    return json_response({"ok": matches, "commitment_ok": matches, "deck": names_of(deck)})
