"""Results of players, and the leaderboard made of them."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, Page, next_cursor


class PlayerResult(f.Contract):
    """What a player has reached in a ruleset."""

    games = f.integer("Games played.", example=12)
    wins = f.integer("Games won.", example=7)
    rounds = f.integer("Rounds played.", example=131)
    rated_games = f.integer("Games that counted for the rating.", example=9)
    rating = f.number("A cautious estimate of strength; null: no rated game yet.", nullable=True, example=14.3)


def results() -> f.Field:
    """Return the field for a player's results."""
    return f.mapping("Ruleset -> result, for those that the player has played.", f.nested(PlayerResult))


class LeaderboardQuery(Page):
    """Which leaderboard."""

    ruleset = f.choice("Ratings in this ruleset.", *RULESET_IDS, example="shengji")


class Leader(f.Contract):
    """A place of the leaderboard."""

    place = f.integer("From 1.", example=1)
    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("What others call the player.", example="Lin")
    kind = f.extensible("A person, or a program.", ("human", "bot"))
    result = f.nested(PlayerResult, "What the place is for.")


class Leaderboard(f.Contract):
    """The players with a rating in a ruleset, best first."""

    items = f.array(f.nested(Leader), "The places.")
    next_cursor = next_cursor()
