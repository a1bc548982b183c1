"""A new table: its ruleset, its options and its settings."""

import base64
from collections.abc import Mapping
from typing import Any

from service.errors import InvalidRequest
from service.game.dealing import secret_for
from service.game.decide import Decided
from service.game.state import CLOCK_DEFAULTS
from service.game.turn import Chance, Turn
from service.rules.presets import with_preset
from service.rules.rulesets import RULESETS, effective_options

#: Letters and digits that are not mistaken for each other.
_CODE = "ABCDEFGHJKMNPQRSTVWXYZ23456789"


def new_id(prefix: str, chance: Chance) -> str:
    """Return a new id: the prefix and twelve characters (60 bits)."""
    return prefix + base64.b32encode(chance(8)).decode().lower()[:12]


def create_table(table: str, host: str, spec: Mapping[str, Any], now: int, chance: Chance) -> Decided:
    """Return the first event of a table, and its state.

    Args:
        spec: `ruleset`, `players`, and where they differ from the defaults `preset`, `options`, `visibility`, `clock`,
            `spectators`
            (`off` or `delayed`), `spectator_delay_ms`, `chat`, `take_back`, `ai_pace_ms`, `seed` (a text: makes a
            practice table).

    Raises:
        InvalidRequest: no such ruleset, or not for so many players.
        InvalidOption: an option without that value, or options that make no sense together.
    """
    ruleset = RULESETS.get(spec["ruleset"])
    if ruleset is None:
        raise InvalidRequest(reason="no_such_ruleset", ruleset=spec["ruleset"], accepted=list(RULESETS))
    if spec["players"] not in ruleset.players:
        raise InvalidRequest(
            reason="not_for_so_many", ruleset=ruleset.id, players=spec["players"], accepted=list(ruleset.players)
        )
    wanted = with_preset(ruleset.id, spec["players"], spec.get("preset"), spec.get("options", {}))
    options = effective_options(ruleset.id, spec["players"], wanted)
    seed = spec.get("seed")
    turn = Turn({}, now, chance, "player")
    turn.emit(
        "table_created",
        table=table,
        ruleset=ruleset.id,
        players=spec["players"],
        options=options,
        host=host,
        settings={
            "visibility": spec.get("visibility", "private"),
            "join_code": "".join(_CODE[byte % len(_CODE)] for byte in chance(6)),
            "clock": {**CLOCK_DEFAULTS, **spec.get("clock", {})},
            "spectators": spec.get("spectators", "off"),
            "spectator_delay_ms": spec.get("spectator_delay_ms", 60_000),
            "chat": spec.get("chat", True),
            "take_back": spec.get("take_back", False),
            "ai_pace_ms": spec.get("ai_pace_ms", 600),
            "seed": seed,
            "closed": False,
        },
        **secret_for(seed, "", chance),
    )
    return Decided(turn.events, turn.state)
