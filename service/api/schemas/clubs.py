"""Clubs: people who hold tables and events for one another."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import Page, next_cursor
from service.api.schemas.players import KINDS
from service.api.schemas.tables import LobbyTable
from service.clubs.clubs import LONGEST_ABOUT, LONGEST_NAME, MOST_CLUBS

ROLES = ("owner", "director", "member")
_NAME = "What the club is called."
_ABOUT = "What it says about itself, in one line; empty: nothing."
_ROLE = "`owner` does everything; `director` lets people in, removes members, and holds events; `member` plays."
_LISTED = "Whether everybody finds the club, sees its name, description and size, and may ask to join."


class ClubsQuery(Page):
    """A page of the list."""

    limit = f.integer("Most clubs of the page.", 1, 20, query=True, default=20)


class ClubSetup(f.Contract):
    """A new club."""

    name = f.name(_NAME, LONGEST_NAME, example="Lakeside")
    about = f.line_or_nothing(_ABOUT, LONGEST_ABOUT, default="", example="Pairs every Friday at eight.")
    listed = f.flag(_LISTED, default=True)


class ClubChanges(f.Contract):
    """Changes; what is left out stays as it is."""

    name = f.name(_NAME, LONGEST_NAME, optional=True, example="Lakeside")
    about = f.line_or_nothing(_ABOUT, LONGEST_ABOUT, optional=True)
    listed = f.flag(_LISTED, optional=True)


class ClubCode(f.Contract):
    """The code of a link."""

    code = f.code("The code.", 60, example="K7PQ2M9XWR4T")


class ClubRole(f.Contract):
    """A role."""

    role = f.choice(_ROLE, *ROLES, example="director")


class ClubAnswer(f.Contract):
    """An answer to a request."""

    accept = f.flag("Whether the player joins.")


class ClubCard(f.Contract):
    """What a club says about itself, and how the caller belongs to it."""

    club = f.text("Its id.", example="cb_5kx3q2m4na7h")
    name = f.text(_NAME, example="Lakeside")
    about = f.text(_ABOUT, example="Pairs every Friday at eight.")
    listed = f.flag(_LISTED)
    members = f.integer("How many people belong to it.", example=42)
    role = f.extensible(f"The caller's: {_ROLE} null: the caller does not belong to it.", ROLES, nullable=True)
    asked = f.flag("Whether the caller asks to join.")


class ClubPerson(f.Contract):
    """Somebody of the club."""

    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Mei")
    kind = f.extensible("A person, or a program.", KINDS)
    vars().update(chosen.shown_fields())
    role = f.extensible(_ROLE, ROLES)
    since = f.time("Since when.")


class NamedPlayer(f.Contract):
    """A player who does not belong to the club."""

    player = f.text("Id of the player.", example="pl_7mq2x5k3d4na")
    name = f.text("The name shown to others.", example="Mallory")


class Club(ClubCard):
    """A club. Who does not belong to it sees what is on its card, and null or nothing in the rest."""

    people = f.array(f.nested(ClubPerson), "Who belongs to it, in the order in which they came.")
    requests = f.array(f.nested(NamedPlayer), "Who asks to join; empty for all but owners and directors.")
    removed = f.array(f.nested(NamedPlayer), "Who was removed; empty for all but owners and directors.")
    code = f.text("The code of its link; null: to the caller it is unknown.", nullable=True, example="K7PQ2M9XWR4T")
    created_at = f.time("When it was made.")


class ClubList(f.Contract):
    """A page of the listed clubs."""

    items = f.array(f.nested(ClubCard), "The clubs, the largest first.")
    next_cursor = next_cursor()


class MyClubs(f.Contract):
    """The caller's clubs."""

    items = f.array(f.nested(ClubCard), f"The clubs, {MOST_CLUBS} at most, the latest first.")
    next_cursor = next_cursor()


class ClubTables(f.Contract):
    """The tables of a club."""

    items = f.array(f.nested(LobbyTable), "The tables, the latest first.")
    next_cursor = next_cursor()


class ClubPreview(f.Contract):
    """Where a link leads."""

    name = f.text(_NAME, example="Lakeside")
    about = f.text(_ABOUT, example="Pairs every Friday at eight.")
    members = f.integer("How many people belong to it.", example=42)
    club = f.text("Its id; null: the caller does not belong to it.", nullable=True, example="cb_5kx3q2m4na7h")


class KeptSeason(f.Contract):
    """What a player has come to in a season of a club."""

    season = f.text("Its id.", example="cs_5kx3q2m4na7h")
    name = f.text("What it is called.", example="Spring")
    rank = f.integer("The player's rank.", example=1)
    points = f.number("The player's points.", example=436.5)
    events = f.array(f.text("", example="ev_5kx3q2m4na7h"), "The events that the player has played.")


class KeptClub(f.Contract):
    """A club of the player, or one that the player asks to join."""

    club = f.text("Its id.", example="cb_5kx3q2m4na7h")
    name = f.text(_NAME, example="Lakeside")
    role = f.extensible(f"{_ROLE} null: the player asks to join.", ROLES, nullable=True)
    since = f.time("Since when the player has belonged to it, or has asked.")
    seasons = f.array(f.nested(KeptSeason), "Its seasons in which the player has results; empty for who asks to join.")
