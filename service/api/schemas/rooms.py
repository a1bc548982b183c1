"""Rooms: people who play together again and again, their links and their rules."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.api.schemas.players import KINDS
from service.api.schemas.tables import ClockChanges, LobbyTable, TableSetup
from service.api.schemas.view import ABOUT, HINT_CHOICES, SPECTATOR_CHOICES, Clock, GameLength

ROLES = ("host", "member", "watcher")
LINKS = ("member", "watcher")
_NAME = "What the people of the room call it."
_ROLE = "`host` changes the room and removes people; `member` plays; `watcher` only watches."
_CLOCK = "Time limits; {}: none, and everybody takes the time they want."
#: Settings of a table that are the same in the rules of a room.
_OF_TABLES = (
    "spectator_delay_ms",
    "chat",
    "take_back",
    "ai_pace_ms",
    "takeover_level",
    "hints",
    "random_seats",
    "claims",
    "length",
)


class RoomRules(f.Contract):
    """How the room plays. The tables of a room are private."""

    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats; each ruleset says which are possible.", 4, f.MOST_SEATS, example=4)
    options = f.mapping(
        "Options that differ from the ruleset's; GET /v1/rulesets/{ruleset} lists names and values.",
        high=f.MOST_OPTIONS,
        default=dict,
        example={"deal_pace": "instant"},
    )
    preset = f.text("Options to start from, by the name of a preset.", 1, 40, optional=True, example="must_play")
    clock = f.nested(ClockChanges, _CLOCK.format("left out"), optional=True)
    spectators = f.choice(ABOUT["spectators"], *SPECTATOR_CHOICES, default="delayed")
    vars().update({name: TableSetup().fields[name] for name in _OF_TABLES})
    voice = f.flag(ABOUT["voice"], default=False)


class RoomSetup(f.Contract):
    """A new room."""

    name = f.name(_NAME, 40, example="Friday")
    rules = f.nested(RoomRules, "How it plays.")


class RoomChanges(f.Contract):
    """Changes; what is left out stays as it is. `rules` replaces all rules."""

    name = f.name(_NAME, 40, optional=True, example="Friday")
    rules = f.nested(RoomRules, "How it plays from the next table on.", optional=True)


class ChosenHost(f.Contract):
    """Who becomes host."""

    player = f.text(
        "Id of a player who plays in the room.", 1, 60, pattern="^[A-Za-z0-9_-]+$", example="pl_7mq2x5k3d4na"
    )


class RoomCode(f.Contract):
    """The code of a link."""

    code = f.code("The code.", 60, example="K7PQ2M9XWR4T")


class RulesOfRoom(f.Contract):
    """How the room plays."""

    ruleset = f.extensible("The game that is played.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    options = f.mapping("Options that differ from the ruleset's.", example={"deal_pace": "instant"})
    preset = f.text("The preset from which they start; null: none.", nullable=True, example="must_play")
    clock = f.nested(Clock, _CLOCK.format("null"), nullable=True)
    spectators = f.extensible(ABOUT["spectators"], SPECTATOR_CHOICES)
    spectator_delay_ms = f.integer(ABOUT["spectator_delay_ms"], example=60000)
    chat = f.flag(ABOUT["chat"])
    take_back = f.flag(ABOUT["take_back"])
    ai_pace_ms = f.integer(ABOUT["ai_pace_ms"], example=600)
    takeover_level = f.text(ABOUT["takeover_level"], example="easy")
    hints = f.extensible(ABOUT["hints"], HINT_CHOICES)
    random_seats = f.flag(ABOUT["random_seats"])
    claims = f.flag(ABOUT["claims"])
    length = f.nested(GameLength, ABOUT["length"] + " Left out: games are whole ones.", optional=True)
    voice = f.flag(ABOUT["voice"])


class RoomPerson(f.Contract):
    """Somebody of the room."""

    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Mei")
    kind = f.extensible("A person, or a program.", KINDS)
    vars().update(chosen.shown_fields())
    role = f.extensible(_ROLE, ROLES)
    since = f.time("Since when.")


class RemovedPerson(f.Contract):
    """Somebody whom the host has removed."""

    player = f.text("Id of the player.", example="pl_7mq2x5k3d4na")
    name = f.text("The name shown to others.", example="Mallory")


class RoomLinks(f.Contract):
    """The codes of the links, each good for as long as the room exists or until the host renews it."""

    member = f.text("For those who play; null: the caller only watches.", nullable=True, example="K7PQ2M9XWR4T")
    watcher = f.text("For those who only watch.", example="W3NBY8ZHC6DQ")


class Room(f.Contract):
    """A room."""

    room = f.text("Its id.", example="rm_5kx3q2m4na7h")
    name = f.text(_NAME, example="Friday")
    role = f.extensible("The caller's: " + _ROLE, ROLES)
    rules = f.nested(RulesOfRoom, "How it plays.")
    people = f.array(f.nested(RoomPerson), "Who belongs to it, in the order in which they came.")
    removed = f.array(f.nested(RemovedPerson), "Whom the host has removed; empty for all others.")
    links = f.nested(RoomLinks, "Its links.")
    table = f.nested(
        LobbyTable, "Its table, where those of the room sit down without a code; null: none.", nullable=True
    )
    created_at = f.time("When it was made.")


class Rooms(f.Contract):
    """The caller's rooms, the latest joined first."""

    items = f.array(f.nested(Room), "The rooms, 30 at most.")
    next_cursor = next_cursor()


class RoomTally(f.Contract):
    """How somebody has played in the room."""

    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    rounds = f.integer("Finished rounds.", example=42)
    won = f.integer("How many of them were won.", example=23)


class RoomPair(f.Contract):
    """How two have played on one side."""

    players = f.array(f.text(""), "Ids of the two.", example=["pl_7mq2x5k3d4na", "pl_x5q2k7d3m4na"])
    rounds = f.integer("Finished rounds on one side.", example=20)
    won = f.integer("How many of them were won.", example=12)


class RoomRound(f.Contract):
    """A finished round."""

    game = f.text("Id of the game.", example="gm_7h2kx5q2m4na_1")
    round = f.integer("Number of the round in the game.", example=3)
    at = f.time("When it was over.")
    seats = f.array(
        f.text("", nullable=True), "By seat: id of the player; null: an AI player, or somebody who has left the room."
    )
    won = f.array(f.integer(""), "The seats that won it; empty: nobody.", example=[0, 2])
    levels = f.integer("How many levels they gained.", example=1)


class RoomHistory(f.Contract):
    """What the room has played, of those who belong to it now."""

    levels = f.array(
        f.text(""),
        "Levels with which the next table starts: by side if teams are fixed, else by seat; empty: from the beginning.",
        example=["5", "3"],
    )
    seats = f.array(
        f.text("", nullable=True),
        "Who sat where in the last round, by seat: id of the player; null: nobody of the room.",
    )
    people = f.array(f.nested(RoomTally), "Tallies of people.")
    pairs = f.array(f.nested(RoomPair), "Tallies of two on one side.")
    rounds = f.array(f.nested(RoomRound), "The last 100 rounds, the latest first.")


class RoomPreview(f.Contract):
    """Where a link leads."""

    name = f.text(_NAME, example="Friday")
    grants = f.extensible("What the link lets people become.", LINKS)
    ruleset = f.extensible("The game that is played there.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    members = f.integer("How many people play there.", example=3)
    room = f.text(
        "Its id, if the link gives the caller nothing that they do not have; null: they do not belong to it, or only "
        "watch there.",
        nullable=True,
        example="rm_5kx3q2m4na7h",
    )


class KeptRoom(f.Contract):
    """A room of the player."""

    room = f.text("Its id.", example="rm_5kx3q2m4na7h")
    name = f.text(_NAME, example="Friday")
    role = f.extensible(_ROLE, ROLES)
    since = f.time("Since when the player has belonged to it.")
