"""Tables and seats."""

from service.api.schemas import fields as f
from service.api.schemas.actions import CardCall
from service.api.schemas.common import RULESET_IDS, Page, next_cursor
from service.api.schemas.view import (
    ABOUT,
    HINT_CHOICES,
    SPECTATOR_CHOICES,
    UNTIMED,
    AskedLength,
    Correspondence,
    GameLength,
    clock_fields,
)
from service.game.state.levels import AI_LEVELS, TAKEOVER_LEVEL
from service.game.state.settings import HINTS_DEFAULT

_PRESET = "Options to start from, by the name that GET /v1/rulesets/{ruleset} gives them; `options` override them."
_OPTIONS = "Options that differ from the ruleset's; GET /v1/rulesets/{ruleset} lists names and values."


ClockChanges = f.Contract.from_dict(clock_fields(optional=True), name="ClockChanges")
ClockChanges.__doc__ = "Time limits that differ from the defaults."
RecordedClock = f.Contract.from_dict({**clock_fields(optional=True), "untimed": UNTIMED}, name="RecordedClock")
RecordedClock.__doc__ = "Time limits as a record has them."


class RepeatedDeal(f.Contract):
    """A deal whose server seed is known from a record or from `round_ended`.

    The same ruleset, players and options deal the same cards to the same seats.
    """

    server_seed = f.text("Its server seed in hexadecimal.", 64, 64, pattern="^[0-9a-f]{64}$", example="00" * 32)
    shuffle_name = f.text(
        "`shuffle_name` of its shuffle.", 1, 60, pattern="^[A-Za-z0-9_-]+$", default="practice", example="practice"
    )
    round = f.integer("Number of its round in the game; this game begins with that round.", 1, 100_000, default=1)
    entropy = f.mapping(
        "Seat -> bytes that its player added, in hexadecimal.",
        f.text("", 2, 128, pattern="^([0-9a-f]{2})+$"),
        high=f.MOST_SEATS,
        names=f.text("", 1, 2, pattern="^([0-9]|1[0-5])$"),
        optional=True,
        example={"0": "00ff"},
    )
    starter = f.integer("Who draws first; left out: drawn.", 0, f.MOST_SEATS - 1, optional=True)
    declarer = f.integer("Who declares; left out: whoever makes trumps.", 0, f.MOST_SEATS - 1, optional=True)


_SEAT_NAMES = f.text("", 1, 2, pattern="^([0-9]|1[0-5])$")


class SeatScript(f.Contract):
    """What an AI player of a sandbox does in the first round.

    Whatever is left out, or is not legal when its turn comes, is decided as `opponents` says.
    """

    declare = f.array(f.cards("", 1, f.MOST_SHOWN), "Sets to show, one after the other.", 0, 10, optional=True)
    discard = f.cards("The kitty to bury.", 1, f.MOST_KITTY, optional=True)
    overcall_kitty = f.cards("The set to overcall for the kitty with.", 1, f.MOST_SHOWN, optional=True)
    calls = f.array(f.nested(CardCall), "The cards to call.", 1, f.MOST_CALLS, optional=True)
    road = f.choice("The road to state.", "high", "low", "either", optional=True)
    plays = f.array(f.cards("", 1), "What to play in each trick.", 0, f.MOST_CARDS, optional=True)


class SandboxSetup(f.Contract):
    """A sandbox: a practice table for tests of clients.

    The caller sits on seat 0, AI players on the others, and the game begins at once. Time stands still except for `PUT
    /v1/tables/{table}/clock`; AI players move in the same step as the caller. No list of tables shows it.
    """

    hands = f.mapping(
        "Seat -> cards that it is dealt in the first round; the rest is dealt at random.",
        f.cards(""),
        high=f.MOST_SEATS,
        names=_SEAT_NAMES,
        optional=True,
        example={"0": ["BJ", "BJ", "2H"]},
    )
    kitty = f.cards("Cards of the kitty; the rest is dealt at random.", 0, f.MOST_KITTY, optional=True)
    starter = f.integer("Who draws first.", 0, f.MOST_SEATS - 1, default=0)
    declarer = f.integer("Who declares; left out: whoever makes trumps.", 0, f.MOST_SEATS - 1, optional=True)
    scripts = f.mapping(
        "Seat -> what its AI does.", f.nested(SeatScript), high=f.MOST_SEATS, names=_SEAT_NAMES, optional=True
    )
    opponents = f.choice(
        "How AI players decide without a script: `cautious`, as when time is up, or `random`, with random legal plays.",
        "cautious",
        "random",
        default="cautious",
    )
    free = f.array(
        f.integer("", 1, f.MOST_SEATS - 1),
        "Seats for others, who sit down with the join code; the game begins when they are ready.",
        0,
        f.MOST_SEATS - 1,
        optional=True,
    )


class ElapsedTime(f.Contract):
    """How much time has passed at a sandbox."""

    elapsed_ms = f.integer(
        "Milliseconds since it was created. Less than before changes nothing.", 0, 10**10, example=30000
    )


def _start_levels() -> f.Field:
    about = ABOUT["start_levels"][:-1] + "; empty: all begin on `start_level`."
    return f.array(f.text("", 1, 80), about, 0, f.MOST_SEATS, optional=True, example=["5", "3"])


class TableSetup(f.Contract):
    """A new table."""

    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats; each ruleset says which are possible.", 4, f.MOST_SEATS, example=4)
    options = f.mapping(_OPTIONS, high=f.MOST_OPTIONS, optional=True, example={"deal_pace": "instant"})
    visibility = f.choice(ABOUT["visibility"], "public", "private", default="private")
    club = f.place(
        "Id of a club of the caller: the table is private, and its members sit down and watch without a code.",
        "^[A-Za-z0-9_-]+$",
        60,
        optional=True,
    )
    clock = f.nested(ClockChanges, "Time limits; those left out keep their defaults.", optional=True)
    spectators = f.choice(ABOUT["spectators"], *SPECTATOR_CHOICES, default="off")
    spectator_delay_ms = f.integer(ABOUT["spectator_delay_ms"], 0, 3_600_000, default=60_000)
    chat = f.flag(ABOUT["chat"], default=True)
    take_back = f.flag(ABOUT["take_back"], default=False)
    ai_pace_ms = f.integer(ABOUT["ai_pace_ms"], 0, 10_000, default=600)
    seed = f.name(
        "Creates a practice table: unrated, and the same seed deals the same cards. Choose it at random: anybody who "
        "guesses the seed can check the guess, and knows all cards.",
        64,
        16,
        optional=True,
        example="monday-k3v9x2q7m5d1",
    )
    # Added last, since generated clients may pass fields by position.
    preset = f.text(_PRESET, 1, 40, optional=True, example="must_play")
    takeover_level = f.choice(ABOUT["takeover_level"], *AI_LEVELS, default=TAKEOVER_LEVEL)
    hints = f.choice(ABOUT["hints"], *HINT_CHOICES, default=HINTS_DEFAULT)
    random_seats = f.flag(ABOUT["random_seats"], default=False)
    deal = f.nested(RepeatedDeal, ABOUT["deal"], optional=True)
    start_levels = _start_levels()
    pause_limit_ms = f.integer(ABOUT["pause_limit_ms"], 0, 3_600_000, default=0)
    claims = f.flag(ABOUT["claims"], default=False)
    sandbox = f.nested(SandboxSetup, "Creates a sandbox, for tests of clients.", optional=True)
    length = f.nested(AskedLength, ABOUT["length"] + " Left out: whole games.", optional=True)


class TableChanges(f.Contract):
    """Changes; fields left out stay as they are. `options` replaces all options of the table."""

    options = f.mapping(_OPTIONS, high=f.MOST_OPTIONS, optional=True)
    visibility = f.choice(ABOUT["visibility"], "public", "private", optional=True)
    clock = f.nested(ClockChanges, "Time limits; those left out stay as they are.", optional=True)
    spectators = f.choice(ABOUT["spectators"], *SPECTATOR_CHOICES, optional=True)
    spectator_delay_ms = f.integer(ABOUT["spectator_delay_ms"], 0, 3_600_000, optional=True)
    chat = f.flag(ABOUT["chat"], optional=True)
    take_back = f.flag(ABOUT["take_back"], optional=True)
    ai_pace_ms = f.integer(ABOUT["ai_pace_ms"], 0, 10_000, optional=True)
    takeover_level = f.choice(ABOUT["takeover_level"], *AI_LEVELS, optional=True)
    hints = f.choice(ABOUT["hints"], *HINT_CHOICES, optional=True)
    random_seats = f.flag(ABOUT["random_seats"], optional=True)
    start_levels = _start_levels()
    pause_limit_ms = f.integer(ABOUT["pause_limit_ms"], 0, 3_600_000, optional=True)
    claims = f.flag(ABOUT["claims"], optional=True)
    length = f.nested(AskedLength, ABOUT["length"] + " {}: whole games.", optional=True)


OCCUPANTS = ("human", "bot", "ai")


class LobbyQuery(Page):
    """Which tables to list."""

    ruleset = f.choice("Only tables of this ruleset.", *RULESET_IDS, optional=True)
    status = f.choice(
        "`lobby`: tables with a free seat; `playing`: running games that may be watched.",
        "lobby",
        "playing",
        default="lobby",
    )
    players = f.integer("Only tables with this number of seats.", 4, f.MOST_SEATS, query=True, optional=True)
    free = f.integer("Only tables with at least this number of free seats.", 0, f.MOST_SEATS, query=True, optional=True)
    kind = f.choice("Only tables where somebody of this kind sits.", *OCCUPANTS, optional=True)
    open = f.flag("`true`: only tables with a free seat, as with `status=lobby`.", query=True, optional=True)
    pace = f.choice(
        "Only tables where a decision takes `days` (`clock.correspondence`), or `seconds`.",
        "days",
        "seconds",
        optional=True,
    )


class ViewQuery(f.Contract):
    """How long to wait for a change."""

    wait = f.integer("With `If-None-Match`: seconds to wait for a change.", 0, 25, query=True, optional=True)


class LobbyTable(f.Contract):
    """A table of the lobby."""

    table = f.text("Its id.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    status = f.extensible("Before, during or after a game.", ("lobby", "playing", "finished"))
    taken = f.integer("Seats taken.", example=3)
    free = f.integer("Free seats.", example=1)
    names = f.array(f.text(""), "Names of the occupants.", example=["Lin", "AI 2"])
    humans = f.integer("How many occupants are people.", example=1)
    bots = f.integer("How many are bots.", example=0)
    ais = f.integer("How many are AIs of the service.", example=2)
    practice = f.flag("Whether it is a practice table.")
    created_at = f.time("When it was created.")
    version = f.integer("Seq of its last event.", example=5)
    correspondence = f.nested(
        Correspondence,
        "The hours of a table where a decision takes days; left out: it counts in seconds.",
        optional=True,
    )
    length = f.nested(GameLength, ABOUT["length"] + " Left out: games are whole ones.", optional=True)


class TablePreview(LobbyTable):
    """The table to which a code leads."""

    grants = f.choice("What the code is for.", "seat", "watch")
    options = f.mapping("Options that differ from the ruleset's.", example={"deal_pace": "instant"})


class Watching(f.Contract):
    """The watch code of a private table."""

    watch_code = f.code("The watch code.", 60, example="K7PQ2M9X")


class Lobby(f.Contract):
    """Public tables, newest first."""

    items = f.array(f.nested(LobbyTable), "The tables.")
    next_cursor = next_cursor()


class Sitting(f.Contract):
    """Where to sit."""

    seat = f.integer("Which seat; left out: the first possible one.", 0, f.MOST_SEATS - 1, optional=True, example=2)
    join_code = f.code("For private tables.", 60, optional=True, example="K7PQ2M9X")


class MovedPlayer(f.Contract):
    """The player to move to a seat."""

    player = f.text("Id of a player at the table; left out: myself.", 1, 60, optional=True, example="pl_7h2kx5q2m4na")


class AiSeat(f.Contract):
    """An AI for a seat."""

    level = f.choice("Its level, from weak to strong.", *AI_LEVELS, default=AI_LEVELS[0])


class ReadyState(f.Contract):
    """Whether the player is ready."""

    ready = f.flag("`false` takes it back.", default=True)


class Entropy(f.Contract):
    """Bytes for the next shuffle."""

    entropy = f.text(
        "1 to 64 bytes in hexadecimal.", 2, 128, pattern="^([0-9a-f]{2})+$", example="9f86d081884c7d659a2feaa0c55ad015"
    )
