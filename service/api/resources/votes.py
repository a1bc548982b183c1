"""Votes: to abandon, end or pause the game, or to replace an absent player."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import COMMAND
from service.api.idempotency import HEADER, idempotency_key
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import execute
from service.api.schemas import votes as schemas
from service.api.schemas.events.envelope import Outcome

resource: Final = Resource(
    "Votes",
    "Players vote on abandoning the game, on ending or pausing it, on winning it by forfeit, or on replacing an "
    "absent player. Send "
    "an `Idempotency-Key`, so that a retry does not vote twice.",
)

_ERRORS: Final = ("not-your-seat", "wrong-phase", "idempotency-key-reused")


@resource.operation(
    "POST",
    "/v1/tables/<table>/votes",
    body=schemas.VoteProposal(),
    response=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=_ERRORS,
    example={"kind": "end_early"},
    scope="tables:play",
    keeps=COMMAND,
)
def open_vote(request: ApiRequest, table: str) -> Response:
    """Open a vote.

    To abandon the game, to end it now with the levels as they are, to win it by `forfeit` once all opponents have left,
    to pause it, or to let an AI replace a player who is away or has missed the last decision. Opening a vote counts as
    voting for it, and so does opening it again while it is open. The event `vote_opened` carries the vote's id. A vote
    that is still open after a minute fails. Whoever opened a vote that failed can open another one after two minutes.
    """
    return execute(request, table, "open_vote", key=idempotency_key(request))


@resource.operation(
    "PUT",
    "/v1/tables/<table>/votes/<vote>",
    body=schemas.Ballot(),
    response=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=_ERRORS,
    example={"approve": True},
    scope="tables:play",
    keeps=COMMAND,
)
def cast_vote(request: ApiRequest, table: str, vote: str) -> Response:
    """Vote.

    `replace` passes with a majority of the other players, and fails as soon as the player is back. `pause` needs
    everybody who plays now; AI players agree. The other kinds need everybody who started the game, including players
    for whom an AI plays, but not those who have left or have been away for five minutes; in a rated game, players of
    both sides must be among them, unless a round is finished and nobody of any other side is left. Those who are left
    may then also win by `forfeit`: the game counts for the ratings of all who started it, by its finished rounds. That
    vote fails as soon as an opponent is back.
    """
    return execute(request, table, "cast_vote", key=idempotency_key(request), vote=vote)


@resource.operation(
    "DELETE",
    "/v1/tables/<table>/pause",
    response=Outcome(),
    budget="act",
    errors=("not-your-seat", "wrong-phase"),
    scope="tables:play",
    keeps=COMMAND,
)
def end_pause(request: ApiRequest, table: str) -> Response:
    """End the pause.

    Any player may. The decision that was open is opened again, with the time that was left; a pause also ends by itself
    at its `until`.
    """
    return execute(request, table, "end_pause")
