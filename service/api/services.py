"""The dependencies of the operations, injected on creation of the application."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from limits.storage import Storage

from service.accounts.identities import Identities
from service.api.entrance.gate import READ_S, Gate
from service.api.http.auth import Authenticator, hash_of, new_salt, token_of
from service.api.http.documents import LatestDocuments
from service.api.http.rate_limits import RateLimiter
from service.api.http.yielding import Turns
from service.api.metrics import Metrics
from service.api.streams.feeds import Feeds
from service.api.streams.limits import Streams
from service.apps import Apps
from service.common.settings import Budget, Settings
from service.game.commands.transaction import RandomBytes
from service.jobs.several import SeveralQuestions
from service.jobs.worker_status import WorkerStatus
from service.notices.devices import Devices, push_key_of
from service.notices.outbound import Outbound, outbound_of
from service.notices.webhook_management import Webhooks
from service.processes.descriptors import most_streams
from service.sign_in.sign_ins import SignIns
from service.store.port import Player
from service.store.stores import Stores
from service.tables import Enqueue
from service.tables.ports import Interrupted, enqueue_nothing, never_interrupted
from service.tournaments.directing.entry_links import EntryLinks
from service.tournaments.directing.entry_lists import EntryLists
from service.tournaments.directing.notes import Notes
from service.tournaments.directing.offices import Offices
from service.tournaments.directing.referee import Referee
from service.wiring import UseCases

if TYPE_CHECKING:
    from service.sign_in.providers import Provider
    from service.store.moderation.admission import Registration

#: Timeout of an OpenID provider (s), for which a person is waiting.
_PROVIDER_S: Final = 5.0
#: Most team events whose standings a process remembers as it sends them: half a megabyte for 100 pairs and 30 rounds.
MOST_STANDINGS: Final = 16


@dataclass(frozen=True)
class Probes:
    """How the API looks at the parts of the service.

    Attributes:
        checks: name of a part -> function that returns whether it is available, or None if that is unknown.
        redis_states: returns the state of each Redis, that of the tables first.
        read_worker_status: returns heartbeats and job metrics; raises if they cannot be read.
        preconditions: returns whether Redis is set up as it must be, by name.
    """

    checks: Mapping[str, Callable[[], bool | None]]
    redis_states: Callable[[], Mapping[str, str]]
    read_worker_status: Callable[[], WorkerStatus]
    preconditions: Callable[[], Mapping[str, bool]] = dict


class Services(UseCases):
    """The use cases, and what belongs to HTTP. Creating them opens no connection.

    Args:
        settings, stores, now, enqueue, interrupted, entropy: see `UseCases`.
        feeds: streams of this process.
        counter: the shared counters of rate limits.
        questions: players' questions to the AI.
        probes: look at the parts of the service.

    Attributes:
        streams: limits the event streams and long polls of this process.
        turns: lets requests with long work take turns.
        standings: the standings of team events that were asked for last.
    """

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        now: Callable[[], int],
        *,
        feeds: Feeds,
        counter: Storage,
        questions: SeveralQuestions,
        probes: Probes,
        enqueue: Enqueue = enqueue_nothing,
        interrupted: Interrupted = never_interrupted,
        entropy: RandomBytes = os.urandom,
    ) -> None:
        super().__init__(
            settings, stores, now, enqueue=enqueue, streams=feeds, interrupted=interrupted, entropy=entropy
        )
        self.feeds: Final = feeds
        self.questions: Final = questions
        self.probes: Final = probes
        self.identities: Final = Identities(stores.identities, self.accounts, hash_of, now)
        self.sign_ins: Final = SignIns(stores.identities, _providers(settings), settings.cors_origins, hash_of)
        self.apps: Final = Apps(
            stores.app_grants, self.accounts, self._end_token, lambda: token_of(new_salt(), None), hash_of
        )
        self.offices: Final = Offices(self.team_events, stores.players, stores.inbox, self.people.takes_invitations)
        self.entry_lists: Final = EntryLists(self.team_events, stores.people.records, self._known_to)
        self.entry_links: Final = EntryLinks(self.team_events, entropy)
        self.notes: Final = Notes(self.team_events, stores.inbox, self.people.unheard)
        self.referee: Final = Referee(self.team_events, stores.players)
        outbound = outbound_of(settings)
        self.webhooks: Final = Webhooks(self.notices, stores.outbox, outbound)
        self.devices: Final = Devices(
            self.notices,
            push_key_of(settings),
            outbound,
            relays=bool(settings.push_relay_url),
            any_host=bool(settings.notify_private),
        )
        self.authenticator: Final = Authenticator(self.accounts, now, feeds.listen)
        feeds.guard(self.authenticator)
        self.rate_limiter: Final = RateLimiter(counter, _budgets(settings), lambda: now() / 1000)
        self.metrics: Final = Metrics(
            probes.read_worker_status, probes.redis_states, dict(settings.expected), probes.preconditions
        )
        most = min(settings.max_streams or most_streams(), most_streams())
        self.streams: Final = Streams(most, settings.player_streams)
        self.gate: Final = Gate(
            stores.admission.doors,
            cast("Registration", settings.registration),
            self.streams,
            now,
            begin=lambda gate: feeds.beat(gate, READ_S),
            soon=feeds.tell,
        )
        feeds.guard(self.gate)
        self.turns: Final = Turns()
        self.standings: Final = LatestDocuments(MOST_STANDINGS)

    def _known_to(self, player: str, club: str | None) -> list[Player]:
        """Return the friends of a player (id), and the people of a club (id)."""
        friends = [each.player for each in self.people.friends(player) if each.tie == "friend"]
        members = [] if club is None else [*self.clubs.of(player, club)["members"]]
        return [*friends, *self.stores.people.records(members).values()]

    def _end_token(self, player: str, token: str) -> bool:
        ended = self.accounts.rights.end_token(player, token)
        self.authenticator.forget(player)
        return ended


def _providers(settings: Settings) -> list["Provider"]:
    if not settings.oidc_providers:
        return []
    # Imported here, since checking signatures takes nine megabytes.
    from service.sign_in.providers import Provider  # noqa: PLC0415

    fetch = Outbound(total_s=_PROVIDER_S).fetch
    return [Provider(configuration, fetch) for configuration in settings.oidc_providers]


def _budgets(settings: Settings) -> dict[str, Budget]:
    return {
        "register": settings.limit_register,
        "create": settings.limit_create,
        "chat": settings.limit_chat,
        "voice": settings.limit_voice,
        "failed": settings.limit_failed,
        "act": settings.limit_act,
        "read": settings.limit_read,
        "poll": settings.limit_poll,
        "hint": settings.limit_hint,
        "analyse": settings.limit_analyse,
        "oracle": settings.limit_oracle,
        "guess": settings.limit_guess,
        "export": settings.limit_export,
        "import": settings.limit_import,
        "keep": settings.limit_keep,
        "keep_address": settings.limit_keep_address,
    }
