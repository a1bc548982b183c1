"""The log of an event: what its directors have done, for everybody to read."""

from typing import Any, Final

from service.store.tournaments.teams import Act, Progress
from service.tournaments import teams

#: Most acts that are kept, the latest ones; their numbers tell how many there were before.
MOST_ACTS: Final = 200
#: What a director can do.
ACTS: Final = (
    *("round_begun", "round_changed", "ruled", "ruling_withdrawn", "penalty", "undone"),
    *("teams_entered", "team_changed", "team_withdrawn", "closed"),
    *("director_named", "director_removed", "lead_taken", "note_sent"),
    *("link_made", "link_ended"),
)


def noted(progress: Progress, by: str, now: int, what: str, *, reason: str = "", **about: Any) -> Progress:
    """Return an event with another act in its log.

    Args:
        progress: the event after the act.
        by: the director.
        now: the time (ms).
        what: one of `ACTS`.
        reason: why.
        about: further fields of `Act`.
    """
    acts = progress.get("acts", [])
    act: Act = {"number": last_number(progress) + 1, "at": now, "by": by, "what": what, "reason": reason}
    if teams.plays(progress, by):
        act["plays"] = True
    return {**progress, "acts": [*acts, {**act, **about}][-MOST_ACTS:]}  # type: ignore[typeddict-item]


def last_number(progress: Progress) -> int:
    """Return the number of the last act; 0: there is none."""
    acts = progress.get("acts", [])
    return acts[-1]["number"] if acts else 0


def to_undo(progress: Progress) -> Act | None:
    """Return the last act that can be taken back and has not been, or None."""
    return next((act for act in reversed(progress.get("acts", [])) if "before" in act), None)
