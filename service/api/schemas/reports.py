"""Mutes and reports."""

from service.api.schemas import fields as f

REASONS = ("chat", "display_name", "cheating", "stalling", "other")


#: Reasons of reports, with that of an appeal, which is one.
REPORTED = (*REASONS, "appeal")


class Mutes(f.Contract):
    """The players whom the caller has muted."""

    players = f.array(f.text("", example="pl_x5q2k7d3m4na"), "Ids of players, latest last.")


class ReportDetails(f.Contract):
    """A report about a player."""

    reason = f.choice("What it is about.", *REASONS)
    table = f.text("Id of the table where it happened.", 1, 60, pattern="^[A-Za-z0-9_-]+$", optional=True)
    text = f.line("What happened, in one line.", 500, optional=True, example="Insults everybody at the table.")


class EventReportDetails(f.Contract):
    """A report about an event of teams or one of its teams."""

    reason = f.choice("What it is about.", *REASONS, default="display_name")
    team = f.text("Id of the team; left out: the event.", 1, 60, pattern="^[A-Za-z0-9_-]+$", optional=True)
    comment = f.text(
        "Id of a comment on a board, or of a note, instead.", 1, 60, pattern="^[A-Za-z0-9_-]+$", optional=True
    )
    text = f.line("What is wrong, in one line.", 500, optional=True, example="The name insults a player.")


class RoomReportDetails(f.Contract):
    """A report about the name of a room."""

    reason = f.choice("What it is about.", *REASONS, default="display_name")
    text = f.line("What is wrong, in one line.", 500, optional=True, example="The name insults a player.")


class ClubReportDetails(f.Contract):
    """A report about the name or the description of a club."""

    reason = f.choice("What it is about.", *REASONS, default="display_name")
    text = f.line("What is wrong, in one line.", 500, optional=True, example="The description insults a player.")


class AppealDetails(f.Contract):
    """What a player says against a suspension or a given name."""

    text = f.line("Why it is wrong, in one line.", 500, example="It was my brother; he has his own account now.")


class Appeal(f.Contract):
    """The caller's latest appeal, and what became of it."""

    possible = f.flag("Whether an appeal can be sent now.")
    text = f.text(
        "What the caller says; null: there is no appeal.",
        nullable=True,
        example="It was my brother; he has his own account now.",
    )
    at = f.time("When it was sent; null: there is no appeal.", nullable=True)
    decided_at = f.time("When an operator decided; null: not yet.", nullable=True)
    answer = f.text("What the operator says; null: nothing.", nullable=True)


class Report(f.Contract):
    """A report, as shown to its author."""

    id = f.text("Id of the report, to refer to it.", example="rp_x5q2k7d3m4na")
    at = f.time("When it was made.")
    by = f.text("Id of the player who made it.", example="pl_7mq2x5k3d4na")
    player = f.text(
        "Id of the player it is about: of an event its director, of a team its captain, of a room its host, of a "
        "club an owner, whom operators alone learn, of a comment its author; empty: not told, or deleted.",
        example="pl_x5q2k7d3m4na",
    )
    name = f.text(
        "The name of that player, event, team, room or club at the time; or the words of a comment.", example="Lin"
    )
    event = f.text("Id of the event it is about, or in which the team is; null: about a player.", nullable=True)
    team = f.text("Id of the team it is about; null: not about a team.", nullable=True)
    room = f.text("Id of the room it is about; null: not about a room.", nullable=True)
    club = f.text("Id of the club it is about; null: not about a club.", nullable=True)
    comment = f.text("Id of the comment on a board, or of the note, it is about; null: neither.", nullable=True)
    reason = f.extensible("What it is about.", REPORTED)
    table = f.text("Id of the table where it happened.", nullable=True, example="tb_2soelumyfqv5")
    text = f.text("What happened.", nullable=True)
