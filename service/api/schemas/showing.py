"""Events that are shown: to whom, since when, and what commentators say."""

from service.api.schemas import fields as f
from service.api.schemas.boards import ResultOfSeat
from service.api.schemas.games import RoundQuery
from service.showing.showing import LONGEST_DELAY_MS, MOST_COMMENTATORS
from service.tournaments.forms import MOST_ROUNDS

_PLAYER = "pl_4f7h2k9qm3xa"
_MOST_CHARACTERS = 200


class ShowingChange(f.Contract):
    """How an event is shown."""

    delay_ms = f.integer(
        "How much later a board is shown than nobody has to play it any more: when it is over at all tables of its "
        "round, or the round is over.",
        0,
        LONGEST_DELAY_MS,
        default=0,
        example=300_000,
    )
    commentators = f.array(
        f.text("A player.", 1, 40, example=_PLAYER), "Who may comment.", 0, MOST_COMMENTATORS, optional=True
    )


class ShownBoardsQuery(f.Contract):
    """Boards of which round."""

    round = f.integer(
        "Number of a round that has begun; without it, the latest one with a board that is shown.",
        1,
        MOST_ROUNDS,
        query=True,
        optional=True,
    )


class ShownQuery(RoundQuery):
    """Which table of a match, and whose view."""

    room = f.integer("Of a match of teams, 1 or 2: at which of its tables.", 1, 2, query=True, default=1)


class ShownRoom(ResultOfSeat):
    """What has been made of a board at a table; `game` null: the board was not finished there."""

    match = f.text("Id of the match.", example="1-2")
    room = f.integer("At which of its tables, from 1.", example=1)
    teams = f.array(f.text(""), "Those who meet in the match.", example=["tm_5kx3q2m4na7h", "tm_house"])
    game = f.text("Id of the game; null: not finished.", nullable=True, example="gm_7h2kx5q2m4na_1")


class BoardComment(f.Contract):
    """Words of a commentator."""

    comment = f.text("Their id.", example="co_5kx3q2m4na7h")
    player = f.text("Who says so.", example=_PLAYER)
    name = f.text("The name of that player.", example="Mei")
    text = f.text("The words.", example="The trumps were four to three.")
    at = f.time("When.")


class ShownBoard(f.Contract):
    """A board that is shown."""

    round = f.integer("Number of its round.", example=1)
    number = f.integer("Its number in the event.", example=1)
    level = f.text("The level of all seats; null in Arm's Length.", nullable=True, example="2")
    shown_at = f.time("Since when it is shown.")
    rooms = f.array(f.nested(ShownRoom), "All tables of its round.")
    comments = f.array(f.nested(BoardComment), "What commentators say of it, in order.")


class ShownBoards(f.Contract):
    """The boards of a round that are shown."""

    delay_ms = f.integer("The delay that the director has chosen.", example=300_000)
    may_comment = f.flag("Whether the caller may comment.")
    round = f.integer(
        "Number of the round; null: none was asked for, and no board is shown yet.", nullable=True, example=1
    )
    boards = f.array(f.nested(ShownBoard), "The latest first.")


class CommentDraft(f.Contract):
    """What a commentator says."""

    text = f.line("The words.", _MOST_CHARACTERS, example="The trumps were four to three.")


class ShowingRules(f.Contract):
    """How an event is shown."""

    delay_ms = f.integer("The delay that the director has chosen.", example=300_000)
    commentators = f.array(f.text(""), "Who may comment; empty for all but the director.", example=[_PLAYER])
