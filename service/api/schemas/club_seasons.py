"""Seasons of clubs: what their events count together, and the ranking of their own players."""

from service.api.schemas import chosen
from service.api.schemas import fields as f
from service.api.schemas.common import next_cursor
from service.api.schemas.players import KINDS
from service.api.schemas.results import POOL, PlayerResult
from service.clubs.points import POINTS
from service.clubs.seasons import LONGEST_NAME, MOST_EVENTS, MOST_SEASONS
from service.rules.pools import POOLS

_NAME = "What the season is called."
_STARTS = "Events count that began from this time on: their first round."
_ENDS = "Events count that began before this time. From then on the season stays as it is."
_EVENTS = "The events of the club that count; empty: all."
_BEST = "How many events of a player count, the best ones; 0: all."
_POINTS = (
    "What an event counts for those who have played it. `percent`: what their unit has made, in percent: matchpoints, "
    "or in events of teams victory points; `beaten`: one for each unit behind theirs, half for each equal one; "
    "`places`: 10, 8, 6, 5, 4, 3, 2, 1 for the first eight places, shared by those who share one."
)
_EXAMPLE = "ev_5kx3q2m4na7h"


def _events(**more: object) -> f.Field:
    entry = f.text("", 1, 60, example=_EXAMPLE)
    return f.array(entry, _EVENTS, 0, MOST_EVENTS, **more)  # type: ignore[arg-type]


class ClubSeasonSetup(f.Contract):
    """A new season."""

    name = f.name(_NAME, LONGEST_NAME, example="Spring")
    starts_at = f.moment(_STARTS, example="2026-03-01T00:00:00+08:00")
    ends_at = f.moment(_ENDS, example="2026-06-01T00:00:00+08:00")
    events = _events(default=[])
    best = f.integer(_BEST, 0, MOST_EVENTS, default=0, example=8)
    points = f.choice(_POINTS, *POINTS, default="percent")


class ClubSeasonChanges(f.Contract):
    """Changes; what is left out stays as it is."""

    name = f.name(_NAME, LONGEST_NAME, optional=True, example="Spring")
    starts_at = f.moment(_STARTS, optional=True)
    ends_at = f.moment(_ENDS, optional=True)
    events = _events(optional=True)
    best = f.integer(_BEST, 0, MOST_EVENTS, optional=True, example=8)
    points = f.choice(_POINTS, *POINTS, optional=True)


class ClubSeason(f.Contract):
    """A season of a club."""

    season = f.text("Its id.", example="cs_5kx3q2m4na7h")
    name = f.text(_NAME, example="Spring")
    starts_at = f.time(_STARTS)
    ends_at = f.time(_ENDS)
    events = f.array(f.text("", example=_EXAMPLE), _EVENTS)
    best = f.integer(_BEST, example=8)
    points = f.extensible(_POINTS, POINTS, example="percent")
    over = f.flag("Whether its end has passed. An event that began before may still be played.")


class ClubSeasons(f.Contract):
    """The seasons of a club."""

    items = f.array(f.nested(ClubSeason), f"The seasons, {MOST_SEASONS} at most, the one that begins last first.")
    next_cursor = next_cursor()


class SeasonEvent(f.Contract):
    """An event that has begun in a season."""

    event = f.text("Its id; the event may be gone.", example=_EXAMPLE)
    name = f.text("What it is called; empty: an operator has removed it.", example="Friday pairs")
    began_at = f.time("When its first round began.")
    counts = f.flag("Whether it is over, and counts.")


class SeasonResult(f.Contract):
    """An event for a player of a season."""

    event = f.text("Id of the event.", example=_EXAMPLE)
    team = f.text("Id of the unit: team, pair or player.", example="tm_5kx3q2m4na7h")
    place = f.integer("Its place, among the units of its line that are not AI players alone.", example=2)
    equal = f.integer("How many units share the place, this one included.", example=1)
    of = f.integer("How many units there are.", example=12)
    percent = f.number("What the unit has made, in percent.", example=58.33)
    boards = f.integer("How many boards of the unit the player has played: at least half of `unit_boards`.", example=24)
    unit_boards = f.integer("How many boards people of the unit have played.", example=24)
    points = f.number("What it counts.", example=58.33)
    counted = f.flag("Whether it is among the best, which count.")


class SeasonRow(f.Contract):
    """A player in a season. Who has left the club stays."""

    rank = f.integer("From 1; those with equal points share one.", example=1)
    player = f.text("Id of the player; null: the account was deleted.", nullable=True, example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others; null: the account was deleted.", nullable=True, example="Mei")
    points = f.number("The sum of what counts.", example=436.5)
    results = f.array(f.nested(SeasonResult), "The events that the player has played, the best first.")


class ClubSeasonStandings(ClubSeason):
    """A season with its standings."""

    played = f.array(f.nested(SeasonEvent), "The events that have begun in it, the latest first.")
    standings = f.array(f.nested(SeasonRow), "The players, the best first.")


class ClubRankingQuery(f.Contract):
    """Which ratings."""

    ruleset = f.choice(POOL, *POOLS, named="RatingPool", example="shengji")


class ClubRank(f.Contract):
    """A member of the club."""

    place = f.integer("From 1; those with equal ratings share one. null: without a rating.", nullable=True, example=1)
    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name shown to others.", example="Mei")
    kind = f.extensible("A person, or a program.", KINDS)
    vars().update(chosen.shown_fields(brief=True))
    result = f.nested(PlayerResult, "The player's results, at any table.")


class ClubRanking(f.Contract):
    """The members of a club who have played a ruleset."""

    items = f.array(f.nested(ClubRank), "The members, highest rating first, those without one last.")
    next_cursor = next_cursor()
