"""Appeals of players against what operators did to their account: a suspension, or a name that they have given.

An appeal is a report of the player about the player, so it is kept, listed and closed as the others are. Who closes it
may answer. There is one for each suspension and each name: until it is closed its text can be changed.
"""

from typing import Final, NamedTuple

from service.moderation.errors import AppealDecided, NothingToAppeal
from service.moderation.moderation import HELD_MS, Moderation, report_id
from service.store.port import JsonObject, Player, is_suspended

#: Reason of the report.
APPEAL: Final = "appeal"


class Appeal(NamedTuple):
    """The latest appeal of a player; all None: there is none.

    Attributes:
        is_possible: whether one can be sent.
        text: what the player says.
        at: when it was sent (ms).
        decided_at: when an operator closed it (ms); None: not yet.
        answer: what the operator says; None: nothing.
    """

    is_possible: bool
    text: str | None
    at: int | None
    decided_at: int | None
    answer: str | None


def appeal_of(moderation: Moderation, player: Player, now: int) -> Appeal:
    """Return the latest appeal of a player."""
    since, report = _since(player, now), _report(moderation, player)
    is_possible = since is not None and not _is_decided(report, since)
    if report is None:
        return Appeal(is_possible, None, None, None, None)
    # Nobody has decided on an open one, whatever is stored with it.
    answer = None if report["closed_at"] is None else report.get("answer")
    return Appeal(is_possible, report["text"], report["at"], report["closed_at"], answer)


def appeal(moderation: Moderation, player: Player, text: str, now: int) -> Appeal:
    """Store an appeal, in place of the one before, and return it. The same text again changes nothing.

    Raises:
        NothingToAppeal: the player is not suspended, and no operator has given the name.
        AppealDecided: an operator has decided on the appeal against the same.
    """
    since, before = _since(player, now), _report(moderation, player)
    if since is None:
        raise NothingToAppeal
    if before is not None and _is_decided(before, since):
        raise AppealDecided(answer=before.get("answer"))
    if before is None or before["at"] < since or before["text"] != text:
        about = {"player": player["id"], "name": player["name"]}
        moderation.report(player["id"], about, {"reason": APPEAL, "text": text}, [])
    return appeal_of(moderation, player, now)


def _since(player: Player, now: int) -> int | None:
    """Return since when (ms) something holds against which the player may appeal, the latest; None: nothing does."""
    held_until = player.get("name_held_until", 0)
    times = [held_until - HELD_MS] if held_until > now else []
    if is_suspended(player, now):
        times.append(player["suspension"]["since"])
    return max(times, default=None)


def _report(moderation: Moderation, player: Player) -> JsonObject | None:
    return moderation.store.report(report_id(player["id"], player["id"], APPEAL))


def _is_decided(report: JsonObject | None, since: int) -> bool:
    """Tell whether an operator has decided on an appeal against what holds since then (ms)."""
    return report is not None and report["closed_at"] is not None and bool(report["at"] >= since)
