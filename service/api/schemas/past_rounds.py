"""Past rounds: the list of the rounds that a player has finished."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, Page, next_cursor
from service.game.events.fields import ARMS_ONLY, NOT_IN_ARMS
from service.store.analyses import THEMES

RESULTS = ("won", "lost")
SIDES = ("declarers", "attackers")


class PastRoundsQuery(Page):
    """Which rounds."""

    ruleset = f.choice("Only rounds of this ruleset.", *RULESET_IDS, optional=True)


class KeptRound(f.Contract):
    """A finished round of the caller."""

    game = f.text("Its game.", example="gm_7h2kx5q2m4na_1")
    round = f.integer("Its number in the game.", example=3)
    table = f.text("Id of the table where it was played; the table may be gone.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that was played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    at = f.time("When it was over.")
    seat = f.integer("The seat of the caller.", example=2)
    result = f.extensible("The caller's result; null: nobody has won.", RESULTS, nullable=True)
    side = f.extensible(f"The side of the caller; {NOT_IN_ARMS}", SIDES, nullable=True)
    points = f.integer(f"Points of the attackers; {NOT_IN_ARMS}", nullable=True, example=85)
    levels = f.integer(f"By how many levels the winners went up; {NOT_IN_ARMS}", nullable=True, example=1)
    scores = f.array(f.integer(""), f"Scores of both sides; {ARMS_ONLY}", nullable=True, example=None)
    practice = f.flag("Whether it was played for practice.")


class PastRound(KeptRound):
    """A finished round of the caller, and what can be done with it."""

    replay = f.flag(
        "Whether it can be looked at again: not if its table is gone and the game was never ended, and not before the "
        "event is over of whose boards it is one."
    )
    analysed = f.flag("Whether it has been analysed, or is being analysed.")


class PastRounds(f.Contract):
    """Finished rounds, the latest first."""

    items = f.array(f.nested(PastRound), "The rounds.")
    next_cursor = next_cursor()


class Mistake(f.Contract):
    """A decision of the caller that was measurably worse than another one."""

    game = f.text("Its game.", example="gm_7h2kx5q2m4na_1")
    round = f.integer("The round.", example=3)
    seq = f.integer("Seq of its event, as in the record and in the analysis of the round.", example=481)
    seat = f.integer("The seat of the caller.", example=2)
    ruleset = f.extensible("The game that was played.", RULESET_IDS, example="shengji")
    at = f.time("When the round was over.")
    cost = f.number("What it cost, in levels (`gain` of the analysis).", example=0.31)
    replay = f.flag("Whether the round can be looked at again.")


class MistakesOfTheme(f.Contract):
    """The mistakes of one theme."""

    theme = f.extensible(
        "What they were. `bid`, `kitty`, `friends`, `road`: declaring, burying, calling. Leads: `trumps-early` and "
        "`trumps-late`, drawing trumps instead of another suit, or not; `wrong-suit`; `shape`, more or fewer cards. "
        "When following: `points-given` and `points-kept`, points for a trick; `let-go`, a trick that could be won; "
        "`high-wasted`, a higher card than needed; `wrong-discard`, of another suit. `wrong-card`: another card of the "
        "suit. `other`: also in analyses of releases before 0.4.",
        THEMES,
        example="trumps-late",
    )
    count = f.integer("How many.", example=4)
    cost = f.number("What they cost together, in levels.", example=0.9)
    cost_a_round = f.number("The same for each analysed round.", example=0.15)
    worst = f.array(f.nested(Mistake), "Those that cost most, three at most.")


class Mistakes(f.Contract):
    """Mistakes by theme, those that cost most first."""

    rounds = f.integer("From how many analysed rounds.", example=6)
    items = f.array(f.nested(MistakesOfTheme), "The themes.")
    next_cursor = next_cursor()
