"""Playing a round from its record: its actions in order, and the steps of the clock in between."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import accumulate

from service.common.errors import Refusal, TooComplex
from service.game.commands.decide import ACTIONS, catch_up, decide_for_ai
from service.game.commands.table.take_backs import charge
from service.game.commands.transaction import Decided, Transaction
from service.game.events.types import Event
from service.game.records.types import RecordJson
from service.game.state import clock
from service.game.state.queries import round_of
from service.game.state.types import State


class Budget:
    """Counts steps, and calls `pause` with each: it looks at the clock itself."""

    def __init__(self, steps: int, pause: Callable[[], None]) -> None:
        self.steps = self.left = steps
        self.pause = pause

    def spend(self) -> None:
        """Count a step.

        Raises:
            TooComplex: none is left.
        """
        self.left -= 1
        if self.left < 0:
            raise TooComplex(budget=self.steps, reason="many_steps")
        self.pause()


def no_random_bytes(size: int) -> bytes:
    """Replace random bytes where they do not matter: a replay does not use the seed of the next round."""
    return bytes(size)


class Time:
    """The time at a table without its pauses."""

    def __init__(self, pauses: Sequence[Mapping[str, str]]) -> None:
        spans = [(milliseconds(pause["from"]), milliseconds(pause["until"])) for pause in pauses]
        lasting = [(since, until) for since, until in spans if since < until]
        self._begun = _Ramps(since for since, _ in lasting)
        self._over = _Ramps(until for _, until in lasting)

    def of(self, text: str) -> int:
        """Return a time (ms) minus the pauses before it, which may overlap."""
        at = milliseconds(text)
        return at - self._begun.before(at) + self._over.before(at)


class _Ramps:
    """Times, and how much time has passed since all those before a moment: a look-up, however many there are."""

    def __init__(self, times: Iterable[int]) -> None:
        self._times = sorted(times)
        self._sums = [0, *accumulate(self._times)]

    def before(self, at: int) -> int:
        """Return the sum of the time (ms) from each of the times before `at` to it."""
        count = bisect_left(self._times, at)
        return count * at - self._sums[count]


class Broken(Exception):
    """The action with this number (from 0) was refused."""

    def __init__(self, action: int, refusal: Refusal) -> None:
        super().__init__(action, refusal)
        self.action = action
        self.refusal = refusal


def play_round(opened: Decided, played: RecordJson, time: Time, budget: Budget) -> Decided:
    """Play a round, given the events that opened it. Deals come from the seed or from the record.

    Raises:
        Broken: an action is refused.
        TooComplex: it takes more steps.
    """
    charged = Transaction(opened.state, time.of(played["opened_at"]), no_random_bytes)
    for seat in played.get("taken_back", ()):
        # The plays that were taken back are not in a record.
        budget.spend()
        charge(charged, seat)
    events, state = [*opened.events, *charged.events], charged.state
    closings = [time.of(at) for at in played["closings"] or ()]
    interruptions = [(time.of(each["at"]), each["ms"]) for each in interruptions_of(played)]
    following = [*played["actions"][1:], {}]
    for number, (action, after) in enumerate(zip(played["actions"], following, strict=False)):
        if action["type"] == "reveal":
            continue
        at = time.of(action["at"])
        budget.spend()
        due = _catch_up(state, at, closings, interruptions, budget)
        events.extend(due.events)
        state = due.state
        if round_of(state)["result"] is not None:
            continue
        if action["type"] == "pass" and not _may_pass(state):
            # Earlier versions asked seats that could only pass, for instance to beat the highest set.
            continue
        command = {**action, "reveal": after.get("type") == "reveal"}
        try:
            done = decide_for_ai(state, action["seat"], command, at, no_random_bytes)
        except Refusal as refusal:
            raise Broken(number, refusal) from None
        events.extend(done.events)
        state = done.state
    return Decided(events, state)


def interruptions_of(played: RecordJson) -> Sequence[RecordJson]:
    """Return when a timed deal resumed after an outage, and by how much it was delayed."""
    interruptions: Sequence[RecordJson] = played.get("interruptions", ())
    return interruptions


def _may_pass(state: State) -> bool:
    decision = state["decision"]
    return decision is not None and decision["kind"] in ACTIONS["pass"]


def _catch_up(
    state: State, at: int, closings: list[int], interruptions: list[tuple[int, int]], budget: Budget
) -> Decided:
    """Deal the cards due, and close the shared window at its recorded time, which is removed from `closings`.

    Deals are a function of the clock. Timeouts are not: they depend on when somebody looked at the table and on time
    banks, so the record has their times, and also those of outages during a deal.
    """
    events: list[Event] = []
    while interruptions and interruptions[0][0] <= at:
        # The time at which the deal resumed shows what was dealt before the outage.
        moment, ms = interruptions.pop(0)
        budget.spend()
        before = _catch_up(state, moment - ms, closings, [], budget)
        tx = Transaction(before.state, moment, no_random_bytes)
        tx.emit("interrupted", {"ms": ms, "until": moment, "deal_ms": ms})
        events += [*before.events, *tx.events]
        state = tx.state
    while True:
        closed = bool(closings) and closings[0] <= at
        moment = closings[0] if closed else at
        if not clock.deal_is_due(state, moment):
            if not closed:
                return Decided(events, state)
            del closings[0]
        budget.spend()
        due = catch_up(state, moment, no_random_bytes)
        events += due.events
        state = due.state


def milliseconds(text: str) -> int:
    """Parse a time as written by `timestamp` into milliseconds since the epoch."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)
