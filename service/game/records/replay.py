"""Replay a record by the rules, to verify that its rounds were dealt and played as recorded."""

from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Final, cast

from service.common.errors import InvalidRequest
from service.game.commands.flow import advance
from service.game.commands.transaction import Transaction
from service.game.events.evolve import NO_TABLE
from service.game.events.round_types import GameStarted
from service.game.events.updates import standing_of
from service.game.records.by_record import (
    Broken,
    Budget,
    Time,
    interruptions_of,
    milliseconds,
    no_random_bytes,
    play_round,
)
from service.game.records.record import FORMAT, recorded_result
from service.game.records.types import RecordJson, RecordVerdict, RoundVerdict
from service.game.shuffle import commitment
from service.game.state.queries import game_of, round_of
from service.game.state.settings import CLOCK_DEFAULTS
from service.game.state.table_types import KnownDeal, Length, Occupant, Seat, Standing
from service.game.state.types import Options, State
from service.rules.cards import kinds_of
from service.rules.options.rulesets import RULESETS, composition, deck_of, effective_options, renamed
from service.rules.options.storing import stored
from service.rules.rounds.levels import check_level
from service.rules.versions import FIRST

#: Limits of a check: rounds, and steps (actions and steps of the clock) in all of them.
MOST_ROUNDS: Final = 500
MOST_STEPS: Final = 12_000

#: Type of action -> its required field.
_REQUIRED_FIELDS: Final = {
    "declare": "cards",
    "discard": "cards",
    "overcall_kitty": "cards",
    "play": "cards",
    "call": "calls",
    "road": "road",
}


def check(record: RecordJson, steps: int = MOST_STEPS, pause: Callable[[], None] = lambda: None) -> RecordVerdict:
    """Replay a record by the rules of its version.

    A round is not ok if its commitment does not match the seed, an action is illegal, or the result differs.

    Args:
        record: of the right shape; this function checks whether its values fit together.
        steps: limit of steps.
        pause: called with each step of work; lets other work run every few milliseconds.

    Raises:
        InvalidRequest: the values do not fit together.
        InvalidOption: there is no such game.
        TooComplex: it takes more steps.
    """
    if record.get("format") != FORMAT:
        raise InvalidRequest(reason="record_format", accepted=[FORMAT])
    options = options_of_record(record)
    for played in record["rounds"]:
        pause()
        check_fit(record, played, options)
    budget = Budget(steps, pause)
    verdicts = []
    for played in record["rounds"]:
        pause()
        verdicts.append(_check_round(record, played, budget))
    return {"ok": all(verdict["ok"] for verdict in verdicts), "rounds": verdicts}


def options_of_record(record: RecordJson) -> Options:
    """Return the options of a record, converted if an earlier version made it.

    Those left out follow from the others, as at a new table; records of this service name all that do not have their
    default.
    """
    return effective_options(record["ruleset"], record["players"], renamed(record["options"]))


def check_fit(record: RecordJson, played: RecordJson, options: RecordJson) -> None:
    """Check that the seats, levels and times of a round exist."""
    players, actions = record["players"], played["actions"]
    seats = [
        played["starter"],
        played["declarer"] or 0,
        *(action["seat"] for action in actions),
        *played.get("taken_back", ()),
    ]
    has_levels = RULESETS[record["ruleset"]].family == "shengji"
    by_seat = [played[name] for name in ("standings", "levels") if has_levels or played[name] is not None]
    fits = all(values is not None and len(values) == players for values in by_seat) and max(seats) < players
    fits = (
        fits
        and _has_valid_times(played)
        and all(_REQUIRED_FIELDS.get(action["type"], "type") in action for action in actions)
    )
    if not fits:
        raise InvalidRequest(reason="record_fit", field="rounds")
    known_of(record, played)
    if has_levels:
        for standing in played["standings"]:
            for level in (standing["level"], *standing["attempted"], *standing.get("defended", [])):
                check_level(options, level, "rounds")


def _has_valid_times(played: RecordJson) -> bool:
    """Return whether all times of a round are times."""
    times = (
        played["opened_at"],
        *(played["closings"] or ()),
        *(each["at"] for each in [*played["actions"], *interruptions_of(played)]),
        *(at for pause in played.get("pauses", ()) for at in (pause["from"], pause["until"])),
    )
    with suppress(ValueError):
        for at in times:
            milliseconds(at)
        return True
    return False


def _check_round(record: RecordJson, played: RecordJson, budget: Budget) -> RoundVerdict:
    reason, detail = _first_fault(record, played, budget)
    return {"round": played["round"], "ok": reason is None, "reason": reason, "detail": detail}


def _first_fault(record: RecordJson, played: RecordJson, budget: Budget) -> tuple[str | None, str | None]:
    """Return the first fault of a round and its detail, or None twice."""
    shuffle = played["shuffle"]
    if commitment(bytes.fromhex(shuffle["server_seed"])) != shuffle["commitment"]:
        return "commitment", None
    time = Time(played.get("pauses", ()))
    now = time.of(played["opened_at"])
    try:
        before = _state_before(record, played, now)
        tx = Transaction(before, now, no_random_bytes)
        advance(tx, "round_due")
        state = play_round(tx.result(), played, time, budget).state
    except Broken as broken:
        return "illegal", str(broken.refusal)
    return what_differs(record, played, state)


def what_differs(record: RecordJson, played: RecordJson, state: State) -> tuple[str | None, str | None]:
    """Return where a record differs from the replayed round, and the detail, or None twice."""
    result = cast("RecordJson | None", round_of(state)["result"])
    if result is None:
        return "unfinished", None
    replayed, recorded = (recorded_result(record["ruleset"], each) for each in (result, played["result"]))
    if replayed != recorded:
        return "result", None if replayed[
            "points"
        ] is None else f"{replayed['points']} points, not {recorded['points']}"
    levels = [seat["level"] for seat in state["seats"]]
    if RULESETS[record["ruleset"]].family == "shengji" and levels != played["levels"]:
        return "levels", None
    return None, None


def _state_before(record: RecordJson, played: RecordJson, now: int) -> State:
    """Return the table before the round."""
    players, ruleset, shuffle = record["players"], RULESETS[record["ruleset"]], played["shuffle"]
    tx = Transaction(NO_TABLE, now, no_random_bytes)
    created = {
        "table": shuffle["shuffle_name"],
        "ruleset": ruleset.id,
        "players": players,
        "options": stored(record["ruleset"], options_of_record(record)),
        "host": "",
        "settings": {
            "clock": {**CLOCK_DEFAULTS, **record["clock"], **played.get("clock", {})},
            "seed": "record" if shuffle["shuffle_name"] == "practice" else None,
            "closed": False,
            "ai_pace_ms": 0,
            "claims": True,
            "known": {str(played["round"]): known_of(record, played)},
            "length": length_from(record, played["round"]),
        },
        "next_seed": shuffle["server_seed"],
        "next_commitment": shuffle["commitment"],
    }
    tx.emit("table_created", created)
    started: GameStarted = {"game": record["game"], "number": 1, "level": "2", "starter": played["starter"]}
    started["rules"] = record.get("rules", FIRST)
    tx.emit("game_started", started)
    state = tx.state
    occupant: Occupant = {"kind": "human", "player": None, "name": "", "level": None}
    # Without levels, all standings are those of the start.
    standings = played["standings"] or state["seats"]
    seats: list[Seat] = [
        {
            **seat,
            "occupant": occupant,
            **recorded_standing(standing),
        }
        for seat, standing in zip(state["seats"], standings, strict=True)
    ]
    game = game_of(state)
    return {
        **state,
        "seats": seats,
        "game": {**game, "round": played["round"] - 1, "declarer": played["declarer"]},
        "entropy": dict(shuffle["entropy"]),
    }


def length_from(record: RecordJson, number: int) -> Length:
    """Return the length of the rest of a recorded game, from a round (number) on: its rounds, or its listed levels.

    When its time was up is not replayed: it depends on pauses and outages, also between rounds.
    """
    length: RecordJson = record.get("length") or {}
    rest: Length = {}
    if left := length.get("levels", [])[number - 1 :]:
        rest["levels"] = list(left)
    if length.get("rounds", 0) >= number:
        rest["rounds"] = length["rounds"] - number + 1
    return rest


def known_of(record: RecordJson, played: RecordJson) -> list[KnownDeal]:
    """Return the known deals of a record, which replace a shuffle.

    Raises:
        InvalidRequest: reason `record_deal`: a deal does not have exactly the cards of the game.
    """
    cards = composition(record["ruleset"], record["players"], options_of_record(record))
    whole = sorted(deck_of(cards))
    known: list[KnownDeal] = [
        {"hands": [kinds_of(hand) for hand in deal["hands"]], "kitty": kinds_of(deal["kitty"])}
        for deal in played.get("deals", ())
    ]
    for deal in known:
        fits = [len(hand) for hand in deal["hands"]] == [cards.hand] * record["players"]
        if not fits or sorted([*chain(*deal["hands"]), *deal["kitty"]]) != whole:
            raise InvalidRequest(reason="record_deal", field="rounds", round=played["round"])
    return known


def recorded_standing(recorded: RecordJson) -> Standing:
    """Return a standing; `active` is null in records of games without passive players, and is then true."""
    return standing_of({**recorded, "active": recorded["active"] is not False})
