"""What the operations need to do their work, handed to the application when it is built."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import BoundedSemaphore

from service.api.http.auth import Identity
from service.api.http.rate_limits import Budgets
from service.api.metrics import Metrics
from service.api.presence import Presence
from service.settings import Settings
from service.store.live import Hub
from service.store.port import ArchiveStore, IdempotencyStore, PlayerStore
from service.store.results import ResultStore
from service.tables import Tables
from service.worker_status import Vitals


@dataclass(frozen=True)
class Services:
    """See the module. Nothing in here connects to anything by itself.

    Attributes:
        streams: counts the event streams and long polls that this process holds.
        checks: name -> whether that part of the service is there; for `/readyz`.
        read_vitals: tells of those who move what no person moves; raises when nobody can tell.
    """

    settings: Settings
    tables: Tables
    players: PlayerStore
    idempotency: IdempotencyStore
    archive: ArchiveStore
    results: ResultStore
    hub: Hub
    identity: Identity
    budgets: Budgets
    metrics: Metrics
    streams: BoundedSemaphore
    presence: Presence
    checks: Mapping[str, Callable[[], bool]]
    read_vitals: Callable[[], Vitals]
