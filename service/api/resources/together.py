"""What players settle among themselves: chat, votes, taking back."""

from typing import Any, Final

from flask import Response

from service.api.http.idempotency import HEADER, key_of, once
from service.api.http.operations import Call, Resource
from service.api.http.responses import reply
from service.api.rendering import act, is_behind, may_see, outcome_body
from service.api.schemas import together as schemas
from service.api.schemas.events import Outcome
from service.game.commands.together import keep_silence

resource: Final = Resource(
    "Together",
    "Chat, votes and taking back: what players settle among themselves. None of it answers a decision, so it takes an "
    "`Idempotency-Key` to make a retry as good as once.",
)


def _once(call: Call, table: str, kind: str, **fields: Any) -> Response:
    """Do what the request asks, unless it has been done under its key."""
    return act(call, table, kind, key=key_of(call), **fields)


@resource.operation(
    "POST",
    "/v1/tables/<table>/chat",
    takes=schemas.Message(),
    gives=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=("private-table", "wrong-phase", "idempotency-key-reused"),
    example={"preset": "well_played"},
)
def chat(call: Call, table: str) -> Response:
    """Say something.

    Players hear players and spectators hear spectators. In Arm's Length nobody speaks before the round has ended. With
    an `Idempotency-Key` a retry does not say it twice.
    """
    tables, player = call.services.tables, call.player
    state = tables.load(table)
    if is_behind(state, player["id"], may_see(state, player["id"])):
        keep_silence(tables.as_watched(state))
    key = key_of(call)
    command = {"type": "chat", "player": player["id"], "name": player["name"], "key": key, **call.body}

    def do() -> dict[str, Any]:
        return outcome_body(call, tables.act(table, command))

    return reply(once(call, player["id"], do))


@resource.operation(
    "POST",
    "/v1/tables/<table>/votes",
    takes=schemas.NewVote(),
    gives=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=("not-your-seat", "wrong-phase", "idempotency-key-reused"),
    example={"kind": "end_early"},
)
def open_vote(call: Call, table: str) -> Response:
    """Ask for a vote.

    To abandon the game, to end it now with the levels as they are, or to let an AI replace somebody who is not there.
    Whoever asks is for it. The event `vote_opened` has the vote's id.
    """
    return _once(call, table, "open_vote")


@resource.operation(
    "PUT",
    "/v1/tables/<table>/votes/<vote>",
    takes=schemas.Ballot(),
    gives=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=("not-your-seat", "wrong-phase", "idempotency-key-reused"),
    example={"approve": True},
)
def cast_vote(call: Call, table: str, vote: str) -> Response:
    """Vote.

    `replace` passes with a majority of the others, the rest when everybody is for it.
    """
    return _once(call, table, "cast_vote", vote=vote)


@resource.operation(
    "POST",
    "/v1/tables/<table>/take-back",
    gives=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=("not-your-seat", "wrong-phase", "idempotency-key-reused"),
)
def ask_take_back(call: Call, table: str) -> Response:
    """Ask to take the last play back.

    Where the table allows it, while the cards are the last on the table and nothing hidden has been shown since. It
    happens when all other persons agree.
    """
    return _once(call, table, "take_back")


@resource.operation(
    "POST",
    "/v1/tables/<table>/take-back/answer",
    takes=schemas.TakeBackAnswer(),
    gives=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=("not-your-seat", "wrong-phase", "idempotency-key-reused"),
    example={"accept": True},
)
def answer_take_back(call: Call, table: str) -> Response:
    """Let somebody take a play back, or not.

    The first person who says no settles it; when the last one says yes, the cards go back.
    """
    return _once(call, table, "answer_take_back")
