"""Settings of a table and their defaults."""

from collections.abc import Mapping
from typing import Final, Literal, cast

from service.game.state.table_types import Clock, DecisionKind, Settings

#: Defaults of the clock.
CLOCK_DEFAULTS: Final[Clock] = {
    "deal_interval_ms": 400,
    "declare_ms": 8_000,
    "defence_ms": 4_000,
    "discard_ms": 90_000,
    "call_ms": 60_000,
    "play_ms": 30_000,
    "ready_ms": 30_000,
    "bank_ms": 0,
    "grace_ms": 1_500,
    "on_timeout": "auto_play",
    "alone": "limited",
}

_Limit = Literal["declare_ms", "defence_ms", "discard_ms", "call_ms", "play_ms", "ready_ms"]

#: Kind of decision -> the clock setting that limits it.
TIME_LIMITS: Final[Mapping[DecisionKind, _Limit]] = {
    "declare": "declare_ms",
    "defend": "defence_ms",
    "discard": "discard_ms",
    "overcall-kitty": "declare_ms",
    "call": "call_ms",
    "road": "call_ms",
    "play": "play_ms",
    "ready": "ready_ms",
}

#: Choices of the clock setting `alone`.
ALONE: Final = ("limited", "unlimited")

#: Settings other than the clock that everybody may see and the host may change.
PUBLIC_SETTINGS: Final = (
    "visibility",
    "spectators",
    "spectator_delay_ms",
    "chat",
    "take_back",
    "ai_pace_ms",
    "takeover_level",
    "hints",
    "random_seats",
    "start_levels",
    "pause_limit_ms",
    "claims",
)

#: Settings that the host may change between the rounds of a game.
BETWEEN_ROUNDS: Final = ("clock", "ai_pace_ms", "takeover_level")

#: Default of `hints`, the games in which players may ask for hints: unrated ones.
HINTS_DEFAULT: Final = "unrated"


def without(settings: Settings, name: Literal["start_levels", "watch_code"]) -> Settings:
    """Return the settings without one of them; the same object if it is absent already."""
    if name not in settings:
        return settings
    return cast("Settings", {other: value for other, value in settings.items() if other != name})
