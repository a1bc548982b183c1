"""Which receivers a messenger calls next, so that those who are slow or fail delay only each other.

A request under way belongs to a lane: the quick one, or the slow one. A receiver is slow if its last request failed or
took longer than `QUICK_S`, whatever it answered; of a new receiver, the others of its host decide. A request that takes
longer changes lanes while it is under way, so nobody holds a place in the quick lane for longer. If more requests are
slow than the slow lane has places for, those of the host with the most of them end early, and are sent again later.

In both lanes, each host and each player has a share of the places, and players take turns. A host is a registrable name
and, once known, an address, so neither many names of one domain nor many domains at one address have more.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from itertools import islice
from typing import Final, Generic, TypeVar
from urllib.parse import urlsplit

from service.common.addresses import client_at
from service.notices.outbound import Patience
from service.store.notices.subscriptions import Subscription

#: Places of the two lanes.
LANES: Final = (200, 100)
#: Seconds after which a request is slow.
QUICK_S: Final = 1.0
#: Share of a lane for one host, and for one player.
HOST_SHARE: Final = 0.25
PLAYER_SHARE: Final = 0.05
#: Weight of the last request of a host, and the average from which its receivers are slow.
_WEIGHT: Final = 0.2
_MOSTLY: Final = 0.5
#: Most receivers and hosts that are remembered, and most players looked at for free places.
_MOST_KNOWN: Final = 20_000
_MOST_LOOKED_AT: Final = 500

LeaseT = TypeVar("LeaseT")
ValueT = TypeVar("ValueT")


class Call(Generic[LeaseT]):
    """A receiver with deliveries to send, one after the other.

    Attributes:
        subscription, player: ids.
        host: name of its host; "": the operator's relay, or not known.
        leases: its deliveries, the first of which is being sent if it is called.
        patience: the time of its request under way.
        is_failing: whether its last attempt failed, as its deliveries tell.
        groups: hosts and player of which it takes a place.
        is_slow: whether its request under way has turned out to be slow.
    """

    def __init__(self, subscription: str, player: str, host: str, *, is_failing: bool) -> None:
        self.subscription: Final = subscription
        self.player: Final = player
        self.host: Final = host
        self.leases: Final[deque[LeaseT]] = deque()
        self.patience = Patience()
        self.is_failing = is_failing
        self.groups: tuple[str, ...] = ()
        self.is_slow = False


def host_of(subscription: Subscription) -> str:
    """Return the name of a receiver's host: the part of it that somebody registers; "" for the operator's relay."""
    target = subscription["target"]
    name = urlsplit(target.get("url") or target.get("endpoint") or "").hostname
    if name is None:
        return ""
    labels = name.split(".")
    if not labels[-1][:1].isalpha():
        return name  # an address
    # Two labels as in co.uk and com.cn; for names of one company this does not matter.
    has_two = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3 if has_two else -2 :])


class Lanes(Generic[LeaseT]):
    """See the module. It only decides; it has neither threads nor a clock.

    Args:
        places: places of the quick and of the slow lane.
        quick_s: see `QUICK_S`.
    """

    def __init__(self, places: tuple[int, int] = LANES, quick_s: float = QUICK_S) -> None:
        self._places: Final = places
        self._quick_s: Final = quick_s
        #: Lane -> player -> waiting receivers; the first player is next.
        self._waiting: Final[tuple[OrderedDict[str, deque[Call[LeaseT]]], ...]] = (OrderedDict(), OrderedDict())
        #: Receivers under way -> lane, in the order of their start.
        self._running: Final[dict[Call[LeaseT], int]] = {}
        self._taken: Final[Counter[tuple[int, str]]] = Counter()
        self._cut: Final[set[Call[LeaseT]]] = set()
        #: Subscription -> whether it is slow; host -> how many of its last requests were slow; host -> its address.
        self._slow: Final[OrderedDict[str, bool]] = OrderedDict()
        self._slowness: Final[OrderedDict[str, float]] = OrderedDict()
        self._addresses: Final[OrderedDict[str, str]] = OrderedDict()

    def put(self, call: Call[LeaseT]) -> None:
        """Let a receiver wait for a place."""
        self._waiting[self._lane_of(call)].setdefault(call.player, deque()).append(call)

    def take(self) -> list[Call[LeaseT]]:
        """Return the receivers to call now; they have a place."""
        calls: list[Call[LeaseT]] = []
        for lane in (0, 1):
            while more := [*self._one_of_each(lane)]:
                calls += more
        return calls

    def _one_of_each(self, lane: int) -> Iterator[Call[LeaseT]]:
        """Give a place to a receiver of each player, as long as there are places."""
        waiting = self._waiting[lane]
        if self._taken[lane, "all"] >= self._places[lane]:
            return
        for player in [*islice(waiting, _MOST_LOOKED_AT)]:
            if self._taken[lane, "all"] >= self._places[lane]:
                return
            waiting.move_to_end(player)
            call = next((call for call in waiting[player] if self._has_room(lane, call)), None)
            if call is not None:
                self._remove(lane, call)
                self._running[call] = lane
                call.groups, call.is_slow = self._groups(call), False
                self._count(lane, call, 1)
                yield call

    def end(self, call: Call[LeaseT], now: float, *, has_failed: bool) -> None:
        """Free the place of a receiver after a request; `now` as for `review`."""
        self._count(self._running.pop(call), call, -1)
        self._cut.discard(call)
        if call.patience.address and call.host:
            self._remember(self._addresses, call.host, client_at(call.patience.address).key)
        if not call.is_slow:
            self._note_host(call, is_slow=call.patience.lasts(now) > self._quick_s)
        self._remember(self._slow, call.subscription, has_failed or call.is_slow)

    def review(self, now: float) -> None:
        """Move what takes long into the slow lane, and end early what has no place there.

        Args:
            now: seconds on the clock of `Patience`.
        """
        for call, lane in self._running.items():
            if lane == 0 and call.patience.lasts(now) > self._quick_s:
                self._count(0, call, -1)
                self._running[call] = 1
                self._count(1, call, 1)
                self._note_host(call, is_slow=True)
        for call in [call for calls in self._waiting[0].values() for call in calls if self._lane_of(call)]:
            self._remove(0, call)
            self.put(call)
        over = self._taken[1, "all"] - len(self._cut) - self._places[1]
        if over > 0:
            long = [call for call, lane in self._running.items() if lane == 1 and call not in self._cut]
            alike = Counter(group for call in long for group in call.groups)
            long.sort(key=lambda call: -max(alike[group] for group in call.groups))
            for call in long[:over]:
                call.patience.cut()
                self._cut.add(call)

    def waiting(self) -> list[Call[LeaseT]]:
        """Return the receivers that wait for a place."""
        return [call for lane in self._waiting for calls in lane.values() for call in calls]

    def drop(self, call: Call[LeaseT]) -> None:
        """Let a receiver no longer wait."""
        for lane in (0, 1):
            if call in self._waiting[lane].get(call.player, ()):
                self._remove(lane, call)

    def _lane_of(self, call: Call[LeaseT]) -> int:
        is_slow = self._slow.get(call.subscription, self._slowness.get(call.host, 0) > _MOSTLY)
        return int(call.is_failing or is_slow)

    def _remove(self, lane: int, call: Call[LeaseT]) -> None:
        calls = self._waiting[lane][call.player]
        calls.remove(call)
        if not calls:
            del self._waiting[lane][call.player]

    def _groups(self, call: Call[LeaseT]) -> tuple[str, ...]:
        """Return the names that have a share: of host, address and player."""
        names = [f"player {call.player}"]
        if call.host:
            names.append(f"host {call.host}")
            if call.host in self._addresses:
                names.append(f"address {self._addresses[call.host]}")
        return tuple(names)

    def _has_room(self, lane: int, call: Call[LeaseT]) -> bool:
        of_host, of_player = (max(1, int(self._places[lane] * share)) for share in (HOST_SHARE, PLAYER_SHARE))
        return all(
            self._taken[lane, group] < (of_player if group.startswith("player ") else of_host)
            for group in self._groups(call)
        )

    def _count(self, lane: int, call: Call[LeaseT], by: int) -> None:
        for group in ("all", *call.groups):
            self._taken[lane, group] += by
            if self._taken[lane, group] <= 0:
                del self._taken[lane, group]

    def _note_host(self, call: Call[LeaseT], *, is_slow: bool) -> None:
        call.is_slow = is_slow
        before = self._slowness.get(call.host, 0.0)
        self._remember(self._slowness, call.host, before + _WEIGHT * (is_slow - before))

    @staticmethod
    def _remember(known: OrderedDict[str, ValueT], name: str, value: ValueT) -> None:
        known[name] = value
        known.move_to_end(name)
        if len(known) > _MOST_KNOWN:
            known.popitem(last=False)
