"""Results of players, and leaderboards."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import Page, next_cursor
from service.game.state.levels import AI_LEVELS
from service.rules.pools import POOLS
from service.tables.ai_ratings import ai_ratings as _ai_ratings

POOL = "A ruleset, or `shengji.days` and so on: games of days are rated apart."


class PlayerResult(f.Contract):
    """A player's results in a ruleset."""

    games = f.integer("Games played.", example=12)
    wins = f.integer("Games won.", example=7)
    rounds = f.integer("Rounds played.", example=131)
    rated_games = f.integer("Rated games.", example=9)
    rating = f.number(
        "A conservative estimate of skill, which falls by 0.01 each day without a rated game; null: no rated game yet.",
        nullable=True,
        example=14.3,
    )
    provisional = f.flag("Whether the rating is provisional: fewer than ten games count for it so far.")
    inactive = f.flag("Whether the last rated game ended more than 90 days ago.")


def results() -> f.Field:
    """Return the field with a player's results."""
    return f.mapping(
        "Ruleset -> results, for rulesets that the player has played. Games of days are apart, as `shengji.days`.",
        f.nested(PlayerResult),
    )


def places() -> f.Field:
    """Return the field with a player's places on leaderboards."""
    return f.mapping(
        "Ruleset, or `shengji.days` and so on -> place on its whole leaderboard, from 1, if the player has a rating.",
        f.integer(""),
        names=f.extensible(POOL, POOLS),
        example={"shengji": 12},
    )


def ai_ratings() -> f.Field:
    """Return the field with the ratings of AI players."""
    return f.mapping(
        "Level of an AI player -> its measured rating in the ruleset, that of an equally strong player. Games never "
        "change it.",
        f.number(""),
        names=f.extensible("A level.", AI_LEVELS),
        example=_ai_ratings("shengji"),
    )


class RatingPoint(f.Contract):
    """A player's rating after a game."""

    at = f.time("When the game ended.")
    rating = f.number("The rating after it.", example=14.3)


class RatingQuery(f.Contract):
    """Which ratings."""

    ruleset = f.choice(POOL, *POOLS, named="RatingPool", example="shengji")


class Ratings(f.Contract):
    """How a rating has changed."""

    items = f.array(f.nested(RatingPoint), "The ratings after the latest 200 rated games, latest last.")
    ai_ratings = ai_ratings()
    next_cursor = next_cursor()


class LeaderboardQuery(Page):
    """Which leaderboard."""

    ruleset = f.choice(POOL, *POOLS, named="RatingPool", example="shengji")
    provisional = f.choice("`hide`: leave out players whose rating is provisional.", "hide", optional=True)
    inactive = f.choice("`hide`: leave out players without a rated game in 90 days.", "hide", optional=True)


class Leader(f.Contract):
    """A row of the leaderboard."""

    place = f.integer("From 1, among the players whom the query does not leave out.", example=1)
    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Lin")
    kind = f.extensible("A person, or a program.", ("human", "bot"))
    vars().update(chosen.shown_fields(brief=True))
    result = f.nested(PlayerResult, "The player's results.")


class Leaderboard(f.Contract):
    """Players with a rating in a ruleset, best first."""

    items = f.array(f.nested(Leader), "The rows; may be fewer than `limit`, even none, where players are left out.")
    ai_ratings = ai_ratings()
    next_cursor = next_cursor()
