"""A checker of histories: a table is one log, to which actions append, and of which reads show a beginning.

Each event has a number of its own, and one writer at a time gives it. So the order in which appends took effect is
known, and a history is linearizable exactly if this one order agrees with the times of the calls. That takes one pass
over the calls in order of time, where a search through all orders (as of Porcupine or Knossos) would be exponential in
the number of calls at the same time, and inferring the order (as Elle does for lists) would find what is written down.

Where a replica takes over, the last writes of its master may be lost (`Takeover`). All else holds meanwhile too.
"""

import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.game.events.evolve import NO_TABLE, evolve
from tools.faults.history.calls import Call

#: Answers that a seat may give several times to the same decision.
AGAIN: Final = frozenset({"passed", "declared", "chat"})


class Takeover(NamedTuple):
    """A time in which what was appended may be lost, and what was lost may still be seen.

    Attributes:
        since, until: monotonic seconds; what was acknowledged or seen before `since` is not lost.
        may_be_lost: whether an event with this time (ms, time of the service) may be lost.
    """

    since: float
    until: float
    may_be_lost: Callable[[int], bool] = lambda _at: True


def check(
    calls: Sequence[Call],
    logs: Mapping[str, Sequence[Mapping[str, Any]]],
    takeovers: Mapping[str, Sequence[Takeover]] | None = None,
    *,
    are_copied: bool = False,
) -> list[str]:
    """Return everything wrong in a history, as sentences that begin with the table.

    Args:
        calls: in any order. Those of tables without a log are left out.
        logs: table -> its events, read after the last call.
        takeovers: table -> takeovers on its node.
        are_copied: whether replicas had each action before it was acknowledged, so that none of these may be lost.
    """
    by_table: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_table[call.table].append(call)
    wrong = []
    for table, log in logs.items():
        one = _Table(sorted(by_table[table], key=lambda call: call.ended), log, (takeovers or {}).get(table, ()))
        faults = [
            *one.lost(are_copied),
            *one.stale(are_copied),
            *one.misplaced(are_copied),
            *one.repeated(),
            *one.streams(),
        ]
        wrong += [f"{table}: {fault}" for fault in faults]
    return wrong


def _twice(acts: Sequence[Call]) -> Iterator[str]:
    """Each action has the same events each time it is acknowledged, and no event is of two actions."""
    of_action: dict[tuple[str, str], list[int]] = {}
    of_seq: dict[int, tuple[str, str]] = {}
    for call in acts:
        action, seqs = (call.client, call.action), [seq for seq, *_ in call.events]
        if of_action.setdefault(action, seqs) != seqs:
            yield f"{call.client} was acknowledged {call.action} as events {of_action[action]}, and as {seqs}"
        if of_seq.setdefault(seqs[0], action) != action:
            yield f"event {seqs[0]} was acknowledged to {of_seq[seqs[0]]}, and to {action}"


class _Table:
    def __init__(self, calls: Sequence[Call], log: Sequence[Mapping[str, Any]], takeovers: Sequence[Takeover]) -> None:
        self._calls, self._log, self._takeovers = calls, log, takeovers
        self._decisions = _decisions(log) if any(call.showed is not None for call in calls) else [""] * (1 + len(log))

    def _during(self, call: Call) -> list[Takeover]:
        return [each for each in self._takeovers if call.began < each.until and each.since <= call.ended]

    def unreadable(self) -> Iterator[str]:
        """Every event means something after the ones before it."""
        if None in self._decisions:
            yield f"event {self._decisions.index(None)} ({self._log[self._decisions.index(None) - 1]}) cannot follow"

    def lost(self, are_copied: bool) -> Iterator[str]:
        """Nothing is seen that the log does not have, but what a takeover lost, and that only until it is over."""
        for call in self._calls:
            for seq, kind, at in call.events:
                if seq <= len(self._log) and (self._log[seq - 1]["type"], self._log[seq - 1]["at"]) == (kind, at):
                    continue
                what = f"{call.client} ({call.kind}) saw event {seq} ({kind}, at {at}), which the log does not have"
                lost = [each for each in self._takeovers if each.may_be_lost(at)]
                if call.kind == "act" and are_copied:
                    yield f"{what}, and it was acknowledged"
                elif not lost:
                    yield what
                elif all(call.began > each.until for each in lost):
                    yield f"{what}, and a takeover had lost it {call.began - lost[-1].until:.2f} s before"
            if not self._fits(call) and not self._during(call):
                there = self._decisions[min(call.version, len(self._log))]
                yield (
                    f"{call.client} ({call.kind}) was shown decision {call.showed!r} at version {call.version}, "
                    f"where the log has {there!r} of {len(self._log)} events"
                )

    def _fits(self, call: Call) -> bool:
        """Return whether version and open decision are those of a beginning of the log."""
        if call.version > len(self._log):
            return False
        return None in (call.showed, self._decisions[call.version]) or self._decisions[call.version] == call.showed

    def stale(self, are_copied: bool) -> Iterator[str]:
        """No call ends with less than another one had seen before it began."""
        ended: list[float] = []
        most: list[tuple[int, Call]] = []
        for call in self._calls:
            seq = call.version
            if self._during(call):
                # It may have seen what is lost.
                seq = call.events[-1][0] if are_copied and call.kind == "act" and call.events else 0
            ended.append(call.ended)
            most.append(max((seq, call), most[-1] if most else (0, call), key=lambda each: each[0]))
        for call in self._calls:
            # A stream shows what is new, not all that there is, and is read late.
            if not call.version or call.kind in ("stream", "reset"):
                continue
            before = min([call.began, *(each.since for each in self._during(call))])
            at = bisect.bisect_left(ended, before) - 1
            if at >= 0 and call.version < most[at][0]:
                seq, earlier = most[at]
                yield (
                    f"{call.client} ({call.kind}) was shown version {call.version} although {earlier.client} "
                    f"({earlier.kind}) had seen {seq}, {call.began - earlier.ended:.3f} s before"
                )

    def misplaced(self, are_copied: bool) -> Iterator[str]:
        """Acknowledged actions have events of their own, in the order of the calls, and the same ones each time."""
        acts = [call for call in self._calls if call.kind == "act" and call.events]
        acts = [call for call in acts if are_copied or not self._during(call)]
        yield from _twice([call for call in acts if call.action])
        # By beginning, with the greatest number acknowledged before it.
        by_end = [(call.ended, call.events[-1][0], call.client) for call in acts]
        at, last_seq, last = 0, 0, ""
        for call in sorted(acts, key=lambda each: each.began):
            while at < len(by_end) and by_end[at][0] < call.began:
                if by_end[at][1] > last_seq:
                    last_seq, last = by_end[at][1:]
                at += 1
            if call.action and call.events[0][0] <= last_seq:
                yield f"{call.client} appended event {call.events[0][0]} after {last} had been told of {last_seq}"

    def repeated(self) -> Iterator[str]:
        """Each decision is answered once by each seat."""
        answers: dict[tuple[int, str], list[Mapping[str, Any]]] = defaultdict(list)
        for event in self._log:
            if "answers" in event:
                seat, decision, _digest = event["answers"]
                answers[seat, decision].append(event)
        for (seat, decision), events in answers.items():
            kinds = {event["type"] for event in events}
            same = len({event["answers"][2] for event in events}) < len(events)
            if len(events) > 1 and (not kinds <= AGAIN or (same and "passed" not in kinds)):
                seqs = [event["seq"] for event in events]
                yield f"decision {decision} was answered by seat {seat} {len(events)} times: {seqs}"

    def streams(self) -> Iterator[str]:
        """The stream of a client, and its pages, never show an event twice or leave one out, but after a reset."""
        after: dict[str, int] = {}
        for call in self._calls:
            if call.kind == "reset":
                after[call.client] = call.version
                if not any(each.since <= call.ended for each in self._takeovers):
                    yield f"{call.client} was begun anew at {call.version}, and nothing had been lost"
            if call.kind in ("stream", "page"):
                for seq, *_ in call.events:
                    if call.client in after and seq != after[call.client] + 1:
                        yield f"{call.client} ({call.kind}) got event {seq} after {after[call.client]}"
                    after[call.client] = seq


def _decisions(log: Sequence[Any]) -> list[str | None]:
    """Return the id of the open decision at each version, "" if there is none; None from where it cannot be read."""
    decisions: list[str | None] = [""]
    state = NO_TABLE
    for event in log:
        try:
            state = evolve(state, event)
        except Exception:  # noqa: BLE001 - whatever is wrong with it
            return [*decisions, *[None] * (len(log) + 1 - len(decisions))]
        decisions.append(state["decision"]["id"] if state["decision"] else "")
    return decisions
