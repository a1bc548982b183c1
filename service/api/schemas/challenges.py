"""Challenges: which ones a player accepts, and the outcome of one."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.game.state.levels import AI_LEVELS
from service.matchmaking.seating import CLOCKS

FROM = ("anyone", "bots", "friends")
RATED = ("any", "rated", "unrated")
STATES = ("open", "accepted", "declined", "withdrawn", "expired")
REASONS = ("busy", "later", "game", "opponent", "other")
_CLOCK = "Pace of the game: `play_ms` is 15 s, 30 s or 60 s; `days`: 24 hours for each decision."
_CONCURRENT = "How many games with others the player plays at a time; those with AI players alone do not count."
_RATED = "Whether the game counts for ratings."


class Accepts(f.Contract):
    """Which challenges a player takes; an empty list: any."""

    rulesets = f.array(f.choice("", *RULESET_IDS), "Which games.", 0, 20, default=list, example=["shengji"])
    players = f.array(f.integer("", 4, f.MOST_SEATS), "With how many seats.", 0, 16, default=list, example=[4])
    clocks = f.array(f.choice("", *CLOCKS), "At which pace.", 0, 5, default=list, example=["normal"])
    rated = f.choice("Whether they count for ratings.", *RATED, default="any")
    wanted = f.choice("Who may challenge; friends always may.", *FROM, default="anyone", data_key="from")
    concurrent = f.integer(_CONCURRENT + " 0: no challenges.", 0, 50, default=1)


class AcceptedChallenges(f.Contract):
    """Which challenges a player takes; an empty list: any."""

    rulesets = f.array(f.text(""), "Which games.", example=["shengji"])
    players = f.array(f.integer(""), "With how many seats.", example=[4])
    clocks = f.array(f.text(""), "At which pace.", example=["normal"])
    rated = f.extensible("Whether they count for ratings.", RATED)
    wanted = f.extensible("Who may challenge; friends always may.", FROM, data_key="from")
    concurrent = f.integer(_CONCURRENT, example=1)


class ChallengeRequest(f.Contract):
    """The game that is wanted."""

    ruleset = f.choice("The game that is played.", *RULESET_IDS, example="shengji")
    players = f.integer("Number of seats; AI players take the others.", 4, f.MOST_SEATS, example=4)
    preset = f.text("House rules, by the name of a preset; left out: those of the ruleset.", 1, 40, optional=True)
    clock = f.choice(_CLOCK, *CLOCKS, default="normal")
    rated = f.flag(_RATED, default=True)
    ai_level = f.choice("Level of the AI players.", *AI_LEVELS, default="normal")


class ChallengeAnswer(f.Contract):
    """The answer to a challenge."""

    accept = f.flag("Whether to play.")
    reason = f.choice("Why not.", *REASONS, default="other")


class PlayerChallenge(f.Contract):
    """A challenge and its outcome."""

    challenge = f.text("Its id.", example="ch_5kx3q2m4na7h")
    by = f.text("Who challenges (id).", example="pl_x5q2k7d3m4na")
    to = f.text("Who is challenged (id).", example="pl_7mq2x5k3d4na")
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    preset = f.text("House rules; null: those of the ruleset.", nullable=True, example=None)
    clock = f.extensible(_CLOCK, CLOCKS)
    rated = f.flag(_RATED)
    state = f.extensible("Its state.", STATES)
    reason = f.extensible("Why it was declined; null: it was not declined.", REASONS, nullable=True)
    answer_by = f.time("Until when it can be answered.")
    remaining_ms = f.integer("Milliseconds until then; 0: it is too late.", example=20_000)
    table = f.text("The table of the game; null: there is none.", nullable=True, example="tb_7h2kx5q2m4na")


class Bot(f.Contract):
    """A bot that is online and accepts challenges."""

    player = f.text("Its id.", example="pl_7mq2x5k3d4na")
    name = f.text("Its name.", example="Ten lines")
    accepts = f.nested(AcceptedChallenges, "Which challenges it accepts.")


class Bots(f.Contract):
    """Bots that are online."""

    items = f.array(f.nested(Bot), "The bots, 100 at most.")
    next_cursor = next_cursor()
