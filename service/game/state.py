"""A table as a value, and the small questions that everybody asks about it.

The state is a JSON value (dicts, lists, strings, numbers), so that a snapshot is the state and nothing else. It is
never changed in place: `evolve` returns a new one that shares what did not change.

    id, version (seq of the last event), created_at, ruleset, players, options (effective), status
    settings      {visibility, join_code, clock: {…ms}, spectators, spectator_delay_ms, chat, take_back, ai_pace_ms,
                   seed, closed}
    host          player id
    seats[n]      {occupant: {kind, player, name, level} | None, autopilot: AI level | None, ready, presence, timeouts,
                   bank_ms, level, active, attempted, penalty}
    game          None | {id, number, started_seq, round, starter, declarer, results, winners, scores, ended (why),
                   ended_at, kept}
    next_seed     hex, secret until the round that it shuffles has ended; next_commitment is public
    entropy       {seat: hex} for the next round
    round         None | see `service.game.dealing.open_round` and `service.game.evolve.round_opened`
    decision      None | {id, kind, seats, opened_seq, opened_at, deadline, on_timeout}
    vote          None | {id, kind, seat, votes: {seat: bool}}
    answers[n]    per seat the latest answers: [decision id (or the client's key), digest of the body, tx]

Cards inside are kinds and hands are counts (`service.rules.cards`); times are milliseconds since the epoch.
"""

from collections.abc import Mapping
from typing import Any, Final

from service.rules.rulesets import Composition, composition

State = dict[str, Any]
Event = dict[str, Any]

SCHEMA: Final = 1

#: Milliseconds a seat has for each kind of decision, and the other clock settings with their defaults.
CLOCK_DEFAULTS: Final[Mapping[str, int | str]] = {
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
}
#: Settings beside the clock that everybody may see and the host may change.
PUBLIC_SETTINGS: Final = ("visibility", "spectators", "spectator_delay_ms", "chat", "take_back", "ai_pace_ms")
#: Decision kind -> the clock setting that limits it.
TIME_FOR: Final[Mapping[str, str]] = {
    "declare": "declare_ms",
    "defend": "defence_ms",
    "discard": "discard_ms",
    "overcall-kitty": "declare_ms",
    "call": "call_ms",
    "road": "call_ms",
    "play": "play_ms",
    "ready": "ready_ms",
}


def seat_of(state: State, player: str) -> int | None:
    """Return the seat of a player, or None."""
    for number, seat in enumerate(state["seats"]):
        occupant = seat["occupant"]
        if occupant is not None and occupant["player"] == player and player is not None:
            return number
    return None


def ai_level(state: State, seat: int) -> str | None:
    """Return the level of the AI that plays this seat now, or None if a person or an outside bot does."""
    place = state["seats"][seat]
    if place["autopilot"]:
        return str(place["autopilot"])
    occupant = place["occupant"]
    return occupant["level"] if occupant and occupant["kind"] == "ai" else None


def waited_for(state: State) -> list[int]:
    """Return the seats that the open decision waits for still. One that asks many stays open until all have answered.

    Who has passed may declare yet, and who is ready may take that back; but nobody waits for them.
    """
    decision = state["decision"]
    if decision is None:
        return []
    if decision["kind"] == "ready":
        return [seat for seat in decision["seats"] if not state["seats"][seat]["ready"]]
    passes = state["round"]["passes"] if decision["kind"] == "declare" else ()
    return [seat for seat in decision["seats"] if seat not in passes]


def persons(state: State) -> list[int]:
    """Return the seats that a person or an outside bot plays now."""
    return [
        number for number, seat in enumerate(state["seats"]) if seat["occupant"] and ai_level(state, number) is None
    ]


def declarers(state: State) -> list[int]:
    """Return the seats known to be on the declarer's side."""
    return [seat for seat, side in enumerate(state["round"]["sides"]) if side == "declarers"]


def attackers_points(state: State) -> int:
    """Return the points of tricks that count for the attackers so far: those of every seat not of the other side."""
    table_round = state["round"]
    return sum(
        points for points, side in zip(table_round["points"], table_round["sides"], strict=True) if side != "declarers"
    )


def composition_of(state: State) -> Composition:
    """Return the deck and the deal of this table."""
    return composition(state["ruleset"], state["players"], state["options"])
