"""Fixtures of a league whose matches begin one by one, when their people have agreed on a time or are all ready.

Pure functions from one state of an event to the next, as in `teams`.
"""

from collections.abc import Sequence
from typing import Final

from service.common.errors import InvalidRequest
from service.game.errors import NotFound
from service.store.tournaments.teams import Fixture, Progress, Round
from service.tournaments.errors import MatchNotOpen, RoundClosed
from service.tournaments.teams import HOUSE, confirmed_in, event_round, is_over, meetings_of, with_entry

#: Most times that a unit may propose for a match.
MOST_PROPOSALS: Final = 10
#: How long somebody counts as ready (ms).
READY_MS: Final = 15 * 60_000


def fixture_of(entry: Round, pair: int) -> Fixture:
    """Return how those of a match find a time for it, so far."""
    nothing: Fixture = {"at": None, "proposal": None, "asked": {}, "answered": [], "ready": {}}
    return entry.get("fixtures", {}).get(str(pair), nothing)


def people_of(progress: Progress, entry: Round, pair: int) -> dict[str, str]:
    """Return player -> unit, of the people who play a match."""
    return {player: unit for unit in meetings_of(entry)[pair - 1] for player in confirmed_in(progress["teams"][unit])}


def match_of(progress: Progress, player: str) -> int | None:
    """Return the number of the match that a player has in the last round of a league that agrees; None: none."""
    if not progress["rounds"] or "begun" not in progress["rounds"][-1]:
        return None
    entry = progress["rounds"][-1]
    matches = range(1, len(meetings_of(entry)) + 1)
    return next((pair for pair in matches if player in people_of(progress, entry, pair)), None)


def ready_at(fixture: Fixture, now: int) -> list[str]:
    """Return who is ready at a time (ms)."""
    return [player for player, since in fixture["ready"].items() if now - since < READY_MS]


def proposed(progress: Progress, where: tuple[int, int], player: str, at: int, now: int) -> Progress:
    """Return an event in which a player names a time (ms) for a match: the one that is proposed, or another one.

    Once all units with people agree to a time, it is agreed on. Until then, the one before stays.

    Args:
        progress: the event.
        where: numbers of the round and the match.
        player: who names it, for their unit.
        at: the time; both times in ms.
        now: the present time.

    Raises:
        NotFound: the player does not play this match.
        RoundClosed, MatchNotOpen: see these.
        InvalidRequest: the time is not within the round.
    """
    entry, unit = _open(progress, where, player, now)
    fixture = fixture_of(entry, where[1])
    if not now < at < entry["closes_at"]:
        raise InvalidRequest(reason="time_not_in_round", field="at")
    proposal = fixture["proposal"]
    if proposal is None and fixture["at"] == at:
        return progress
    if proposal is not None and proposal["at"] == at:
        units = [*dict.fromkeys([*proposal["units"], unit])]
    else:
        times = fixture["asked"].get(unit, 0) + 1
        if times > MOST_PROPOSALS:
            raise MatchNotOpen(reason="too_many_times", limit=MOST_PROPOSALS)
        units, fixture = [unit], {**fixture, "asked": {**fixture["asked"], unit: times}}
    are_agreed = {*people_of(progress, entry, where[1]).values()} <= {*units}
    changed: Fixture = {
        **_answered(fixture, unit),
        "at": at if are_agreed else fixture["at"],
        "proposal": None if are_agreed else {"at": at, "units": units},
    }
    return _with(progress, where, changed)


def ready(progress: Progress, where: tuple[int, int], player: str, now: int, *, is_ready: bool = True) -> Progress:
    """Return an event in which a player is ready to play a match at once, or no longer; with the last one, it begins.

    Idempotent: who was ready for a match that has begun may say so again.

    Raises:
        NotFound, RoundClosed, MatchNotOpen: see `proposed`.
    """
    known = event_round(progress, where[0])
    if is_ready and where[1] in known.get("begun", ()) and player in fixture_of(known, where[1])["ready"]:
        return progress
    entry, unit = _open(progress, where, player, now)
    fixture = fixture_of(entry, where[1])
    present = {each: fixture["ready"][each] for each in ready_at(fixture, now) if each != player}
    if not is_ready:
        return _with(progress, where, {**fixture, "ready": present})
    present[player] = now
    after = _with(progress, where, {**_answered(fixture, unit), "ready": present})
    return (
        begun(after, where[0], [where[1]]) if people_of(progress, entry, where[1]).keys() <= present.keys() else after
    )


def begun(progress: Progress, number: int, pairs: Sequence[int]) -> Progress:
    """Return an event in which matches of a round have begun."""
    entry = event_round(progress, number)
    new = [*dict.fromkeys([*entry.get("begun", []), *pairs])]
    return progress if new == entry.get("begun", []) else with_entry(progress, number, {**entry, "begun": new})


def due(entry: Round, now: int) -> list[int]:
    """Return the matches of a round whose time has come and which have not begun."""
    return [pair for pair, at in _agreed(entry) if at <= now]


def next_at(entry: Round) -> int | None:
    """Return the next time on which those of a match have agreed (ms), or None."""
    return min((at for _, at in _agreed(entry)), default=None)


def absent(progress: Progress, number: int, pair: int) -> list[bool]:
    """Return whether each unit is to blame for a match that has not begun in its round.

    Who has neither proposed a time nor agreed to one nor been ready is, if another one has. Against AI players alone,
    whoever has not begun is.
    """
    entry = progress["rounds"][number - 1]
    units = meetings_of(entry)[pair - 1]
    if "begun" not in entry or pair in entry["begun"]:
        return [False] * len(units)
    people = [unit for unit in units if unit != HOUSE]
    answered = fixture_of(entry, pair)["answered"]
    if len(people) == 1 or not any(unit in answered for unit in people):
        return [unit in people and len(people) == 1 for unit in units]
    return [unit in people and unit not in answered for unit in units]


def _agreed(entry: Round) -> list[tuple[int, int]]:
    """Return the matches of a round that have not begun, and the times on which their people have agreed (ms)."""
    fixtures = {int(pair): fixture["at"] for pair, fixture in entry.get("fixtures", {}).items()}
    return [(pair, at) for pair, at in fixtures.items() if at is not None and pair not in entry.get("begun", [])]


def _open(progress: Progress, where: tuple[int, int], player: str, now: int) -> tuple[Round, str]:
    """Return a round of which a match has not begun, and the unit of a player in it."""
    number, pair = where
    entry = event_round(progress, number)
    unit = people_of(progress, entry, pair).get(player) if 1 <= pair <= len(meetings_of(entry)) else None
    if unit is None or "begun" not in entry:
        raise NotFound(what="match", id=f"{number}-{pair}")
    if is_over(entry, now):
        raise RoundClosed(round=number)
    if pair in entry["begun"]:
        raise MatchNotOpen(reason="begun")
    return entry, unit


def _answered(fixture: Fixture, unit: str) -> Fixture:
    return {**fixture, "answered": [*dict.fromkeys([*fixture["answered"], unit])]}


def _with(progress: Progress, where: tuple[int, int], fixture: Fixture) -> Progress:
    entry = event_round(progress, where[0])
    fixtures = {**entry.get("fixtures", {}), str(where[1]): fixture}
    return with_entry(progress, where[0], {**entry, "fixtures": fixtures})
