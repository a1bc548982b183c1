"""The rules that a table plays by: its deck, and how its tricks are led, followed and won."""

from functools import lru_cache
from typing import Any, Final

from service.game.state.types import State
from service.rules.leads import Lead
from service.rules.rulesets import Composition, composition
from service.rules.tricks import TrickRules, trick_rules
from service.rules.trumps import Trump


@lru_cache(maxsize=256)
def _composition(ruleset: str, players: int, joker_policy: str | None) -> Composition:
    return composition(ruleset, players, {"joker_policy": joker_policy})


def composition_of(state: State) -> Composition:
    """Return the deck and the deal of this table."""
    return _composition(state["ruleset"], state["players"], state["options"].get("joker_policy"))


_RULES_KEPT: Final = 1024
#: Rules by the identity of the trump that they are for, which is one object all through a round as long as the state
#: stays in memory. Trump and options are kept with them, so that no other object can have come into their place.
_rules: dict[int, tuple[dict[str, Any], dict[str, Any], TrickRules]] = {}


def rules_of(state: State) -> TrickRules:
    """Return the rules of tricks for the round."""
    trump, options = state["round"]["trump"], state["options"]
    known = _rules.get(id(trump))
    if known is None or known[0] is not trump or known[1] is not options:
        if len(_rules) >= _RULES_KEPT:
            _rules.clear()
        known = _rules[id(trump)] = (trump, options, trick_rules(Trump(trump["rank"], trump["suit"]), options))
    return known[2]


@lru_cache(maxsize=1024)
def _read(rules: TrickRules, cards: tuple[int, ...], units: tuple[tuple[int, ...], ...]) -> Lead:
    return rules.lead(cards, units)


def lead_of(rules: TrickRules, trick: dict[str, Any]) -> Lead:
    """Return the lead of a trick as it was read when it was led."""
    play = trick["plays"][0]
    cards, units = play["cards"], play["units"]
    if len(units) == 1 and cards.count(cards[0]) == len(cards):
        return rules.alike(cards[0], len(cards))
    return _read(rules, tuple(cards), tuple(map(tuple, units)))
