"""Standing orders."""

from service.api.schemas import fields as f
from service.api.schemas.hints import AdvisedAction
from service.standing.orders import DEEDS, LED, MOST_ORDERS, PASSED

_DO = (
    "What the order does. `cards`: plays these cards. `forced`: plays if only one play is legal. `lowest`, `highest`: "
    "follows with the lowest or highest cards of the suit led, if it holds enough of them. `partner`: if the "
    "own side is winning the trick, plays as many points as possible without trumps, else low cards. `claim`: claims "
    "the remaining tricks when no cards that the seat has not seen could win one. `pass`: passes. `ready`: is ready "
    "for the next round."
)
_LED = "Only if this suit was led, or `nothing`: the seat leads itself. Left out: whatever was led."
_CARDS = "`cards`: the cards to play. They count in the round in which they are ordered."
_UNLESS = "`pass`: not if the declaration or overcall that stands"


def _order() -> dict[str, f.Field]:
    return {
        "do": f.choice(_DO, *DEEDS, example="cards"),
        "led": f.choice(_LED, *LED, optional=True, example="H"),
        "cards": f.cards(_CARDS, 1, optional=True, example=["AH"]),
        "decisions": f.array(
            f.choice("A kind of decision.", *PASSED), "`pass`: at which decisions.", 1, len(PASSED), optional=True
        ),
        "unless_cards": f.integer(f"{_UNLESS} has at least so many cards.", 1, 12, optional=True, example=2),
        "unless_suits": f.array(
            f.choice("A suit, or `NT` for jokers alone.", "S", "H", "D", "C", "NT"),
            f"{_UNLESS} is of one of these suits.",
            1,
            5,
            optional=True,
        ),
    }


StandingOrder = f.Contract.from_dict(_order(), name="StandingOrder")
StandingOrder.__doc__ = "A standing order."
AskedStandingOrder = f.Contract.from_dict(_order(), name="AskedStandingOrder")
AskedStandingOrder.__doc__ = "A standing order, as one gives it."


class AskedStandingOrders(f.Contract):
    """Standing orders, in the order in which they are tried."""

    orders = f.array(
        f.nested(AskedStandingOrder),
        "The first with a legal answer acts. Together at most 2,048 bytes as JSON; none: withdraw all.",
        0,
        MOST_ORDERS,
    )


class OrderAct(f.Contract):
    """What an order has done."""

    round = f.integer("The round of the game.", 1)
    order = f.integer("Index of the order in the list as it was then.", 0)
    do = f.extensible("What it did.", DEEDS, example="forced")
    seq = f.integer("The event of the table with which it began.", 1)
    at = f.time("When.")


class StandingOrders(f.Contract):
    """The standing orders of a seat. Only the player who gave them can see them."""

    seat = f.integer("The seat.", 0, 15)
    orders = f.array(f.nested(StandingOrder), "In the order in which they are tried; none: the player is asked.")
    set_at = f.time("Since when; null: there are none.", nullable=True)
    acts = f.array(f.nested(OrderAct), "The latest acts, at most 30, the earliest first.")


class OrderTrial(f.Contract):
    """What orders would do in the open decision."""

    order = f.integer("Index of the order that would act; null: none, the player is asked.", 0, nullable=True)
    action = f.nested(AdvisedAction, "What it would do; null: nothing.", nullable=True)
