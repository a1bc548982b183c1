"""Rounds of an event of teams, and when the matches of a league begin."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import APPOINTMENT, BOARD, BY_HANDLER, NOTHING
from service.api import board_views
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.resources.team_events import DIRECTED, PLAYED, WHOLE_COST, numbers_of, shown_event
from service.api.schemas import team_events as schemas
from service.tournaments import forms

resource: Final = Resource(
    "Rounds of events",
    "Directors begin rounds and change their ends; those who play in a league agree on when their matches begin.",
)


@resource.operation(
    "POST",
    "/v1/team-events/<event>/rounds",
    body=schemas.RoundStart(),
    errors=("event-closed", "not-director", "round-not-ready"),
    example={"round": 1},
    keeps=BY_HANDLER,
    **DIRECTED,
)
def start_round(request: ApiRequest, event: str) -> Response:
    """Begin a round.

    Only the director may. In a Swiss, complete teams with scores as close as possible meet, and none meet twice as long
    as that can be avoided; if their number is odd, one meets a team of AI players. In other forms, the first round
    draws the complete teams for all rounds: in `order`, then as they entered. Who withdraws later is replaced by AI
    players, or the opponent goes on in a knock-out. Everybody is seated at the first board; in each room, the next
    board begins as soon as the one before is over. The round is over with its last board, or when its time is up. The
    next rounds of a league begin by themselves. In an arena, everybody who waits and is there gets a table, and the
    next one when that is over, until its time is up.
    """
    # Before anything is written for somebody who does not direct it.
    directed = request.services.team_events.directed(event, request.player_id)
    known = request.services.meetings.settled(directed)
    if request.body["round"] > len(known.progress["rounds"]):
        form = forms.form_of(known.event)
        rooms = form.rooms * ((len(known.progress["teams"]) + 1) // 2)
        # The rounds of a league begin by themselves: the first one is charged for all.
        rounds = 1 if forms.league_of(known.event) is None else forms.rules_of(known.event)["rounds"]
        # The tables of an arena too.
        rooms = forms.MOST_TABLES if form.grows else rooms
        is_charged = rounds == 1 or not known.progress["rounds"]
        request.keep(rooms * rounds * known.event["teams"]["boards"] * BOARD if is_charged else NOTHING)
    body = request.body
    team_event = request.services.director.start(
        event, body["round"], request.player_id, body.get("order", ()), body.get("pairing")
    )
    return shown_event(request, team_event)


@resource.operation(
    "GET",
    "/v1/team-events/<event>/next-round",
    query=schemas.NextRoundQuery(),
    response=schemas.PairingOfRound(),
    errors=("event-closed", "not-director", "round-not-ready"),
    cost=WHOLE_COST,
    scope="tables:host",
)
def get_next_round(request: ApiRequest, event: str) -> Response:
    """Look at the pairing of the next round.

    Only a director may, while no round is open. It is made anew each time, from those who play now: whoever enters,
    withdraws or comes back changes it, as does a ruling. `POST …/rounds` with its `pairing` begins the round with just
    this one.
    """
    services, order = request.services, request.query.get("order", "")
    drafted = services.director.drafted(event, request.player_id, order.split(",") if order else ())
    return json_response(board_views.next_round(drafted, services.tables.now()))


@resource.operation(
    "PATCH",
    "/v1/team-events/<event>/rounds/<int:n>",
    body=schemas.RoundEnd(),
    errors=("event-closed", "not-director", "round-closed"),
    example={"closes_at": "2026-11-20T20:00:00.000Z"},
    keeps=NOTHING,
    **DIRECTED,
)
def change_round(request: ApiRequest, event: str, n: int) -> Response:
    """Change the end of a round.

    Only the director may, while the round is open. A time in the past ends it now. In an arena, tables begin until 20
    minutes for each board before that time, and for four hours at most.
    """
    services = request.services.director
    body = request.body
    return shown_event(request, services.extend(event, n, body["closes_at"], request.player_id, body.get("reason", "")))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/time",
    body=schemas.MatchTime(),
    errors=("event-closed", "round-closed", "match-not-open"),
    example={"at": "2026-11-20T20:00:00.000Z"},
    keeps=APPOINTMENT,
    **PLAYED,
)
def agree_on_time(request: ApiRequest, event: str, match: str) -> Response:
    """Agree on the time of a match.

    In a league, each of those who play a match may, for their team. The time of the open proposal agrees to it; another
    one proposes it instead, ten times for each team. Once all teams of the match have agreed, its tables open at that
    time; until another one is agreed on, it stays. The others get `time_proposed` or `time_agreed` on the stream of the
    account. A match that has not begun when its fixture ends is lost by who has neither proposed a time nor agreed to
    one nor been ready, if the other one has; else nobody gets a step.
    """
    services = request.services.appointments
    return shown_event(request, services.propose(event, numbers_of(match), request.player_id, request.body["at"]))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/readiness",
    errors=("event-closed", "round-closed", "match-not-open"),
    keeps=NOTHING,
    **PLAYED,
)
def be_ready_for_match(request: ApiRequest, event: str, match: str) -> Response:
    """Be ready to play a match.

    In a league, for 15 minutes. As soon as all people of the match are, its tables open, whatever time they have agreed
    on.
    """
    services = request.services.appointments
    return shown_event(request, services.be_ready(event, numbers_of(match), request.player_id, is_ready=True))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/matches/<match>/readiness",
    errors=("event-closed", "round-closed", "match-not-open"),
    keeps=NOTHING,
    **PLAYED,
)
def be_ready_no_longer(request: ApiRequest, event: str, match: str) -> Response:
    """Be ready to play a match no longer.

    Succeeds even if the caller was not.
    """
    services = request.services.appointments
    return shown_event(request, services.be_ready(event, numbers_of(match), request.player_id, is_ready=False))
