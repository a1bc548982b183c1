"""A knock-out: who goes on, and how far everybody has come."""

from collections.abc import Collection, Mapping, Sequence

from service.store.tournaments.teams import Progress, Round
from service.tournaments.teams import meetings_of

#: Steps and points of the first team of a match.
Lead = tuple[float, int]
#: (round, match) -> lead; None: both have lost the match.
Leads = Mapping[tuple[int, int], Lead | None]


def winners(progress: Progress, leads: Leads, playing: Collection[str]) -> list[str | None]:
    """Return who has won each place of the bracket in the last round; None: nobody.

    A match is decided by steps, then by points, then for the team that was drawn before the other. Who no longer plays
    does not go on, the opponent does. If the director has decided that both have lost it, neither does.

    Args:
        progress: the event.
        leads: (round, match) -> lead of the first team.
        playing: teams that can go on.
    """
    number = len(progress["rounds"])
    entry = progress["rounds"][-1]
    slots = entry.get("slots", [])
    won: list[str | None] = []
    for at in range(0, len(slots), 2):
        both = [team for team in slots[at : at + 2] if team is not None]
        best = _winner(progress, entry, number, both, leads) if len(both) > 1 else next(iter(both), None)
        # Nobody goes on from a match that both have lost, even if one of them withdraws later.
        is_gone = best is not None and best not in playing
        won.append(next((team for team in both if team in playing), None) if is_gone else best)
    return won


def _winner(progress: Progress, entry: Round, number: int, both: list[str], leads: Leads) -> str | None:
    lead = leads.get((number, meetings_of(entry).index(both) + 1), (0, 0))
    if lead is None:
        return None
    if lead == (0, 0):
        return min(both, key=progress.get("draw", []).index)
    return both[0] if lead > (0, 0) else both[1]


def third(progress: Progress, won: Sequence[str | None], playing: Collection[str]) -> list[str]:
    """Return who plays for the third place: those who have lost in the last round, if it had four places."""
    slots = progress["rounds"][-1].get("slots", [])
    is_before_final = len(slots) == 2 * len(won) == 4
    lost = [
        team for at, team in enumerate(slots) if team is not None and won[at // 2] is not None and team != won[at // 2]
    ]
    return [team for team in lost if team in playing] if is_before_final and len(lost) > 1 else []


def reached(progress: Progress, leads: Leads, rounds: int) -> dict[str, float]:
    """Return how far each team has come: the last round in which it was, one more for the winner of the final.

    The match for the third place is part of the last round, but who wins it has come half a round further than those
    who had lost in the round before.
    """
    far: dict[str, float] = {}
    for number, entry in enumerate(progress["rounds"], 1):
        slots = entry.get("slots", [])
        far |= dict.fromkeys((team for team in slots if team is not None), float(number))
        if number < rounds or not entry["is_scored"]:
            continue
        finalists = [team for team in slots if team is not None]
        for both in meetings_of(entry):
            best = _winner(progress, entry, number, both, leads)
            if best is not None:
                far[best] = number + 1.0 if both == finalists else number - 0.5
        if len(finalists) == 1:
            far[finalists[0]] = number + 1.0
        far |= dict.fromkeys((team for team in entry.get("byes", []) if team not in finalists), number - 0.5)
    return far
