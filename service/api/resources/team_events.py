"""Team events: teams meet in rounds started by a director, at two tables with the same cards."""

import re
import sys
from typing import Any, Final, TypedDict, cast

from flask import Response
from marshmallow import ValidationError

from service.accounts.kept_bytes import (
    APPOINTMENT,
    BOARD,
    BY_HANDLER,
    COMMENT,
    NOTHING,
    NOTICE,
    RULING,
    SEASON_EVENT,
    TEAM,
    TEAM_BOARD,
    TEAM_EVENT,
    TEAM_MEMBER,
)
from service.api import board_views
from service.api.http import pagination
from service.api.http.problems import Fault, InvalidFields
from service.api.http.responses import json_response
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource
from service.api.schemas import team_events as schemas
from service.api.schemas.common import Page
from service.api.waiting import wants
from service.common import fastjson
from service.game.errors import NotFound
from service.tournaments import forms, teams
from service.tournaments.directing import acts
from service.tournaments.directing.entries import Entry
from service.tournaments.directing.notes import readers_of
from service.tournaments.team_events import TeamEvent

resource: Final = Resource(
    "Events of teams",
    "Teams meet in the rounds of a tournament: a Swiss, a round robin or a knock-out, as `form` says. Both teams of a "
    "match play the same boards at two tables, once on each side, so that the luck of the cards does not count. A "
    "director creates the event and begins its rounds.",
)

#: Cost of an answer with all teams and rounds.
_COST: Final = 10
#: Cost of an answer that also has all boards.
_WHOLE_COST: Final = 50
_CSV: Final = "text/csv"


class _Declared(TypedDict):
    """What the operations of directors and of teams declare alike."""

    response: schemas.TeamEvent
    budget: str
    cost: int
    scope: str


_DIRECTED: Final[_Declared] = {
    "response": schemas.TeamEvent(),
    "budget": "act",
    "cost": _COST,
    "scope": "tables:host",
}
_PLAYED: Final[_Declared] = {**_DIRECTED, "scope": "tables:play"}


# --- events -----------------------------------------------------------------------------------------------------------


@resource.operation(
    "GET",
    "/v1/team-events",
    query=schemas.TeamEventsQuery(),
    response=schemas.TeamEventList(),
    cost=_COST,
    scope="games:read",
)
def list_team_events(request: ApiRequest) -> Response:
    """List events of teams.

    Those listed for everybody, and those that the caller directs or plays in, latest first. Of another director, the
    latest three of the last 60 days are shown. A page may show fewer than `limit`, or none, and still have a
    `next_cursor`.
    """
    player, now, query, before = request.player_id, request.services.tables.now(), request.query, None
    if "cursor" in query:
        at, event = pagination.decode_cursor(query["cursor"], r"(\d{1,15}):(\w{1,60})").groups()
        before = int(at), event
    team_events, last = request.services.team_events.newest(player, query["limit"], before)
    cursor = None if last is None else pagination.encode_cursor(f"{last[0]}:{last[1]}")
    return json_response(
        {"items": [board_views.listed(each, now, player) for each in team_events], "next_cursor": cursor}
    )


@resource.operation(
    "POST",
    "/v1/team-events",
    body=schemas.TeamEventSetup(),
    response=schemas.TeamEvent(),
    status=201,
    budget="create",
    address_budget="register",
    headers=(HEADER,),
    errors=("not-found", "club-role-needed", "invalid-option", "idempotency-key-reused", "too-many-events"),
    example={"name": "Spring Cup", "ruleset": "shengji", "players": 4, "rounds": 5, "boards": 4},
    scope="tables:host",
    keeps=BY_HANDLER,
)
def create_team_event(request: ApiRequest) -> Response:
    """Create an event of teams.

    The caller directs it: enters teams or lets them enter, begins each round, and rules on boards that cannot be
    played. Only rulesets with fixed teams are possible, unless it is an arena. `form` says who meets whom: in a
    `swiss`, teams with scores as close as possible; in a `round_robin`, everybody, in the order of Berger's tables; in
    a `knock_out`, who wins goes on. An event ends when the director closes it, or after 60 days. A player may direct
    ten at a time.
    With a `club`, which an owner or director names, only its members may enter; they get `club_event` on the stream of
    the account.
    """
    player, spec = request.player_id, dict(request.body)
    spec = {**spec, "options": spec.get("options", {}), "clock": spec.get("clock", {}), "is_listed": spec["listed"]}
    spec["ai_pace_ms"] = max(spec["ai_pace_ms"], request.services.settings.ai_pace_ms)

    club = spec.get("club")
    members = [] if club is None else request.services.clubs.led(player, club)["members"]

    def create() -> dict[str, Any]:
        request.keep((NOTICE * len(members) + SEASON_EVENT) if club is not None else NOTHING)
        request.keep(TEAM_EVENT + TEAM_BOARD * forms.chosen(spec)["rounds"] * spec["boards"])
        made = request.services.team_events.create(player, spec, id_once(request, "ev_"))
        if club is not None:
            request.services.meetings.announce(request.player, club, made)
        return {"event": made.event["id"]}

    event = run_once(request, player, create)["event"]
    answer = shown_event(request, request.services.team_events.event(event), 201)
    answer.headers["Location"] = f"/v1/team-events/{event}"
    return answer


@resource.operation("GET", "/v1/team-events/<event>", response=schemas.TeamEvent(), cost=_COST, scope="games:read")
def get_team_event(request: ApiRequest, event: str) -> Response:
    """Read an event of teams.

    Its teams and rounds, and in `mine.table` where the caller plays now. That table is also on the caller's list of
    tables, and the stream of the account announces it: `seated`, then `turn`.
    """
    return shown_event(request, request.services.team_events.event(event))


@resource.operation("POST", "/v1/team-events/<event>/closing", errors=("not-director",), keeps=NOTHING, **_DIRECTED)
def close_team_event(request: ApiRequest, event: str) -> Response:
    """Close an event of teams.

    Only its director may. An open round ends; boards that are not over do not count. Nothing can be changed afterwards.
    An event without a round expires ten minutes later.
    """
    return shown_event(request, request.services.director.close(event, request.player_id))


# --- directors --------------------------------------------------------------------------------------------------------


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/directors/<player>",
    errors=("event-closed", "not-director"),
    keeps=NOTICE + RULING,
    **_DIRECTED,
)
def name_director(request: ApiRequest, event: str, player: str) -> Response:
    """Name another director.

    Only the director who leads the event may, eight in all with themselves. Directors have the same rights, except to
    name others; in an event of a club they need an office there. The player gets `director_named` on the stream of
    the account, and may give the office up again (`DELETE`). Succeeds even if they direct it already.
    """
    return shown_event(request, request.services.offices.name(event, request.player, player))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/directors/<player>",
    errors=("event-closed", "not-director"),
    keeps=RULING,
    **_DIRECTED,
)
def remove_director(request: ApiRequest, event: str, player: str) -> Response:
    """Remove a director.

    The one who leads the event may, and each of the others for themselves. Succeeds even if the player directs it no
    longer.
    """
    return shown_event(request, request.services.offices.remove(event, request.player_id, player))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/director",
    body=schemas.LeadingDirector(),
    errors=("event-closed", "not-director", "too-many-events"),
    example={"player": "pl_x5q2k7d3m4na"},
    keeps=RULING,
    **_DIRECTED,
)
def pass_on_lead(request: ApiRequest, event: str) -> Response:
    """Pass on the lead of an event.

    The director who leads it offers the lead to another director, who takes it with the same request: from then on it
    counts among the events that they direct. Whoever led it stays a director. The leading director withdraws the offer
    by naming themselves. If they delete the account, the next director leads it.
    """
    return shown_event(request, request.services.offices.pass_on(event, request.player_id, request.body["player"]))


# --- the link for entries --------------------------------------------------------------------------------------------


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/link",
    body=schemas.EntryLinkChange(),
    errors=("event-closed", "not-director"),
    example={"required": True},
    keeps=RULING,
    **_DIRECTED,
)
def make_entry_link(request: ApiRequest, event: str) -> Response:
    """Make a link for entries.

    Directors may. Its code is a secret in `link` of the event, which they give to whom they want; with `required`,
    nobody else enters. Each call makes another code, and the one before opens nothing. Who has entered stays.
    """
    required = request.body["required"]
    return shown_event(request, request.services.entry_links.make(event, request.player_id, required=required))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/link",
    errors=("event-closed", "not-director"),
    keeps=RULING,
    **_DIRECTED,
)
def end_entry_link(request: ApiRequest, event: str) -> Response:
    """End the link for entries.

    Directors may. Everybody may enter again. Succeeds even if there is none.
    """
    return shown_event(request, request.services.entry_links.end(event, request.player_id))


# --- notes ------------------------------------------------------------------------------------------------------------


@resource.operation(
    "POST",
    "/v1/team-events/<event>/notes",
    body=schemas.NoteDraft(),
    response=schemas.TeamEvent(),
    budget="act",
    cost=_COST,
    headers=(HEADER,),
    errors=("event-closed", "not-director", "idempotency-key-reused"),
    example={"text": "The second half begins at nine."},
    scope="chat:write",
    keeps=BY_HANDLER,
)
def send_note(request: ApiRequest, event: str) -> Response:
    """Send a note to all entrants.

    Directors may, ten within a day. It is in `notes` of the event, and in its log. Who has agreed to play gets
    `event_note` on the stream of the account, and so do other directors; not those who have blocked or muted its
    author. Send an `Idempotency-Key`, so that a retry does not send it twice.
    """
    player, services = request.player, request.services
    known = services.team_events.directed(event, player["id"])

    def send() -> dict[str, object]:
        request.keep(COMMENT + NOTICE * len(readers_of(known.progress, player["id"])))
        services.notes.send(event, player, request.body["text"], id_once(request, "no_"))
        return {"event": event}

    run_once(request, player["id"], send)
    return shown_event(request, services.team_events.event(event))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/notes/<note>",
    response=schemas.TeamEvent(),
    budget="act",
    cost=_COST,
    errors=("not-director",),
    scope="chat:write",
    keeps=NOTHING,
)
def take_back_note(request: ApiRequest, event: str, note: str) -> Response:
    """Take a note back.

    Directors may. The log still tells that there was one. Succeeds even if there is none.
    """
    return shown_event(request, request.services.notes.take_back(event, request.player_id, note))


# --- teams ------------------------------------------------------------------------------------------------------------

_ENTRY_ERRORS: Final = ("event-closed", "entries-closed", "in-another-team", "members-only")


@resource.operation(
    "POST",
    "/v1/team-events/<event>/teams",
    body=schemas.TeamEntries(),
    errors=(*_ENTRY_ERRORS, "too-many-teams"),
    example={
        "teams": [
            {
                "name": "Dragons",
                "members": [{"player": f"pl_4f7h2k9qm3x{letter}"} for letter in "abc"] + [{"level": "normal"}],
            }
        ]
    },
    keeps=BY_HANDLER,
    **_PLAYED,
)
def enter_teams(request: ApiRequest, event: str) -> Response:
    """Enter teams.

    In an arena, players may enter and come back as long as it lasts.
    A player enters their own team and becomes its captain; the director enters any number at once, all or none. Members
    who take invitations from the caller get `team_entered` on the stream of the account. A team plays once all have
    agreed (`PUT …/confirmation`); until then it keeps nobody from entering another team, nor a round from beginning. AI
    players take the seats without a player. If `by_link` of the event is true, others than its directors send the
    `code` of their link. A team whose name and members are those of an entered team is not entered again, so a retry
    does no harm.
    """
    request.keep(sum(TEAM + TEAM_MEMBER * len(team["members"]) for team in request.body["teams"]))
    body = request.body
    team_event = request.services.team_entries.enter(event, request.player, body["teams"], body.get("code"))
    return shown_event(request, team_event)


@resource.operation(
    "POST",
    "/v1/team-events/<event>/entry-list",
    body=schemas.EntryList(),
    errors=(*_ENTRY_ERRORS, "not-director", "too-many-teams"),
    example={"list": "Dragons, pl_4f7h2k9qm3xa, Mei\nPhoenix, pl_x5q2k7d3m4na"},
    keeps=BY_HANDLER,
    **_DIRECTED,
)
def enter_list(request: ApiRequest, event: str) -> Response:
    """Enter a list of teams.

    Directors may: all of its lines, or none. `errors` says of each line what is wrong with it. Otherwise as if each
    line were entered with `POST …/teams`, so that sending it again does no harm.
    """
    body, services = request.body, request.services
    read, wrong = services.entry_lists.read(event, request.player_id, body["list"], body["level"])
    faults = [Fault("/list", each.reason, each.params) for each in wrong]
    entries = list[Entry]()
    for line, entry in read:
        try:
            entries.append(cast("Entry", schemas.TeamEntry().load(entry)))
        except ValidationError:
            faults.append(Fault("/list", "list_name", {"line": line}))
    if faults:
        raise InvalidFields(faults)
    request.keep(sum(TEAM + TEAM_MEMBER * len(entry["members"]) for entry in entries))
    return shown_event(request, services.team_entries.enter(event, request.player, entries))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/teams/<team>",
    body=schemas.TeamEntry(),
    errors=(*_ENTRY_ERRORS, "not-director", "name-held"),
    example={"name": "Dragons", "members": [{"player": "pl_4f7h2k9qm3xa"}] + [{"level": "normal"}] * 3},
    keeps=BY_HANDLER,
    **_PLAYED,
)
def replace_team(request: ApiRequest, event: str, team: str) -> Response:
    """Change a team.

    Its captain may until the first round begins, the director at any time; substitutes play from the next board on. New
    members must agree before the next round. A team that has withdrawn plays again from the next round on.
    """
    request.keep(TEAM_MEMBER * len(request.body["members"]))
    return shown_event(
        request, request.services.team_entries.replace(event, team, request.player, cast("Entry", request.body))
    )


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/teams/<team>/confirmation",
    errors=("event-closed", "in-another-team", "members-only", "too-many-teams"),
    keeps=NOTHING,
    **_PLAYED,
)
def confirm_team(request: ApiRequest, event: str, team: str) -> Response:
    """Agree to play for a team.

    Needed from each member whom somebody else has entered.
    """
    return shown_event(request, request.services.team_entries.confirm(event, team, request.player_id))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/teams/<team>/confirmation",
    errors=("event-closed", "entries-closed"),
    keeps=NOTHING,
    **_PLAYED,
)
def leave_team(request: ApiRequest, event: str, team: str) -> Response:
    """Leave a team, or decline to play for it.

    Each member may until the first round begins; after that, the director names a substitute. The place stays empty
    until the captain fills it. If the captain leaves, the next member becomes captain; a team without people is
    removed.
    """
    return shown_event(request, request.services.team_entries.leave(event, team, request.player_id))


@resource.operation(
    "DELETE", "/v1/team-events/<event>/teams/<team>", errors=("event-closed", "not-director"), keeps=NOTHING, **_PLAYED
)
def withdraw_team(request: ApiRequest, event: str, team: str) -> Response:
    """Withdraw a team.

    Its captain or the director may. In an arena, this is a break: what a player has won stays, and whoever enters again
    waits for a table. Before the first round, the team is removed. Later, it stays in the standings but
    is no longer paired; each board of the running round that it does not play counts 12 steps for the other team.
    Rounds that are over stay as they are. It comes back if its captain or the director enters it again, with the same
    name and members, or the director changes it.
    """
    return shown_event(request, request.services.team_entries.withdraw(event, team, request.player_id))


# --- rounds -----------------------------------------------------------------------------------------------------------


@resource.operation(
    "POST",
    "/v1/team-events/<event>/rounds",
    body=schemas.RoundStart(),
    errors=("event-closed", "not-director", "round-not-ready"),
    example={"round": 1},
    keeps=BY_HANDLER,
    **_DIRECTED,
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
    team_event = request.services.director.start(
        event, request.body["round"], request.player_id, request.body.get("order", ())
    )
    return shown_event(request, team_event)


@resource.operation(
    "PATCH",
    "/v1/team-events/<event>/rounds/<int:n>",
    body=schemas.RoundEnd(),
    errors=("event-closed", "not-director", "round-closed"),
    example={"closes_at": "2026-11-20T20:00:00.000Z"},
    keeps=NOTHING,
    **_DIRECTED,
)
def change_round(request: ApiRequest, event: str, n: int) -> Response:
    """Change the end of a round.

    Only the director may, while the round is open. A time in the past ends it now.
    """
    services = request.services.director
    body = request.body
    return shown_event(request, services.extend(event, n, body["closes_at"], request.player_id, body.get("reason", "")))


# --- rulings ----------------------------------------------------------------------------------------------------------

_RULING_ERRORS: Final = ("event-closed", "not-director", "own-team")


# --- fixtures of a league ---------------------------------------------------------------------------------------------


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/time",
    body=schemas.MatchTime(),
    errors=("event-closed", "round-closed", "match-not-open"),
    example={"at": "2026-11-20T20:00:00.000Z"},
    keeps=APPOINTMENT,
    **_PLAYED,
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
    **_PLAYED,
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
    **_PLAYED,
)
def be_ready_no_longer(request: ApiRequest, event: str, match: str) -> Response:
    """Be ready to play a match no longer.

    Succeeds even if the caller was not.
    """
    services = request.services.appointments
    return shown_event(request, services.be_ready(event, numbers_of(match), request.player_id, is_ready=False))


# --- rulings ----------------------------------------------------------------------------------------------------------


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/boards/<int:n>/ruling",
    body=schemas.RulingChange(),
    errors=_RULING_ERRORS,
    example={"steps": 3, "reason": "Wrong seats in the second room"},
    keeps=RULING,
    **_DIRECTED,
)
def rule_on_board(request: ApiRequest, event: str, match: str, n: int) -> Response:
    """Decide what a board counts.

    Only a director may, with a reason that everybody can read once the round is over, and not about their own team. The
    ruling counts instead of what was played. `n` is the number of the board in the event.
    """
    body, where = request.body, (*numbers_of(match), n)
    return shown_event(request, request.services.referee.rule(event, where, body, body["reason"], request.player_id))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/matches/<match>/boards/<int:n>/ruling",
    errors=_RULING_ERRORS,
    keeps=RULING,
    **_DIRECTED,
)
def take_back_ruling(request: ApiRequest, event: str, match: str, n: int) -> Response:
    """Withdraw the ruling on a board.

    Only a director may. The board then counts as it was played. Succeeds even if there is no ruling.
    """
    where = (*numbers_of(match), n)
    return shown_event(request, request.services.referee.rule(event, where, None, "", request.player_id))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/ruling",
    body=schemas.RulingChange(),
    errors=_RULING_ERRORS,
    example={"awards": ["forfeit", "forfeit"], "reason": "Nobody came"},
    keeps=BY_HANDLER,
    **_DIRECTED,
)
def rule_on_match(request: ApiRequest, event: str, match: str) -> Response:
    """Decide what all boards of a match count.

    Only a director may. Each board counts what the ruling says, as if it were decided for each. So both sides can
    forfeit a match that nobody has played.
    """
    body, where = request.body, numbers_of(match)
    boards = request.services.team_events.event(event).event["teams"]["boards"]
    request.keep(RULING * (1 + boards))
    return shown_event(request, request.services.referee.rule(event, where, body, body["reason"], request.player_id))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/teams/<team>/penalty",
    body=schemas.PenaltyChange(),
    errors=_RULING_ERRORS,
    example={"amount": 150, "reason": "Late for the second time"},
    keeps=RULING,
    **_DIRECTED,
)
def penalize_team(request: ApiRequest, event: str, team: str) -> Response:
    """Give a team a penalty.

    Only a director may, not to their own team, and only where `ranks` of the event have `victory_points` or, of pairs
    and players, `percent`. It is taken off these in the standings, in place of the penalty before.
    """
    body, referee = request.body, request.services.referee
    return shown_event(request, referee.penalize(event, team, body["amount"] / 100, body["reason"], request.player_id))


@resource.operation(
    "POST",
    "/v1/team-events/<event>/undo",
    body=schemas.UndoneAct(),
    errors=(*_RULING_ERRORS, "not-the-last-ruling"),
    example={"act": 7, "reason": "It was the other board"},
    keeps=RULING,
    **_DIRECTED,
)
def undo_ruling(request: ApiRequest, event: str) -> Response:
    """Take back the last ruling or penalty.

    Only a director may. What it has replaced counts again. `act` is `undo` of the log, so that two directors do not
    take back two; a retry takes back nothing more. Both stay in the log.
    """
    body, referee = request.body, request.services.referee
    return shown_event(request, referee.undo(event, body["act"], body["reason"], request.player_id))


@resource.operation(
    "GET",
    "/v1/team-events/<event>/log",
    query=Page(),
    response=schemas.LogOfEvent(),
    cost=_COST,
    scope="games:read",
)
def get_log_of_team_event(request: ApiRequest, event: str) -> Response:
    """Read what directors have done.

    The latest 200 acts, with reasons. What a ruling on a round that is not over counts, and why, only directors see.
    """
    services, query = request.services, request.query
    team_event = services.team_events.event(event)
    before = sys.maxsize
    if "cursor" in query:
        before = int(pagination.decode_cursor(query["cursor"], r"(\d{1,9})")[1])
    known = [act for act in reversed(team_event.progress.get("acts", [])) if act["number"] < before]
    page = known[: query["limit"]]
    names = services.referee.names_of({player for act in page for player in (act["by"], act.get("player"))})
    last, directs = acts.to_undo(team_event.progress), teams.directs(team_event.progress, request.player_id)
    return json_response(
        {
            "items": [board_views.act_of(team_event, act, directs=directs, names=names) for act in page],
            "undo": None if last is None else last["number"],
            "next_cursor": pagination.encode_cursor(str(page[-1]["number"])) if len(known) > len(page) else None,
        }
    )


# --- results ----------------------------------------------------------------------------------------------------------


@resource.operation(
    "GET",
    "/v1/team-events/<event>/matches/<match>",
    response=schemas.TeamMatch(),
    cost=_COST,
    errors=("not-finished",),
    scope="games:read",
)
def get_team_match(request: ApiRequest, event: str, match: str) -> Response:
    """Read a match.

    Available once its round is over: the results of both rooms on each board, with the games for replays and the seeds
    of the deals. Until then they are hidden, even from those who have played them.
    """
    team_event, played = request.services.team_events.match(event, *numbers_of(match))
    return json_response(board_views.match_of(team_event, played))


@resource.operation(
    "GET",
    "/v1/team-events/<event>/standings",
    response=schemas.TeamStandings(),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag."},
    scope="games:read",
)
def get_team_standings(request: ApiRequest, event: str) -> Response:
    """Read the standings of teams.

    After the rounds that are over; of an arena, after the tables that are. The steps of a match are converted to 20
    victory points, divided between both teams.
    With `If-None-Match`, unchanged standings are answered with 304.
    """
    services = request.services
    team_event = services.team_events.event(event)

    def body() -> bytes:
        rows = services.team_events.rows(*team_event)
        over = sum(entry["is_scored"] for entry in team_event.progress["rounds"])
        items = [board_views.standing(team_event, row, is_whole=False) for row in rows]
        return fastjson.dumps({"rounds": over, "items": items, "next_cursor": None})

    return services.standings.of(event, team_event.progress["version"], body).response(request.raw)


@resource.operation(
    "GET",
    "/v1/team-events/<event>/results",
    response=schemas.TeamResults(),
    cost=_WHOLE_COST,
    headers=("Accept",),
    media_types={_CSV: "A line for each board of each match, with a heading (RFC 4180, UTF-8)."},
    scope="games:read",
)
def export_team_results(request: ApiRequest, event: str) -> Response:
    """Export the results of teams.

    Standings, and all boards of the rounds that are over. `Accept: text/csv` returns the boards as a table.
    """
    services = request.services.team_events
    team_event, rows = services.standings(event)
    matches = services.matches(*team_event)
    if wants(request.raw, _CSV):
        return Response(board_views.as_csv(team_event, matches), content_type=f"{_CSV}; charset=utf-8")
    now = request.services.tables.now()
    return json_response(
        {
            "event": board_views.summary(team_event, now),
            "rounds": [each for each in board_views.played(team_event, now) if each["status"] == "over"],
            "standings": [board_views.standing(team_event, row) for row in rows],
            "matches": [board_views.match_of(team_event, each) for each in matches],
        }
    )


def numbers_of(match: str) -> tuple[int, int]:
    """Return the numbers of the round and the pair of a match.

    Raises:
        NotFound: it is not the id of a match.
    """
    numbers = re.fullmatch(r"([1-9]\d?)-([1-9]\d{0,2})", match, re.ASCII)
    if numbers is None:
        raise NotFound(what="match", id=match)
    return int(numbers[1]), int(numbers[2])


def shown_event(request: ApiRequest, team_event: TeamEvent, status: int = 200) -> Response:
    """Return an event as the caller sees it."""
    services, player = request.services, request.player_id
    table = services.team_events.table_of(team_event, player)
    names, muted = _names_of_directors(request, team_event), request.player.get("muted", ())
    shown = board_views.whole(team_event, services.tables.now(), player, table, names, muted)
    return json_response(shown, status)


def _names_of_directors(request: ApiRequest, team_event: TeamEvent) -> dict[str, str]:
    """Return the names of those who direct an event or have written its notes."""
    progress, me = team_event.progress, request.player
    known = {**progress.get("former", {}), **progress.get("directors", {}), me["id"]: me["name"]}
    authors = {progress["director"], *(note["by"] for note in progress.get("notes", []))}
    return {**known, **request.services.referee.names_of(authors - known.keys())}
