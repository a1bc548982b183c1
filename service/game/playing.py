"""Tricks: leading, following, throws, and friends who show themselves."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from service.game import ending
from service.game.state import State, composition_of
from service.game.turn import Turn
from service.rules.cards import POINTS, absent_from
from service.rules.friends import joins
from service.rules.leads import Lead
from service.rules.rulesets import deck_of
from service.rules.tricks import TrickRules, trick_rules
from service.rules.trumps import Trump

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
        absent = absent_from(deck_of(composition_of(state)))
        known = _rules[id(trump)] = (trump, options, trick_rules(Trump(trump["rank"], trump["suit"]), options, absent))
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


def ask(turn: Turn, seat: int) -> None:
    """Ask a seat to lead or to follow."""
    turn.open_decision("play", [seat])


def play(turn: Turn, seat: int, cards: Sequence[int], units: Sequence[Sequence[int]] | None) -> None:
    """Lead or follow with cards that the seat holds."""
    state = turn.state
    trick = state["round"]["trick"]
    rules = rules_of(state)
    if trick is None:
        if not _lead(turn, rules, seat, cards, units):
            return
    else:
        lead = lead_of(rules, trick)
        rules.follow(lead, state["round"]["hands"][seat], cards)
        best = trick["plays"][(trick["winning"] - trick["leader"]) % state["players"]]
        winning = seat if rules.beats(lead, best["cards"], cards) else trick["winning"]
        turn.emit("played", seat=seat, cards=list(cards), units=[], throw=None, winning=winning)
    if state["round"]["calls"]:
        _join_friends(turn, seat, seen=state["round"]["played"])
    after = turn.state["round"]["trick"]
    if len(after["plays"]) < state["players"]:
        ask(turn, (seat + 1) % state["players"])
    else:
        _end_trick(turn, after)


def _lead(
    turn: Turn, rules: TrickRules, seat: int, cards: Sequence[int], units: Sequence[Sequence[int]] | None
) -> bool:
    """Lead the cards, or of a throw that fails what must be led instead. False: the throw has ended the round."""
    state = turn.state
    lead = rules.lead(cards, units)
    throw = None
    if lead.kind == "throw":
        players = state["players"]
        hands = state["round"]["hands"]
        tested = rules.throw(lead, [hands[(seat + step) % players] for step in range(1, players)])
        throw = {"ok": tested.ok, "cards": list(lead.cards), "forced": list(tested.forced), "penalty": tested.penalty}
        if not tested.ok:
            turn.emit(
                "throw_failed",
                seat=seat,
                cards=list(lead.cards),
                units=[list(unit.cards) for unit in lead.units],
                forced=list(tested.forced),
                penalty=tested.penalty,
                ends_round=tested.ends_round,
            )
            if tested.ends_round:
                ending.end_by_throw(turn, seat, tested.penalty_levels)
                return False
            lead = rules.lead(tested.forced)
    shape = [list(unit.cards) for unit in lead.units]
    turn.emit("played", seat=seat, cards=list(lead.cards), units=shape, throw=throw, winning=seat)
    return True


def _join_friends(turn: Turn, seat: int, seen: Sequence[int]) -> None:
    """Whoever has just brought a called copy to the table joins the declarer, and brings no points along."""
    table_round = turn.state["round"]
    cards = table_round["trick"]["plays"][-1]["cards"]
    for at in joins(table_round["calls"], seen, cards, by_declarer=seat == table_round["declarer"]):
        now = turn.state["round"]
        lost = now["points"][seat] if now["sides"][seat] != "declarers" else 0
        called = now["calls"][at]
        turn.emit(
            "friend_joined",
            "server",
            seat=seat,
            call=at,
            card=called["card"],
            ordinal=called["ordinal"],
            friend=seat != now["declarer"],
            points_lost=lost,
        )


def _end_trick(turn: Turn, trick: dict[str, Any]) -> None:
    winner = trick["winning"]
    points = sum([POINTS[kind] for made in trick["plays"] for kind in made["cards"]])
    turn.emit("trick_won", "server", seat=winner, number=trick["number"], points=points)
    if any(turn.state["round"]["hands"][winner]):
        ask(turn, winner)
    else:
        ending.score_round(turn)
