"""Requests and answers for operators."""

from service.api.schemas import fields as f
from service.api.schemas.common import Page, next_cursor
from service.api.schemas.players import INVITER, KINDS
from service.api.schemas.reports import REASONS, Report

STATES = ("open", "closed")
DEEDS = (
    *("close_report", "open_report", "suspend", "lift", "rename", "erase", "close_table"),
    *("rename_event", "remove_event", "rename_team", "remove_team", "remove_comment"),
    *("rename_room", "rename_club", "remove_club", "rename_season"),
    *("set_registration", "make_code", "void_code", "block_network", "unblock_network"),
)


class Said(f.Contract):
    """A message at the table of a report."""

    at = f.time("When it was said.")
    player = f.text("Id of the player who said it; null: not known.", nullable=True)
    name = f.text("The sender's name.", nullable=True, example="Mallory")
    text = f.text("What was said.")


class KeptReport(Report):
    """A report, with what is needed to judge it."""

    said = f.array(f.nested(Said), "What was said at its table in the hour before it, at most the last 50 messages.")
    closed_at = f.time("When an operator closed it; null: it is open.", nullable=True)
    count = f.integer("How often its author has reported this for this reason.", example=1)
    answer = f.text("What was answered to an appeal; null: nothing.", nullable=True)


class ReportsQuery(Page):
    """Which reports."""

    status = f.choice("Only open ones, or only closed ones.", *STATES, optional=True)
    player = f.text("Only those about this player (id).", 1, 60, pattern="^[A-Za-z0-9_-]+$", optional=True)


class KeptReports(f.Contract):
    """Reports, newest first."""

    items = f.array(f.nested(KeptReport), "The reports.")
    next_cursor = next_cursor()


class ReportChanges(f.Contract):
    """The new state of a report."""

    status = f.choice("`closed`: it has been dealt with.", *STATES)
    answer = f.line("To an appeal that is closed: what its author reads, in one line.", 500, optional=True)


class Suspension(f.Contract):
    """A suspension."""

    since = f.time("Since when.")
    until = f.time("Until when.")
    cause = f.extensible("Why.", REASONS)
    note = f.text("A note to the player.", nullable=True)


class SuspensionRequest(f.Contract):
    """A new suspension. It replaces any other of the player."""

    until = f.moment("Until when; it must be in the future.")
    cause = f.choice("Why; the player is told in their language.", *REASONS)
    note = f.line("A note to the player, in one line.", 300, optional=True)


class KnownPlayer(f.Contract):
    """What operators see of a player."""

    id = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Mallory")
    kind = f.extensible("A person, or a program.", KINDS)
    created_at = f.time("When the player registered.")
    suspension = f.nested(Suspension, "The suspension; null: there is none.", nullable=True)
    name_held_until = f.time("Until when the name stays that an operator has given; null: it does not.", nullable=True)


class KnownPlayers(f.Contract):
    """Players by name."""

    items = f.array(f.nested(KnownPlayer), "The players, at most 50, in no particular order.")
    next_cursor = next_cursor()


class PlayersQuery(f.Contract):
    """Whom to look up."""

    name = f.text("A part of the name; case makes no difference.", 1, 40, example="mall")


class PlayerDetails(KnownPlayer):
    """What operators see of one player."""

    tables = f.array(f.text(""), "Ids of the tables where the player sits or that the player hosts.")
    invited_by = f.text(INVITER, nullable=True, example="pl_7mq2x5k3d4na")
    reports = f.integer("How many reports about the player are kept.", example=2)


class Renaming(f.Contract):
    """A new name."""

    name = f.player_name(example="Player 7")


class RenamedPart(f.Contract):
    """A new name of an event or a team."""

    name = f.name("The name.", 60, example="Cup 7")


class RenamedRoom(f.Contract):
    """A new name of a room."""

    name = f.name("The name.", 40, example="Room 7")


class RenamedClub(f.Contract):
    """A new name or description of a club; what is left out stays as it is."""

    name = f.name("The name.", 40, optional=True, example="Club 7")
    about = f.line_or_nothing("The description; empty: nothing.", 500, optional=True)


class RenamedSeason(f.Contract):
    """A new name of a season of a club."""

    name = f.name("The name.", 40, example="Season 7")


class Deed(f.Contract):
    """What an operator did."""

    at = f.time("When.")
    deed = f.extensible("What.", DEEDS)
    by = f.text(
        "Name of the operator; null: the one of `OPERATOR_TOKEN`, who has no name.", nullable=True, example="Lin"
    )
    about = f.text(
        "Id of the player, table, report, event, team, room, club, season or registration code; or a network.",
        example="pl_x5q2k7d3m4na",
    )
    details = f.mapping("The details.", example={"cause": "chat"})


class Deeds(f.Contract):
    """What operators did, newest first."""

    items = f.array(f.nested(Deed), "The deeds.")
    next_cursor = next_cursor()


class DeedsQuery(Page):
    """A page of deeds."""
