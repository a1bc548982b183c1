"""Lua scripts, and the translation of the client library's errors into those of the store."""

import hashlib
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from redis.exceptions import NoScriptError, RedisClusterException, RedisError, ResponseError

from service.store.connections.commands import Client, Pipeline
from service.store.port import StoreCorrupt, StoreUnavailable

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")

#: Transient server errors: memory or disk full, a replica, loading, busy, a cluster being reconfigured.
_TRANSIENT: Final = (
    "OOM",
    "MISCONF",
    "READONLY",
    "LOADING",
    "BUSY",
    "MASTERDOWN",
    "NOREPLICAS",
    "CLUSTERDOWN",
    "TRYAGAIN",
)


class Script:
    """A script of `lua/`, by name, preceded by the scripts whose functions it uses.

    Its text is sent only to servers that do not have it yet.
    """

    def __init__(self, name: str, *uses: str) -> None:
        folder = Path(__file__).parent / "lua"
        self.text: Final = "".join((folder / f"{each}.lua").read_text("ascii") for each in (*uses, name))
        self._sha: Final = hashlib.sha1(self.text.encode("ascii"), usedforsecurity=False).hexdigest()

    def run(self, client: Client, keys: Sequence[str], *args: str | bytes | float) -> Any:
        """Run the script and return its raw answer."""
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self.text, len(keys), *keys, *args)

    def add_to(self, pipeline: Pipeline, keys: Sequence[str], *args: str | bytes | float) -> None:
        """Add the script to a pipeline, as text, since a pipeline cannot react to a server without it."""
        pipeline.eval(self.text, len(keys), *keys, *args)


def translate_errors(method: Callable[Concatenate[_S, _P], _R]) -> Callable[Concatenate[_S, _P], _R]:
    """Make a method raise `StoreUnavailable` and `StoreCorrupt` instead of errors of the client library."""

    @wraps(method)
    def wrapped(self: _S, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return method(self, *args, **kwargs)
        except ResponseError as error:
            # Servers before 7 put the reason into the error message of the script.
            if any(word in str(error) for word in _TRANSIENT) or type(error) is not ResponseError:
                raise StoreUnavailable(error) from error
            raise StoreCorrupt(f"{method.__name__} {args[:1]}: {error}") from error
        except (RedisError, RedisClusterException) as error:
            raise StoreUnavailable(error) from error

    return wrapped
