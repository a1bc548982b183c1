"""Faults of the network between the Redis servers, their sentinels and the service: an edge or a direction is cut.

What may be lost then (docs/operations.md, *A replica takes over*): with `APPEND_REPLICAS=0` what a master acknowledged
from a second before it was cut off until `NEWS_S` after the service could hear that a replica had taken over; with
`min-replicas-to-write` of that only the first `REFUSES_S`, if its replicas are cut off too; with `APPEND_REPLICAS` at
the number of replicas no action.
"""

import contextlib
import time
from collections.abc import Collection
from typing import Final

from harness.network import CLIENTS
from harness.servers import LOST_MS
from tools.faults.plan import Fault
from tools.faults.several import NEWS_S, FragileServers

#: How long after it was cut off from its replicas a master still accepts writes with `min-replicas-max-lag 2` (s):
#: replicas report each second, and the lag is looked at each second.
REFUSES_S: Final = 4.0
#: How long a table may wait after a takeover for those who ask a master that is silent, not gone: two answers (s).
_SILENT_S: Final = 6.0
#: How long a cut lasts after which no replica has to take over (s).
_NO_TAKEOVER_S: Final = 4 * LOST_MS / 1000


class DividedServers(FragileServers):
    """The service on several Redis servers whose network can be cut."""

    def cut_master(self, fault: Fault) -> None:
        """Cut a master off from sentinels and other nodes, but not from clients; sometimes from sentinels alone."""
        others = self.network.parties - {CLIENTS}
        sentinels = {party for party in others if party.startswith("sentinel")}
        if sentinels and fault.which % 3 == 0:
            self._cut_off(fault, sentinels, are_replicas_cut=False)
        else:
            self._cut_off(fault, others)

    def cut_side(self, fault: Fault) -> None:
        """Leave a master and the whole service on one side, and everybody else on the other."""
        master, lost = self._some_master(fault)
        others = self.network.parties - {master.name, CLIENTS}
        edges = [edge for name in (master.name, CLIENTS) for edge in self.network.between(name, others)]
        at_most = REFUSES_S if self.min_replicas else None
        with self._outage(NEWS_S):
            with self._loss(lost, at_most_s=at_most):
                with master.unseen(), self.network.without(edges):
                    self.servers.wait_for_takeover(lost)
                    time.sleep(fault.for_s)
                # Nobody could tell the service before.
                time.sleep(NEWS_S)
            self._has_master()
            self.servers.wait_until_whole()
        self.note_recovery("a master was left that had been replaced behind a cut")

    def mute_master(self, fault: Fault) -> None:
        """Let a master hear everybody, and nobody hear it."""
        self._cut_off(fault, self.network.parties, hears=True)

    def deaf_master(self, fault: Fault) -> None:
        """Let everybody hear a master that hears nobody. On a cluster it may stay the master."""
        master, lost = self._some_master(fault)
        edges = self.network.between(master.name, self.network.parties, speaks=True)
        with self._loss(lost), self._without_replica(lost):
            with self._outage(NEWS_S, lost), master.unseen(), self.network.without(edges):
                time.sleep(_NO_TAKEOVER_S)
            self._has_master()
            self.servers.wait_until_whole()
        self.note_recovery("a master that heard nobody came back")

    def cut_replica(self, fault: Fault) -> None:
        """Cut a replica off from the other servers, in one direction or both."""
        replicas = [server for server in self.servers.servers if server.role() == "slave"]
        replica = replicas[fault.which % len(replicas)]
        hears, speaks = (fault.which // 7 % 3 == way for way in (1, 2))
        edges = self.network.between(replica.name, self.network.parties, hears=hears, speaks=speaks)
        with self._without_replica(None):
            with replica.unseen(), self.network.without(edges):
                time.sleep(fault.for_s * 2)
            self.servers.wait_until_whole()
        self.note_recovery("a replica was cut off and came back")

    def cut_clients(self, fault: Fault) -> None:
        """Stop the answers of a master to the service, or what the service sends, while it is well otherwise."""
        master, lost = self._some_master(fault)
        way = fault.which // 7 % 2 == 0
        edges = self.network.between(master.name, [CLIENTS], hears=way, speaks=not way)
        with self._outage(NEWS_S, lost), self.network.without(edges):
            time.sleep(fault.for_s * 2)
        self.note_recovery("answers of a healthy master were held back")

    def _cut_off(
        self,
        fault: Fault,
        others: Collection[str],
        *,
        hears: bool = False,
        are_replicas_cut: bool = True,
    ) -> None:
        """Cut a master off until a replica has taken over, and for a while longer."""
        master, lost = self._some_master(fault)
        edges = self.network.between(master.name, others, hears=hears)
        at_most = REFUSES_S if self.min_replicas and are_replicas_cut and not hears else None
        with self._without_replica(lost):
            with contextlib.ExitStack() as healed:
                self.patience_s = _SILENT_S if CLIENTS in others else 0.0
                with self._loss(lost, at_most_s=at_most):
                    with self._lost_master(lost):
                        healed.enter_context(master.unseen())
                        healed.enter_context(self.network.without(edges))
                        self.servers.wait_for_takeover(lost)
                    # What the old master still hears after that is from nobody who waits for it.
                    time.sleep(NEWS_S)
                time.sleep(fault.for_s)
            self._has_master()
            self.patience_s = 0.0
            self.servers.wait_until_whole()
        self.note_recovery("a master that was cut off was replaced, and follows the new one")
