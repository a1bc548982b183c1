"""Reports of the service's own errors to Sentry, if `SENTRY_DSN` is set.

Every process logs such an error once, with a traceback, and lines with a traceback are reported
(`service.common.logs`). A report is built by allow-list: type of the error, functions and lines, and id of the request.
It has no message, variables, headers or bodies, which may contain cards, tokens and names.

The package is optional (group `sentry` of `pyproject.toml`), and imported only if needed.
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from service.common.settings import VERSION, Settings, SettingsError

_PACKAGE: Final = "sentry_sdk"
#: Allowed fields of a report, and of each frame of its traceback.
_OF_A_REPORT: Final = ("event_id", "timestamp", "platform", "level", "release", "tags")
_OF_A_FRAME: Final = ("filename", "module", "function", "lineno", "in_app")


def check(settings: Settings) -> None:
    """Check that errors can be reported, if the settings want it.

    Raises:
        SettingsError: the package is not installed.
    """
    if settings.sentry_dsn and find_spec(_PACKAGE) is None:
        raise SettingsError("SENTRY_DSN is set, but Sentry is not installed: run `scripts/setup image`, or unset it")


def start(settings: Settings, transport: object = None) -> None:
    """Report errors from now on, if the settings want it; `transport`: receives the reports instead of Sentry."""
    if not settings.sentry_dsn:
        return
    check(settings)
    import_module(_PACKAGE).init(
        dsn=settings.sentry_dsn,
        release=f"shengji@{VERSION}",
        default_integrations=False,
        auto_enabling_integrations=False,
        auto_session_tracking=False,
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        send_client_reports=False,
        before_send=_scrubbed,
        transport=transport,
    )


def report(error: BaseException, request_id: str) -> None:
    """Report an error if reporting is on; `request_id`: its id in the log, or None."""
    # Reporting is off if the package was not imported.
    sentry = sys.modules.get(_PACKAGE)
    if sentry is None:
        return
    with sentry.new_scope() as scope:
        scope.set_tag("process", " ".join([os.path.basename(sys.argv[0]), *sys.argv[1:2]]))  # noqa: PTH119 - a name
        if request_id:
            scope.set_tag("request_id", request_id)
        scope.capture_exception(error)


def _scrubbed(event: dict[str, Any], _hint: object) -> dict[str, Any]:
    """Return the allowed part of a report."""
    report: dict[str, Any] = {name: event[name] for name in _OF_A_REPORT if name in event}
    report["exception"] = {"values": [_bare(raised) for raised in event.get("exception", {}).get("values", ())]}
    return report


def _bare(raised: dict[str, Any]) -> dict[str, Any]:
    frames = (raised.get("stacktrace") or {}).get("frames", ())
    named = [{name: frame.get(name) for name in _OF_A_FRAME} for frame in frames]
    return {"type": raised.get("type"), "module": raised.get("module"), "stacktrace": {"frames": named}}
