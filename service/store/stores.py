"""All stores, on one client."""

from collections.abc import Callable
from typing import Final

from service.store.analyses import AnalysisStore
from service.store.boards.deals import DealStore
from service.store.boards.events import BoardStore
from service.store.boards.links import DealLinkStore
from service.store.cache import CACHED_TABLES
from service.store.clubs.clubs import ClubStore
from service.store.clubs.seasons import SeasonStore
from service.store.coach.past_rounds import PastRoundStore
from service.store.coach.riddles import RiddleStore
from service.store.connections.commands import Client
from service.store.idempotency import RedisIdempotencyStore
from service.store.matchmaking.challenges import ChallengeStore
from service.store.matchmaking.circles import CircleStore
from service.store.matchmaking.tickets import TicketStore
from service.store.moderation.admission import AdmissionStore
from service.store.moderation.objections import ObjectionStore
from service.store.moderation.origins import OriginStore
from service.store.moderation.reports import ModerationStore
from service.store.notices.open_streams import OpenStreams
from service.store.notices.outbox import Outbox
from service.store.notices.scans import ScanSchedule
from service.store.notices.subscriptions import SubscriptionStore
from service.store.players.app_grants import AppGrantStore
from service.store.players.archive import RedisArchiveStore
from service.store.players.identities import IdentityStore
from service.store.players.inbox import InboxStore
from service.store.players.past_games import PastGameStore
from service.store.players.people import PeopleStore
from service.store.players.players import RedisPlayerStore
from service.store.players.results import ResultStore
from service.store.players.rights import RightsStore
from service.store.players.signals import SignalStore
from service.store.players.standing_orders import StandingOrderStore
from service.store.players.tokens import TokenStore
from service.store.redis_tables import RedisTableStore
from service.store.shared_clock import wall_clock
from service.store.sleep.sleeping import SleepingTables


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
        self.analyses: Final = AnalysisStore(client)
        self.results: Final = ResultStore(client)
        self.deals: Final = DealStore(client)
        self.orders: Final = StandingOrderStore(client, now)
        self.sleeping: Final = SleepingTables(client, now)
        self.past_games: Final = PastGameStore(client)
        self.past_rounds: Final = PastRoundStore(client)
        self.boards: Final = BoardStore(client)
        self.deal_links: Final = DealLinkStore(client)
        self.riddles: Final = RiddleStore(client)
        self.inbox: Final = InboxStore(client)
        self.signals: Final = SignalStore(client)
        self.tokens: Final = TokenStore(client)
        self.rights: Final = RightsStore(client)
        self.identities: Final = IdentityStore(client)
        self.app_grants: Final = AppGrantStore(client)
        self.people: Final = PeopleStore(client)
        self.circles: Final = CircleStore(client)
        self.clubs: Final = ClubStore(client)
        self.seasons: Final = SeasonStore(client)
        self.tickets: Final = TicketStore(client)
        self.challenges: Final = ChallengeStore(client)
        self.moderation: Final = ModerationStore(client)
        self.objections: Final = ObjectionStore(client)
        self.admission: Final = AdmissionStore(client)
        self.origins: Final = OriginStore(client)
        self.subscriptions: Final = SubscriptionStore(client)
        self.outbox: Final = Outbox(client)
        self.scans: Final = ScanSchedule(client)
        self.open_streams: Final = OpenStreams(client, now)
