"""Mistakes by theme: what the analyses of a player's rounds have found, gathered over rounds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.store.analyses import Analysis
from service.store.coach.past_rounds import Listed

#: Most analysed rounds that are looked at, the latest, and most examples of a theme.
MOST_ROUNDS: Final = 30
MOST_EXAMPLES: Final = 3
#: What makes decisions that are the player's own; left out in analyses of releases before 0.4.
_OWN: Final = "player"


class Mistake(NamedTuple):
    """A decision that was measurably worse than another one: where it is, and what it cost in levels."""

    listed: Listed
    seq: int
    theme: str
    cost: float


class Theme(NamedTuple):
    """The mistakes of a theme: their number, what they cost in levels together, and the worst of them."""

    theme: str
    number: int
    cost: float
    worst: list[Mistake]


class Gathered(NamedTuple):
    """The mistakes of some analysed rounds; the themes that cost most come first."""

    rounds: int
    themes: list[Theme]


#: Returns the analyses of some rounds (game and number); None where there is none.
OfRounds = Callable[[Sequence[tuple[str, int]]], Sequence[Analysis | None]]


def gathered(
    listed: Iterable[Listed], begun: Callable[..., Iterable[tuple[str, int]]], of_rounds: OfRounds
) -> Gathered:
    """Return the mistakes in the latest rounds of a player that are analysed.

    Args:
        listed: the rounds of the player.
        begun: returns those of some rounds that have an analysis.
        of_rounds: returns analyses.
    """
    by_name = {(each.round["game"], each.round["number"]): each for each in listed}
    analysed = set(begun([*by_name]))
    names = [name for name in by_name if name in analysed][:MOST_ROUNDS]
    found: dict[str, list[Mistake]] = {}
    rounds = 0
    for name, analysis in zip(names, of_rounds(names), strict=True):
        if analysis is None or not analysis["decisions"]:
            continue
        rounds += 1
        for mistake in _mistakes(by_name[name], analysis["decisions"]):
            found.setdefault(mistake.theme, []).append(mistake)
    themes = [_theme(theme, mistakes) for theme, mistakes in found.items()]
    return Gathered(rounds, sorted(themes, key=lambda each: (-each.cost, each.theme)))


def _mistakes(listed: Listed, decisions: Iterable[Mapping[str, Any]]) -> list[Mistake]:
    """Return the mistakes of the player in a round. Decisions that were not simulated have no cost, and are none."""
    return [
        Mistake(listed, each["seq"], each.get("theme") or "other", each["gain"])
        for each in decisions
        if each["seat"] == listed.round["seat"] and each["best"] and each["gain"] and each.get("by", _OWN) == _OWN
    ]


def _theme(theme: str, mistakes: Sequence[Mistake]) -> Theme:
    worst = sorted(mistakes, key=lambda each: -each.cost)[:MOST_EXAMPLES]
    return Theme(theme, len(mistakes), sum(each.cost for each in mistakes), worst)
