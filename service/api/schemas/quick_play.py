"""Quick play: tickets, matches, pools."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.game.state.levels import AI_LEVELS
from service.matchmaking.seating import CLOCKS

STATES = ("waiting", "matched", "seated")
_CLOCK = (
    "Time limits: `normal` has those of a new table, `fast` half the time for a card, `slow` twice as much, `days` 24 "
    "hours for each decision."
)
_PRESET = "Options to start from, by the name that GET /v1/rulesets/{ruleset} gives them; null: those of the ruleset."


class RatingWindow(f.Contract):
    """Which ratings others may have. Newcomers fit any window."""

    low = f.integer("The lowest.", -1_000, 1_000, optional=True, example=10)
    high = f.integer("The highest.", -1_000, 1_000, optional=True, example=30)


class TicketRequest(f.Contract):
    """The game that is wanted."""

    ruleset = f.choice("The game.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats; each ruleset says which are possible.", 4, f.MOST_SEATS, example=4)
    preset = f.text(_PRESET, 1, 40, optional=True, example="must_play")
    clock = f.choice(_CLOCK, *CLOCKS, default="normal")
    rating = f.nested(RatingWindow, "Which ratings others may have; left out: any.", optional=True)
    ai = f.flag("Whether AI players take the remaining seats.", default=True)
    ai_after_s = f.integer("After how many seconds they do.", 0, 600, default=20)
    ai_level = f.choice("Level of these AI players.", *AI_LEVELS, default="normal")
    party = f.array(
        f.text("", 1, 60, pattern="^[A-Za-z0-9_-]+$"),
        "Ids of friends who play with the caller.",
        0,
        f.MOST_SEATS - 1,
        data_key="with",
        default=list,
        example=["pl_x5q2k7d3m4na"],
    )


class MatchInfo(f.Contract):
    """A match that waits for confirmation."""

    match = f.text("Its id.", example="ma_5kx3q2m4na7h")
    people = f.integer("Number of people; AI players take the other seats.", example=3)
    confirmed = f.flag("Whether the caller has confirmed.")
    missing = f.integer("How many people have not confirmed yet.", example=1)
    confirm_by = f.time("Until when to confirm.")
    remaining_ms = f.integer("Milliseconds until then, when this was written.", example=14_200)


class Ticket(f.Contract):
    """The caller's ticket."""

    ticket = f.text("Its id; null: the caller has been seated.", nullable=True)
    state = f.extensible("`waiting`; `matched`: confirm now; `seated`: the game is at `table`.", STATES)
    table = f.text("Where the caller has been seated; null: not yet.", nullable=True, example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game; null: seated.", RULESET_IDS, nullable=True)
    players = f.integer("Number of seats; null: seated.", nullable=True, example=4)
    preset = f.text(_PRESET, nullable=True)
    clock = f.extensible(_CLOCK, CLOCKS, nullable=True)
    party = f.array(
        f.text(""), "Ids of those who wait together; the one who opened the ticket first.", example=["pl_x5q2k7d3m4na"]
    )
    asker = f.text("Name of the friend who opened the ticket; left out: the caller, or seated.", optional=True)
    since = f.time("Since when; null: seated.", nullable=True)
    ai_at = f.time("When AI players take the remaining seats; null: never, or seated.", nullable=True)
    remaining_ms = f.integer("Milliseconds until `ai_at`, when this was written.", nullable=True, example=12_400)
    looking = f.integer("How many people wait for the same game and are in no match yet.", example=3)
    match = f.nested(MatchInfo, "The match; null: there is none.", nullable=True)
    server_time = f.time("Now, on the clock of all deadlines.")


class TicketQuery(f.Contract):
    """How long to wait for a change."""

    wait = f.integer("With `If-None-Match`: seconds to wait for a change.", 0, 25, query=True, optional=True)


class Pool(f.Contract):
    """People who wait for the same game."""

    ruleset = f.extensible("The game.", RULESET_IDS)
    players = f.integer("Number of seats.", example=4)
    preset = f.text(_PRESET, nullable=True)
    clock = f.extensible(_CLOCK, CLOCKS)
    people = f.integer("How many people wait.", example=3)


class Pools(f.Contract):
    """Where people wait, most people first."""

    items = f.array(f.nested(Pool), "The pools.")
    next_cursor = next_cursor()
