"""Units that enter after the first round has begun.

Which forms take them is a column of `forms.FORMS`. A form that pairs each round anew takes them into the next one. A
form that draws once has places for as many as there are AI players in its draw, and they play on from there: what the
AI players have played in such a place stays theirs. Rounds before count nothing for a late unit.
"""

from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Progress
from service.tournaments import arenas, forms
from service.tournaments.errors import TooManyTeams
from service.tournaments.teams import HOUSE


def takes_entries(event: StoredEvent, progress: Progress, now: int) -> bool:
    """Return whether units may enter an event that is not over, at a time (ms); an arena, while tables begin."""
    form, begun = forms.form_of(event), progress["rounds"]
    if not begun:
        return True
    if form.grows:
        return arenas.is_seating(event, begun[-1], now)
    if not form.takes_late or len(begun) >= forms.rounds_of(event, progress):
        return False
    return not forms.draws_once(event) or len(_waiting(progress)) < _free(progress)


def check_places(event: StoredEvent, before: Progress, after: Progress) -> None:
    """Check that a change leaves no more late units without a place than there were.

    Raises:
        TooManyTeams: the draw has no place for them. `limit`: how many places it has.
    """
    if not after["rounds"] or not forms.draws_once(event) or not forms.form_of(event).takes_late:
        return
    if len(_waiting(after)) > max(len(_waiting(before)), _free(after)):
        raise TooManyTeams(limit=len(after.get("draw", [])))


def boards_of_late(event: StoredEvent, progress: Progress) -> int:
    """Return how many tables a late unit adds at most to the rounds of a league, which nobody begins.

    A draw has had the tables of its AI players from the beginning.
    """
    if not progress["rounds"] or forms.league_of(event) is None or forms.draws_once(event):
        return 0
    left = max(0, forms.rounds_of(event, progress) - len(progress["rounds"]))
    return (left * forms.form_of(event).rooms * event["teams"]["boards"] + 1) // 2


def with_places(event: StoredEvent, progress: Progress) -> Progress:
    """Return an event with a draw in which late units have the places of AI players, in the order of entry."""
    waiting = iter(_waiting(progress))
    if not forms.form_of(event).takes_late:
        return progress
    return {
        **progress,
        "draw": [next(waiting, HOUSE) if unit == HOUSE else unit for unit in progress.get("draw", [])],
    }


def _waiting(progress: Progress) -> list[str]:
    """Return the units that could play, but are not in the draw."""
    draw = {*progress.get("draw", [])}
    return [unit for unit in forms.units_of(progress) if unit not in draw]


def _free(progress: Progress) -> int:
    return progress.get("draw", []).count(HOUSE)
