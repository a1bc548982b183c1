"""The service itself: what it is, whether it is well, what it counts."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from flask import Response

from service.api.http.operations import Call, Resource
from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.api.http.responses import reply
from service.api.schemas import meta as schemas
from service.game.views.fields import timestamp
from service.rules.rulesets import RULESETS
from service.settings import VERSION
from service.texts import LANGUAGES

resource: Final = Resource("Service", "What this service is, and whether it is well.")


@resource.operation("GET", "/v1", gives=schemas.About(), who=None, budget=None)
def get_service(call: Call) -> Response:
    """Read what this service is.

    Versions, languages, limits, and the time here: a client that shows clocks compares it with its own.
    """
    settings = call.services.settings
    budgets = call.services.budgets.budgets
    return reply(
        {
            "name": "shengji-service",
            "version": VERSION,
            "api_versions": ["v1"],
            "languages": list(LANGUAGES),
            "rulesets": list(RULESETS),
            "limits": {
                "max_body_bytes": settings.max_body_bytes,
                "budgets": [
                    {"name": name, "requests": budget.limit, "window_s": budget.window_s}
                    for name, budget in budgets.items()
                    if budget.limit
                ],
            },
            "server_time": timestamp(call.services.tables.now()),
        }
    )


@resource.operation("GET", "/healthz", gives=schemas.Health(), who=None, budget=None)
def get_health(_: Call) -> Response:
    """Ask whether the API answers.

    It does not look at anything that it depends on; `/readyz` does.
    """
    return reply({"status": "ok"})


@resource.operation("GET", "/readyz", gives=schemas.Readiness(), who=None, budget=None)
def get_readiness(call: Call) -> Response:
    """Ask whether all parts of the service are there.

    503 with the same in `params` if one is not, as far as it is known.
    """
    checks = {name: _passes(check) for name, check in call.services.checks.items()}
    told: dict[str, Any] = {}
    with suppress(Exception):
        vitals = call.services.read_vitals()
        told = {"processes": dict(vitals.processes), "waiting": dict(vitals.waiting), "overdue": vitals.overdue}
    if not told or not all(checks.values()):
        raise Unavailable(retry_after_s=RETRY_AFTER_S, checks=checks, **told)
    return reply({"status": "ok", "checks": checks, **told})


def _passes(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:  # noqa: BLE001 (whatever goes wrong in a check, the part is not there)
        return False


@resource.operation(
    "GET",
    "/metrics",
    media={"text/plain": "Counts and times in the text format of Prometheus. No label holds an id."},
    who=None,
    budget=None,
)
def get_metrics(call: Call) -> Response:
    """Read what the API has counted.

    Requests and their times by route, and the streams that are open now.
    """
    return Response(call.services.metrics.page(), content_type="text/plain; version=0.0.4; charset=utf-8")
