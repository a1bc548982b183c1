"""The dependencies of the operations, injected on creation of the application."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from service.accounts import Accounts
from service.accounts.identities import Identities
from service.accounts.inbox import Inbox
from service.api.entrance.gate import Gate
from service.api.http.auth import Authenticator
from service.api.http.rate_limits import RateLimiter
from service.api.http.yielding import Turns
from service.api.metrics import Metrics
from service.api.presence import Presence
from service.api.streams.feeds import Feeds
from service.api.streams.limits import Streams
from service.apps import Apps
from service.boards.boards import Boards
from service.boards.directing import Director
from service.boards.entering import Entries
from service.boards.overseeing import Overseer
from service.boards.team_events import TeamEvents
from service.common.settings import Settings
from service.jobs.asked import Asker, Question
from service.jobs.worker_status import WorkerStatus
from service.notices.devices import Devices
from service.notices.hooks import Webhooks
from service.notices.notices import Notices
from service.people import People
from service.people.admission import Admission
from service.people.challenges import Challenges
from service.people.moderation import Moderation
from service.people.quick_play import QuickPlay
from service.sign_in.sign_ins import SignIns
from service.store.analyses import AnalysisStore
from service.store.players.past_games import PastGameStore
from service.store.players.results import ResultStore
from service.store.port import ArchiveStore, IdempotencyStore, PlayerStore
from service.tables import Tables


class Questions(Protocol):
    """Questions of players to the AI (`service.jobs.queues.Questions`)."""

    def hint(self, client: str, table: str, seat: int, decision: str, moment: int) -> Mapping[str, Any] | None:
        """Return the AI's answer to a decision of a seat, or None while it is being computed."""

    def seconds(self, asker: Asker, question: Question, steps: int) -> float:
        """Return how many seconds of a searcher a question will take with so many steps; 0 if it waits already."""

    def ask(self, asker: Asker, question: Question) -> bool:
        """Have a question answered; return whether it will be."""

    def field(self, event: str, number: int, deal: int) -> bool:
        """Request AI results with a deal of a board; return whether a worker is available."""


@dataclass(frozen=True)
class Services:
    """See the module. Creating them opens no connections.

    Attributes:
        streams: limits the event streams and long polls of this process.
        questions: players' questions to the AI.
        checks: name of a part of the service -> function that returns whether it is available, or None if that
            is unknown; for `/readyz`.
        redis_states: returns the state of each Redis (`service.store.connections.health`).
        preconditions: returns whether Redis is set up as it must be, by name; for the same.
        read_worker_status: returns heartbeats and job metrics; raises if they cannot be read.
        turns: lets requests with long work take turns.
    """

    settings: Settings
    tables: Tables
    accounts: Accounts
    identities: Identities
    sign_ins: SignIns
    apps: Apps
    people: People
    quick_play: QuickPlay
    challenges: Challenges
    moderation: Moderation
    admission: Admission
    gate: Gate
    inbox: Inbox
    notices: Notices
    webhooks: Webhooks
    devices: Devices
    players: PlayerStore
    idempotency: IdempotencyStore
    archive: ArchiveStore
    analyses: AnalysisStore
    results: ResultStore
    past_games: PastGameStore
    boards: Boards
    team_events: TeamEvents
    team_entries: Entries
    director: Director
    overseer: Overseer
    feeds: Feeds
    authenticator: Authenticator
    rate_limiter: RateLimiter
    metrics: Metrics
    streams: Streams
    presence: Presence
    questions: Questions
    checks: Mapping[str, Callable[[], bool | None]]
    redis_states: Callable[[], Mapping[str, str]]
    preconditions: Callable[[], Mapping[str, bool]]
    read_worker_status: Callable[[], WorkerStatus]
    turns: Turns = field(default_factory=Turns)
