"""Taking back a player's last play and all plays since, if the others agree."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import COMMAND
from service.api.idempotency import HEADER, idempotency_key
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import execute
from service.api.schemas import take_backs as schemas
from service.api.schemas.events.envelope import Outcome

resource: Final = Resource(
    "Take-backs",
    "A player may ask to take the last play back, if the table allows it. Send an `Idempotency-Key` to retry safely.",
)

_ERRORS: Final = ("not-your-seat", "wrong-phase", "idempotency-key-reused")


@resource.operation(
    "POST",
    "/v1/tables/<table>/take-back",
    response=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=_ERRORS,
    scope="tables:play",
    keeps=COMMAND,
)
def ask_take_back(request: ApiRequest, table: str) -> Response:
    """Ask to take back my last play.

    Possible if the table allows it and nothing hidden has become known: while the play is among the last
    `round.returnable` plays of the view. Once all other human players agree, it goes back together with everything
    played since, even across the end of a trick; AI players wait 15 s for the answers.

    If it is refused, a `reason` says why. `take_back_throw_failed`, `take_back_throw_held`, `take_back_claim_failed`,
    `take_back_friend_joined` and `take_back_trumps_made`: this play, or what was done since, has shown what others hold
    or who is a friend, or has made trumps. `take_back_rated`: an AI has played since, in a game that counts for
    ratings. The others are `take_back_round_over`, `take_back_nothing` and `no_take_back`.
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
    scope="tables:play",
    keeps=COMMAND,
)
def answer_take_back(request: ApiRequest, table: str) -> Response:
    """Accept or refuse a take-back.

    One refusal is final; the cards return to the hands when the last player accepts.
    """
    return execute(request, table, "answer_take_back", key=idempotency_key(request))
