"""Analyses and pars of finished rounds: how far they are, and what has to be asked for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeGuard

from service.game.errors import NotFound
from service.store.analyses import LEVEL, Analysis, AnalysisStore, Par

#: An analysis and a par before the first step.
_NO_ANALYSIS: Final[Analysis] = {"level": LEVEL, "of": 0, "decisions": []}
NO_PAR: Final[Par] = {"level": "normal", "of": 0, "values": []}
#: How many replays a par has (`workers.pars`), for its price.
_REPLAYS: Final = 16

#: Asks the searchers for a number of steps, the first ones if the second argument is true; raises if they cannot.
Ask = Callable[[int, bool], None]


class Analyses:
    """See the module.

    Args:
        store: stores them.
    """

    def __init__(self, store: AnalysisStore) -> None:
        self._store: Final = store

    def analysis(self, game: str, number: int) -> Analysis:
        """Return the analysis of a round so far.

        Raises:
            NotFound: nobody has asked for it.
        """
        analysis = self._store.load(game, number)
        if analysis is None:
            raise NotFound(what="analysis", round=number)
        return analysis

    def ask_analysis(self, game: str, number: int, decisions: int, ask: Ask) -> Analysis:
        """Return the analysis of a round with so many decisions, after asking for what is missing."""
        known = self._store.load(game, number)
        if known is not None and is_ready(known):
            return known
        analysis = known or _NO_ANALYSIS
        ask((analysis["of"] or decisions) - len(analysis["decisions"]), known is None)
        # Store it now, so that the caller can read its progress at once.
        self._store.begin(game, number, _NO_ANALYSIS)
        return analysis

    def par(self, game: str, number: int) -> Par | None:
        """Return the par of a round so far; None: nobody has asked for it."""
        return self.pars(game, [number])[0]

    def pars(self, game: str, numbers: Sequence[int]) -> list[Par | None]:
        """Return the pars of some rounds so far; None: nobody has asked for it."""
        return self._store.pars(game, numbers)

    def ask_par(self, game: str, number: int, ask: Ask) -> Par:
        """Return the par of a round, after asking for the replays that are missing."""
        known = self.par(game, number)
        if has_par(known):
            return known
        ask(_REPLAYS - len(known["values"] if known else ()), known is None)
        return known or NO_PAR

    def begun(self, games: Mapping[str, int]) -> dict[str, list[int]]:
        """Return game -> rounds that have an analysis, given game -> number of rounds."""
        return self._store.begun(games)

    def of_rounds(self, rounds: Sequence[tuple[str, int]]) -> list[Analysis | None]:
        """Return the analyses so far of some rounds (game and number); None: nobody has asked for it."""
        return self._store.load_all(rounds)

    def begun_of(self, rounds: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return those of some rounds (game and number) that have an analysis."""
        return self._store.begun_of(rounds)


def is_ready(analysis: Analysis) -> bool:
    """Return whether all decisions of a round are analysed."""
    return 0 < analysis["of"] == len(analysis["decisions"])


def has_par(par: Par | None) -> TypeGuard[Par]:
    """Return whether all replays are done."""
    return par is not None and 0 < par["of"] <= len(par["values"])
