"""The composition root of the API: creates its parts, opens its connections and wires them together."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from flask import Flask, Request, Response
from flask.globals import request_ctx
from limits.storage import RedisStorage
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, MapAdapter

from service.accounts import Accounts
from service.accounts.identities import Identities
from service.accounts.inbox import Inbox
from service.api.client_pages import client_pages
from service.api.entrance.gate import READ_S, Gate
from service.api.http import error_handlers
from service.api.http.auth import Authenticator, hash_of, new_salt, token_of
from service.api.http.compression import compressed
from service.api.http.middleware import Middleware, request_context, route_of
from service.api.http.rate_limits import Counter, RateLimiter
from service.api.http.responses import empty_response
from service.api.metrics import Metrics
from service.api.oauth import oauth
from service.api.pages import pages
from service.api.presence import Presence
from service.api.resources import RESOURCES
from service.api.services import Questions as AsksAI
from service.api.services import Services
from service.api.streams.feeds import Feeds
from service.api.streams.limits import Streams
from service.apps import Apps
from service.boards.boards import Boards
from service.boards.directing import Director
from service.boards.entering import Entries
from service.boards.keeping import BoardKeeper
from service.boards.overseeing import Overseer
from service.boards.rooms import Rooms
from service.boards.team_events import TeamEvents
from service.common import logs
from service.common.settings import Budget, Settings
from service.common.traces import TracedRequests, traces_of
from service.jobs.queues import QUEUES, Questions
from service.jobs.several import SeveralQuestions, SeveralQueues, all_served, queues_of, read_all
from service.jobs.worker_status import WorkerStatus, alive
from service.notices.devices import Devices, push_key_of
from service.notices.hooks import Webhooks
from service.notices.looking import Looking, oldest_due
from service.notices.notices import Notices
from service.notices.outbound import Outbound, outbound_of
from service.people import People
from service.people.admission import Admission
from service.people.challenges import Challenges
from service.people.moderation import Moderation
from service.people.quick_play import QuickPlay
from service.processes.descriptors import most_streams
from service.sign_in.sign_ins import SignIns
from service.store import keys
from service.store.analyses import AnalysisStore, RedisAnalysisStore
from service.store.boards.events import BoardStore, RedisBoardStore
from service.store.connections.clients import command_client, queue_client
from service.store.connections.health import ANSWER_S, TABLES, Health
from service.store.connections.opening import is_reachable
from service.store.connections.preconditions import met
from service.store.live import Announcements
from service.store.notices.lookers import RedisLookers
from service.store.notices.looks import LookStore, RedisLookStore
from service.store.notices.outbox import Outbox, RedisOutbox
from service.store.notices.subscriptions import RedisSubscriptionStore, SubscriptionStore
from service.store.players.admission import AdmissionStore, RedisAdmissionStore
from service.store.players.app_grants import AppGrantStore, RedisAppGrants
from service.store.players.identities import IdentityStore, RedisIdentityStore
from service.store.players.inbox import InboxStore, RedisInboxStore
from service.store.players.moderation import ModerationStore, RedisModerationStore
from service.store.players.origins import OriginStore, RedisOriginStore
from service.store.players.past_games import PastGameStore, RedisPastGameStore
from service.store.players.people import PeopleStore, RedisPeopleStore
from service.store.players.results import RedisResultStore, ResultStore
from service.store.players.rights import RedisRightsStore, RightsStore
from service.store.players.tokens import RedisTokenStore, TokenStore
from service.store.port import ArchiveStore, IdempotencyStore, PlayerStore
from service.store.quick_play.challenges import ChallengeStore, RedisChallengeStore
from service.store.quick_play.tickets import RedisTicketStore, TicketStore
from service.store.redis_store import redis_stores
from service.store.shared_clock import SharedClock
from service.tables import Tables
from service.tables.results import Keeper, rating_of

if TYPE_CHECKING:
    from service.sign_in.providers import Provider
    from service.store.players.admission import Registration

#: Timeout of an OpenID provider (s), for which a person is waiting.
_PROVIDER_S: Final = 5.0


#: Roles of processes without which the service is not ready. Others are missed only if they are expected.
_NEEDED: Final = ("worker", "clock")
#: How long after an outage of Redis workers and clocks have to send heartbeats again, before they count as gone (s).
_SETTLED_S: Final = 10.0


class _IdConverter(BaseConverter):
    """Converter of ids and names in paths. Anything else is not found."""

    regex = r"[A-Za-z0-9_-]{1,60}"


class _CodeConverter(BaseConverter):
    """Converter of codes in paths, as people type them."""

    regex = r"[^/]{1,60}"


class _Api(Flask):
    """Flask without its hooks, which take longer than the view itself (decision 36).

    It compresses responses, and matches routes only by path; its response to `OPTIONS` has no content type.
    """

    def make_default_options_response(self) -> Response:
        """Return 204 with `Allow`."""
        return empty_response(headers={"Allow": super().make_default_options_response().headers["Allow"]})

    def preprocess_request(self) -> None:
        """Note the route, and refuse blocked addresses.

        Flask's hooks before and after requests, and its sessions, are not used.
        """
        request = request_ctx.request
        if request.url_rule is not None:
            request_context(request).route = request.url_rule.rule
        self.extensions["services"].gate.check(request)

    def process_response(self, response: Response) -> Response:
        """Compress the response."""
        return compressed(response, request_ctx.request.environ.get("HTTP_ACCEPT_ENCODING"))

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function unchanged, since no view is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match only the path: no route depends on the host, and nothing is redirected (decision 36)."""
        if request is None:
            return None
        environ = request.environ
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        scheme, root = environ["wsgi.url_scheme"], environ.get("SCRIPT_NAME", "")
        return MapAdapter(self.url_map, "api", root, "", scheme, path, request.method)


def create_app(
    settings: Settings,
    *,
    tables: Tables,
    players: PlayerStore,
    tokens: TokenStore,
    identities: IdentityStore,
    app_grants: AppGrantStore,
    idempotency: IdempotencyStore,
    archive: ArchiveStore,
    analyses: AnalysisStore,
    results: ResultStore,
    past_games: PastGameStore,
    boards: BoardStore,
    inbox: InboxStore,
    subscriptions: SubscriptionStore,
    looks: LookStore,
    outbox: Outbox,
    lookers: RedisLookers,
    people: PeopleStore,
    tickets: TicketStore,
    challenges: ChallengeStore,
    moderation: ModerationStore,
    admission: AdmissionStore,
    origins: OriginStore,
    rights: RightsStore,
    feeds: Feeds,
    counter: Counter,
    questions: AsksAI,
    checks: Mapping[str, Callable[[], bool | None]],
    redis_states: Callable[[], Mapping[str, str]],
    read_worker_status: Callable[[], WorkerStatus],
    preconditions: Callable[[], Mapping[str, bool]] = dict,
) -> Flask:
    """Return the API, using the given stores.

    Args:
        counter: the shared counters of rate limits.
        questions: players' questions to the AI.
        checks: name of a part of the service -> function that returns whether it is available; None: unknown.
        redis_states: returns the state of each Redis, that of the tables first.
        read_worker_status: returns heartbeats and job metrics.
        preconditions: returns whether Redis is set up as it must be, by name.
    """
    metrics = Metrics(read_worker_status, redis_states, dict(settings.expected), preconditions)
    accounts = Accounts(
        players, tokens, identities, results, past_games, inbox, boards, people, moderation, rights, tables.now
    )
    notices = Notices(
        subscriptions=subscriptions,
        inbox=inbox,
        looking=Looking(looks, subscriptions, outbox, lookers, inbox, tables.now),
        tables_of=players.tables_of,
        now=tables.now,
    )
    outbound = outbound_of(settings)
    devices = Devices(
        notices,
        push_key_of(settings),
        outbound,
        relays=bool(settings.push_relay_url),
        any_host=bool(settings.notify_private),
    )
    authenticator = Authenticator(accounts, tables.now, feeds.listen)
    feeds.guard(authenticator)

    def end_token(player: str, token: str) -> bool:
        ended = accounts.rights.end_token(player, token)
        authenticator.forget(player)
        return ended

    who = People(people, inbox, tables.now)
    quick_play = QuickPlay(tickets, who, players, results, inbox, tables, rating_of, tables.now)
    rooms = Rooms(boards, tables, players, inbox)
    team_events = TeamEvents(boards, tables, rooms, settings.record_days)
    streams = Streams(min(settings.max_streams or most_streams(), most_streams()), settings.player_streams)
    usual = cast("Registration", settings.registration)
    names = [each.name for each in settings.operators]
    gate = Gate(
        admission.doors,
        usual,
        streams,
        [
            *(each.name for each in (pages, client_pages)),
            *(f"{each.name}.{one.id}" for each in RESOURCES for one in each.operations if one.lets_blocked_in),
        ],
        tables.now,
        begin=lambda gate: feeds.beat(gate, READ_S),
        soon=feeds.tell,
    )
    feeds.guard(gate)
    app = _Api("service", static_folder=None)
    app.extensions["services"] = Services(
        settings=settings,
        tables=tables,
        accounts=accounts,
        identities=Identities(identities, accounts, hash_of, tables.now),
        sign_ins=SignIns(identities, _providers(settings), settings.cors_origins, hash_of),
        apps=Apps(app_grants, accounts, end_token, lambda: token_of(new_salt(), None), hash_of),
        people=who,
        quick_play=quick_play,
        challenges=Challenges(challenges, who, players, inbox, tables, tables.store),
        moderation=Moderation(
            moderation, players, inbox, tables, quick_play, accounts.erase, boards.rename, tables.now
        ),
        admission=Admission(admission, origins, players, settings.invites, names, tables.now),
        gate=gate,
        inbox=Inbox(inbox, tables.now),
        notices=notices,
        webhooks=Webhooks(notices, outbox, outbound),
        devices=devices,
        players=players,
        idempotency=idempotency,
        archive=archive,
        analyses=analyses,
        results=results,
        past_games=past_games,
        boards=Boards(
            boards,
            tables,
            players,
            settings.daily_events,
            settings.record_days,
            ladder=settings.bot_ladder,
            games=past_games.count,
        ),
        team_events=team_events,
        team_entries=Entries(team_events, players, inbox, who.takes_invitations, who.is_apart),
        director=Director(team_events, rooms, people.blocked_among),
        overseer=Overseer(team_events, boards, tables),
        feeds=feeds,
        authenticator=authenticator,
        rate_limiter=RateLimiter(counter, _budgets(settings), lambda: tables.now() / 1000),
        metrics=metrics,
        streams=streams,
        presence=Presence(tables, lookers, people),
        questions=questions,
        checks=checks,
        redis_states=redis_states,
        preconditions=preconditions,
        read_worker_status=read_worker_status,
    )
    app.url_map.converters["id"] = app.url_map.converters["default"] = _IdConverter
    app.url_map.converters["code"] = _CodeConverter
    # Without this, `//v1` would be redirected instead of not found.
    app.url_map.merge_slashes = False
    error_handlers.register(app)
    for blueprint in (*RESOURCES, oauth, pages, client_pages):
        app.register_blueprint(blueprint)
    app.wsgi_app = Middleware(app.wsgi_app, settings, metrics)  # type: ignore[method-assign]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    return app


def _providers(settings: Settings) -> list["Provider"]:
    if not settings.oidc_providers:
        return []
    # Imported here, since checking signatures takes nine megabytes.
    from service.sign_in.providers import Provider  # noqa: PLC0415

    fetch = Outbound(total_s=_PROVIDER_S).fetch
    return [Provider(told, fetch) for told in settings.oidc_providers]


def _budgets(settings: Settings) -> dict[str, Budget]:
    return {
        "register": settings.limit_register,
        "create": settings.limit_create,
        "chat": settings.limit_chat,
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


def _health_of(settings: Settings) -> Health:
    """Return the health of the Redis of the tables and of the queues, if those have their own."""
    urls = {TABLES: settings.redis_url}
    if settings.queue_redis_url:
        names = ["queues", *(f"queues-{number}" for number in range(2, len(settings.queue_urls) + 1))]
        urls |= dict(zip(names, settings.queue_urls, strict=True))
    return Health(
        {name: command_client(url, connections=2, retries=0, answer_s=ANSWER_S) for name, url in urls.items()}
    )


def _heartbeats_count(health: Health, now: SharedClock) -> bool:
    """Return whether workers and clocks could send heartbeats lately, so that one without is gone."""
    return not health.failed_within(_SETTLED_S) and now() - now.interruptions().ended_at() > 1000 * _SETTLED_S


def build(settings: Settings) -> Flask:
    """Return the API for production, on the Redis of the settings."""
    logs.configure(settings)
    keys.use_buckets(settings.buckets)
    client = command_client(settings.redis_url)
    now = SharedClock(client, is_api=not settings.only_streams)
    stores = redis_stores(client, replicas=settings.append_replicas)
    results, past_games, inbox = RedisResultStore(client), RedisPastGameStore(client), RedisInboxStore(client)
    boards = RedisBoardStore(client)
    queue_redises = [queue_client(url) for url in settings.queue_urls]
    looks, outbox = RedisLookStore(client), RedisOutbox(client)
    people = RedisPeopleStore(client)
    announcements = Announcements(command_client(settings.redis_url, retries=0))
    feeds = Feeds(announcements, stores.tables, now, lambda players: people.note_here(players, now()))
    traces = traces_of(settings, "shengji-api")
    health = _health_of(settings)
    queues = SeveralQueues(queues_of(queue_redises, now, traces))
    keeper = BoardKeeper(boards)
    tables = Tables(
        stores.tables,
        now=now,
        enqueue=queues.enqueue,
        keep=Keeper(
            stores.archive,
            results,
            past_games,
            stores.players.get,
            settings.record_days,
            tell=Inbox(inbox, now).game_kept,
            note=keeper.note,
        ).keep,
        streams=feeds,
        interrupted=now.interruptions,
    )
    keeper.rooms = Rooms(boards, tables, stores.players, inbox)
    app = create_app(
        settings,
        tables=tables,
        players=stores.players,
        tokens=RedisTokenStore(client),
        identities=RedisIdentityStore(client),
        app_grants=RedisAppGrants(client),
        idempotency=stores.idempotency,
        archive=stores.archive,
        analyses=RedisAnalysisStore(client),
        results=results,
        past_games=past_games,
        boards=boards,
        inbox=inbox,
        subscriptions=RedisSubscriptionStore(client),
        looks=looks,
        outbox=outbox,
        lookers=RedisLookers(client, now),
        people=people,
        tickets=RedisTicketStore(client),
        challenges=RedisChallengeStore(client),
        moderation=RedisModerationStore(client),
        admission=RedisAdmissionStore(client),
        origins=RedisOriginStore(client),
        rights=RedisRightsStore(client),
        feeds=feeds,
        counter=RedisStorage("redis://", connection_pool=queue_redises[0].connection_pool),
        questions=SeveralQuestions(
            [
                Questions(redis, its, lambda redis=redis: alive(redis, "searcher", now()))  # type: ignore[misc]
                for redis, its in zip(queue_redises, queues.parts, strict=True)
            ]
        ),
        checks={
            "store": lambda: is_reachable(client),
            **{
                name: lambda role=role, redises=redises: all_served(  # type: ignore[misc]
                    redises, role, now(), is_trusted=lambda: _heartbeats_count(health, now)
                )
                for name, role, redises in (
                    ("workers", "worker", queue_redises),
                    ("clock", "clock", queue_redises),
                    ("searchers", "searcher", queue_redises),
                    ("messengers", "messenger", queue_redises[:1]),
                )
                if role in _NEEDED or dict(settings.expected).get(role)
            },
        },
        redis_states=health.states,
        preconditions=lambda: met(client, accepts_loss=bool(settings.accept_loss), replicas=settings.append_replicas),
        read_worker_status=lambda: read_all(
            queue_redises, stores.tables, QUEUES, now(), lambda: oldest_due(looks, outbox)
        ),
    )
    if traces is not None:
        app.wsgi_app = TracedRequests(app.wsgi_app, traces, route_of)  # type: ignore[method-assign]
    return app
