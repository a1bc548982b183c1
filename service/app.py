"""The composition root of the API: creates its parts, opens its connections and wires them together."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from flask import Flask, Request, Response
from flask.globals import request_ctx
from limits.storage import RedisStorage
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, Map, MapAdapter

from service.api.alone.pages import alone_pages
from service.api.client_pages import client_pages
from service.api.http import error_handlers
from service.api.http.compression import compressed
from service.api.http.middleware import Middleware, request_context, route_of
from service.api.http.responses import empty_response
from service.api.oauth import oauth
from service.api.pages import pages
from service.api.resources import RESOURCES
from service.api.services import Probes, Services
from service.api.shared_links import shared_links
from service.api.streams.feeds import Feeds
from service.common import logs
from service.common.settings import Settings
from service.common.traces import TracedRequests, traces_of
from service.jobs.queues import QUEUES, Questions
from service.jobs.several import SeveralQuestions, SeveralQueues, all_served, queues_of, read_all
from service.jobs.worker_status import alive
from service.notices.scanner import oldest_due
from service.store import keys
from service.store.connections.clients import command_client, queue_client
from service.store.connections.health import ANSWER_S, TABLES, Health
from service.store.connections.opening import is_reachable
from service.store.connections.preconditions import met
from service.store.live import Announcements
from service.store.shared_clock import SharedClock
from service.store.stores import Stores

#: Names of routes (endpoints and blueprints) that blocked addresses may use.
_OPEN_TO_ALL: Final = frozenset(
    [
        *(each.name for each in (pages, client_pages, alone_pages, shared_links)),
        *(f"{each.name}.{one.id}" for each in RESOURCES for one in each.operations if one.lets_blocked_in),
    ]
)
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
    """Flask without its hooks, which take longer than the view itself (decision 40).

    It compresses responses, and matches routes only by path; its response to `OPTIONS` has no content type.

    Attributes:
        routes: those of all applications of this process, compiled once; None until the first one is complete.
    """

    routes: ClassVar[Map | None] = None

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: object,
    ) -> None:
        """Add a route; with compiled ones, only its view, since the views are what differs between applications."""
        if self.url_map is not _Api.routes:
            super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)
        elif endpoint is not None and view_func is not None:
            self.view_functions[endpoint] = view_func

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
        self.extensions["services"].gate.check(request, _OPEN_TO_ALL)

    def process_response(self, response: Response) -> Response:
        """Compress the response."""
        return compressed(response, request_ctx.request.environ.get("HTTP_ACCEPT_ENCODING"))

    def ensure_sync(self, func: Callable[..., object]) -> Callable[..., object]:
        """Return the function unchanged, since no view is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match only the path: no route depends on the host, and nothing is redirected (decision 40)."""
        if request is None:
            return None
        environ = request.environ
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        scheme, root = environ["wsgi.url_scheme"], environ.get("SCRIPT_NAME", "")
        return MapAdapter(self.url_map, "api", root, "", scheme, path, request.method)


def create_app(services: Services) -> Flask:
    """Return the API."""
    app = _Api("service", static_folder=None)
    app.extensions["services"] = services
    app.url_map = _Api.routes or app.url_map
    app.url_map.converters["id"] = app.url_map.converters["default"] = _IdConverter
    app.url_map.converters["code"] = _CodeConverter
    # Without this, `//v1` would be redirected instead of not found.
    app.url_map.merge_slashes = False
    error_handlers.register(app)
    for blueprint in (*RESOURCES, oauth, pages, client_pages, alone_pages, shared_links):
        app.register_blueprint(blueprint)
    _Api.routes = app.url_map
    app.wsgi_app = Middleware(app.wsgi_app, services.settings, services.metrics)  # type: ignore[method-assign]
    if services.settings.trusted_proxies:
        hops = services.settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    return app


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
    stores = Stores(client, now, replicas=settings.append_replicas)
    queue_redises = [queue_client(url) for url in settings.queue_urls]
    announcements = Announcements(command_client(settings.redis_url, retries=0))
    traces = traces_of(settings, "shengji-api")
    health = _health_of(settings)
    queues = SeveralQueues(queues_of(queue_redises, now, traces))
    services = Services(
        settings,
        stores,
        now,
        feeds=Feeds(announcements, stores.tables, now, lambda players: stores.people.note_here(players, now())),
        counter=RedisStorage("redis://", connection_pool=queue_redises[0].connection_pool),
        questions=SeveralQuestions(
            [
                Questions(redis, its, lambda redis=redis: alive(redis, "searcher", now()))  # type: ignore[misc]
                for redis, its in zip(queue_redises, queues.parts, strict=True)
            ]
        ),
        probes=Probes(
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
            preconditions=lambda: met(
                client, accepts_loss=bool(settings.accept_loss), replicas=settings.append_replicas
            ),
            read_worker_status=lambda: read_all(
                queue_redises, stores.tables, QUEUES, now(), lambda: oldest_due(stores.scans, stores.outbox)
            ),
        ),
        enqueue=queues.enqueue,
        interrupted=now.interruptions,
    )
    app = create_app(services)
    if traces is not None:
        app.wsgi_app = TracedRequests(app.wsgi_app, traces, route_of)  # type: ignore[method-assign]
    return app
