"""Past games: the lists of the players' finished games."""

from typing import get_args

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, Page, next_cursor
from service.api.schemas.games import SeatOfGame, changes_field
from service.game.events.fields import ARMS_ONLY, DECIDED_BY, NOT_IN_ARMS
from service.game.state.types import DecidedBy, Ending

ENDINGS = get_args(Ending)


class PastGamesQuery(Page):
    """Which games."""

    ruleset = f.choice("Only games of this ruleset.", *RULESET_IDS, optional=True)
    before = f.moment("Only games that ended before this time.", optional=True)
    partner = f.text(
        "Only games in which this player played too.",
        pattern="^pl_[0-9a-z]{1,57}$",
        optional=True,
        data_key="with",
        example="pl_x5q2k7d3m4na",
    )
    rated = f.flag("Only games that count for ratings, or only those that do not.", query=True, optional=True)


class PastGame(f.Contract):
    """A finished game. Its record can be read: `GET /v1/games/{game}/record`."""

    game = f.text("Its id.", example="gm_7h2kx5q2m4na_1")
    table = f.text("Id of the table where it was played; the table may be gone.", example="tb_7h2kx5q2m4na")
    ruleset = f.extensible("The game that was played.", RULESET_IDS, example="shengji")
    players = f.integer("Number of seats.", example=4)
    ended_at = f.time("When it ended.")
    ended = f.extensible("Why it ended.", ENDINGS)
    decided_by = f.extensible(DECIDED_BY, get_args(DecidedBy), optional=True)
    rounds = f.integer("Number of its finished rounds.", example=12)
    seat = f.integer("The first seat of the player whose list this is.", example=2)
    result = f.extensible(
        "This player's result; null: nobody has won, or the player was on a winning seat for less than half of the "
        "rounds.",
        ("won", "lost"),
        nullable=True,
    )
    winners = f.array(f.integer(""), "Winning seats; empty: nobody has won.", example=[0, 2])
    levels = f.array(
        f.text(""), f"The level of each seat at its end; {NOT_IN_ARMS}", nullable=True, example=["A", "9", "A", "9"]
    )
    scores = f.array(
        f.integer(""),
        f"Arm's Length: totals of seats 0 and 2, and of seats 1 and 3; {ARMS_ONLY}",
        nullable=True,
        example=None,
    )
    rated = f.flag("Whether it counts for ratings.")
    practice = f.flag("Whether it was a practice game, which is never rated.")
    watchable = f.flag("Whether anybody could watch it. If not, it is shown only to those who played in it.")
    imported = f.flag("Whether the player has imported it; left out: no.", optional=True)
    analysed = f.array(f.integer(""), "Rounds that have been analysed, or are being analysed.", example=[3])
    seats = f.array(f.nested(SeatOfGame), "In order of play, with the occupant at the start.")
    changes = changes_field()


class PastGames(f.Contract):
    """Finished games, the latest first."""

    items = f.array(f.nested(PastGame), "The games.")
    next_cursor = next_cursor()
