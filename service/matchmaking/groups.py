"""Matching: a pure function from waiting tickets to groups.

The oldest ticket chooses first, among the later ones in order of age. The allowed difference of ratings grows with the
waiting time of the older ticket. After `ai_after_ms`, everybody who is allowed joins, and AI players take the remaining
seats.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from service.store.matchmaking.tickets import Kind, Ticket

#: Allowed difference of ratings: at first, and additionally per second.
CLOSE: Final = 4.0
WIDENS_BY: Final = 0.5
#: Number of oldest tickets of a pool that are considered.
MOST_EXAMINED: Final = 200


class Group(NamedTuple):
    """Tickets matched with each other; AI players take the remaining seats."""

    tickets: list[Ticket]

    @property
    def people(self) -> int:
        """Number of people."""
        return sum(len(ticket["players"]) for ticket in self.tickets)


def groups(tickets: Iterable[Ticket], now: int) -> list[Group]:
    """Return the disjoint groups to match now.

    Args:
        tickets: waiting tickets, the oldest first.
        now: ms since the epoch.
    """
    pools: defaultdict[str, list[Ticket]] = defaultdict(list)
    for ticket in tickets:
        pools[pool_of(ticket["kind"])].append(ticket)
    return [group for pool in pools.values() for group in _groups(pool, now)]


def pool_of(kind: Kind) -> str:
    """Return the name of the pool in which tickets of a kind of game wait."""
    return f"{kind['ruleset']} {kind['players']} {kind['preset']} {kind['clock']}"


def _groups(pool: Sequence[Ticket], now: int) -> Iterable[Group]:
    left = dict.fromkeys(range(len(pool)))
    for first, oldest in enumerate(pool):
        if first not in left:
            continue
        is_late = oldest["ai_after_ms"] is not None and now - oldest["since"] >= oldest["ai_after_ms"]
        chosen, places = [first], oldest["kind"]["players"] - len(oldest["players"])
        # Players who have met twice in a row come last.
        for may_meet in (False, True) if is_late else (False,):
            for other in [*islice(left, MOST_EXAMINED)]:
                if places == 0:
                    break
                candidate = pool[other]
                if other in chosen or len(candidate["players"]) > places:
                    continue
                if all(_fit(pool[each], candidate, now, is_late=is_late, may_meet=may_meet) for each in chosen):
                    chosen.append(other)
                    places -= len(candidate["players"])
        if places == 0 or is_late:
            for each in chosen:
                del left[each]
            yield Group([pool[each] for each in chosen])


def _fit(one: Ticket, other: Ticket, now: int, *, is_late: bool, may_meet: bool) -> bool:
    """Return whether two tickets may be in one group."""
    if not may_meet and _shares(one["met"], other) | _shares(other["met"], one):
        return False
    if _shares(one["blocks"], other) or _shares(other["blocks"], one):
        return False
    if not (_is_within(one["window"], other) and _is_within(other["window"], one)):
        return False
    return is_late or _are_close(one, other, now)


def _shares(players: Sequence[str], ticket: Ticket) -> bool:
    return bool(players) and any(player in players for player in ticket["players"])


def _is_within(window: tuple[float | None, float | None], ticket: Ticket) -> bool:
    low, high = window
    return all(
        rating is None or ((low is None or low <= rating) and (high is None or rating <= high))
        for rating in ticket["ratings"]
    )


def _are_close(one: Ticket, other: Ticket, now: int) -> bool:
    """Return whether ratings are close enough, given the longer waiting time. New players fit any rating."""
    width = CLOSE + WIDENS_BY * (now - min(one["since"], other["since"])) / 1000
    return all(
        mine is None or theirs is None or abs(mine - theirs) <= width
        for mine, theirs in product(one["ratings"], other["ratings"])
    )


def seats_for(group: Group, *, has_teams: bool) -> list[str | None]:
    """Return the player of each seat; None: an AI.

    With fixed teams, a party sits together if it fits on a side, and strong players are spread over both sides;
    otherwise everybody sits in the order of waiting.
    """
    count = group.tickets[0]["kind"]["players"]
    parties = [[*zip(each["players"], each["ratings"], strict=True)] for each in group.tickets]
    seats: list[str | None] = [None] * count
    if not has_teams:
        people = [player for party in parties for player, _ in party]
        seats[: len(people)] = people
        return seats
    sides: tuple[list[str], list[str]] = ([], [])
    strength = [0.0, 0.0]
    # Larger parties first, then stronger ones.
    queue = sorted(parties, key=lambda party: (-len(party), -sum(rating or 0.0 for _, rating in party)))
    while queue:
        party = queue.pop(0)
        room = [side for side in (0, 1) if len(sides[side]) + len(party) <= count // 2]
        if not room:
            queue[:0] = [[each] for each in party]
            continue
        side = min(room, key=lambda each: (len(sides[each]), strength[each]))
        sides[side].extend(player for player, _ in party)
        strength[side] += sum(rating or 0.0 for _, rating in party)
    for side in (0, 1):
        for place, player in enumerate(sides[side]):
            seats[side + 2 * place] = player
    return seats
