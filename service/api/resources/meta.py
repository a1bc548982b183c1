"""The service itself: version, limits, health, metrics."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from flask import Response

from service.api.entrance.operators import check_operator
from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import meta as schemas
from service.common.settings import VERSION
from service.game.state.levels import AI_LEVELS
from service.game.views.fields import timestamp
from service.rules.options.rulesets import RULESETS
from service.store.connections.health import OK, SILENT, TABLES
from service.texts import READ
from service.texts.ai_levels import LEVELS
from service.texts.settings import SETTINGS

#: Budget -> what it counts, if not requests: seconds of searchers, or stored bytes.
UNITS: Final = {"analyse": "seconds", "keep": "bytes", "keep_address": "bytes"}

resource: Final = Resource("Service", "Version, limits, health and metrics of the service.")


@resource.operation("GET", "/v1", response=schemas.About(), auth=None, budget=None)
def get_service(request: ApiRequest) -> Response:
    """Read version, limits and time of the service.

    Clients that show remaining times compare `server_time` with their own clock.
    """
    settings = request.services.settings
    budgets = request.services.rate_limiter.budgets
    return json_response(
        {
            "name": "shengji-service",
            "version": VERSION,
            "api_versions": ["v1"],
            "languages": list(READ),
            "rulesets": list(RULESETS),
            "ai_levels": [{"id": level, **LEVELS[level]} for level in AI_LEVELS],
            "limits": {
                "max_body_bytes": settings.max_body_bytes,
                "host_tables": settings.host_tables or None,
                "budgets": [
                    {
                        "name": name,
                        "requests": budget.limit,
                        "unit": UNITS.get(name, "requests"),
                        "window_s": budget.window_s,
                    }
                    for name, budget in budgets.items()
                    if budget.limit
                ],
            },
            "registration": request.services.gate.registration,
            "sign_in": [provider.name for provider in settings.oidc_providers],
            "server_time": timestamp(request.services.tables.now()),
            "table_settings": [{"name": name, "meaning": meaning} for name, meaning in SETTINGS.items()],
        }
    )


@resource.operation("GET", "/healthz", response=schemas.Health(), auth=None, budget=None, is_for_blocked=True)
def get_health(_: ApiRequest) -> Response:
    """Check that the API is alive.

    Checks nothing that the API depends on; `/readyz` does.
    """
    return json_response({"status": "ok"})


@resource.operation("GET", "/livez", response=schemas.Health(), auth=None, budget=None, is_for_blocked=True)
def get_liveness(_: ApiRequest) -> Response:
    """Check that the API is alive, as `/healthz` does.

    For an orchestrator: it restarts a process that does not answer.
    """
    return json_response({"status": "ok"})


@resource.operation(
    "GET",
    "/readyz",
    query=schemas.ReadinessQuery(),
    response=schemas.Readiness(),
    other_statuses={204: "With `for=traffic`: this process can take requests."},
    auth=None,
    budget=None,
    errors=("operators-only", "rate-limited"),
    is_for_blocked=True,
)
def get_readiness(request: ApiRequest) -> Response:
    """Check that all parts of the service are available.

    If one is not, the response is 503: its `detail` says which and why, and `params` has the same fields as far as they
    are known; a part whose state is unknown is null in `checks`. Each Redis is tried with a write. For operators: send
    `OPERATOR_TOKEN` as a bearer token; if the service has none, only requests from its own machine are answered.
    `for=traffic` is open to anybody: 204 if this process and Redis answer, which is all that requests need, or else
    503.
    """
    if request.query.get("for") == "traffic":
        if not _passes(request.services.probes.checks["store"]):
            raise Unavailable(retry_after_s=RETRY_AFTER_S)
        return empty_response()
    check_operator(request.services.settings, request.services.rate_limiter, request.raw, reads=True)
    states = request.services.probes.redis_states()
    # A Redis that hangs is not asked once more, for each part.
    is_silent = any(state in SILENT for state in states.values())
    checks = {name: None if is_silent else _passes(check) for name, check in request.services.probes.checks.items()}
    checks["store"] = checks["store"] is not False and states[TABLES] == OK
    if not is_silent:
        with suppress(Exception):
            # If Redis does not answer, a check above has failed.
            checks |= request.services.probes.preconditions()
    counts: dict[str, object] = {}
    if not is_silent:
        with suppress(Exception):
            status = request.services.probes.read_worker_status()
            counts = {"processes": dict(status.processes), "waiting": dict(status.waiting), "overdue": status.overdue}
            counts["newer_release"] = status.newer_release or None
    if not counts or not all(checks.values()) or any(state != OK for state in states.values()):
        why = _why(states, checks)
        raise Unavailable(retry_after_s=RETRY_AFTER_S, **why, checks=checks, redis=dict(states), **counts)
    return json_response({"status": "ok", "checks": checks, "redis": dict(states), **counts})


def _why(states: Mapping[str, str], checks: Mapping[str, bool | None]) -> dict[str, str]:
    """Return what the sentence names: the Redis that takes no writes, else the part that is missing."""
    for name, state in states.items():
        if state != OK:
            return {"reason": f"redis-{state}", "which": name.partition("-")[0]}
    missing = next((name for name, passes in checks.items() if passes is False), None)
    return {"reason": f"no-{missing}"} if missing else {}


def _passes(check: Callable[[], bool | None]) -> bool | None:
    try:
        return check()
    except Exception:  # noqa: BLE001 (a part whose check fails in any way is unavailable)
        return False


@resource.operation(
    "GET",
    "/metrics",
    media_types={"text/plain": "Metrics in the text format of Prometheus. No label holds an id."},
    auth=None,
    budget=None,
    errors=("operators-only", "rate-limited"),
    is_for_blocked=True,
)
def get_metrics(request: ApiRequest) -> Response:
    """Read the metrics.

    Requests and their durations by route, open event streams, workers and job queues. For operators, as `/readyz`.
    """
    check_operator(request.services.settings, request.services.rate_limiter, request.raw, reads=True)
    return Response(request.services.metrics.page(), content_type="text/plain; version=0.0.4; charset=utf-8")
