"""What directors decide, as pure functions from one state of an event to the next: boards, matches and penalties."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.boards.steps import FORFEIT
from service.common.errors import InvalidRequest
from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Act, Before, Penalty, Progress, Ruling
from service.tournaments import forms, teams
from service.tournaments.directing import acts
from service.tournaments.errors import NotTheLastRuling
from service.tournaments.standings import boards_of, ruling_of

#: What a side can be awarded: percentage where tables are compared, and steps of a team.
AWARDS: Final[dict[str, tuple[int, int]]] = {
    "average": (50, 0),
    "average_plus": (60, 3),
    "average_minus": (40, -3),
    "forfeit": (0, -FORFEIT),
}
#: How a ruling says what a board counts, in events of teams and where tables are compared.
_BY_TEAMS: Final = ("steps", "split", "awards")
_BY_TABLES: Final = ("percents", "awards")


def made(event: StoredEvent, counted: Mapping[str, Any], reason: str, now: int) -> Ruling:
    """Return a ruling.

    Args:
        event: the event.
        counted: one of `steps` for the first team, `split` (steps of both), `percents` (of both sides) and `awards`
            (names of `AWARDS`, of both).
        reason: shown to everybody.
        now: the time (ms).

    Raises:
        InvalidRequest: the form does not count so, or it is not exactly one of them.
    """
    if forms.form_of(event).grows:
        raise InvalidRequest(reason="not_in_arena", field="ruling")
    is_compared = forms.form_of(event).rooms == 1
    ways = _BY_TABLES if is_compared else _BY_TEAMS
    given = [way for way in ("steps", "split", "percents", "awards") if way in counted]
    if len(given) != 1 or given[0] not in ways:
        raise InvalidRequest(reason="ruling_by", field=ways[0], name=ways[0], accepted=[*ways])
    [way] = given
    if is_compared:
        percents = counted["percents"] if way == "percents" else [AWARDS[name][0] for name in counted["awards"]]
        return {"steps": 0, "reason": reason, "at": now, "percents": percents}
    if way == "steps":
        return {"steps": counted["steps"], "reason": reason, "at": now}
    both = counted["split"] if way == "split" else [AWARDS[name][1] for name in counted["awards"]]
    ruling: Ruling = {"steps": both[0], "reason": reason, "at": now}
    return ruling if both[1] == -both[0] else {**ruling, "split": [*both]}


def values_of(ruling: Ruling) -> list[float]:
    """Return what a ruling counts for both sides: percentages, or steps."""
    return [*(ruling.get("percents") or ruling.get("split") or (ruling["steps"], -ruling["steps"]))]


def ruled(
    event: StoredEvent, progress: Progress, where: Sequence[int], ruling: Ruling | None, by: str, now: int
) -> Progress:
    """Return an event with a ruling on a board, or on all boards of a match; None withdraws it.

    Args:
        where: numbers of the round and the pair, and of the board, if it is about one.
    """
    number, pair = where[:2]
    boards = where[2:] or boards_of(event, number)
    before = {name: progress["rulings"].get(name) for name in (ruling_of(number, pair, board) for board in boards)}
    if all(_is_same(each, ruling) for each in before.values()):
        return progress
    after = _with_rulings(progress, dict.fromkeys(before, ruling))
    about: dict[str, Any] = {"round": number, "match": f"{number}-{pair}", "before": Before(rulings=before)}
    if len(where) > 2:
        about["board"] = where[2]
    if ruling is None:
        return acts.noted(after, by, now, "ruling_withdrawn", **about)
    return acts.noted(after, by, now, "ruled", reason=ruling["reason"], values=values_of(ruling), **about)


def _is_same(before: Ruling | None, ruling: Ruling | None) -> bool:
    """Return whether a ruling changes nothing, as a retry does."""
    if before is None or ruling is None:
        return before is ruling
    return {**before, "at": 0} == {**ruling, "at": 0}


def _with_rulings(progress: Progress, changed: Mapping[str, Ruling | None]) -> Progress:
    rulings = {**progress["rulings"], **changed}
    return {**progress, "rulings": {name: each for name, each in rulings.items() if each is not None}}


def penalized(progress: Progress, team: str, amount: float, reason: str, by: str, now: int) -> Progress:
    """Return an event in which a team has a penalty, in place of one before; with the amount 0, none.

    Raises:
        NotFound: there is no such team.
    """
    teams.team_of(progress, team)
    before = progress.get("penalties", {}).get(team)
    penalty: Penalty | None = {"amount": amount, "reason": reason, "at": now} if amount else None
    if penalty is None or before is None:
        if penalty is before:
            return progress
    elif (before["amount"], before["reason"]) == (amount, reason):
        return progress
    after = _with_penalties(progress, {team: penalty})
    return acts.noted(
        after, by, now, "penalty", reason=reason, team=team, values=[amount], before=Before(penalties={team: before})
    )


def _with_penalties(progress: Progress, changed: Mapping[str, Penalty | None]) -> Progress:
    penalties = {**progress.get("penalties", {}), **changed}
    return {**progress, "penalties": {name: each for name, each in penalties.items() if each is not None}}


def undone(progress: Progress, number: int, reason: str, by: str, now: int) -> Progress:
    """Return an event without the last ruling or penalty, which has this number in the log.

    Raises:
        NotTheLastRuling: it is not the last one.
    """
    known = progress.get("acts", [])
    if any(act.get("undoes") == number for act in known):
        return progress
    last = acts.to_undo(progress)
    if last is None or last["number"] != number:
        raise NotTheLastRuling(act=None if last is None else last["number"])
    back = last["before"]
    after = _with_rulings(progress, back.get("rulings", {}))
    if "penalties" in back:
        after = _with_penalties(after, back["penalties"])
    after["acts"] = [_without_before(act) if act["number"] == number else act for act in known]
    about = {name: last[name] for name in ("round", "match", "board", "team") if name in last}
    return acts.noted(after, by, now, "undone", reason=reason, undoes=number, **about)


def _without_before(act: Act) -> Act:
    rest = act.copy()
    rest.pop("before", None)
    return rest
