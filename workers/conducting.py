"""What events need when time passes, whether anybody reads them or not: rounds of teams, days, and standings.

It runs in a thread of its own of the clock process, so that deadlines of tables never wait for it. Each tick does a
bounded amount of work, and each step may be repeated: what a process that died has left is taken up when its lease
ends.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Final, NamedTuple

import structlog
from redis.exceptions import RedisError

from service.boards.boards import Boards
from service.coach.riddles import Riddles
from service.store.port import StoreCorrupt, StoreUnavailable
from service.tournaments.directing.director import Director
from service.tournaments.team_events import TeamEvents

log: Final = structlog.get_logger("workers.conducting")

#: Seconds between two ticks, after one that has work left, and after a failed one.
EVERY_S: Final = 0.5
AGAIN_S: Final = 0.02
RETRY_S: Final = 2.0
#: Most team events per tick, and how long one is leased for (ms).
_MOST_LEASED: Final = 4
LEASE_MS: Final = 15_000
#: Ticks between two looks whether a day has begun, whether the latest events of equal deals are over, and older ones.
_TICKS_PER_DAY: Final = 2
_TICKS_PER_LOOK: Final = 10
_TICKS_PER_OLD: Final = 60
#: Ticks between two searches for rounds that nobody has planned: those begun by processes before 0.4, or by one that
#: died.
_TICKS_PER_SEARCH: Final = 240
#: Events per look or step of a search.
_PAGE: Final = 20


class RiddleRounds(NamedTuple):
    """Rounds in which riddles may be found, and a function that has one (game, number) looked at; False: not now."""

    riddles: Riddles
    ask: Callable[[str, int], bool]

    def look(self) -> None:
        """Have the next round looked at, if there is one and it is time. If nobody can, it waits again."""
        taken = self.riddles.next_round()
        if taken is not None and not self.ask(*taken):
            self.riddles.wait(*taken)


class Conductor:
    """See the module.

    Args:
        team_events, director, boards: the events.
        ask: has AI players play a deal of an event (id, number of the board, index of the deal); False: not now.
        riddle_rounds: where riddles may be found; None: nowhere.
    """

    def __init__(
        self,
        team_events: TeamEvents,
        director: Director,
        boards: Boards,
        ask: Callable[[str, int, int], bool],
        riddle_rounds: RiddleRounds | None = None,
    ) -> None:
        self._team_events: Final = team_events
        self._director: Final = director
        self._boards: Final = boards
        self._ask: Final = ask
        self._riddle_rounds: Final = riddle_rounds
        self._ticks = 0
        #: How many of the latest events of equal deals the search for missing standings has looked at.
        self._looked = 0
        #: Where the search for rounds goes on; None: from the latest event.
        self._searched: tuple[int, str] | None = None
        self._is_searching = True

    def tick(self) -> bool:
        """Do what is due; return whether more is."""
        number = self._ticks
        self._ticks += 1
        if number % _TICKS_PER_SEARCH == 0:
            self._is_searching = True
        if self._is_searching:
            self._searched = self._team_events.plan_unplanned(_PAGE, self._searched)
            self._is_searching = self._searched is not None
        is_busy = self._conduct()
        if number % _TICKS_PER_DAY == 0:
            self._boards.open_today()
        if number % _TICKS_PER_LOOK == 0:
            self._count_up(0)
            if self._riddle_rounds is not None:
                # Without the Redis of the queues, it waits.
                with suppress(StoreUnavailable):
                    self._riddle_rounds.look()
        if number % _TICKS_PER_OLD == 0:
            self._looked += _PAGE
            if self._count_up(self._looked) < _PAGE:
                self._looked = 0
        return is_busy

    def _conduct(self) -> bool:
        """Take the next steps of team events; return whether some are due again at once."""
        leased, until = self._team_events.lease(LEASE_MS, _MOST_LEASED)
        is_busy = len(leased) == _MOST_LEASED
        for event in leased:
            try:
                at = self._director.go_on(event)
            except (StoreUnavailable, RedisError):
                raise
            except Exception:
                # The others must not wait for it. It is tried again when the lease ends.
                log.exception("cannot conduct an event", event_of_teams=event, in_s=LEASE_MS // 1000)
                continue
            self._team_events.replan(event, until, at)
            is_busy = is_busy or (at is not None and at <= self._team_events.now())
        return is_busy

    def _count_up(self, skipped: int) -> int:
        """Store missing standings of equal deals, or ask for what they need; return how many events were looked at."""
        events, examined = self._boards.uncounted(_PAGE, skipped)
        missing = ((event, *deal) for event in events for deal in self._boards.count_up(event))
        # Without searchers, or with a full queue, the rest has to wait too; so it has without the Redis of the queues.
        with suppress(StoreUnavailable):
            for deal in missing:
                if not self._ask(*deal):
                    break
        return examined


def conduct(conductor: Conductor, stop: Event) -> None:
    """Tick until `stop` is set. Safe to run in several processes."""
    pause = EVERY_S
    while not stop.wait(pause):
        try:
            pause = AGAIN_S if conductor.tick() else EVERY_S
        except (StoreUnavailable, StoreCorrupt, RedisError) as error:
            log.warning("cannot conduct; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
            pause = RETRY_S
        except Exception:
            # The thread must not end, or no round would begin or end.
            log.exception("a look at the events failed", in_s=RETRY_S)
            pause = RETRY_S
