"""Redis topologies on loopback: a cluster of masters with replicas, and a master with replicas and sentinels.

Both can lose servers and get them back. Each server is an `EmbeddedRedis` with a port in addition to its socket.
"""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from harness.network import Network
from harness.waiting import PATIENCE_S, wait_until
from service.processes.embedded_redis import EmbeddedRedis
from service.processes.redis_programs import programs

SLOTS: Final = 16_384
#: Milliseconds without an answer after which others consider a server lost.
LOST_MS: Final = 1_000


def free_port() -> int:
    """Return a free port; that of the cluster bus (10,000 higher) is valid and free too."""
    while True:
        with socket.socket() as probe, socket.socket() as bus, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
            if port < 55_000:
                bus.bind(("127.0.0.1", port + 10_000))
                return port


class Server:
    """A server; `redis` is a client that waits as long as a busy machine takes. What hangs on purpose is not asked.

    Attributes:
        name: its name in the network, and in its folder.
        reached: the port at which others reach it; with a network that of a proxy.
        bus: the same for the bus of a cluster.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str], network: Network | None = None) -> None:
        self.port: Final = free_port()
        self.name, self.reached, self.bus = folder.name, self.port, self.port + 10_000
        announced: dict[str, str] = {}
        if network is not None:
            self.reached, self.bus = (network.route(self.name, port) for port in (self.reached, self.bus))
            of = "cluster" if "cluster-enabled" in settings else "replica"
            announced = {f"{of}-announce-ip": "127.0.0.1", f"{of}-announce-port": str(self.reached)}
            announced |= {"cluster-announce-bus-port": str(self.bus)} if of == "cluster" else {}
            announced["bind-source-addr"] = network.address(self.name)
        self._folder = folder
        self._settings = {"port": str(self.port), "bind": "127.0.0.1", **announced, **settings}
        self.embedded = EmbeddedRedis(folder, self._settings)
        self.redis: Final = Redis(
            port=self.port, socket_timeout=PATIENCE_S, retry=Retry(NoBackoff(), 0), decode_responses=True
        )
        self._hangs = False

    def start(self, **settings: str) -> None:
        """Start it, also after a kill, optionally with other settings."""
        if settings:
            self.embedded = EmbeddedRedis(self._folder, {**self._settings, **settings})
        self.embedded.start()

    def kill(self) -> None:
        self.embedded.kill()

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Make it hang during the `with` block."""
        pid = int((self._folder / "redis.pid").read_text())
        self._hangs = True
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)
            self._hangs = False

    @contextlib.contextmanager
    def unseen(self) -> Iterator[None]:
        """Do not ask it what it thinks while it is cut off from the others."""
        self._hangs = True
        try:
            yield
        finally:
            self._hangs = False

    def ask(self, *command: Any) -> Any:
        if self._hangs:
            raise RedisTimeoutError("it hangs")
        return self.redis.execute_command(*command)

    def role(self) -> str:
        """Return `master`, `slave`, or "" if it does not answer."""
        with contextlib.suppress(RedisError):
            return str(self.replication()["role"])
        return ""

    def replication(self) -> dict[str, Any]:
        if self._hangs:
            raise RedisTimeoutError("it hangs")
        return dict(self.redis.info("replication"))

    def has_copied(self) -> bool:
        """Return whether it is a replica with all data of its master."""
        return self.replication().get("master_link_status") == "up"


class Servers:
    """Base class of both topologies."""

    def __init__(self, network: Network | None = None) -> None:
        self._network: Final = network
        self.servers: Final[list[Server]] = []

    @property
    def url(self) -> str:
        raise NotImplementedError

    def masters(self) -> list[Server]:
        """Return the servers that accept writes, by port."""
        raise NotImplementedError

    def is_whole(self) -> bool:
        """Return whether all data can be written, and each master has a replica with all of its data."""
        raise NotImplementedError

    def wait_until_whole(self) -> None:
        wait_until(self.is_whole, "all data have a master and a replica", despite=(RedisError,))

    def start_lost(self, server: Server) -> None:
        """Start a killed server, which becomes a replica if another one has taken over."""
        server.start()

    def lost_slots(self, server: Server) -> frozenset[int]:
        """Return the slots that a master has."""
        raise NotImplementedError

    def kill_all(self) -> None:
        """Kill all servers and start them again."""
        for server in self.servers:
            server.kill()
        for server in self.servers:
            server.start()
        self.wait_until_whole()

    def stop(self) -> None:
        for server in self.servers:
            server.redis.close()
            server.embedded.stop()

    def __enter__(self) -> Self:
        raise NotImplementedError

    def __exit__(self, *_: object) -> None:
        self.stop()


class Cluster(Servers):
    """Masters, each with an equal share of the slots, and replicas of them.

    Args:
        folder: folder of the data.
        masters, replicas: number of masters, and of replicas per master.
        settings: additional settings of each server.
        network: between all servers and their clients; without one they reach each other directly.
    """

    def __init__(
        self,
        folder: Path,
        masters: int = 3,
        replicas: int = 1,
        settings: Mapping[str, str] | None = None,
        network: Network | None = None,
    ) -> None:
        super().__init__(network)
        self._folder, self._masters, self._replicas = folder, masters, replicas
        self._settings: Final = {
            "cluster-enabled": "yes",
            "cluster-node-timeout": str(LOST_MS),
            "cluster-require-full-coverage": "no",
            # Allow failover to a replica with data of any age, since there is no other.
            "cluster-replica-validity-factor": "0",
            "cluster-allow-replica-migration": "no",
            "repl-diskless-sync-delay": "0",
            **(settings or {}),
        }

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{server.reached}" for server in self.servers)

    def __enter__(self) -> Self:
        try:
            for number in range(self._masters):
                share = range(SLOTS * number // self._masters, SLOTS * (number + 1) // self._masters)
                self._new().ask("CLUSTER", "ADDSLOTS", *share)
            masters = list(self.servers)
            for number in range(self._masters * self._replicas):
                self.add(replica_of=masters[number % self._masters])
            self.wait_until_whole()
        except BaseException:
            self.stop()
            raise
        return self

    def _new(self) -> Server:
        server = Server(self._folder / f"node{len(self.servers)}", self._settings, self._network)
        self.servers.append(server)
        server.start()
        meets_at = 0.0

        def has_met() -> bool:
            nonlocal meets_at
            # On a busy machine the nodes may take too long to shake hands, and then forget each other.
            if time.monotonic() >= meets_at:
                first = self.servers[0]
                server.ask("CLUSTER", "MEET", "127.0.0.1", first.reached, first.bus)
                meets_at = time.monotonic() + 3 * LOST_MS / 1_000
            return all(map(self._knows_all, self.servers))

        wait_until(has_met, "all nodes know each other", despite=(RedisError,))
        return server

    def add(self, replica_of: Server | None = None) -> Server:
        """Add a node: a master without slots, or a replica."""
        server = self._new()
        if replica_of is not None:
            server.ask("CLUSTER", "REPLICATE", _id(replica_of))
        return server

    def forget(self, server: Server) -> None:
        """Remove a node without slots and end it."""
        self.servers.remove(server)
        for other in self.servers:
            other.ask("CLUSTER", "FORGET", _id(server))
        server.kill()
        server.redis.close()

    def _knows_all(self, server: Server) -> bool:
        return str(server.ask("CLUSTER", "NODES")).count(" connected") == len(self.servers)

    def masters(self) -> list[Server]:
        return [server for server in self.servers if server.role() == "master" and self.slots_of(server)]

    def _line(self, server: Server) -> str:
        with contextlib.suppress(RedisError):
            lines = str(server.ask("CLUSTER", "NODES")).splitlines()
            return next(line for line in lines if "myself" in line.split()[2])
        return ""

    def slots_of(self, server: Server) -> frozenset[int]:
        """Return the slots of a master, by its own information."""
        ranges = (part.split("-") for part in self._line(server).split()[8:] if not part.startswith("["))
        return frozenset(slot for bounds in ranges for slot in range(int(bounds[0]), int(bounds[-1]) + 1))

    def lost_slots(self, server: Server) -> frozenset[int]:
        return self.slots_of(server)

    def is_whole(self) -> bool:
        masters = self.masters()
        replicas = [server for server in self.servers if server.role() == "slave"]
        served = [slot for master in masters for slot in self.slots_of(master)]
        return (
            sorted(served) == list(range(SLOTS))
            and all(server.role() for server in self.servers)
            and all(server.has_copied() for server in replicas)
            and all(_agrees(server, masters) for server in self.servers)
        )

    def wait_for_takeover(self, lost: frozenset[int]) -> None:
        """Wait until other servers have the slots of a lost master, and all of them know."""

        def taken() -> bool:
            return lost <= {slot for master in self.masters() for slot in self.slots_of(master)}

        wait_until(taken, "a replica has taken over", despite=(RedisError,))

    def move_slots(self, slots: Sequence[int], old: Server, new: Server) -> None:
        """Move slots from one master to another, key by key."""
        wait_until(
            lambda: "cluster_state:ok" in str(new.ask("CLUSTER", "INFO")),
            "the new node takes part",
            despite=(RedisError,),
        )
        for slot in slots:
            new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", _id(old))
            old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", _id(new))
            while names := _names_in(old, slot):
                old.ask("MIGRATE", "127.0.0.1", new.port, "", 0, 5_000, "KEYS", *names)
            for server in (new, old, *(other for other in self.masters() if other not in (old, new))):
                server.ask("CLUSTER", "SETSLOT", slot, "NODE", _id(new))

    def move_slots_at_once(self, slots: Sequence[int], old: Server, new: Server) -> None:
        """Move whole slots, which Valkey 9 supports."""
        ranges = [bound for slot in slots for bound in (slot, slot)]
        old.ask("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", *ranges, "NODE", _id(new))
        wait_until(lambda: set(slots) <= self.slots_of(new), "the slots have moved", despite=(RedisError,))


def _id(server: Server) -> str:
    return str(server.ask("CLUSTER", "MYID"))


def _names_in(server: Server, slot: int) -> list[bytes]:
    with Redis(port=server.port, socket_timeout=5.0) as redis:
        return list(redis.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100))


def _agrees(server: Server, masters: Sequence[Server]) -> bool:
    nodes, state = server.ask("CLUSTER", "NODES"), server.ask("CLUSTER", "INFO")
    lines = [line.split() for line in str(nodes).splitlines()]
    having = {line[0] for line in lines if len(line) > 8 and "fail" not in line[2]}
    return having == {_id(master) for master in masters} and "cluster_state:ok" in str(state)


def slot_of(key: str) -> int:
    """Return the slot of a key."""
    return key_slot(key.encode())


class Sentinels(Servers):
    """A master with replicas, and three sentinels that watch them as `main`."""

    _NAME: Final = "main"

    def __init__(
        self,
        folder: Path,
        replicas: int = 2,
        settings: Mapping[str, str] | None = None,
        network: Network | None = None,
    ) -> None:
        super().__init__(network)
        self._folder, self._settings = folder, {"repl-diskless-sync-delay": "0", **(settings or {})}
        self._count: Final = replicas + 1
        self._ports: Final = [free_port() for _ in range(3)]
        self._names: Final = [f"sentinel{number}" for number in range(len(self._ports))]
        self._reached = list(self._ports)
        if network is not None:
            self._reached = [network.route(name, port) for name, port in zip(self._names, self._ports, strict=True)]
        self._processes: Final[list[subprocess.Popen[bytes]]] = []
        self._sentinels: Final = [Redis(port=port, socket_timeout=2.0, decode_responses=True) for port in self._ports]

    @property
    def url(self) -> str:
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{port}" for port in self._reached) + f"/{self._NAME}"

    def __enter__(self) -> Self:
        try:
            for number in range(self._count):
                self.servers.append(Server(self._folder / f"server{number}", self._settings, self._network))
                of = {"replicaof": f"127.0.0.1 {self.servers[0].reached}"} if number else {}
                self.servers[-1].start(**of)
            for name, port in zip(self._names, self._ports, strict=True):
                self._processes.append(self._watch(name, port))
            wait_until(self._know_all, "the sentinels know each other and all servers", despite=(RedisError,))
            self.wait_until_whole()
        except BaseException:
            self.stop()
            raise
        return self

    def _watch(self, name: str, port: int) -> "subprocess.Popen[bytes]":
        settings, source = self._folder / f"{name}.conf", ""
        if self._network is not None:
            # Otherwise the others would look for it where it comes from.
            source = f"bind-source-addr {self._network.address(name)}\n"
            source += f"sentinel announce-ip 127.0.0.1\nsentinel announce-port {port}\n"
        settings.write_text(
            f"port {port}\nbind 127.0.0.1\ndir {self._folder}\n{source}"
            f"sentinel monitor {self._NAME} 127.0.0.1 {self.servers[0].reached} 2\n"
            f"sentinel down-after-milliseconds {self._NAME} {LOST_MS}\n"
            f"sentinel failover-timeout {self._NAME} {4 * LOST_MS}\n"
        )
        command = [str(programs()[0].path), str(settings), "--sentinel"]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _know_all(self) -> bool:
        masters = [redis.sentinel_master(self._NAME) for redis in self._sentinels]
        return all(
            one["num-other-sentinels"] == len(self._ports) - 1 and one["num-slaves"] == self._count - 1
            for one in masters
        )

    def _named(self) -> int:
        """Return the port at which the master is reached, if the sentinels agree on it."""
        ports = {redis.sentinel_get_master_addr_by_name(self._NAME)[1] for redis in self._sentinels}
        return int(ports.pop()) if len(ports) == 1 else 0

    def masters(self) -> list[Server]:
        with contextlib.suppress(RedisError):
            named = self._named()
            return [server for server in self.servers if server.reached == named and server.role() == "master"]
        return []

    def is_whole(self) -> bool:
        masters = self.masters()
        others = [server for server in self.servers if server not in masters]
        return bool(masters) and all(other.role() == "slave" and other.has_copied() for other in others)

    def lost_slots(self, server: Server) -> frozenset[int]:
        return frozenset(range(SLOTS)) if server in self.masters() else frozenset()

    def wait_for_takeover(self, lost: frozenset[int]) -> None:
        """Wait until the sentinels name a master that accepts writes."""
        wait_until(lambda: not lost or self.masters(), "a replica has taken over", despite=(RedisError,))

    def start_lost(self, server: Server) -> None:
        # Otherwise it would stay a master until the sentinels reconfigure it.
        server.start(replicaof=f"127.0.0.1 {self._named()}")

    def kill_all(self) -> None:
        named = self._named()
        for server in self.servers:
            server.kill()
        for server in sorted(self.servers, key=lambda one: one.reached != named):
            server.start(replicaof="no one" if server.reached == named else f"127.0.0.1 {named}")
        self.wait_until_whole()

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
        for redis in self._sentinels:
            redis.close()
        super().stop()
