"""All stores, on one client."""

from collections.abc import Callable
from typing import Final

from service.store.analyses import RedisAnalysisStore
from service.store.boards.events import RedisBoardStore
from service.store.cache import CACHED_TABLES
from service.store.connections.clients import Client
from service.store.idempotency import RedisIdempotencyStore
from service.store.notices.lookers import RedisLookers
from service.store.notices.looks import RedisLookStore
from service.store.notices.outbox import RedisOutbox
from service.store.notices.subscriptions import RedisSubscriptionStore
from service.store.players.admission import RedisAdmissionStore
from service.store.players.app_grants import RedisAppGrants
from service.store.players.archive import RedisArchiveStore
from service.store.players.identities import RedisIdentityStore
from service.store.players.inbox import RedisInboxStore
from service.store.players.moderation import RedisModerationStore
from service.store.players.origins import RedisOriginStore
from service.store.players.past_games import RedisPastGameStore
from service.store.players.people import RedisPeopleStore
from service.store.players.players import RedisPlayerStore
from service.store.players.results import RedisResultStore
from service.store.players.rights import RedisRightsStore
from service.store.players.tokens import RedisTokenStore
from service.store.quick_play.challenges import RedisChallengeStore
from service.store.quick_play.tickets import RedisTicketStore
from service.store.redis_tables import RedisTableStore
from service.store.shared_clock import wall_clock


class Stores:
    """See the module. Creating them opens no connection.

    Args:
        client: for commands.
        now: returns milliseconds since the epoch.
        cached_tables: see `RedisTableStore`.
        replicas: number of replicas that must have a player's action before it is acknowledged.
        record_replicas: number of replicas that must have the record of a game; None: as many.
    """

    def __init__(
        self,
        client: Client,
        now: Callable[[], int] = wall_clock,
        *,
        cached_tables: int = CACHED_TABLES,
        replicas: int = 0,
        record_replicas: int | None = None,
    ) -> None:
        self.tables: Final = RedisTableStore(client, cached_tables=cached_tables, replicas=replicas)
        self.players: Final = RedisPlayerStore(client)
        self.idempotency: Final = RedisIdempotencyStore(client)
        self.archive: Final = RedisArchiveStore(client, replicas if record_replicas is None else record_replicas)
        self.analyses: Final = RedisAnalysisStore(client)
        self.results: Final = RedisResultStore(client)
        self.past_games: Final = RedisPastGameStore(client)
        self.boards: Final = RedisBoardStore(client)
        self.inbox: Final = RedisInboxStore(client)
        self.tokens: Final = RedisTokenStore(client)
        self.rights: Final = RedisRightsStore(client)
        self.identities: Final = RedisIdentityStore(client)
        self.app_grants: Final = RedisAppGrants(client)
        self.people: Final = RedisPeopleStore(client)
        self.tickets: Final = RedisTicketStore(client)
        self.challenges: Final = RedisChallengeStore(client)
        self.moderation: Final = RedisModerationStore(client)
        self.admission: Final = RedisAdmissionStore(client)
        self.origins: Final = RedisOriginStore(client)
        self.subscriptions: Final = RedisSubscriptionStore(client)
        self.outbox: Final = RedisOutbox(client)
        self.looks: Final = RedisLookStore(client)
        self.lookers: Final = RedisLookers(client, now)
