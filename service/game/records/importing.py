"""Importing games played elsewhere, by playing their records through the engine.

The result is the log of a game like any other: it can be replayed, analysed and exported again.
"""

import hashlib
from collections.abc import Callable
from typing import Final, cast

from service.common.errors import InvalidRequest, RuleBroken
from service.game.commands.creation import create_table
from service.game.commands.flow import advance
from service.game.commands.round.ending import end_by_length, end_game
from service.game.commands.transaction import Decided, Transaction
from service.game.events.round_types import GameStarted, LevelChange, LevelsChanged
from service.game.events.updates import standing_of
from service.game.ids import game_id
from service.game.records.by_record import Broken, Budget, Time, milliseconds, no_random_bytes, play_round
from service.game.records.record import GameLog
from service.game.records.replay import (
    MOST_STEPS,
    check_fit,
    known_of,
    length_from,
    options_of_record,
    recorded_standing,
    what_differs,
)
from service.game.records.types import RecordDraft, RecordJson
from service.game.shuffle import commitment
from service.game.state.queries import game_of, round_of
from service.game.state.settings import as_asked, listed_level
from service.game.state.table_types import KnownDeal, Occupant, RepeatedDeal, Seat, Settings, TableSpec
from service.game.state.types import Ending, State
from service.game.views.fields import timestamp
from service.rules.options.rulesets import RULESETS
from service.rules.versions import RULES

_ENDINGS: Final = ("abandoned", "ended_early", "forfeited")


def imported(record: RecordJson, host: str, table: str, now: int, pause: Callable[[], None] = lambda: None) -> GameLog:
    """Return the log of a game made from its record.

    Args:
        record: has the shape that `openapi.yaml` defines for `POST /v1/records`.
        host: id of the player who may read it.
        table: id for the table of the game, which is not stored.
        now: time of the game (ms) if the record has none.
        pause: called with each step of work; lets other work run every few milliseconds.

    Raises:
        InvalidRequest: the record is not valid. `params` has `round` and perhaps `action`, numbers as in the record.
        InvalidOption: there is no such game.
        TooComplex: it takes too many steps.
    """
    game = _Game({**record, "rounds": _completed(record, now, pause)}, host, table, Budget(MOST_STEPS, pause))
    game.play()
    return game.ended()


def _completed(record: RecordJson, now: int, pause: Callable[[], None]) -> list[RecordDraft]:
    """Fill in the times, seeds and other fields that the rounds of a record leave out."""
    rounds, at = [], now
    for number, recorded in enumerate(record["rounds"]):
        pause()
        if not recorded.get("deals") and "shuffle" not in recorded:
            raise InvalidRequest(reason="record_deal", field="rounds", round=recorded["round"])
        if "opened_at" in recorded:
            at = _moment(recorded["opened_at"])
        opened_at = at
        actions = []
        for action in recorded["actions"]:
            # An action without a time gets the time of the previous one, so that rounds do not overlap.
            at = _moment(action["at"]) if "at" in action else at
            actions.append({**action, "at": timestamp(at)})
        seed = hashlib.sha256(repr((number, recorded)).encode()).digest()
        shuffle = recorded.get("shuffle") or {
            "server_seed": seed.hex(),
            "commitment": commitment(seed),
            "entropy": {},
            "shuffle_name": "practice",
        }
        complete = {"declarer": None, "closings": [], **recorded, "shuffle": shuffle, "actions": actions}
        rounds.append({**complete, "opened_at": timestamp(opened_at)})
    return rounds


def _moment(text: str) -> int:
    try:
        return milliseconds(text)
    except ValueError:
        raise InvalidRequest(reason="record_fit", field="rounds") from None


class _Game:
    """A game being played from a record, and its log so far."""

    def __init__(self, record: RecordJson, host: str, table: str, budget: Budget) -> None:
        self._record: Final = record
        self._budget: Final = budget
        self._options: Final = options_of_record(record)
        numbers = [played["round"] for played in record["rounds"]]
        if not numbers:
            raise InvalidRequest(reason="record_empty", field="rounds")
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise InvalidRequest(reason="record_order", field="rounds")
        at = milliseconds(record["rounds"][0]["opened_at"])
        base = _table(record, host, table, at, budget.pause)
        self._log = GameLog(base, [])
        self._state = base
        first = self._filled(record["rounds"][0])
        started: GameStarted = {
            "game": game_id(table, 1),
            "number": 1,
            "level": listed_level(base) or base["seats"][0]["level"],
            "starter": first["starter"],
            "rules": record.get("rules", RULES),
            "rounds_before": first["round"] - 1,
            "declarer": first["declarer"],
        }
        tx = Transaction(base, at, no_random_bytes)
        tx.emit("game_started", started)
        changes = _levels(tx.state, first["standings"])
        if changes:
            data: LevelsChanged = {"seats": changes}
            tx.emit("levels_changed", data)
        self._log.events.extend(tx.events)
        self._state = tx.state

    def play(self) -> None:
        """Play all rounds.

        Raises:
            InvalidRequest: a round does not go as recorded.
        """
        for recorded in self._record["rounds"]:
            if self._state["status"] != "playing":
                raise InvalidRequest(reason="record_over", field="rounds", round=recorded["round"])
            played = self._filled(recorded)
            self._check_start(played)
            done = self._played(played)
            result = round_of(done.state)["result"]
            levels = [seat["level"] for seat in done.state["seats"]]
            complete = {
                **played,
                "result": recorded.get("result") or result,
                "levels": recorded.get("levels") or levels,
            }
            why, _ = what_differs(self._record, complete, done.state)
            if why is not None:
                raise InvalidRequest(reason=f"record_{why}", field="rounds", round=played["round"])
            self._log.events.extend(done.events)
            self._state = done.state

    def _filled(self, recorded: RecordJson) -> RecordJson:
        """Fill in the standings and levels of a round, and check that its values fit together."""
        seats = self._state["seats"]
        played = {
            **recorded,
            "standings": recorded.get("standings") or [standing_of(seat) for seat in seats],
            "levels": recorded.get("levels") or [seat["level"] for seat in seats],
        }
        check_fit(self._record, played, self._options)
        shuffle = played["shuffle"]
        if commitment(bytes.fromhex(shuffle["server_seed"])) != shuffle["commitment"]:
            raise InvalidRequest(reason="record_commitment", field="rounds", round=played["round"])
        return played

    def _check_start(self, played: RecordJson) -> None:
        """Check that a round begins as the one before ended."""
        game = game_of(self._state)
        recorded = [recorded_standing(each) for each in played["standings"]]
        fits = game["starter"] == played["starter"] and game["declarer"] == played["declarer"]
        has_levels = RULESETS[self._record["ruleset"]].family == "shengji"
        if not fits or (has_levels and recorded != [standing_of(seat) for seat in self._state["seats"]]):
            raise InvalidRequest(reason="record_start", field="rounds", round=played["round"])

    def _played(self, played: RecordJson) -> Decided:
        shuffle, time = played["shuffle"], Time(played.get("pauses", ()))
        before: State = {
            **self._state,
            "next_seed": shuffle["server_seed"],
            "next_commitment": shuffle["commitment"],
            "entropy": dict(shuffle["entropy"]),
        }
        tx = Transaction(before, time.of(played["opened_at"]), no_random_bytes)
        advance(tx, "round_due")
        try:
            return play_round(tx.result(), played, time, self._budget)
        except Broken as broken:
            raise _illegal(played["round"], broken) from None

    def ended(self) -> GameLog:
        """Return the log; a game without an end is marked as ended early."""
        if self._state["status"] == "playing":
            tx = Transaction(self._state, self._state["at"], no_random_bytes)
            recorded = self._record.get("ended")
            if recorded == "time_up":
                end_by_length(tx, "time_up")
            else:
                end_game(tx, [], cast("Ending", recorded) if recorded in _ENDINGS else "ended_early")
            self._log.events.extend(tx.events)
        return self._log


def _illegal(number: int, broken: Broken) -> InvalidRequest:
    refusal = broken.refusal
    params: dict[str, object] = {"round": number, "action": broken.action, "code": refusal.code}
    if isinstance(refusal, RuleBroken):
        params["rule"] = refusal.rule
    return InvalidRequest(reason="record_illegal", field="rounds", **params)


def _table(record: RecordJson, host: str, table: str, at: int, pause: Callable[[], None]) -> State:
    """Return the table of a record before its game. Its occupants are not players of this service."""
    first = record["rounds"][0]
    spec: TableSpec = {
        "ruleset": record["ruleset"],
        "players": record["players"],
        "options": options_of_record(record),
        "clock": as_asked(record.get("clock", {})),
        "chat": False,
        "claims": True,
        "hints": "off",
    }
    if length := length_from(record, first["round"]):
        spec["length"] = length
    state = create_table(table, host, spec, at, no_random_bytes).state
    names = {each["seat"]: _name(each) for each in record.get("seats") or ()}
    seats: list[Seat] = []
    for number, seat in enumerate(state["seats"]):
        name = names.get(number) or f"Player {number + 1}"
        occupant: Occupant = {"kind": "bot", "player": None, "name": name, "level": None}
        seats.append({**seat, "occupant": occupant, "presence": "gone"})
    known: dict[str, list[KnownDeal]] = {}
    for played in record["rounds"]:
        pause()
        deals = known_of(record, played)
        if deals:
            known[str(played["round"])] = deals
        elif played["shuffle"]["shuffle_name"] != first["shuffle"]["shuffle_name"]:
            raise InvalidRequest(reason="record_deal", field="rounds", round=played["round"])
    repeated: RepeatedDeal = {
        "shuffle_name": first["shuffle"]["shuffle_name"],
        "round": first["round"],
        "entropy": dict(first["shuffle"]["entropy"]),
        "starter": first["starter"],
        "declarer": first["declarer"],
    }
    settings: Settings = {**state["settings"], "seed": "imported", "deal": repeated, "known": known, "imported": True}
    return {**state, "settings": settings, "seats": seats}


def _levels(state: State, standings: list[RecordJson] | None) -> list[LevelChange]:
    """Return the level changes that lead to the standings of the first round."""
    if not standings or RULESETS[state["ruleset"]].family != "shengji":
        return []
    changes = []
    for number, (seat, recorded) in enumerate(zip(state["seats"], standings, strict=True)):
        standing = recorded_standing(recorded)
        if standing != standing_of(seat):
            change = {"seat": number, "from": seat["level"], "to": standing["level"], "won": False}
            rest = {name: value for name, value in standing.items() if name != "level"}
            changes.append(cast("LevelChange", {**change, **rest}))
    return changes


def _name(seat: RecordJson) -> str | None:
    """Return the occupant's name, given either for the seat or as in records of this service."""
    occupant: RecordJson = seat.get("occupant") or {}
    name: str | None = seat.get("name") or occupant.get("name")
    return name
