"""Players: registering, profile, my tables."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.api.schemas.results import results as results_field
from service.texts import LANGUAGES

KINDS = ("human", "bot")
_NAME = "What others call the player."
_LOCALE = "Language of texts for a request that names none in `Accept-Language`."


class NewPlayer(f.Contract):
    """A guest who wants to play."""

    name = f.name(_NAME, 40, example="Lin")
    kind = f.choice("A person, or a program.", *KINDS, default=KINDS[0])
    locale = f.choice(_LOCALE, *LANGUAGES, default=LANGUAGES[0], named="Language")


class Player(f.Contract):
    """The caller's own profile."""

    id = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text(_NAME, example="Lin")
    kind = f.extensible("A person, or a program.", KINDS)
    locale = f.extensible(_LOCALE, LANGUAGES)
    created_at = f.time("When the player registered.")
    results = results_field()


class Registered(f.Contract):
    """A new player, and the token that proves it."""

    player = f.nested(Player)
    token = f.text("Bearer token, shown only now. It does not expire.", example="sjt_9hK3…")


class ProfileChanges(f.Contract):
    """What is to be changed; the rest stays."""

    name = f.name(_NAME, 40, optional=True, example="Lin")
    locale = f.choice(_LOCALE, *LANGUAGES, optional=True, named="Language")


class Token(f.Contract):
    """The new token. The old one is void."""

    token = f.text("Bearer token, shown only now.", example="sjt_9hK3…")


class PublicPlayer(f.Contract):
    """What everybody may know of a player."""

    id = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text(_NAME, example="Lin")
    kind = f.extensible("A person, or a program.", KINDS)
    results = results_field()


class MyTable(f.Contract):
    """A table of mine in short."""

    table = f.text("Its id.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    status = f.extensible("Before, in or after a game.", ("lobby", "playing", "finished"))
    round = f.integer("Number of the round, in a game.", nullable=True, example=3)
    seat = f.integer("My seat; null: I have none.", nullable=True, example=2)
    my_turn = f.flag("Whether the table waits for me.")
    decision = f.text("What is asked, if the table waits for somebody.", nullable=True, example="play")
    deadline_at = f.time("When the time for that is over.", nullable=True)
    version = f.integer("Seq of the last event.", example=481)


class MyTables(f.Contract):
    """My tables, most urgent first."""

    items = f.array(f.nested(MyTable), "The tables.")
    next_cursor = next_cursor()


class MyTablesQuery(f.Contract):
    """Which of my tables."""

    turn = f.choice("`mine`: only those that wait for me.", "mine", optional=True)
