"""Standing orders of a seat at a table that takes days."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTHING, ORDERS
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import orders as schemas
from service.game.views.fields import timestamp
from service.standing.standing import OwnOrders

resource: Final = Resource(
    "Standing orders",
    "At a table that takes days (`clock.correspondence`) a player can say beforehand what to do. Orders are private, "
    "act some minutes after a decision has opened whatever they do, and look like any other act of the player.",
)

_ERRORS: Final = ("not-your-seat", "wrong-phase", "cards-not-held")
_EXAMPLE: Final = {"orders": [{"do": "cards", "led": "H", "cards": ["AH"]}, {"do": "forced"}]}


def _own_orders(own: OwnOrders) -> Response:
    acts = [
        {"round": act["round"], "order": act["order"], "do": act["do"], "seq": act["seq"], "at": timestamp(act["at"])}
        for act in own.acts
    ]
    set_at = None if own.set_at is None else timestamp(own.set_at)
    return json_response({"seat": own.seat, "orders": own.orders, "set_at": set_at, "acts": acts})


@resource.operation(
    "GET",
    "/v1/tables/<table>/seats/me/orders",
    response=schemas.StandingOrders(),
    errors=("not-your-seat",),
    scope="tables:play",
)
def get_orders(request: ApiRequest, table: str) -> Response:
    """List my standing orders at a table, and what they have done."""
    return _own_orders(request.services.orders.own(table, request.player_id))


@resource.operation(
    "PUT",
    "/v1/tables/<table>/seats/me/orders",
    body=schemas.AskedStandingOrders(),
    response=schemas.StandingOrders(),
    budget="act",
    errors=_ERRORS,
    example=_EXAMPLE,
    scope="tables:play",
    keeps=ORDERS,
)
def set_orders(request: ApiRequest, table: str) -> Response:
    """Replace my standing orders.

    When a decision has asked the seat for a while, they are tried one after the other, and the first with a legal
    answer acts. If none has one, the player is asked as usual. They end with the game, and when somebody else has the
    seat; those that name cards end with the round. When this is answered, those of before do not act any more.

    Refused with a `reason`: `orders_need_days` at a table that counts in seconds, `orders_need_a_game` before a game,
    `order_never_comes` for a decision that cannot come there, `order_without_cards`, `order_without_decisions`,
    `order_of_other_fields`, and `orders_too_long`.
    """
    return _own_orders(request.services.orders.set(table, request.player_id, request.body["orders"]))


@resource.operation(
    "POST",
    "/v1/tables/<table>/seats/me/orders/trial",
    body=schemas.AskedStandingOrders(),
    response=schemas.OrderTrial(),
    budget="oracle",
    errors=_ERRORS,
    example=_EXAMPLE,
    scope="tables:play",
    keeps=NOTHING,
)
def try_orders(request: ApiRequest, table: str) -> Response:
    """Ask what orders would do in my open decision.

    Nothing changes. The same orders are refused as when they are set.
    """
    orders = request.body["orders"]
    with request.charged():
        first = request.services.orders.would(table, request.player_id, orders)
    return json_response({"order": None, "action": None} if first is None else {"order": first[0], "action": first[1]})
