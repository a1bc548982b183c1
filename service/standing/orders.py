"""What an order says, and which orders a table accepts."""

from collections.abc import Sequence
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

from service.common import fastjson
from service.common.errors import CardsNotHeld, InvalidRequest
from service.game.errors import WrongPhase
from service.game.state.queries import round_of
from service.game.state.rules import options_of
from service.game.state.settings import correspondence_of
from service.game.state.types import State
from service.rules.cards import KIND, missing_from, names_of
from service.rules.options.rulesets import RULESETS

#: What an order does, each at one kind of decision: `pass` and `ready` apart, all of them play.
Deed: TypeAlias = Literal["cards", "lowest", "highest", "partner", "forced", "claim", "pass", "ready"]
DEEDS: Final[tuple[Deed, ...]] = ("cards", "lowest", "highest", "partner", "forced", "claim", "pass", "ready")
#: What may have been led; `nothing`: the seat leads itself.
LED: Final = ("S", "H", "D", "C", "trumps", "nothing")
#: Decisions at which one can pass.
PASSED: Final = ("declare", "defend", "overcall-kitty")
#: Most orders of a seat, and most bytes of them as JSON.
MOST_ORDERS: Final = 20
MOST_BYTES: Final = 2_048


class StandingOrder(TypedDict):
    """An order.

    Attributes:
        do: what it does.
        led: only if this suit was led, or nothing; left out: whatever was led.
        cards: `cards`: the cards to play, names.
        decisions: `pass`: the kinds of decision at which to pass.
        unless_cards, unless_suits: `pass`: not if the declaration that stands has so many cards and one of these
            suits (`NT`: jokers alone); left out: any number, any suit. With neither, always.
    """

    do: Deed
    led: NotRequired[str]
    cards: NotRequired[list[str]]
    decisions: NotRequired[list[str]]
    unless_cards: NotRequired[int]
    unless_suits: NotRequired[list[str]]


def check_orders(state: State, seat: int, orders: Sequence[StandingOrder]) -> None:
    """Check that a table accepts the orders of a seat.

    Raises:
        WrongPhase: reason `orders_need_days`: the table counts in seconds.
        InvalidRequest: reason `orders_too_long`, `order_without_cards`, `order_without_decisions`,
            `order_of_other_fields` or `order_never_comes`.
        CardsNotHeld: an order plays cards that the seat does not hold now.
    """
    if correspondence_of(state) is None:
        raise WrongPhase(action="orders", expected=None, reason="orders_need_days")
    if len(fastjson.dumps(orders)) > MOST_BYTES:
        raise InvalidRequest(reason="orders_too_long", field="orders", most=MOST_BYTES)
    for number, order in enumerate(orders):
        _check_fields(order, f"orders/{number}")
        _check_decision(state, order, f"orders/{number}")
        if "cards" in order:
            _check_held(state, seat, order["cards"])


def _check_fields(order: StandingOrder, field: str) -> None:
    """Check that an order has the fields that it needs, and no others."""
    for name, deed in (("cards", "cards"), ("decisions", "pass")):
        if order["do"] == deed and not order.get(name):
            raise InvalidRequest(reason=f"order_without_{name}", field=field)
    others = sorted(order.keys() - {"do"} - _FIELDS[order["do"]])
    if others:
        raise InvalidRequest(reason="order_of_other_fields", field=field, do=order["do"], settings=others)


_FIELDS: Final[dict[Deed, set[str]]] = {
    "cards": {"cards", "led"},
    "lowest": {"led"},
    "highest": {"led"},
    "partner": {"led"},
    "forced": set(),
    "claim": set(),
    "pass": {"decisions", "unless_cards", "unless_suits"},
    "ready": set(),
}


def _check_decision(state: State, order: StandingOrder, field: str) -> None:
    """Check that the decision that an order answers can come at this table."""
    options, passed = options_of(state), order.get("decisions", ())
    is_declared = RULESETS[state["ruleset"]].family != "arms_length"
    comes = {
        "claim": is_declared and bool(state["settings"].get("claims")),
        "partner": is_declared,
        "pass": is_declared
        and ("overcall-kitty" not in passed or options["chao_di"])
        and ("defend" not in passed or options["defence"] == "immediate"),
    }.get(order["do"], True)
    if not comes:
        raise InvalidRequest(reason="order_never_comes", field=field, do=order["do"])


def _check_held(state: State, seat: int, cards: Sequence[str]) -> None:
    if state["round"] is None:
        raise CardsNotHeld(missing=list(cards))
    missing = missing_from(round_of(state)["hands"][seat], [KIND[card] for card in cards])
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
