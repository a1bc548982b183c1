"""Challenges of players who have set which challenges they accept."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTICE, TABLE
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, id_once
from service.api.operations import ApiRequest, Resource
from service.api.schemas import challenges as schemas
from service.game.views.fields import timestamp
from service.store.matchmaking.challenges import Answered
from service.store.matchmaking.tickets import Kind

resource: Final = Resource(
    "Challenges",
    "Challenging a player, usually a bot, to a game. `accepts` of `PATCH /v1/me` says which challenges a player "
    "takes; nobody receives others.",
)


@resource.operation("GET", "/v1/bots", response=schemas.Bots(), cost=50, scope="profile:read")
def list_bots(request: ApiRequest) -> Response:
    """List bots that are online and take challenges.

    At most 100, without bots that I have blocked or that have blocked me.
    """
    bots = request.services.challenges.bots(request.player_id, request.services.tables.now())
    items = [{"player": each["id"], "name": each["name"], "accepts": each["accepts"]} for each in bots]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "POST",
    "/v1/players/<player>/challenges",
    body=schemas.ChallengeRequest(),
    response=schemas.PlayerChallenge(),
    status=201,
    budget="create",
    headers=(HEADER,),
    errors=("not-accepted",),
    example={"ruleset": "shengji", "players": 4},
    scope="tables:play",
    keeps=NOTICE,
)
def challenge_player(request: ApiRequest, player: str) -> Response:
    """Challenge a player.

    If the challenge fits the player's `accepts`, the player gets `challenged` on the stream of the account and has 20
    seconds to answer, or three days if a decision takes days; then the player need not be there. If it is accepted, the
    game begins: `seated` names the table, at which the two sit on seats 0 and 1. With an `Idempotency-Key`, a retry
    leads to the same challenge.
    """
    services, body, now = request.services, request.body, request.services.tables.now()
    kind: Kind = {
        "ruleset": body["ruleset"],
        "players": body["players"],
        "preset": body.get("preset"),
        "clock": body["clock"],
    }
    challenge = id_once(request, "ch_")
    opened = services.challenges.make(
        request.player, player, kind, challenge, now, rated=body["rated"], ai_level=body["ai_level"]
    )
    return json_response(_challenge_view(request, opened), 201, {"Location": f"/v1/challenges/{challenge}"})


@resource.operation("GET", "/v1/challenges/<challenge>", response=schemas.PlayerChallenge(), scope="tables:read")
def get_challenge(request: ApiRequest, challenge: str) -> Response:
    """Read the outcome of a challenge.

    Either of the two can read it, for ten minutes; if a decision takes days, for three days.
    """
    return json_response(_challenge_view(request, request.services.challenges.of(request.player_id, challenge)))


@resource.operation(
    "PUT",
    "/v1/challenges/<challenge>/answer",
    body=schemas.ChallengeAnswer(),
    response=schemas.PlayerChallenge(),
    budget="act",
    errors=("challenge-over",),
    example={"accept": True},
    scope="tables:play",
    keeps=TABLE,
)
def answer_challenge(request: ApiRequest, challenge: str) -> Response:
    """Accept or decline a challenge.

    Only the challenged player can, once. The challenger gets `seated` or `challenge_declined`.
    """
    body = request.body
    answer = "accepted" if body["accept"] else f"declined {body['reason']}"
    services = request.services
    answered = services.challenges.answer(request.player_id, challenge, answer, services.tables.now())
    return json_response(_challenge_view(request, answered))


@resource.operation(
    "DELETE",
    "/v1/challenges/<challenge>",
    status=204,
    budget="act",
    errors=("challenge-over",),
    scope="tables:play",
    keeps=NOTICE,
)
def withdraw_challenge(request: ApiRequest, challenge: str) -> Response:
    """Withdraw a challenge.

    Only the challenger can, before it is answered.
    """
    services = request.services
    services.challenges.answer(request.player_id, challenge, "withdrawn", services.tables.now())
    return empty_response()


def _challenge_view(request: ApiRequest, known: Answered) -> dict[str, object]:
    """Return a challenge as shown. If it was accepted, start its game unless that was done already."""
    services, challenge = request.services, known.challenge
    now = services.tables.now()
    state, _, reason = (known.answer or ("open" if now <= challenge["answer_by"] else "expired")).partition(" ")
    return {
        "challenge": challenge["id"],
        **{name: challenge[name] for name in ("by", "to", "rated")},
        **challenge["kind"],
        "state": state,
        "reason": reason or None,
        "answer_by": timestamp(challenge["answer_by"]),
        "remaining_ms": max(0, challenge["answer_by"] - now) if state == "open" else 0,
        "table": services.challenges.seat(challenge, now) if state == "accepted" else None,
    }
