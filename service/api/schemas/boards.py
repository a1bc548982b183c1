"""Events of equal deals, their boards and standings."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor
from service.game.events.fields import ARMS_ONLY, NOT_IN_ARMS

_EVENT = "ev_20261126_shengji_4"


class OwnBoardResult(f.Contract):
    """The caller's result on a board."""

    number = f.integer("Number of the board.", example=1)
    game = f.text("The game, for `GET /v1/games/{game}` once the event is over.", example="gm_7h2kx5q2m4na_1")
    at = f.time("When it was over.")
    counts = f.flag(
        "Whether it is compared; not if it was given up or an AI has played too much of it: then it counts as lowest."
    )
    points = f.integer(f"Points of the attackers; {NOT_IN_ARMS}", nullable=True, example=85)
    side = f.extensible(
        f"The side of the caller's seat; {NOT_IN_ARMS}", ("declarers", "attackers"), nullable=True, example="attackers"
    )
    scores = f.array(f.integer(""), f"Scores of both sides; {ARMS_ONLY}", nullable=True, example=None)


class BoardOfEvent(f.Contract):
    """A board as shown before the event is over."""

    number = f.integer("Its number.", example=1)
    level = f.text(f"The level of all seats; {NOT_IN_ARMS}", nullable=True, example="2")
    starter = f.integer("The seat that draws first.", example=0)
    commitments = f.array(
        f.text(""), "SHA-256 of the server seed of each of its deals.", example=["sha256:66687aadf862bd77…"]
    )
    result = f.nested(OwnBoardResult, "The caller's result; null: not played yet.", nullable=True)


class EventSummary(f.Contract):
    """An event."""

    event = f.text("Its id.", example=_EVENT)
    ruleset = f.extensible("The game that is played.", RULESET_IDS, example="shengji")
    players = f.integer("Seats at a table.", example=4)
    status = f.extensible(
        "`coming`: a night of the ladder of bots that has not begun. `open`: boards can be played. `over`: they can be "
        "compared.",
        ("coming", "open", "over"),
    )
    opens_at = f.time("When it has begun.")
    closes_at = f.time("When it ends. A board that is not over by then does not count.")
    remaining_ms = f.integer("Milliseconds until then; 0: it is over.", example=36000000)
    boards = f.integer("How many boards it has.", example=8)
    entries = f.integer("Number of entrants.", example=42)
    entered = f.flag("Whether the caller has entered.")
    played = f.integer("Boards that the caller has played.", example=3)
    for_ = f.extensible("Who may enter: everybody, or only bots.", ("everybody", "bots"), data_key="for")


class EventQuery(f.Contract):
    """Which events are listed."""

    for_ = f.choice(
        "Those for bots instead of those for everybody.", "bots", optional=True, data_key="for", named="EventsFor"
    )


class EventList(f.Contract):
    """The latest events."""

    items = f.array(f.nested(EventSummary), "Those of today first.")
    next_cursor = f.text("Always null: there are 20 at most.", nullable=True)


class EqualDealEvent(EventSummary):
    """An event with its boards."""

    items = f.array(f.nested(BoardOfEvent), "Its boards, in order.")


class BoardTable(f.Contract):
    """Where a board is played."""

    table = f.text("The table; the caller sits on seat 0, and the game has begun.", example="tb_7h2kx5q2m4na")


class EventStanding(f.Contract):
    """An entrant in the standings."""

    rank = f.integer("Place; entrants with the same percentage share one.", example=1)
    player = f.text("The player.", example="pl_4f7h2k9qm3xa")
    name = f.text("The name at the time of the entry.", example="Lin")
    percent = f.number("Mean of all boards; a board not played counts as 0.", example=61.25)
    steps = f.integer(
        "Sum over all boards of the steps between the result and the mean of the others, which decides in games of "
        "finding friends; null: `percent` decides.",
        nullable=True,
        example=None,
    )
    boards = f.array(
        f.number("", nullable=True), "The percentage of each board; null: not played.", example=[75.0, None]
    )
    me = f.flag("Whether this is the caller.")


class EventStandings(f.Contract):
    """The standings of an event that is over."""

    status = f.extensible(
        "`working`: AI players still play boards for comparison; read it again in a few seconds.", ("ready", "working")
    )
    items = f.array(f.nested(EventStanding), "The best first; empty while `working`.")
    next_cursor = next_cursor()
    mine = f.nested(EventStanding, "The caller's row; null: none.", nullable=True)
    players = f.integer("Number of players who have played.", example=42)


class ResultOfSeat(f.Contract):
    """The outcome of a game on a board."""

    game = f.text("The game, for its record and replay.", example="gm_7h2kx5q2m4na_1")
    points = f.integer(f"Points of the attackers; {NOT_IN_ARMS}", nullable=True, example=85)
    side = f.extensible(
        f"The side of seat 0; {NOT_IN_ARMS}", ("declarers", "attackers"), nullable=True, example="attackers"
    )
    scores = f.array(f.integer(""), f"Scores of both sides; {ARMS_ONLY}", nullable=True, example=None)


class ComparedResult(ResultOfSeat):
    """Somebody's result on a board."""

    player = f.text("The player.", example="pl_4f7h2k9qm3xa")
    name = f.text("The name at the time of the entry.", example="Lin")
    value = f.integer(
        "What is compared: points of the player's side beyond those with which it wins, or its lead in scores; null: "
        "it was given up or an AI has played too much of it, and it counts as the lowest.",
        nullable=True,
        example=5,
    )
    percent = f.number("Percentage of the others that it beats; equal ones count half.", example=62.5)
    steps = f.integer("Steps between it and the mean of the others.", example=1)
    me = f.flag("Whether this is the caller.")


class PlayedBoard(f.Contract):
    """A deal of a board, once the event is over, or the caller has played it."""

    event = f.text("The event.", example=_EVENT)
    number = f.integer("Number of the board.", example=1)
    deal = f.integer("Which of its deals: the caller's, or else the first.", example=2)
    level = f.text(f"The level of all seats; {NOT_IN_ARMS}", nullable=True, example="2")
    starter = f.integer("The seat that draws first.", example=0)
    commitment = f.text(
        "The commitment to the deal, published before it was played.", example="sha256:66687aadf862bd77…"
    )
    server_seed = f.text("Its server seed, in hexadecimal; empty until the event is over.")
    shuffle_name = f.text("Identifies the board in the shuffle.", example=f"{_EVENT}_1")
    results = f.array(
        f.nested(ComparedResult),
        "Results with the same deal, best first: 1,000 at most.",
    )
    field = f.array(f.integer(""), "Values of AI players with the same deal; empty: not known.", example=[5, -15, 20])
