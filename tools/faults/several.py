"""The service on a cluster, or on a master with replicas and sentinels, and their faults."""

import contextlib
import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from harness.network import Network
from harness.servers import LOST_MS, SLOTS, Cluster, Sentinels, Server, Servers, slot_of
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from tools.faults.history.checking import Takeover
from tools.faults.injection import FragileService
from tools.faults.losses import Loss
from tools.faults.plan import Fault

#: How long after a takeover the processes may not know of it (s).
NEWS_S: Final = 2.0
#: Most nodes of a cluster, masters and replicas.
MOST_NODES: Final = 12


class FragileServers(FragileService):
    """The service on several Redis servers.

    Args:
        replicas: number of replicas of each master, all of which must have an action before it is acknowledged
            (`APPEND_REPLICAS`). With 0 there is one, and none has to.
        min_replicas: `min-replicas-to-write` of the servers.

    Attributes:
        takeovers: durations without a master (s), for each lost one.
        losses: when a master was lost.
        network: between the servers, their sentinels and the service.
    """

    has_replicas = True

    def __init__(
        self, folder: Path, topology: str, replicas: int, min_replicas: int = 0, more: Mapping[str, str] | None = None
    ) -> None:
        self.takeovers: list[float] = []
        self.losses: list[Loss] = []
        self.replicas, self.min_replicas = replicas, min_replicas
        # Any of them may take over, so all of them must have what is acknowledged.
        self.count = max(1, replicas)
        kind = Cluster if topology == "cluster" else Sentinels
        settings = {"min-replicas-to-write": str(min_replicas), "min-replicas-max-lag": "2"} if min_replicas else {}
        self.network = Network()
        self.network.__enter__()
        self.servers: Servers = kind(folder / "tables", replicas=self.count, settings=settings, network=self.network)
        try:
            self.servers.__enter__()
        except BaseException:
            self.network.__exit__()
            raise
        environment = {"REDIS_URL": self.servers.url, "APPEND_REPLICAS": str(replicas), **(more or {})}
        try:
            # A cluster does not support the queues.
            queues = {"QUEUE_REDIS_URL": EmbeddedRedis(folder / "redis").url} if topology == "cluster" else {}
            super().__init__(folder, {**environment, **queues})
        except BaseException:
            self.servers.stop()
            self.network.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        try:
            super().__exit__(*error)
        finally:
            self.servers.stop()
            self.network.__exit__()

    def _mount(self) -> bool:
        return False

    @property
    def tables_url(self) -> str:
        return self.servers.url

    @property
    def queues_url(self) -> str:
        return self.redis.url if isinstance(self.servers, Cluster) else self.servers.url

    def figures(self) -> dict[str, float]:
        return {"takeovers": len(self.takeovers), "longest takeover, s": round(max(self.takeovers, default=0.0), 1)}

    def kill_tables(self) -> None:
        self.servers.kill_all()

    def _needs(self, path: str, needed: Sequence[str], lost: frozenset[int] | None) -> bool:
        """Return whether a request needs one of the slots: those of players, clock and, if any, its table."""
        table = re.match(r"/v1/tables/(tb_[^/?]+)", path)
        if lost is None or table is None:
            return True
        return not lost.isdisjoint(map(slot_of, (keys.RECORDS, keys.CLOCK, keys.head(table[1]), *needed)))

    def may_be_lost(self, key: str, at_ms: int) -> bool:
        slot = slot_of(key)
        return any(loss.takes(slot, at_ms) for loss in self.losses)

    def takeovers_of(self, key: str) -> list[Takeover]:
        slot = slot_of(key)
        return [loss.takeover(slot) for loss in self.losses if slot in loss.slots]

    # --- faults -------------------------------------------------------------------------------------------------------

    def kill_master(self, fault: Fault) -> None:
        """Kill a master, let a replica take over, and restart the master as its replica."""
        master, lost = self._some_master(fault)
        with self._loss(lost), self._without_replica(lost):
            with self._lost_master(lost):
                master.kill()
                self.servers.wait_for_takeover(lost)
            time.sleep(fault.for_s)
            self.servers.start_lost(master)
            self.servers.wait_until_whole()

    def stop_master(self, fault: Fault) -> None:
        """Let a master hang until a replica has taken over, then resume it, when it may not know yet."""
        master, lost = self._some_master(fault)
        with self._loss(lost), self._without_replica(lost):
            with self._lost_master(lost), master.stopped():
                self.servers.wait_for_takeover(lost)
            self.servers.wait_until_whole()

    def late_master(self, fault: Fault) -> None:
        master, lost = self._some_master(fault)
        with self._loss(lost):
            with self._lost_master(lost, taken=False), master.stopped():
                time.sleep(min(fault.for_s, 0.4 * LOST_MS / 1000))
            self.servers.wait_until_whole()

    def kill_replica(self, fault: Fault) -> None:
        replicas = [server for server in self.servers.servers if server.role() == "slave"]
        replica = replicas[fault.which % len(replicas)]
        with self._without_replica(None):
            replica.kill()
            time.sleep(fault.for_s)
            self.servers.start_lost(replica)
            self.servers.wait_until_whole()

    def kill_queues(self, fault: Fault) -> None:
        self.redis.kill()
        time.sleep(fault.for_s)
        self.redis.start()

    def move_slots(self, fault: Fault) -> None:
        """Move slots that have data to another node: key by key, or at once as Valkey 9 can."""
        assert isinstance(self.servers, Cluster)
        masters = self.servers.masters()
        old = masters[fault.which % len(masters)]
        new = masters[(fault.which + 1) % len(masters)]
        self._move(old, new, key_by_key=fault.which % 2 == 0)

    def add_node(self, fault: Fault) -> None:
        """Add a master and its replicas, and give it slots with data."""
        assert isinstance(self.servers, Cluster)
        if len(self.servers.servers) >= MOST_NODES:
            return self.move_slots(fault)
        new = self.servers.add()
        for _ in range(self.count):
            self.servers.add(replica_of=new)
        # Actions at tables that move there wait for its replicas.
        self.servers.wait_until_whole()
        old = max(self.servers.masters(), key=lambda master: len(_with_data(self.servers, master)))
        return self._move(old, new, key_by_key=fault.which % 2 == 0)

    def _move(self, old: Server, new: Server, *, key_by_key: bool) -> None:
        assert isinstance(self.servers, Cluster)
        slots = _with_data(self.servers, old)[:3]
        if key_by_key:
            # Commands with several keys are refused while these are on different nodes.
            with self._outage(NEWS_S, frozenset(slots)):
                self.servers.move_slots(slots, old, new)
        else:
            self.servers.move_slots_at_once(slots, old, new)
        self.servers.wait_until_whole()

    def _without_replica(self, lost: frozenset[int] | None) -> contextlib.AbstractContextManager[None]:
        """Allow 503 if replicas must have each action, while a master of these slots (None: all) lacks one."""
        return self._outage(NEWS_S, lost) if self.replicas or self.min_replicas else contextlib.nullcontext()

    @contextlib.contextmanager
    def _loss(self, lost: frozenset[int], at_most_s: float | None = None) -> Iterator[None]:
        """Context manager during which writes to these slots may be lost, until all agree on their master.

        Args:
            at_most_s: time after which the lost master refuses writes.
        """
        began = self.now()
        refuses = math.inf if at_most_s is None else began + 1000 * at_most_s
        self.losses.append(Loss(began, refuses, lost, time.monotonic()))
        yield
        self.losses[-1] = self.losses[-1]._replace(until=min(refuses, self.now()), over=time.monotonic())

    @contextlib.contextmanager
    def _lost_master(self, lost: frozenset[int], *, taken: bool = True) -> Iterator[None]:
        began = time.monotonic()
        with self._outage(NEWS_S, lost):
            yield
            if taken:
                self.takeovers.append(time.monotonic() - began)
                self.note_recovery("a replica took over")
                self._has_master()

    def _has_master(self) -> None:
        """Note that tables can go on, unless a replica has to follow the new master first."""
        if not (self.replicas or self.min_replicas):
            self.settled()

    def _some_master(self, fault: Fault) -> tuple[Server, frozenset[int]]:
        masters = self.servers.masters()
        master = masters[fault.which % len(masters)]
        return master, self.servers.lost_slots(master)

    def _some_redis(self, fault: Fault) -> contextlib.closing[Any]:
        return contextlib.closing(_Unclosed(self._some_master(fault)[0].redis))

    def _restart_redis(self, fault: Fault, processes: Any) -> None:
        # A replica that returns before its master may take over.
        with self._outage(), self._loss(frozenset(range(SLOTS))):
            for process in processes:
                process.kill()
            self.redis.kill()
            time.sleep(fault.for_s)
            self.servers.kill_all()
            self.redis.start()
        for process in processes:
            process.start()

    def late_redis(self, fault: Fault) -> None:
        self.stop_master(fault)


class _Unclosed:
    """A client that others keep using."""

    def __init__(self, redis: Any) -> None:
        self.config_set = redis.config_set

    def close(self) -> None:
        """Do nothing."""


def _with_data(cluster: Cluster, master: Server) -> list[int]:
    """Return the slots of a master in which tables, players or results are."""
    own = cluster.slots_of(master)
    names = [*map(keys.due, range(keys.buckets())), keys.RECORDS, keys.CLOCK]
    return [slot for slot in dict.fromkeys(map(slot_of, names)) if slot in own]
