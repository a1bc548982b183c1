"""The composition root of the API: the one place where its parts are put together and its connections opened."""

from collections.abc import Callable, Mapping
from threading import BoundedSemaphore
from typing import Final

from flask import Flask, Request, Response
from limits.storage import RedisStorage
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, MapAdapter

from service import logs, worker_status
from service.api.http import error_handlers, operations
from service.api.http.auth import Identity
from service.api.http.middleware import Frame
from service.api.http.rate_limits import Budgets, Counter
from service.api.metrics import Metrics
from service.api.presence import Presence
from service.api.resources import (
    actions,
    checks,
    events,
    games,
    leaderboard,
    meta,
    oracle,
    pages,
    players,
    rulesets,
    seats,
    tables,
    together,
)
from service.api.services import Services
from service.queues import QUEUES, Queues
from service.results import Keeper
from service.settings import Settings
from service.store.clients import command_client, listening_client, queue_client
from service.store.live import Hub
from service.store.port import ArchiveStore, IdempotencyStore, PlayerStore
from service.store.redis_store import redis_stores
from service.store.results import RedisResultStore, ResultStore
from service.tables import Tables, wall_clock
from service.worker_status import Vitals, alive

#: The resources in the order in which the document shows them.
RESOURCES: Final = (
    meta.resource,
    players.resource,
    rulesets.resource,
    oracle.resource,
    tables.resource,
    seats.resource,
    actions.resource,
    together.resource,
    events.resource,
    games.resource,
    leaderboard.resource,
    checks.resource,
)


class _Id(BaseConverter):
    """Ids and names in paths: what cannot be one is found nowhere."""

    regex = r"[A-Za-z0-9_-]{1,60}"


class _Api(Flask):
    """Flask, but for an answer to `OPTIONS` that claims to be no HTML."""

    def make_default_options_response(self) -> Response:
        answer = Response(status=204, headers={"Allow": super().make_default_options_response().headers["Allow"]})
        del answer.headers["Content-Type"]
        return answer

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match the path alone: which host was asked for matters to no route, and nothing is redirected."""
        if request is None:
            return super().create_url_adapter(None)
        environ = request.environ
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        return self.url_map.bind(
            "api", environ.get("SCRIPT_NAME"), None, environ["wsgi.url_scheme"], request.method, path
        )


def create_app(
    settings: Settings,
    *,
    tables: Tables,
    players: PlayerStore,
    idempotency: IdempotencyStore,
    archive: ArchiveStore,
    results: ResultStore,
    hub: Hub,
    counter: Counter,
    checks: Mapping[str, Callable[[], bool]],
    read_vitals: Callable[[], Vitals],
) -> Flask:
    """Return the API over what is handed in.

    Args:
        counter: the common count of the budgets.
        checks: name -> whether that part of the service is there.
        read_vitals: tells of those who move what no person moves.
    """
    metrics = Metrics(read_vitals)
    budgets = {name: getattr(settings, f"limit_{name}") for name in ("register", "create", "act", "read", "oracle")}
    services = Services(
        settings=settings,
        tables=tables,
        players=players,
        idempotency=idempotency,
        archive=archive,
        results=results,
        hub=hub,
        identity=Identity(players),
        budgets=Budgets(counter, budgets),
        metrics=metrics,
        streams=BoundedSemaphore(settings.max_streams),
        presence=Presence(tables),
        checks=checks,
        read_vitals=read_vitals,
    )
    app = _Api("service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.url_map.converters["id"] = app.url_map.converters["default"] = _Id
    # `//v1` and `/v1/` are not redirected: they are not found, like everything else that is not there.
    app.url_map.merge_slashes = False
    error_handlers.install(app, settings.max_body_bytes)
    operations.register(app, RESOURCES, services)
    app.register_blueprint(pages.pages)
    app.wsgi_app = Frame(app.wsgi_app, settings, metrics)  # type: ignore[method-assign]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    return app


def build(settings: Settings) -> Flask:
    """Return the API as it runs: over the Redis that the settings name."""
    logs.configure(settings)
    client = command_client(settings.redis_url)
    stores = redis_stores(client)
    results = RedisResultStore(client)
    queues = queue_client(settings.queue_url)
    return create_app(
        settings,
        tables=Tables(
            stores.tables,
            enqueue=Queues(queues, wall_clock).enqueue,
            keep=Keeper(stores.archive, results, stores.players.get).keep,
        ),
        players=stores.players,
        idempotency=stores.idempotency,
        archive=stores.archive,
        results=results,
        hub=Hub(listening_client(settings.redis_url)),
        counter=RedisStorage("redis://", connection_pool=queues.connection_pool),
        checks={
            "store": client.ping,
            "workers": lambda: alive(queues, "worker", wall_clock()) > 0,
            "clock": lambda: alive(queues, "clock", wall_clock()) > 0,
        },
        read_vitals=lambda: worker_status.read(queues, stores.tables, QUEUES, wall_clock()),
    )
