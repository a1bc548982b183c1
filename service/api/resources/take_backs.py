"""Take-backs: taking back the last play if the others agree."""

from typing import Final

from flask import Response

from service.api.idempotency import HEADER, idempotency_key
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import execute
from service.api.schemas import take_backs as schemas
from service.api.schemas.events.envelope import Outcome

resource: Final = Resource(
    "Take-backs",
    "A player may ask to take back the last play, if the table allows it. Send an `Idempotency-Key` to retry safely.",
)

_ERRORS: Final = ("not-your-seat", "wrong-phase", "idempotency-key-reused")


@resource.operation(
    "POST", "/v1/tables/<table>/take-back", response=Outcome(), budget="act", headers=(HEADER,), errors=_ERRORS
)
def ask_take_back(request: ApiRequest, table: str) -> Response:
    """Ask to take back my last play.

    If the table allows it, and while no card has been played or revealed since. The cards return to the hand once all
    other human players agree.
    """
    return execute(request, table, "take_back", key=idempotency_key(request))


@resource.operation(
    "POST",
    "/v1/tables/<table>/take-back/answer",
    body=schemas.TakeBackAnswer(),
    response=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=_ERRORS,
    example={"accept": True},
)
def answer_take_back(request: ApiRequest, table: str) -> Response:
    """Accept or refuse a take-back.

    One refusal is final; the cards return to the hand when the last player accepts.
    """
    return execute(request, table, "answer_take_back", key=idempotency_key(request))
