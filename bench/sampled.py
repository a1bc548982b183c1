"""An application with a sampler in its process, which measures the CPU time of its parts.

`bench.sampled:app` is a WSGI application for gunicorn: the one named by `SAMPLED`, by default the service. At each
kernel tick while the process is running, a signal handler finds the innermost frame that belongs to a part. `GET
/samples` returns CPU seconds by part, and starts again. The kernel ticks 100 to 1,000 times per second, so this takes
thousands of requests.
"""

import atexit
import json
import os
import signal
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, Final

_module, _, _name = os.environ.get("SAMPLED", "service.wsgi:app").partition(":")
served: Final = getattr(import_module(_module), _name)
#: Rounded up to a tick by the kernel.
_EVERY_S: Final = 0.001
_OURS: Final = str(Path(__file__).parents[1] / "service") + "/"
#: Part -> prefixes of its files: below `service/`, or else packages. The first match counts.
PARTS: Final = {
    "validation: marshmallow and its fields": ("api/schemas/", "api/http/parsing.py", "marshmallow/"),
    "rules": ("rules/",),
    "views: what a seat may see of table and events": ("game/views/",),
    "state machine: decide and evolve": ("game/",),
    "store, and the client of Redis": ("store/", "redis/", "hiredis/"),
    "streams": ("api/streams/", "api/resources/events.py"),
    "log": ("common/logs.py", "structlog/"),
    "metrics": ("api/metrics.py", "prometheus_client/"),
    "JSON": ("common/fastjson.py",),
    "API: operations, middleware, use cases": ("api/", "app.py", "tables/"),
    "Flask and Werkzeug": ("flask/", "werkzeug/"),
    "gunicorn and gevent": ("processes/gunicorn_worker.py", "gunicorn/", "gevent/"),
}

_OTHER: Final = "other"

_looks: Final = dict.fromkeys((*PARTS, _OTHER), 0)
_since = time.process_time()
# A tick during the shutdown of the interpreter would kill the process.
atexit.register(signal.setitimer, signal.ITIMER_PROF, 0)


@lru_cache(maxsize=4096)
def _part_of(file: str) -> str | None:
    """Return the part of a source file; None: its time counts for the caller."""
    inside = file.removeprefix(_OURS) if file.startswith(_OURS) else file.rpartition("site-packages/")[2]
    return next((part for part, starts in PARTS.items() if inside.startswith(starts)), None)


def _look(_: int, frame: FrameType | None) -> None:
    part = None
    while frame is not None and part is None:
        part = _part_of(frame.f_code.co_filename)
        frame = frame.f_back
    _looks[part or _OTHER] += 1


def _read() -> dict[str, float]:
    """Return the seconds of each part since the last call."""
    global _since  # noqa: PLW0603 - one sampler per process
    now = time.process_time()
    each = (now - _since) / max(1, sum(_looks.values()))
    seconds = {part: each * number for part, number in _looks.items()}
    _looks.update(dict.fromkeys(_looks, 0))
    _since = now
    return seconds


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer `GET /samples`; pass everything else to the application."""
    if environ["PATH_INFO"] != "/samples":
        answer: Iterable[bytes] = served(environ, start_response)
        return answer
    signal.signal(signal.SIGPROF, _look)
    signal.setitimer(signal.ITIMER_PROF, _EVERY_S, _EVERY_S)
    body = json.dumps(_read()).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return (body,)
