"""Logging in all processes: a line per event on standard output, for people or as JSON.

Lines of the standard library's loggers get the same format.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Final

import structlog
from redis.exceptions import RedisError

from service.common import fastjson, reports
from service.common.settings import Settings

#: Most examined exceptions of a `__cause__` chain.
_CAUSES: Final = 5


def _brief(_: object, __: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Log an unreachable server in one line, without a traceback, which would not help."""
    raised = event.get("exc_info")
    if not raised:
        return event
    error = sys.exc_info()[1] if raised is True else raised[1] if isinstance(raised, tuple) else raised
    for _number in range(_CAUSES):
        if isinstance(error, RedisError | ConnectionError | TimeoutError):
            del event["exc_info"]
            event["error"] = f"{type(error).__name__}: {' '.join(str(error).split())}"
            break
        error = error.__cause__ if isinstance(error, BaseException) else None
    return event


def _traced(_: object, __: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Add the trace id to a line if tracing is on, which is the case if the library is loaded."""
    if traces := sys.modules.get("opentelemetry.trace"):
        context = traces.get_current_span().get_span_context()
        if context.is_valid:
            event["trace_id"] = f"{context.trace_id:032x}"
    return event


def _reported(_: object, level: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Report an error with a traceback. It is a bug, since unreachable servers no longer have one."""
    raised = event.get("exc_info")
    error = sys.exc_info()[1] if raised is True else raised[1] if isinstance(raised, tuple) else raised
    if isinstance(error, BaseException) and level in ("error", "exception", "critical"):
        reports.report(error, str(event.get("request_id", "")))
    return event


_PROCESSORS: Final = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    _traced,
    _brief,
    _reported,
    structlog.processors.format_exc_info,
)

#: The processors in use: one list, since loggers keep the one that they met at their first use.
_chain: Final[list[structlog.types.Processor]] = []


def configure(settings: Settings) -> None:
    """Set level and format for this process, and start reporting. The last call wins."""
    reports.start(settings)
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    render = _as_json if settings.log_format == "json" else _for_people
    _chain[:] = [*_PROCESSORS, render]
    structlog.configure(
        processors=_chain,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_PROCESSORS],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                lambda logger, method, event: render(logger, method, event).decode(),
            ],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)


def _as_json(_: object, __: str, event: MutableMapping[str, object]) -> bytes:
    return fastjson.dumps(event)


def _for_people(_: object, __: str, event: MutableMapping[str, object]) -> bytes:
    """Return `time level event name=value …`, with the traceback of an exception on lines of its own."""
    head = f"{event.pop('timestamp')} {event.pop('level'):7} {event.pop('event')}"
    exception = event.pop("exception", None)
    line = " ".join([head, *(f"{name}={value}" for name, value in event.items())])
    return (line if exception is None else f"{line}\n{exception}").encode()
