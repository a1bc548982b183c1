"""How fields are shown in views and in events.

Everything is shown by allow-list, down to the innermost field: `fields` shows the fields named, and inside them only
what `_INSIDE` names in turn.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeVar, overload

from service.game.events.round_types import FriendJoined
from service.game.state.actions import CalledCard
from service.game.state.memory import GROUPS
from service.game.state.occupants import CHOSEN
from service.game.state.settings import CLOCK_DEFAULTS, PUBLIC_SETTINGS, limits_shown
from service.game.state.table_types import Away, Length, Settings
from service.game.state.types import Call, Memory, Play, Revealed, RoundResult, Trick
from service.game.views.types import AwayView, ClosedView, PlayView, RoadsView, SeenView, SortedBy, TrickView
from service.rules.cards import CARDS, names_of
from service.rules.options.table import OPTIONS
from service.rules.rounds.friends import OTHER_COPY

ValueT = TypeVar("ValueT")


@overload
def timestamp(milliseconds: int) -> str: ...
@overload
def timestamp(milliseconds: None) -> None: ...
@overload
def timestamp(milliseconds: int | None) -> str | None: ...
def timestamp(milliseconds: int | None) -> str | None:
    """Return a time as RFC 3339 in UTC with milliseconds."""
    if milliseconds is None:
        return None
    return f"{_to_the_second(milliseconds // 1000)}.{milliseconds % 1000:03d}Z"


@lru_cache(maxsize=256)
def _to_the_second(seconds: int) -> str:
    # `%Y` does not fill years before 1000 with zeros.
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")[: -len("+00:00")]


#: Shows the value of a field.
Inside = Callable[[Any], Any]


def fields(source: Mapping[str, object], names: Iterable[str]) -> dict[str, Any]:
    """Return the named fields that exist, as they may be seen."""
    return {
        name: source[name] if inside is None else inside(source[name])
        for name, inside in _with_inside(tuple(names))
        if name in source
    }


def codes_of(settings: Settings) -> dict[str, str]:
    """Return the join code and the watch code, which only players and host may see.

    A table of a circle or of a club has none: these say who may come.
    """
    if "circle" in settings or "club" in settings:
        return {}
    codes = {"join_code": settings["join_code"]}
    if "watch_code" in settings and settings["visibility"] == "private" and settings["spectators"] != "off":
        codes["watch_code"] = settings["watch_code"]
    return codes


def closed_view(settings: Settings) -> ClosedView | None:
    """Show who closed a table; None if it is open."""
    return {"reason": settings.get("closed_by", "host")} if settings["closed"] else None


def codes_shown(settings: Settings) -> dict[str, str]:
    """Return the codes shown to players and host; a closed table has none."""
    return {} if settings["closed"] else codes_of(settings)


@lru_cache(maxsize=256)
def _with_inside(names: tuple[str, ...]) -> list[tuple[str, Inside | None]]:
    return [(name, _INSIDE.get(name)) for name in names]


def _of(*names: str) -> Inside:
    return lambda source: None if source is None else fields(source, names)


def _plain(*names: str) -> Inside:
    """Show these fields unchanged; a plain copy if there are no others."""
    allowed = frozenset(names)

    def inside(source: Any) -> Any:
        if source is None:
            return None
        if allowed.issuperset(source):
            return {**source}
        return {name: value for name, value in source.items() if name in allowed}

    return inside


def _each(inside: Inside) -> Inside:
    return lambda sources: [inside(source) for source in sources]


def _by_seat(values: Mapping[str, ValueT]) -> dict[str, ValueT]:
    return {seat: value for seat, value in values.items() if seat.isdigit()}


def _by_suit(values: Mapping[str, ValueT]) -> dict[str, ValueT]:
    return {suit: value for suit, value in values.items() if suit in GROUPS}


def _cards(kinds: Iterable[int] | None) -> list[str] | None:
    return None if kinds is None else names_of(kinds)


def seen_view(memory: Memory | Revealed) -> SeenView:
    """Show a memory, or the changes of a trick; empty parts are left out."""
    hands: SeenView = {}
    if voids := _by_suit(memory.get("voids", {})):
        hands["voids"] = {suit: list(seats) for suit, seats in voids.items()}
    if most := _by_suit(memory.get("most", {})):
        hands["most"] = {suit: _by_seat(seats) for suit, seats in most.items()}
    if holds := _by_seat(memory.get("holds", {})):
        hands["holds"] = {seat: names_of(cards) for seat, cards in holds.items()}
    return hands


#: Show an occupant, the outcome of a throw, trumps, the summary of a round.
occupant_view = _plain("kind", "player", "name", "level", *CHOSEN)
_throw = _of("ok", "cards", "forced", "penalty")
trump_view = _plain("rank", "suit")
summary_view = _of("round", "points", "side", "levels", "declarer", "declarers", "scores", "roads", "tricks")

_clock = _plain(*CLOCK_DEFAULTS, "correspondence", "untimed")

#: Field -> how its value is shown. Fields that are not listed hold a plain value, or a list of them.
_INSIDE: Mapping[str, Inside] = {
    "cards": _cards,
    "changes": _of("options", "settings"),
    "clock": lambda clock: _clock(limits_shown(clock)),
    "closes_at": timestamp,
    "entropy": _by_seat,
    "forced": _cards,
    "game_ends_at": timestamp,
    "hand": _cards,
    "kitty": _of("cards", "points", "factor", "bonus"),
    "length": _plain(*Length.__annotations__),
    "next": _plain("declarer", "starter"),
    "occupant": occupant_view,
    "options": _plain(*OPTIONS),
    "penalties": _each(_plain("seat", "points")),
    "results": _each(summary_view),
    "roads": _by_seat,
    "seen": seen_view,
    "set": _by_seat,
    "settings": _of(*PUBLIC_SETTINGS, "clock"),
    "summary": summary_view,
    "throw": _throw,
    "trump": trump_view,
    "units": _each(_cards),
    "until": timestamp,
    "pause_until": timestamp,
    "votes": _by_seat,
}


#: The roads before any is stated.
NO_ROADS: Final[RoadsView] = {"stated": [], "set": {}}


def away_view(away: Sequence[Away]) -> list[AwayView]:
    """Show holidays of seats that are asked."""
    return [
        {"seat": each["seat"], "since": timestamp(each["since"]), "until": timestamp(each["until"])} for each in away
    ]


def sorted_by(rank: str | None, suit: str | None, *, twos: bool, red_fives: bool) -> SortedBy:
    """Show the trumps by which a hand is sorted."""
    order: SortedBy = {"rank": rank, "suit": suit, "twos": twos}
    if red_fives:
        order["red_fives"] = True
    return order


def call_view(call: Call | FriendJoined) -> CalledCard:
    """Show a call, with the number of the copy or 'the other copy'."""
    card, ordinal = CARDS[call["card"]], call["ordinal"]
    return {"card": card, "other": True} if ordinal == OTHER_COPY else {"card": card, "ordinal": ordinal}


def play_view(play: Play) -> PlayView:
    """Show a play; for a lead also `units` (its reading) and the outcome of a `throw`."""
    fields_of_play: PlayView = {"seat": play["seat"], "cards": names_of(play["cards"])}
    if play["units"]:
        fields_of_play["units"] = [names_of(unit) for unit in play["units"]]
        fields_of_play["throw"] = _throw(play["throw"])
    return fields_of_play


def trick_view(trick: Trick) -> TrickView:
    """Show a trick."""
    fields_of_trick: TrickView = {
        "plays": [play_view(play) for play in trick["plays"]],
        "number": trick["number"],
        "leader": trick["leader"],
        "winning": trick["winning"],
    }
    if "winner" in trick:
        fields_of_trick["winner"], fields_of_trick["points"] = trick["winner"], trick["points"]
    return fields_of_trick


def result_view(result: RoundResult) -> dict[str, Any]:
    """Show the result of a round, with the kitty turned up."""
    names = ("reason", "points", "trick_points", "kitty", "penalties", "sides", "side", "levels", "scores", "summary")
    return fields(result, names)
