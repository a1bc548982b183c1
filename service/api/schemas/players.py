"""Players: registration, profiles, tables of the caller."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.challenges import AcceptedChallenges, Accepts
from service.api.schemas.common import RULESET_IDS, keep_query, next_cursor
from service.api.schemas.results import places as places_field
from service.api.schemas.results import results as results_field
from service.api.schemas.view import Closed
from service.texts import READ

KINDS = ("human", "bot")
SHOWN_TO = ("friends", "nobody")
INVITED_BY = ("anyone", "friends", "nobody")
INVITER = "Id of the player whose registration code let this one in; `operators`: one of theirs; null: there was none."
_NAME = "The name shown to others."
_PRESENCE = "Who may see that the player is online, and where."
_INVITATIONS = "Who may invite the player to a table."
_ACCEPTS = "Which challenges the player accepts; null: none."
_LOCALE = "Language of texts for requests without `Accept-Language`."


class Registration(f.Contract):
    """A new guest player."""

    name = f.player_name(example="Lin")
    kind = f.choice("A person, or a program.", *KINDS, default=KINDS[0])
    locale = f.choice(_LOCALE, *READ, default=READ[0], named="Language")
    code = f.text(
        "A registration code, needed while `GET /v1` has `registration: invited`.",
        1,
        60,
        optional=True,
        example="7HQ2-K5XM-9R4D",
    )


class Player(f.Contract):
    """The caller's own profile."""

    id = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text(_NAME, example="Lin")
    kind = f.extensible("A person, or a program.", KINDS)
    locale = f.extensible(_LOCALE, READ)
    presence = f.extensible(_PRESENCE, SHOWN_TO)
    invitations = f.extensible(_INVITATIONS, INVITED_BY)
    accepts = f.nested(AcceptedChallenges, _ACCEPTS, nullable=True)
    vars().update(chosen.shown_fields())
    created_at = f.time("When the player registered.")
    results = results_field()
    places = places_field()


class Registered(f.Contract):
    """A new player and its token."""

    player = f.nested(Player)
    token = f.text("Bearer token, shown only now. It does not expire.", example="sjt_9hK3…")


class ProfileChanges(f.Contract):
    """Changes; fields left out stay as they are."""

    name = f.player_name(optional=True, example="Lin")
    locale = f.choice(_LOCALE, *READ, optional=True, named="Language")
    presence = f.choice(_PRESENCE, *SHOWN_TO, optional=True)
    invitations = f.choice(_INVITATIONS, *INVITED_BY, optional=True)
    accepts = f.nested(Accepts, "Which challenges the player accepts; `concurrent` 0: none.", optional=True)
    vars().update(chosen.changes())


class RotateQuery(f.Contract):
    """What becomes of the player's other tokens."""

    others = f.choice(
        "`revoke`: everything else that gives access to the account ends too: other tokens, external accounts, the "
        "recovery code, webhooks and devices.",
        "revoke",
        optional=True,
    )
    keep = keep_query("With `others=revoke`, what stays: ids of `GET /v1/me/rights`, separated by commas.")


class Token(f.Contract):
    """The new token. The old one is void."""

    token = f.text("Bearer token, shown only now.", example="sjt_9hK3…")


class PublicPlayer(f.Contract):
    """A public profile."""

    id = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text(_NAME, example="Lin")
    kind = f.extensible("A person, or a program.", KINDS)
    accepts = f.nested(AcceptedChallenges, _ACCEPTS, nullable=True)
    vars().update(chosen.shown_fields())
    results = results_field()
    places = places_field()


class MyTable(f.Contract):
    """A summary of one of my tables."""

    table = f.text("Its id.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    status = f.extensible("Before, during or after a game.", ("lobby", "playing", "finished"))
    closed = f.nested(Closed, "If the table has been closed: why.", nullable=True)
    round = f.integer("Number of the round, during a game.", nullable=True, example=3)
    seat = f.integer("My seat; null: none.", nullable=True, example=2)
    my_turn = f.flag(
        "Whether the table waits for me, or, at a finished table, the others wait for me to play another game."
    )
    decision = f.text("Kind of the open decision.", nullable=True, example="play")
    decision_id = f.text("Its id.", nullable=True, example="dc_481")
    deadline_at = f.time("Its deadline.", nullable=True)
    remaining_ms = f.integer("Milliseconds until then, when this was written.", nullable=True, example=21450)
    version = f.integer("Seq of the last event.", example=481)
    board = f.flag("Whether it plays a board of an event; left out: no.", optional=True)


class MyTables(f.Contract):
    """My tables, most urgent first."""

    items = f.array(f.nested(MyTable), "The tables.")
    next_cursor = next_cursor()
    server_time = f.time("Now, on the clock of all deadlines.")


class MyTablesQuery(f.Contract):
    """Which of my tables."""

    turn = f.choice("`mine`: only those that wait for me.", "mine", optional=True)
    wait = f.integer(
        "Seconds to wait for a change if nothing has changed since `If-None-Match`.", 0, 25, query=True, optional=True
    )
