"""What a circle has played: levels that go on at its next table, tallies of people and pairs, and its last rounds.

A round is counted when its result is written, from the results of the game at the table. A round that was missed, since
a process died at that moment, is counted with the next one, or when the next table is opened.
"""

from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations
from typing import Final

from service.common.errors import Refusal
from service.game.records.sittings import sittings_of
from service.game.state.queries import circle_of, game_of
from service.game.state.table_types import TableSpec
from service.game.state.types import NumberedSummary, State
from service.rules.options.rulesets import RULESETS
from service.store.matchmaking.circles import Circle, CircleStore, History, PastRound, Tally
from service.store.port import PlayerStore, StoreUnavailable
from service.tables import Tables
from service.tables.parts import winners_of_round

#: Most rounds that a circle remembers one by one.
MOST_ROUNDS: Final = 100
#: Ends of a game after which its levels go on.
_UNDECIDED: Final = (None, "abandoned", "ended_early")


class Histories:
    """See the module.

    Args:
        store: stores circles.
        players: of whom some are guests until they have played.
        tables: checks levels.
    """

    def __init__(self, store: CircleStore, players: PlayerStore, tables: Tables) -> None:
        self._store: Final = store
        self._players: Final = players
        self._tables: Final = tables

    def of(self, circle: Circle) -> History:
        """Return the history of a circle."""
        return self._store.history(circle["id"])

    def note(self, state: State) -> None:
        """Count the rounds of a table that has finished one, if it is a circle's. Idempotent."""
        circle = circle_of(state)
        if circle is None or state["game"] is None:
            return
        # Otherwise it is counted later; see the module.
        with suppress(StoreUnavailable):
            history = self._store.change_history(circle, lambda known, before: counted(known, before, state))
            for player in history["seats"] if history is not None else ():
                if player is not None:
                    # Friends who meet every other week are no guests, although few games are played to their end.
                    self._players.keep(player)

    def start_levels(self, circle: Circle, spec: TableSpec) -> TableSpec | None:
        """Return the settings with which the next table of a circle (`spec`) goes on; None: from the beginning."""
        history = self.of(circle)
        if not history["levels"] or (history["ruleset"], history["players"]) != (spec["ruleset"], spec["players"]):
            return None
        continued: TableSpec = {**spec, "start_levels": history["levels"]}
        try:
            self._tables.unstored(continued)
        except Refusal:
            # With other options, these levels are not played any more.
            return None
        return continued


def counted(circle: Circle, history: History, state: State) -> History:
    """Return a history with the rounds of the game at a table that it does not count yet; itself if there are none.

    Rounds of players who do not belong to the circle (any more) are nobody's.
    """
    game = game_of(state)
    name, last = history["counted"]
    fresh = [result for result in game["results"] if name != game["id"] or result["round"] > last]
    for result in fresh:
        history = _with_round(history, _past_round(circle, state, result))
    if not fresh:
        return history
    return {
        **history,
        "ruleset": state["ruleset"],
        "players": state["players"],
        "levels": _levels(state) if game["ended"] in _UNDECIDED else [],
        "seats": history["rounds"][-1]["seats"],
        "counted": (game["id"], fresh[-1]["round"]),
    }


def _levels(state: State) -> list[str]:
    """Return the levels reached, by side if teams are fixed, else by seat; none in a game without levels."""
    ruleset = RULESETS[state["ruleset"]]
    if ruleset.family == "arms_length":
        return []
    levels = [seat["level"] for seat in state["seats"]]
    return levels[:2] if ruleset.teams == "fixed" else levels


def _past_round(circle: Circle, state: State, result: NumberedSummary) -> PastRound:
    seats: list[str | None] = [None] * state["players"]
    for seat, occupant, first, rounds in sittings_of(state):
        player = occupant["player"]
        if first <= result["round"] < first + rounds and player in circle["members"]:
            seats[seat] = player
    return {
        "game": game_of(state)["id"],
        "round": result["round"],
        "at": state["at"],
        "seats": seats,
        "won": winners_of_round(state["players"], result),
        "levels": result.get("levels", 0),
    }


def _with_round(history: History, played: PastRound) -> History:
    """Return a history with one more round: of each person, and of each two on one side."""
    people, pairs = dict(history["people"]), dict(history["pairs"])
    for won in (True, False):
        side = [player for seat, player in enumerate(played["seats"]) if player and (seat in played["won"]) == won]
        _add(people, side, won=won and bool(played["won"]))
        together = side if played["won"] else ()
        _add(pairs, [" ".join(sorted(pair)) for pair in combinations(together, 2)], won=won)
    rounds = [*history["rounds"], played][-MOST_ROUNDS:]
    return {**history, "people": people, "pairs": pairs, "rounds": rounds}


def _add(tallies: dict[str, Tally], names: Iterable[str], *, won: bool) -> None:
    for name in names:
        tally = tallies.get(name, {"rounds": 0, "won": 0})
        tallies[name] = {"rounds": tally["rounds"] + 1, "won": tally["won"] + won}
