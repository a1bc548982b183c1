"""Entries to events of teams: the link for them, one's own team, lists, and breaks."""

from collections.abc import Sequence
from typing import Final, cast

from flask import Response
from marshmallow import ValidationError

from service.accounts.kept_bytes import BOARD, BY_HANDLER, NOTHING, RULING, TEAM, TEAM_MEMBER
from service.api.http.problems import Fault, InvalidFields
from service.api.operations import ApiRequest, Resource
from service.api.resources.team_events import DIRECTED, PLAYED, shown_event
from service.api.schemas import team_events as schemas
from service.tournaments.directing import late_entries
from service.tournaments.directing.entries import Entry

resource: Final = Resource(
    "Entries to events",
    "Teams, pairs and players enter an event themselves or are entered by its directors, and take breaks.",
)

_ERRORS: Final = ("event-closed", "entries-closed", "in-another-team", "members-only")


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/link",
    body=schemas.EntryLinkChange(),
    errors=("event-closed", "not-director"),
    example={"required": True},
    keeps=RULING,
    **DIRECTED,
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
    **DIRECTED,
)
def end_entry_link(request: ApiRequest, event: str) -> Response:
    """End the link for entries.

    Directors may. Everybody may enter again. Succeeds even if there is none.
    """
    return shown_event(request, request.services.entry_links.end(event, request.player_id))


@resource.operation(
    "POST",
    "/v1/team-events/<event>/teams",
    body=schemas.TeamEntries(),
    errors=(*_ERRORS, "too-many-teams"),
    example={
        "teams": [
            {
                "name": "Dragons",
                "members": [{"player": f"pl_4f7h2k9qm3x{letter}"} for letter in "abc"] + [{"level": "normal"}],
            }
        ]
    },
    keeps=BY_HANDLER,
    **PLAYED,
)
def enter_teams(request: ApiRequest, event: str) -> Response:
    """Enter teams.

    After the first round has begun, `takes_entries` of the event says whether others may enter: they play from the next
    round on, and rounds that they have missed count nothing for them.
    In an arena, players may enter and come back as long as it lasts.
    A player enters their own team and becomes its captain; the director enters any number at once, all or none. Members
    who take invitations from the caller get `team_entered` on the stream of the account. A team plays once all have
    agreed (`PUT …/confirmation`); until then it keeps nobody from entering another team, nor a round from beginning. AI
    players take the seats without a player. If `by_link` of the event is true, others than its directors send the
    `code` of their link. A team whose name and members are those of an entered team is not entered again, so a retry
    does no harm. Whom a director has withdrawn after the first round began, only a director enters again.
    """
    body = request.body
    request.keep(_kept_by(request, event, body["teams"]))
    team_event = request.services.team_entries.enter(event, request.player, body["teams"], body.get("code"))
    return shown_event(request, team_event)


@resource.operation(
    "POST",
    "/v1/team-events/<event>/entry-list",
    body=schemas.EntryList(),
    errors=(*_ERRORS, "not-director", "too-many-teams"),
    example={"list": "Dragons, pl_4f7h2k9qm3xa, Mei\nPhoenix, pl_x5q2k7d3m4na"},
    keeps=BY_HANDLER,
    **DIRECTED,
)
def enter_list(request: ApiRequest, event: str) -> Response:
    """Enter a list of teams.

    Directors may: all of its lines, or none. `errors` says of each line what is wrong with it. Otherwise as if each
    line were entered with `POST …/teams`, but who has withdrawn does not come back, so that sending it again does no
    harm.
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
    request.keep(_kept_by(request, event, entries))
    return shown_event(request, services.team_entries.enter(event, request.player, entries, comes_back=False))


def _kept_by(request: ApiRequest, event: str, entries: Sequence[Entry]) -> int:
    """Return what entries keep at most (bytes).

    Whoever begins a round pays for its boards; of a league, for those of all rounds with the teams of then.
    """
    late = late_entries.boards_of_late(*request.services.team_events.event(event))
    return sum(TEAM + TEAM_MEMBER * len(each["members"]) + late * BOARD for each in entries)


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/teams/<team>",
    body=schemas.TeamEntry(),
    errors=(*_ERRORS, "not-director", "name-held", "too-many-teams"),
    example={"name": "Dragons", "members": [{"player": "pl_4f7h2k9qm3xa"}] + [{"level": "normal"}] * 3},
    keeps=BY_HANDLER,
    **PLAYED,
)
def replace_team(request: ApiRequest, event: str, team: str) -> Response:
    """Change a team.

    Its captain may until the first round begins, the director at any time; substitutes play from the next board on. New
    members must agree before the next round. A team that has withdrawn plays again from the next round on. In an arena,
    a place stays that of its player.
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
    **PLAYED,
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
    **PLAYED,
)
def leave_team(request: ApiRequest, event: str, team: str) -> Response:
    """Leave a team, or decline to play for it.

    Each member may until the first round begins; after that, the director names a substitute. The place stays empty
    until the captain fills it. If the captain leaves, the next member becomes captain; a team without people is
    removed.
    """
    return shown_event(request, request.services.team_entries.leave(event, team, request.player_id))


@resource.operation(
    "DELETE", "/v1/team-events/<event>/teams/<team>", errors=("event-closed", "not-director"), keeps=NOTHING, **PLAYED
)
def withdraw_team(request: ApiRequest, event: str, team: str) -> Response:
    """Withdraw a team.

    Its captain or the director may. In an arena, this is a break: what a player has won stays, and whoever enters again
    waits for a table. Before the first round, the team is removed. Later, it stays in the standings but
    is no longer paired; each board of the running round that it does not play counts 12 steps for the other team.
    Rounds that are over stay as they are. It comes back if its captain or the director enters it again, with the same
    name and members, or the director changes it. One that a director has withdrawn (`put_out`), if a director does.
    """
    return shown_event(request, request.services.team_entries.withdraw(event, team, request.player_id))
