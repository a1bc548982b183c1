"""The service on several Redis: a cluster, or a server with replicas and sentinels; and the faults of these."""

import contextlib
import math
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from harness.servers import LOST_MS, SLOTS, Cluster, Sentinels, Server, Servers, slot_of
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from tests.faults.injection import FragileService
from tests.faults.plan import Fault

#: What a master had acknowledged for so long (ms) before it was lost may not have reached its replica.
UNCOPIED_MS: Final = 1_000
#: For so long after a replica has taken over (s) the processes may not know.
NEWS_S: Final = 2.0
#: How many nodes, masters and replicas, a cluster has at most.
MOST_NODES: Final = 12


class FragileServers(FragileService):
    """The service on several Redis.

    Args:
        replicas: how many replicas must have an action before it is acknowledged (`APPEND_REPLICAS`).

    Attributes:
        takeovers: for how long (s) slots had no master, each time that one was lost.
        losses: when a master was lost (ms, time of the service), until when it may have thought that it was none, and
            its slots.
    """

    has_replicas = True

    def __init__(self, folder: Path, topology: str, replicas: int) -> None:
        self.takeovers: list[float] = []
        self.losses: list[tuple[int, float, frozenset[int]]] = []
        self.replicas = replicas
        # One more than must have an action, so that one may be lost.
        kind = Cluster if topology == "cluster" else Sentinels
        self.servers: Servers = kind(folder / "tables", replicas=1 + replicas)
        self.servers.__enter__()
        environment = {"REDIS_URL": self.servers.url, "APPEND_REPLICAS": str(replicas)}
        try:
            # A cluster cannot have the queues.
            queues = {"QUEUE_REDIS_URL": EmbeddedRedis(folder / "redis").url} if topology == "cluster" else {}
            super().__init__(folder, {**environment, **queues})
        except BaseException:
            self.servers.stop()
            raise

    def __exit__(self, *error: object) -> None:
        try:
            super().__exit__(*error)
        finally:
            self.servers.stop()

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
        """Tell whether a request needs one of the slots: who asks, what time it is, and its table if it names one."""
        table = re.match(r"/v1/tables/(tb_[^/?]+)", path)
        if lost is None or table is None:
            return True
        return not lost.isdisjoint(map(slot_of, (keys.RECORDS, keys.CLOCK, keys.head(table[1]), *needed)))

    def may_be_lost(self, key: str, at_ms: int) -> bool:
        slot = slot_of(key)
        return any(since - UNCOPIED_MS <= at_ms <= until and slot in lost for since, until, lost in self.losses)

    # --- faults -------------------------------------------------------------------------------------------------------

    def kill_master(self, fault: Fault) -> None:
        """Kill a master, let a replica take over, and start the master as a replica of that."""
        master, lost = self._some_master(fault)
        with self._loss(lost), self._without_replica(lost):
            with self._lost_master(lost):
                master.kill()
                self.servers.wait_for_takeover(lost)
            time.sleep(fault.for_s)
            self.servers.start_lost(master)
            self.servers.wait_until_whole()

    def stop_master(self, fault: Fault) -> None:
        """Let a master hang until a replica has taken over, and go on then, when it may not know yet."""
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
        """Add a master and its replica, and give it slots with data."""
        assert isinstance(self.servers, Cluster)
        if len(self.servers.servers) >= MOST_NODES:
            return self.move_slots(fault)
        new = self.servers.add()
        for _ in range(1 + self.replicas):
            self.servers.add(replica_of=new)
        old = max(self.servers.masters(), key=lambda master: len(_with_data(self.servers, master)))
        return self._move(old, new, key_by_key=fault.which % 2 == 0)

    def _move(self, old: Server, new: Server, *, key_by_key: bool) -> None:
        assert isinstance(self.servers, Cluster)
        slots = _with_data(self.servers, old)[:3]
        if key_by_key:
            # What needs several keys is refused while some of them are here and others there.
            with self._outage(NEWS_S, frozenset(slots)):
                self.servers.move_slots(slots, old, new)
        else:
            self.servers.move_slots_at_once(slots, old, new)
        self.servers.wait_until_whole()

    def _without_replica(self, lost: frozenset[int]) -> contextlib.AbstractContextManager[None]:
        """Excuse a 503 where a replica must have each action: a new master has none at first."""
        return self._outage(NEWS_S, lost) if self.replicas else contextlib.nullcontext()

    @contextlib.contextmanager
    def _loss(self, lost: frozenset[int]) -> Iterator[None]:
        """What has these slots may lose what it acknowledges, until all agree who has them."""
        began = self.now()
        self.losses.append((began, math.inf, lost))
        yield
        self.losses[-1] = (began, self.now(), lost)

    @contextlib.contextmanager
    def _lost_master(self, lost: frozenset[int], *, taken: bool = True) -> Iterator[None]:
        began = time.monotonic()
        with self._outage(NEWS_S, lost):
            yield
            if taken:
                self.takeovers.append(time.monotonic() - began)
                if not self.replicas:
                    # Otherwise a replica has to follow the new master first.
                    self.settled()

    def _some_master(self, fault: Fault) -> tuple[Server, frozenset[int]]:
        masters = self.servers.masters()
        master = masters[fault.which % len(masters)]
        return master, self.servers.lost_slots(master)

    def _some_redis(self, fault: Fault) -> contextlib.closing[Any]:
        return contextlib.closing(_Unclosed(self._some_master(fault)[0].redis))

    def _restart_redis(self, fault: Fault, processes: Any) -> None:
        # A replica that is back before its master may take over.
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
    """A client that others go on using."""

    def __init__(self, redis: Any) -> None:
        self.config_set = redis.config_set

    def close(self) -> None:
        """Do nothing."""


def _with_data(cluster: Cluster, master: Server) -> list[int]:
    """Return the slots of a master in which tables, players or results are."""
    own = cluster.slots_of(master)
    names = [*map(keys.due, range(keys.buckets())), keys.RECORDS, keys.CLOCK]
    return [slot for slot in dict.fromkeys(map(slot_of, names)) if slot in own]
