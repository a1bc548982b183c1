"""Checks that anybody may ask for: whether a record follows the rules, and which deck a shuffle gives."""

from typing import Final

from flask import Response

from service.api.http.operations import Call, Resource
from service.api.http.responses import reply
from service.api.http.yielding import give_way
from service.api.schemas import checks as schemas
from service.game.records import record, replay
from service.game.shuffle import commitment, message, permutation
from service.rules.cards import names_of
from service.rules.rulesets import composition, deck_of, effective_options

resource: Final = Resource("Checks", "Nobody has to trust the service: what it did can be checked, here or elsewhere.")

#: A record of a long game has far more bytes than any other body.
_MOST_BYTES: Final = 4 * 1024 * 1024
_SEED: Final = "00" * 32


@resource.operation(
    "POST",
    "/v1/record-checks",
    takes=schemas.AskedRecord(),
    gives=schemas.RecordCheck(),
    budget="oracle",
    most_bytes=_MOST_BYTES,
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
)
def check_record(call: Call) -> Response:
    """Play a record again.

    Every shuffle is repeated from its seed and every action is held to the rules. Work is bounded: a record that takes
    too long is refused with `too-complex`; its rounds can be sent one by one.
    """
    return reply(replay.check(call.body, rest=give_way))


@resource.operation(
    "POST",
    "/v1/shuffle-checks",
    takes=schemas.ShuffleToRepeat(),
    gives=schemas.ShuffleCheck(),
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
)
def check_shuffle(call: Call) -> Response:
    """Repeat a shuffle.

    The values are those of `round_opened` and `round_ended`, or of a record. `docs/shuffle.md` describes the algorithm,
    so that nobody needs this service to check it.
    """
    asked = call.body
    seed = bytes.fromhex(asked["server_seed"])
    options = effective_options(asked["ruleset"], asked["players"], asked.get("options", {}))
    cards = deck_of(composition(asked["ruleset"], asked["players"], options))
    entropy = {int(seat): given for seat, given in asked["entropy"].items()}
    signed = message(asked["shuffle_name"], asked["round"], entropy, f"deck:{asked['attempt']}")
    deck = [cards[at] for at in permutation(seed, signed, len(cards))]
    kept = commitment(seed) == asked["commitment"]
    return reply({"ok": kept, "commitment_ok": kept, "deck": names_of(deck)})
