"""A model of all readings of the shared clock: for any order of readings, steps, hangs and delays, time goes on.

The script of the clock runs on a real server, whose `TIME` and refusals are the model's. Requests and answers travel
apart from each other, so that they may be late, overtake each other or be lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)
from redis import Redis

from service.common.interruptions import UNHEARD_MS
from service.common.reckoning import LEAVES_OUT_ONE_OF, TOLERANCE_MS, USUAL_PAUSE_MS, Reckoning, Said
from service.store.shared_clock import CLOCK_SCRIPT, gaps_of, limits

BEGAN: Final = 1_700_000_000_000
_MS: Final = 1_000_000
#: Most that is lost to rounding, of the model and of the service.
ROUNDING_MS: Final = 5
STEPS = st.one_of(
    st.sampled_from([-3_600_000, 3_600_000, -60_000, 60_000, -20_000, 20_000]),
    st.integers(-90_000, 90_000),
    st.integers(-5_000, 5_000),
)
#: By how much a monotonic clock is fast or slow: much, so that the longest pause is just within the tolerance.
DRIFTS_PPM: Final = (-200, 0, 200)
PAUSES = st.one_of(st.integers(0, 600), st.sampled_from([5_000, 12_000, 40_000]), st.integers(0, 100_000))


@dataclass(eq=False)
class Process:
    """A process, which has the time that `reckoning` says, but never an earlier one than before."""

    is_api: bool
    began_at: int
    drift_ppm: int
    reckoning: Reckoning
    is_asking: bool = False
    #: Whether what it was told last is noted, so that others may know it.
    is_noted: bool = True
    read_at: int = 0
    #: When it first knew the time, and what it was (ms).
    since: int = 0
    began: int = 0
    #: What the steps and starts since may have taken from it (ms).
    slack: int = 2 * TOLERANCE_MS + ROUNDING_MS


@dataclass(eq=False)
class Message:
    """A reading: asked, answered and received at different moments."""

    process: Process
    asked: int
    question: tuple[int | str, int | str]
    answer: Said | None = None


@dataclass
class Server:
    """The server with its clock (ms)."""

    redis: Redis
    text: str
    offset: int = 0
    refuses: bool = False
    most_ahead: int = 0
    #: Steps forward that are too small to be told from a pause.
    followed: int = 0
    #: Whether it was set back since the last reading that counts.
    was_set_back: bool = False


#: A key of its own: threads of earlier tests may still read the one of the service, at the time of today.
CLOCK = "sj:{model}:clock"


class Clock(RuleBasedStateMachine):
    """See the module."""

    redis: Redis

    processes = Bundle("processes")
    asked = Bundle("asked")
    answered = Bundle("answered")

    def __init__(self) -> None:
        super().__init__()
        self.redis.delete(CLOCK)
        text = CLOCK_SCRIPT.text.replace("redis.call('TIME')", "{ARGV[#ARGV - 2], ARGV[#ARGV - 1]}")
        refusing = "(ARGV[#ARGV] == '1' and function() return {err = 'OOM full'} end or redis.pcall)('HSET'"
        text = text.replace("redis.pcall('HSET'", refusing)
        assert text.count("ARGV[#ARGV") == 3
        self.server = Server(self.redis, text)
        self.now = BEGAN
        self.alive: list[Process] = []

    # --- what happens -------------------------------------------------------------------------------------------------

    @initialize(target=processes)
    def begin(self) -> Any:
        first = [self._start(ppm, is_api=ppm != 0) for ppm in DRIFTS_PPM]
        self._all_read()
        return multiple(*first)

    @rule(target=processes, ppm=st.sampled_from(DRIFTS_PPM), is_api=st.booleans())
    def start(self, ppm: int, is_api: bool) -> Process:
        return self._start(ppm, is_api=is_api)

    @rule(process=consumes(processes))
    def stop(self, process: Process) -> None:
        self.alive.remove(process)

    @rule(ms=PAUSES)
    def pass_time(self, ms: int) -> None:
        self.now += ms

    @rule(ms=STEPS)
    def set_clock(self, ms: int) -> None:
        self._set_clock(ms)

    @rule(refuses=st.booleans())
    def fill(self, refuses: bool) -> None:
        self.server.refuses = refuses
        # What it cannot note of a step forward is followed a little.
        self.server.followed += USUAL_PAUSE_MS if refuses else 0

    @rule(target=asked, process=processes)
    def ask(self, process: Process) -> Any:
        return multiple() if process.is_asking else self._ask(process)

    @rule(target=answered, message=consumes(asked))
    def answer(self, message: Message) -> Message:
        return self._answer(message)

    @rule(target=asked, message=consumes(answered))
    def receive(self, message: Message) -> Any:
        return multiple() if self._receive(message) else self._ask(message.process)

    @rule(target=asked, message=consumes(asked))
    def give_up(self, message: Message) -> Message:
        """The process waits no longer, but the server answers some day."""
        message.process.is_asking = False
        return message

    @rule(process=processes)
    def read(self, process: Process) -> None:
        self._read(process)

    @rule(pauses=st.lists(st.integers(0, 700), min_size=1, max_size=6), data=st.data())
    def go_on(self, pauses: list[int], data: st.DataObject) -> None:
        for pause in pauses:
            self.now += pause
            if self.alive:
                self._read(data.draw(st.sampled_from(self.alive)))

    @precondition(lambda self: any(process.reckoning.is_known for process in self.alive))
    @rule(ms=st.sampled_from([5_000, 12_000, 40_000]), step=st.one_of(st.none(), STEPS), data=st.data())
    def hang(self, ms: int, step: int | None, data: st.DataObject) -> None:
        """The server stops answering for a while; all that was asked meanwhile comes before anything else."""
        self.server.refuses = False
        self._all_read()
        running = [process for process in self.alive if process.reckoning.is_known]
        before = {id(process): self._time(process) for process in running}
        moments = sorted(data.draw(st.lists(st.integers(0, ms), max_size=2 * len(running))))
        began, messages = self.now, []
        for moment in moments:
            self.now = began + moment
            messages.append(self._ask(data.draw(st.sampled_from(running))))
        self.now = began + ms
        if step is not None:
            self._set_clock(step)
        for message in data.draw(st.permutations(messages)):
            self._answer(message)
            if data.draw(st.booleans()):
                self._receive(message)
        for message in messages:
            message.process.is_asking = False
        self._all_read()
        api = next((process for process in running if process.is_api), None)
        if api is None:
            return
        gaps = self._gaps()
        lost = sum(max(0, until - max(since, before[id(api)])) for since, until in gaps)
        assert lost >= _at_least(ms) - UNHEARD_MS - TOLERANCE_MS, f"an outage of {ms} ms is noted as {lost} ms: {gaps}"

    @rule(pause=PAUSES, which=st.randoms())
    def agree(self, pause: int, which: Random) -> None:
        """When everybody has read and the server noted it, all agree, some time later too."""
        self.server.refuses = False
        self._all_read()
        self.now += pause
        for process in self.alive:
            if which.random() < 0.5:
                self._read(process)
        times = [self._time(process) for process in self.alive]
        if times:
            assert max(times) - min(times) <= TOLERANCE_MS + ROUNDING_MS, times
            assert min(times) >= self._server_time() - TOLERANCE_MS, "behind the server"

    # --- what must hold -----------------------------------------------------------------------------------------------

    @invariant()
    def the_time_of_nobody_stands_still(self) -> None:
        for process in self.alive:
            if process.reckoning.is_known:
                passed, time_passed = self.now - process.since, self._time(process) - process.began
                assert time_passed >= _at_least(passed) - process.slack, f"{time_passed} ms went by in {passed} ms"

    @invariant()
    def the_time_of_nobody_runs_ahead_of_every_clock_that_the_server_has_had(self) -> None:
        for process in self.alive:
            if process.reckoning.is_known:
                drifted = (self.now - BEGAN) * max(DRIFTS_PPM) // _MS
                most = self.now + self.server.most_ahead + self.server.followed + TOLERANCE_MS + drifted
                assert self._time(process) <= most, f"{self._time(process) - most} ms ahead of all clocks"

    # --- how it happens -----------------------------------------------------------------------------------------------

    def _start(self, ppm: int, *, is_api: bool) -> Process:
        process = Process(is_api, self.now, ppm, Reckoning(0, 0))
        self.alive.append(process)
        return process

    def _set_clock(self, ms: int) -> None:
        self.server.offset += ms
        self.server.most_ahead = max(self.server.most_ahead, self.server.offset)
        if ms > 0 and (ms <= 2 * USUAL_PAUSE_MS + 2 * TOLERANCE_MS or self.server.refuses):
            self.server.followed += min(ms, 2 * USUAL_PAUSE_MS)
        self.server.was_set_back |= ms < 0
        for process in self.alive:
            process.slack += TOLERANCE_MS

    def _server_time(self) -> int:
        return self.now + self.server.offset

    def _moment(self, process: Process) -> int:
        return (self.now - process.began_at) * (_MS + process.drift_ppm)

    def _time(self, process: Process) -> int:
        return process.reckoning.at(self._moment(process))

    def _gaps(self) -> tuple[tuple[int, int], ...]:
        return gaps_of(self.redis.hget(CLOCK, "gaps") or b"")

    def _ask(self, process: Process) -> Message:
        process.is_asking = True
        moment = self._moment(process)
        return Message(process, moment, process.reckoning.question(moment))

    def _answer(self, message: Message) -> Message:
        seconds, ms = divmod(self._server_time(), 1_000)
        faults = (seconds, ms * 1_000, int(self.server.refuses))
        arguments = (*message.question, *limits(is_api=message.process.is_api), *faults)
        at, heard, gaps, server, unnoted = self.redis.eval(self.server.text, 1, CLOCK, *arguments)
        message.answer = Said(int(at), heard, gaps, int(server), unnoted)
        # Who starts knows only what the server says. If that is too early, the next readings of others lift it.
        if not unnoted and message.process.began_at == BEGAN:
            # A step back may look like what the request has waited.
            waited = self._moment(message.process) // _MS - message.asked // _MS
            hidden = waited if self.server.was_set_back else 0
            self.server.was_set_back &= waited > TOLERANCE_MS
            for process in self.alive:
                if process.reckoning.is_known and process.is_noted:
                    unknown = (self.now - process.read_at) // LEAVES_OUT_ONE_OF
                    short = self._time(process) - int(at) - unknown
                    assert short <= process.slack + hidden, f"who is {short} ms late sets the time of all"
        return message

    def _receive(self, message: Message) -> bool:
        process = message.process
        assert message.answer is not None
        process.is_asking, process.read_at = False, self.now
        process.is_noted = not message.answer.unnoted
        was_known = process.reckoning.is_known
        done = process.reckoning.take(message.asked, self._moment(process), message.answer)
        if not was_known:
            process.since, process.began = self.now, self._time(process)
        return done

    def _read(self, process: Process) -> None:
        for _ in range(4):
            if self._receive(self._answer(self._ask(process))):
                return
        raise AssertionError("it is asked again and again")

    def _all_read(self) -> None:
        for _ in range(2):
            for process in self.alive:
                self._read(process)


def _at_least(passed: int) -> int:
    return passed - passed // LEAVES_OUT_ONE_OF


@pytest.fixture
def machine(empty_redis: str) -> Iterator[type[Clock]]:
    with Redis.from_url(f"{empty_redis}") as client:
        yield type("ClockOfOneServer", (Clock,), {"redis": client})


def test_for_any_order_of_readings_steps_hangs_and_delays_the_shared_time_goes_on_within_bounds(
    machine: type[Clock],
) -> None:
    run_state_machine_as_test(
        machine, settings=settings(stateful_step_count=30, suppress_health_check=list(HealthCheck))
    )
