"""Past rounds: each round that a player has finished, also of games that never end.

A round is listed when its result is written, from the results of the game at the table. One that was missed, since a
process died at that moment, is listed with one of the next.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from service.game.ids import table_of_game
from service.game.records.sittings import sittings_of
from service.game.state.queries import game_of, is_practice
from service.game.state.types import NumberedSummary, State
from service.store.coach.past_rounds import Listed, PastRound, PastRoundStore, Position
from service.store.port import StoreUnavailable
from service.tables.parts import winners_of_round

#: How many of the last rounds of a game are listed each time.
_AGAIN: Final = 5


class PastRounds:
    """See the module."""

    def __init__(self, store: PastRoundStore) -> None:
        self._store: Final = store

    def note(self, state: State) -> None:
        """List the last rounds of a table for those who sat there. Idempotent."""
        if state["game"] is None or "sandbox" in state["settings"]:
            return
        # Otherwise they are listed later; see the module.
        with suppress(StoreUnavailable):
            for player, rounds in rounds_of(state).items():
                self._store.add(player, rounds, state["at"])

    def of(self, player: str, after: Position | None = None) -> Iterator[Listed]:
        """Yield the rounds of a player, the latest first, from a position on."""
        return self._store.newest_first(player, after)

    def with_log(self, games: Iterable[str]) -> set[str]:
        """Return which of some games can be replayed, as far as the store knows."""
        return self._store.with_log({game: table_of_game(game) for game in games})


def rounds_of(state: State) -> dict[str, list[PastRound]]:
    """Return player -> the last rounds of the game at a table that the player sat in."""
    rounds: dict[str, list[PastRound]] = {}
    results = game_of(state)["results"][-_AGAIN:]
    for seat, occupant, first, count in sittings_of(state):
        player = occupant["player"]
        its = [each for each in results if first <= each["round"] < first + count]
        if player is not None and its:
            rounds.setdefault(player, []).extend(_past_round(state, seat, each) for each in its)
    return rounds


def _past_round(state: State, seat: int, result: NumberedSummary) -> PastRound:
    winners = winners_of_round(state["players"], result)
    played: PastRound = {
        "game": game_of(state)["id"],
        "number": result["round"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "seat": seat,
        "result": None if not winners else "won" if seat in winners else "lost",
    }
    if "scores" in result:
        played["scores"] = result["scores"]
    else:
        played["side"] = "declarers" if seat in result.get("declarers", ()) else "attackers"
        played["points"], played["levels"] = result.get("points", 0), result.get("levels", 0)
    if is_practice(state):
        played["practice"] = True
    if "board" in state["settings"]:
        played["sealed_until"] = state["settings"]["board"]["sealed_until"]
    return played
