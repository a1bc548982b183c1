"""The floor of a play: the cost of the stack below the service, each layer on top of the previous one.

WSGI applications for gunicorn with the service's settings (`bench.floor:flask_app` etc.). The last of them, `floor`,
does what any service built on the same libraries would do for a play: Flask routes it, marshmallow validates the body,
a script writes as many bytes into Redis, structlog logs a line, and the response has as many bytes. It has neither
rules nor players.

Environment: `FLOOR_ANSWERED` and `FLOOR_STORED`, the bytes of a response and those sent to Redis.
"""

import json
import os
from collections.abc import Callable, Iterable
from typing import Any, Final

import structlog
from flask import Flask, Response, request
from marshmallow import Schema, fields, validate
from redis import Redis

from service.common import logs
from service.common.settings import Settings

_ANSWER: Final = json.dumps({"x": "y" * max(0, int(os.environ.get("FLOOR_ANSWERED", "600")) - 9)}).encode()
_STORED: Final = "y" * int(os.environ.get("FLOOR_STORED", "4000"))
_PATH: Final = "/v1/tables/<table>/play"

log: Final = structlog.get_logger("bench.floor")


def wsgi(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer without a framework."""
    environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(_ANSWER)))])
    return (_ANSWER,)


class _Play(Schema):
    decision_id = fields.String(required=True, validate=validate.Regexp(r"dc_\d{1,12}"))
    cards = fields.List(fields.String(validate=validate.Length(2, 2)), required=True)


_PLAY: Final = _Play()


def _answered() -> Response:
    return Response(_ANSWER, content_type="application/json")


def _flask(play: Callable[[str], Response]) -> Flask:
    app = Flask("floor", static_folder=None)
    app.add_url_rule(_PATH, view_func=play, methods=["POST"])
    return app


def _read(table: str) -> Response:  # noqa: ARG001 - passed by Flask
    request.get_data()
    return _answered()


def _validate(table: str) -> Response:  # noqa: ARG001 - passed by Flask
    _PLAY.load(request.get_json())
    return _answered()


#: Compare, append two events, replace a snapshot, wake the readers.
_SCRIPT: Final = """
redis.call('HGET', KEYS[1], 'v')
redis.call('XADD', KEYS[2], 'MAXLEN', 100, '*', 'e', ARGV[2])
redis.call('XADD', KEYS[2], 'MAXLEN', 100, '*', 'e', ARGV[3])
redis.call('HSET', KEYS[1], 'v', 1, 's', ARGV[1])
redis.call('PUBLISH', 'floor', KEYS[1])
return 1
"""


def _floor() -> Flask:
    settings = Settings.from_env()
    logs.configure(settings)
    client = Redis.from_url(settings.redis_url or "redis://127.0.0.1")
    script = client.register_script(_SCRIPT)
    event = _STORED[:300]
    snapshot = _STORED[600:]

    def play(table: str) -> Response:
        body = _PLAY.load(request.get_json())
        script(keys=[f"{{{table}}}:head", f"{{{table}}}:log"], args=[snapshot, event, event])
        log.info("play", table=table, decision=body["decision_id"], status=200)
        return _answered()

    return _flask(play)


flask_app: Final = _flask(_read)
marshmallow_app: Final = _flask(_validate)
floor: Final = _floor()
