"""Settings of a table and their defaults, and the clock of a game by correspondence: hours in place of seconds.

Such a clock has one of two forms. `decision_hours`: each decision gets so many hours. Or a bank: a seat begins a game
with `bank_hours`, gets `gain_hours` with each decision that it alone is asked, and never has more than `most_hours`. A
decision that asks several seats costs no bank and gets `gain_hours`. When such a clock stands still, for players or for
weekends, is none of the game's business: it learns the deadlines (`service.calendars`).
"""

from collections.abc import Mapping
from typing import Final, Literal, cast

from service.game.state.table_types import Clock, Correspondence, DecisionKind, Length, Seat, Settings
from service.game.state.types import State

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
    "voice",
    "length",
)

#: Settings that the host may change between the rounds of a game.
BETWEEN_ROUNDS: Final = ("clock", "ai_pace_ms", "takeover_level")

#: Default of `hints`, the games in which players may ask for hints: unrated ones.
HINTS_DEFAULT: Final = "unrated"


def without(settings: Settings, name: Literal["length", "start_levels", "watch_code"]) -> Settings:
    """Return the settings without one of them; the same object if it is absent already."""
    if name not in settings:
        return settings
    return cast("Settings", {other: value for other, value in settings.items() if other != name})


# --- games by correspondence -------------------------------------------------------------------------------------

HOUR_MS: Final = 3_600_000
#: Most hours of each part of a clock: two weeks.
MOST_HOURS: Final = 336
#: The parts of each form.
FORMS: Final = ({"decision_hours"}, {"bank_hours", "gain_hours", "most_hours"})
#: What else a clock in hours may say.
HOURS_MORE: Final = frozenset({"weekends_off"})
#: Settings in milliseconds that hours replace.
LIMITS: Final = frozenset({*TIME_LIMITS.values(), "bank_ms"})
#: How long a table lives after the time of its decision is over without an event, or in a lobby without one (ms).
SPARE_MS: Final = 14 * 24 * HOUR_MS
#: The same where the clock only reminds.
SPARE_TO_REMIND_MS: Final = 90 * 24 * HOUR_MS


def correspondence_of(state: State) -> Correspondence | None:
    """Return the clock in hours, or None at a table that counts in seconds."""
    return state["settings"]["clock"].get("correspondence")


def limit_ms(clock: Clock, kind: DecisionKind) -> int:
    """Return the time for a decision of a kind, without any bank (ms)."""
    hours = clock.get("correspondence")
    if hours is None:
        return clock[TIME_LIMITS[kind]]
    return HOUR_MS * (hours["gain_hours"] if "gain_hours" in hours else hours["decision_hours"])


def bank_ms_of(clock: Clock) -> int:
    """Return the time bank with which each seat begins a game (ms)."""
    hours = clock.get("correspondence")
    return clock["bank_ms"] if hours is None else HOUR_MS * hours.get("bank_hours", 0)


def runs_on_bank(state: State) -> bool:
    """Return whether a seat has a bank to which each decision adds."""
    hours = correspondence_of(state)
    return hours is not None and "bank_hours" in hours


def allowance_ms(state: State, seat: Seat) -> int:
    """Return the time of a seat that alone is asked now, out of a bank to which each decision adds (ms)."""
    hours = cast("Correspondence", correspondence_of(state))
    return min(seat["bank_ms"] + HOUR_MS * hours["gain_hours"], HOUR_MS * hours["most_hours"])


def limits_shown(clock: Clock) -> Clock:
    """Return a clock with all its limits in milliseconds, which follow from its hours if it has any."""
    if "correspondence" not in clock:
        return clock
    limits = {name: limit_ms(clock, kind) for kind, name in TIME_LIMITS.items()}
    return cast("Clock", {**clock, **limits, "bank_ms": bank_ms_of(clock)})


def as_asked(clock: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a clock as one asks for it: with hours, without the limits that they replace."""
    if "correspondence" not in clock:
        return {**clock}
    return {name: value for name, value in clock.items() if name not in LIMITS}


# --- how long games are (docs/rules.md §10.6) --------------------------------------------------------------------

MINUTE_MS: Final = 60_000
#: Most rounds, minutes (two weeks), and listed levels, so that settings stay small.
MOST_ROUNDS: Final = 100
MOST_MINUTES: Final = 14 * 24 * 60
MOST_LEVELS: Final = 60


def length_of(state: State) -> Length:
    """Return the length of the table's games; empty: whole games."""
    return state["settings"].get("length", {})


def rounds_of(state: State) -> int | None:
    """Return after how many rounds the length of a game is over; None: after any number."""
    length = length_of(state)
    if "levels" in length:
        return len(length["levels"])
    return length.get("rounds")


def listed_level(state: State) -> str | None:
    """Return the level of the next round if levels are listed; that of the last round after it."""
    levels = length_of(state).get("levels")
    if levels is None:
        return None
    game = state["game"]
    finished = 0 if game is None or game["ended"] is not None else len(game["results"])
    return levels[min(finished, len(levels) - 1)]


def game_ends_at(state: State) -> int | None:
    """Return when the time of the game is up (ms); None: it has no limit, or stands still, or the game is over."""
    game = state["game"]
    if game is None or "time" not in game or game["ended"] is not None or "pause" in state:
        return None
    return game["time"]["since"] + game["time"]["left_ms"]


def game_left_ms(state: State, at: int) -> int | None:
    """Return how much of the time of the game is left at a time (ms), not before its last pause; None: no limit."""
    time = state["game"].get("time") if state["game"] is not None else None
    if time is None:
        return None
    return time["left_ms"] - (0 if "pause" in state else at - time["since"])


def is_game_time_up(state: State, at: int) -> bool:
    """Return whether the time of the game is up."""
    until = game_ends_at(state)
    return until is not None and until <= at


def game_ends_by_itself_at(state: State) -> int | None:
    """Return when the game ends because its time is up (ms); None while a round that has begun is to be played."""
    until = game_ends_at(state)
    if until is None or length_of(state).get("last_round") == "dropped":
        return until
    decision = state["decision"]
    return until if decision is not None and decision["kind"] == "ready" else None
