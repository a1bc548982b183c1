"""What the orders of a seat do at the open decision.

Like an AI player, an order knows what its seat knows: the functions here read the seat's own hand and what lies open,
never another hand. `tests/standing/test_acting.py` compares tables that differ in nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from service.game.state.families import family_of
from service.game.state.queries import decision_of, round_of, trick_of
from service.game.state.rules import has_fixed_teams, not_seen_by, ranking_of, rules_of
from service.game.state.types import Cards, State
from service.rules.cards import CARDS, KIND, LJ, RANKS, missing_from, names_of, points_of
from service.rules.options.rulesets import RULESETS
from service.rules.rounds.declarations import standing
from service.standing.orders import PASSED, Deed, StandingOrder

#: Most legal plays that are compared; an order does nothing where there are more.
_MOST_PLAYS: Final = 400

#: A command without player and decision.
Command = Mapping[str, Any]


def answers(state: State, seat: int, orders: Iterable[tuple[int, StandingOrder]]) -> Iterator[tuple[int, Command]]:
    """Yield the number of each order that has an answer of the seat to the open decision, and its command.

    The first that is allowed is to be carried out. A command may be refused, for instance a lead that is no unit.
    """
    kind = decision_of(state)["kind"]
    for number, order in orders:
        at, answer = _ANSWERS[order["do"]]
        if kind in at and _is_led(state, order):
            command = answer(state, seat, order)
            if command is not None:
                yield number, command


def _is_led(state: State, order: StandingOrder) -> bool:
    """Return whether what was led is what the order is about."""
    return "led" not in order or order["led"] == _led(state)


def _led(state: State) -> str:
    trick = round_of(state)["trick"]
    return _suit_of(state)(trick["plays"][0]["cards"][0]) if trick is not None else "nothing"


def _suit_of(state: State) -> Callable[[int], str]:
    """Return the function from a kind to the letter of its suit, or `trumps`."""
    if RULESETS[state["ruleset"]].family == "arms_length":
        return lambda kind: CARDS[kind][1]
    order = ranking_of(state)
    return lambda kind: order.name_of(order.group_of[kind])


def _strength(state: State) -> Callable[[int], int]:
    """Return the function from a kind to its strength within its suit."""
    if RULESETS[state["ruleset"]].family == "arms_length":
        return lambda kind: kind % len(RANKS)
    return ranking_of(state).level_of.__getitem__


def _plays(state: State, seat: int) -> list[Cards]:
    """Return all legal plays of a seat; none if there are too many to compare."""
    plays, are_all = family_of(state).legal_plays(state, seat, _MOST_PLAYS)
    return plays if are_all else []


def _play(cards: Sequence[int]) -> Command:
    return {"type": "play", "cards": names_of(cards)}


# --- plays -------------------------------------------------------------------------------------------------------


def _cards(state: State, seat: int, order: StandingOrder) -> Command | None:
    kinds = [KIND[card] for card in order["cards"]]
    return None if missing_from(round_of(state)["hands"][seat], kinds) else _play(kinds)


def _forced(state: State, seat: int, _: StandingOrder) -> Command | None:
    plays, are_all = family_of(state).legal_plays(state, seat, 2)
    return _play(plays[0]) if are_all and len(plays) == 1 else None


def _of_led_suit(state: State, seat: int) -> list[Cards]:
    """Return the legal plays of a seat that follow suit with all cards, weakest first, of equal ones without points."""
    led, suit_of, strength = _led(state), _suit_of(state), _strength(state)
    followed = [play for play in _plays(state, seat) if all(suit_of(kind) == led for kind in play)]
    return sorted(followed, key=lambda play: (sum(map(strength, play)), points_of(play), play))


def _lowest(state: State, seat: int, _: StandingOrder) -> Command | None:
    followed = _of_led_suit(state, seat)
    return _play(followed[0]) if followed else None


def _highest(state: State, seat: int, _: StandingOrder) -> Command | None:
    followed = _of_led_suit(state, seat)
    return _play(followed[-1]) if followed else None


def _partner(state: State, seat: int, _: StandingOrder) -> Command | None:
    """If the partner's play is winning: as many points as possible, without trumps if possible, else low cards."""
    if round_of(state)["trick"] is None or not _is_of_one_side(state, seat, trick_of(round_of(state))["winning"]):
        return None
    suit_of, strength = _suit_of(state), _strength(state)
    plays = _plays(state, seat)
    followed = [play for play in plays if not any(suit_of(kind) == "trumps" for kind in play)] or plays
    best = min(followed, key=lambda play: (-points_of(play), sum(map(strength, play)), play), default=None)
    return None if best is None else _play(best)


def _is_of_one_side(state: State, seat: int, other: int) -> bool:
    """Return whether everybody knows two seats to be partners."""
    if has_fixed_teams(state):
        return seat % 2 == other % 2
    sides = round_of(state)["sides"]
    return sides[seat] == sides[other] != "unknown"


def _claim(state: State, seat: int, _: StandingOrder) -> Command | None:
    """Claim if the seat wins all other tricks against any hands: as if one seat held all cards it has not seen."""
    table_round = round_of(state)
    if table_round["trick"] is not None or seat in table_round.get("claims", ()):
        return None
    leads = rules_of(state).certain_leads(table_round["hands"][seat], [not_seen_by(state, seat)])
    return None if leads is None else {"type": "claim"}


# --- other decisions ---------------------------------------------------------------------------------------------


def _pass(state: State, _: int, order: StandingOrder) -> Command | None:
    if decision_of(state)["kind"] not in order["decisions"] or _is_reason_to_ask(state, order):
        return None
    return {"type": "pass"}


def _is_reason_to_ask(state: State, order: StandingOrder) -> bool:
    """Return whether the declaration or overcall that stands is one at which the player wants to decide."""
    if "unless_cards" not in order and "unless_suits" not in order:
        return False
    overcalls = round_of(state)["overcalls"]
    shown = overcalls["standing"] if overcalls is not None else standing(round_of(state)["shown"])
    if shown is None:
        return False
    cards = shown["cards"]
    suit = "NT" if cards[0] >= LJ else CARDS[cards[0]][1]
    return len(cards) >= order.get("unless_cards", 1) and suit in order.get("unless_suits", [suit])


def _ready(_: State, __: int, ___: StandingOrder) -> Command:
    return {"type": "ready"}


#: What an order does -> the kinds of decision that it answers, and its answer.
_ANSWERS: Final[Mapping[Deed, tuple[tuple[str, ...], Callable[[State, int, StandingOrder], Command | None]]]] = {
    "cards": (("play",), _cards),
    "lowest": (("play",), _lowest),
    "highest": (("play",), _highest),
    "partner": (("play",), _partner),
    "forced": (("play",), _forced),
    "claim": (("play",), _claim),
    "pass": (PASSED, _pass),
    "ready": (("ready",), _ready),
}
