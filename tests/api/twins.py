"""Twins: copies of a world in which different things happen, and everything that readers are answered in each.

What is secret makes no difference to an answer. Operations come from the document, so a new one is asked too.
"""

import json
import re
from dataclasses import fields, replace

from harness.document import document
from service.common.settings import Budget, Settings
from tests.api.conftest import World

#: What differs between two copies of one world by itself: ids, secrets and commitments that a request makes anew.
_MOVING = re.compile(
    r'"(request_id|token|code|user_code|link|server_entropy|commitment|secret|watch_code|join_code|recovery_code|ticket|url|member|watcher)'
    r'":"[^"]*"|\?code=\w+|rq_\w+|sha256:\w+|"player":\{"id":"pl_\w+|\b(tb|gm|ch|tk|iv|rp|ev|tm|ak|wh|to|vt|st|dv|rm|co|cb)_\w+'
)
_TABLES = re.compile(r'"tables":\[[^]]*\]')
#: Lines of metrics that depend on time.
_TIMED = re.compile(r"^.*(seconds|_created|process_|python_|event_streams).*$", re.MULTILINE)
#: Operations after which a reader has no token any more.
_LAST = frozenset({("delete", "/v1/me"), ("post", "/v1/me/token")})
#: Enough for all operations in a row.
_PLENTY = {each.name: Budget(1_000_000, 60) for each in fields(Settings) if each.name.startswith("limit_")}


class Twins:
    """Copies of a world as it is now, each with a process of its own."""

    def __init__(self, world):
        self._world = world
        world.settings = replace(world.settings, **_PLENTY)
        self._kept = [
            (key, max(0, world.redis.pttl(key)), world.redis.dump(key)) for key in world.redis.scan_iter("sj:*")
        ]
        self.now = world.now

    def copy(self):
        """The world as it was, in place of the one before; end it with `close`."""
        redis = self._world.redis
        redis.flushdb()
        for key, left_ms, value in self._kept:
            redis.restore(key, left_ms, value)
        new_world = World(self._world.redis_url, self._world.settings)
        new_world.now = self.now
        return new_world

    def answers(self, happens, readers, values):
        """What readers are answered in a copy in which something has happened: (reader, operation) -> answer.

        Args:
            happens: called with the copy.
            readers: name -> token, and whether it also sends requests that change something.
            values: parameter of a path or query -> value, for every one that there is.
        """
        twin = self.copy()
        try:
            happens(twin)
            twin.now = self.now
            twin.start()
            return {
                (name, *operation): exchange(twin.anybody.with_token(token), *operation, values)
                for name, (token, changes) in readers.items()
                for operation in operations(changes=changes)
            }
        finally:
            twin.close()


def operations(*, changes):
    """Method and path of every operation of the document: those that read first."""
    listed = [
        (method, path)
        for path, item in document()["paths"].items()
        for method in item
        if method in ("get", "post", "put", "patch", "delete")
    ]
    wanted = [each for each in listed if each not in _LAST and (changes or each[0] == "get")]
    return sorted(wanted, key=lambda each: each[0] != "get")


def exchange(client, method, path, values):
    """The answer to an operation with the example of its document as body: status, ETag and what it says."""
    operation = document()["paths"][path][method]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    # With the codes of the table instead of invented ones.
    body = {**body, **{name: values["code"] for name in body if name.endswith("_code")}} if body else body
    queries = [each for each in map(_whole, operation.get("parameters", [])) if each["in"] == "query"]
    query = "&".join(f"{each['name']}={values[each['name']]}" for each in queries if each.get("required"))
    url = re.sub(r"\{(\w+)\}", lambda name: str(values[name[1]]), path) + (f"?{query}" if query else "")
    answer = client.send(method.upper(), url, body)
    assert method != "get" or answer.status_code not in (400, 422), f"{method} {url}: {answer.json}"
    text = _MOVING.sub("", answer.get_data(as_text=True))
    # Operators learn at which tables a player is; in an event of teams, the next one opens when a board ends.
    text = _TABLES.sub("", text) if path == "/v1/operator/players/{player}" else text
    text = _TIMED.sub("", text) if path == "/metrics" else text
    return answer.status_code, answer.headers.get("ETag"), text


def _whole(parameter):
    name = parameter.get("$ref", "").rpartition("/")[2]
    return document()["components"]["parameters"][name] if name else parameter


def differing(one, other):
    """What two readings tell apart: (reader, operation) -> both answers, shortened to where they differ."""
    differences = {}
    for what, first in one.items():
        pair = json.dumps(first), json.dumps(other[what])
        if pair[0] != pair[1]:
            at = next((at for at, (a, b) in enumerate(zip(*pair, strict=False)) if a != b), 0)
            differences[what] = [text[max(0, at - 90) : at + 100] for text in pair]
    return differences
