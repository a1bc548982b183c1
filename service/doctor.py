"""`shengji doctor`: examine a service and its machine, and say what is wrong and what to do.

It reads the settings of the environment, as every process does, and may be run beside a running service or before the
first start. It changes nothing, except for a mark that expires, which it writes to see whether Redis takes writes. With
`--url`, the address at which players reach the service, it looks at what stands in between: it makes a guest there,
opens an event stream, and deletes the guest again.

Exit status: 0 if nothing is wrong, else 1.
"""

import argparse
import errno
import json
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from redis import Redis
from redis.exceptions import RedisClusterException, RedisError

from service.common.settings import Settings, SettingsError
from service.jobs.worker_status import ROLES, alive
from service.processes.embedded_redis import EmbeddedRedis
from service.processes.redis_programs import ProgramError, choose
from service.run import CannotRunError, address, check_folder
from service.store import keys
from service.store.connections.clients import command_client
from service.store.connections.commands import Client
from service.store.connections.health import ANSWER_S, OK, TABLES, Health
from service.store.connections.opening import CannotStartError, answering, newer_release, open_queues
from service.store.connections.preconditions import sentences, unmet

#: How long a server may take to answer (s).
_WAIT_S: Final = 3.0
#: Least room on the disk of the data (bytes): a rewrite of the log needs as much again as all tables take.
_LEAST_ROOM: Final = 1_000_000_000
#: The service sends the first bytes of a stream at once; a proxy that has passed on nothing by then collects them (s).
_STREAM_S: Final = 5.0
#: Largest difference between the clocks of this machine and of what answers at `--url` (s).
_MOST_APART_S: Final = 30.0
_STATES: Final = {
    "memory-full": "has no memory left and refuses writes: raise `maxmemory`, or let fewer tables be kept",
    "disk-full": "cannot write to its disk and refuses writes: make room there",
    "read-only": "is a replica and takes no writes: name the primary",
    "no-replica": "has too few replicas and refuses writes: see `min-replicas-to-write`",
    "starting": "is loading its data: wait, and look again",
    "hanging": "does not answer in time: look for a slow disk or a script that runs forever",
    "gone": "does not answer any more: start it",
    "refusing": "refuses writes: see its log",
}


class Finding(NamedTuple):
    """What one examination has found. `is_wrong`: None if it could not tell."""

    subject: str
    is_wrong: bool | None
    text: str


def examine(settings: Settings, url: str = "") -> Iterator[Finding]:
    """Yield the findings about a service, in the order in which faults are best mended."""
    yield from _folder(settings)
    yield from _disk(settings)
    yield from _address(settings)
    running = _readiness(settings)
    if running is None and (own := _elsewhere(settings)):
        yield Finding(
            "port",
            False,
            f"nothing answers at {address(settings)}, but the service on {settings.data_dir.absolute()} runs at "
            f"{address(own)}: looking at that one",
        )
        settings, running = own, _readiness(own)
    yield from _port(settings, running)
    yield from _redis(settings)
    yield from _queues(settings)
    yield from _processes(settings, running)
    if url:
        yield from _outside(url.rstrip("/"))


# --- this machine -----------------------------------------------------------------------------------------------------


def _folder(settings: Settings) -> Iterator[Finding]:
    if settings.redis_url:
        return
    try:
        check_folder(settings.data_dir)
        yield Finding("folder", False, f"{settings.data_dir.absolute()} can be written")
    except CannotRunError as error:
        yield Finding("folder", True, str(error))


def _disk(settings: Settings) -> Iterator[Finding]:
    if settings.redis_url:
        return
    folder = settings.data_dir.absolute()
    there = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(there).free
    text = f"{free / 1e9:.1f} GB are free for {folder}"
    if free < _LEAST_ROOM:
        yield Finding("disk", True, f"{text}, too little for the log of Redis: make room for 1 GB, or move DATA_DIR")
    else:
        yield Finding("disk", False, text)


def _address(settings: Settings) -> Iterator[Finding]:
    """Look for a machine that is reached by IPv6 alone, while the service listens on IPv4."""
    is_four = ":" not in settings.host
    if is_four and not settings.host.startswith("127.") and not _has_route(4) and _has_route(6):
        yield Finding(
            "address",
            True,
            f"HOST={settings.host} listens on IPv4 alone, and this machine has only IPv6: set HOST=::, for both",
        )
    else:
        yield Finding("address", False, f"listens on {settings.host}")


def _has_route(family: int) -> bool:
    """Return whether this machine has a route to the internet by IPv4 or IPv6. Sends nothing."""
    # Addresses for documentation (RFC 5737, RFC 3849).
    kind, place = (socket.AF_INET, "192.0.2.1") if family == 4 else (socket.AF_INET6, "2001:db8::1")
    try:
        with socket.socket(kind, socket.SOCK_DGRAM) as line:
            line.connect((place, 9))
    except OSError:
        return False
    return True


def _port(settings: Settings, running: "Readiness | None") -> Iterator[Finding]:
    if running is not None:
        yield Finding("port", False, f"a service answers at {address(settings)}")
        return
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
        yield Finding("port", False, f"port {settings.port} is free; no service runs here")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = "is taken by another program: stop that one, or set PORT to another number"
        else:
            why = f"cannot be listened on at {settings.host} ({error.strerror}): set HOST to an address of this machine"
        yield Finding("port", True, f"port {settings.port} {why}")


def _elsewhere(settings: Settings) -> Settings | None:
    """Return the settings with the address at which `shengji run` serves these data now; None: it does not run."""
    owner = None if settings.redis_url else EmbeddedRedis(settings.data_dir / "redis").owner()
    if owner is None or not owner.serves or owner.serves == address(settings):
        return None
    url = urlsplit(owner.serves)
    return replace(settings, host=url.hostname or settings.host, port=url.port or settings.port)


# --- Redis ------------------------------------------------------------------------------------------------------------


def _redis(settings: Settings) -> Iterator[Finding]:
    url = settings.redis_url
    if not url:
        own = EmbeddedRedis(settings.data_dir / "redis")
        if not own.folder.is_dir() or not own.running():
            yield from _program(own.folder)
            return
        url = own.url
    try:
        client = answering("REDIS_URL", url, _client_that_tries_once, _WAIT_S)
    except CannotStartError as error:
        yield Finding("redis", True, str(error))
        return
    try:
        faults = list(_faults(client, settings))
    except (RedisError, RedisClusterException) as error:
        faults = [f"REDIS_URL: {error}"]
    finally:
        client.close()
    yield from (Finding("redis", True, text) for text in faults)
    if not faults:
        yield Finding("redis", False, "answers, takes writes, keeps its data, and agrees on the time")


def _client_that_tries_once(url: str) -> Client:
    return command_client(url, connections=2, retries=0, answer_s=ANSWER_S)


def _faults(client: Client, settings: Settings) -> Iterator[str]:
    state = Health({TABLES: client}).states()[TABLES]
    if state != OK:
        yield f"Redis {_STATES[state]}"
    missing = unmet(client, replicas=settings.append_replicas)
    if settings.accept_loss:
        missing = {name: text for name, text in missing.items() if name == "time"}
    yield from sentences(missing)
    stored = client.get(keys.BUCKETS)
    if stored is not None and int(stored) != settings.buckets:
        yield f"BUCKETS={settings.buckets}, but the tables are in {int(stored)} buckets: set BUCKETS={int(stored)}"
    needed = newer_release(client)
    if needed:
        yield f"the data need release {needed} or newer, and this is an earlier one: install that release"


def _program(folder: Path) -> Iterator[Finding]:
    try:
        yield Finding("redis", False, f"{choose(folder).text} will be started with the service")
    except ProgramError as error:
        yield Finding("redis", True, str(error))


def _queues(settings: Settings) -> Iterator[Finding]:
    if not settings.queue_redis_url:
        return
    try:
        faults = open_queues(settings.queue_urls, 0)
    except CannotStartError as error:
        faults = [str(error)]
    yield from (Finding("queues", True, text) for text in faults)
    if not faults:
        yield Finding("queues", False, f"{len(settings.queue_urls)} answer")


# --- the running service ----------------------------------------------------------------------------------------------


class Readiness(NamedTuple):
    """What `/readyz` of the running service answers: the status, and the text."""

    status: int
    detail: str


def _readiness(settings: Settings) -> Readiness | None:
    """Return what the service on this machine says of itself; None if none runs."""
    token = next((each.token for each in settings.operators), "")
    with suppress(OSError, ValueError):
        status, answer = _ask(f"{address(settings)}/readyz", headers={"Authorization": f"Bearer {token}"})
        if status == HTTPStatus.OK:
            return Readiness(status, "")
        return Readiness(status, str(answer["detail"]))
    return None


def _processes(settings: Settings, running: Readiness | None) -> Iterator[Finding]:
    if running is None:
        there = [role for role in ROLES if _has(settings, role)]
        found = (
            f"no API answers at {address(settings)}, but processes use this Redis ({', '.join(there)}): if their API "
            "is on this machine, set PORT and HOST to those that it has, and look again"
            if there
            else f"no API answers at {address(settings)}, and no process uses this Redis: no service runs"
        )
        yield Finding("processes", None, found)
    elif running.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        yield Finding("processes", None, "the service does not know this OPERATOR_TOKEN: set the one that it has")
    elif running.status != HTTPStatus.OK:
        yield Finding("processes", True, running.detail)
    else:
        yield Finding("processes", False, "all parts of the service are there")


def _has(settings: Settings, role: str) -> bool:
    """Return whether a process in a role uses the Redis of the queues now; False if that does not answer."""
    own = EmbeddedRedis(settings.data_dir / "redis")
    urls = settings.queue_urls or ((own.url,) if own.socket.exists() else ())
    for url in urls:
        with suppress(RedisError, RedisClusterException, OSError), closing(_client_that_tries_once(url)) as client:
            seconds, micros = client.time()
            # Queues are never in a cluster.
            if isinstance(client, Redis) and alive(client, role, seconds * 1000 + micros // 1000):
                return True
    return False


def _ask(url: str, data: object = None, headers: dict[str, str] | None = None, method: str = "") -> tuple[int, Any]:
    """Return status and JSON of an answer."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **(headers or {})})  # noqa: S310 - an address that the operator wrote
    request.method = method or request.get_method()
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


# --- what stands between it and its players ---------------------------------------------------------------------------


def _outside(url: str) -> Iterator[Finding]:
    try:
        yield _clock(url)
        status, guest = _ask(f"{url}/v1/players", {"name": "Doctor", "kind": "bot"})
        if status != HTTPStatus.CREATED:
            yield Finding("proxy", None, f"{url} takes no guest, so that no stream can be tried: {guest['detail']}")
            return
        allowed = {"Authorization": f"Bearer {guest['token']}"}
        try:
            yield _stream(url, allowed)
        finally:
            _ask(f"{url}/v1/me", headers=allowed, method="DELETE")
    except (OSError, ValueError, TypeError, KeyError) as error:
        yield Finding("proxy", True, f"{url} does not answer as this service does ({error!r}): see where it leads")


def _clock(url: str) -> Finding:
    """Compare the clock of this machine with the `Date` of an answer, which a proxy on another machine may write."""
    with urllib.request.urlopen(f"{url}/healthz", timeout=10) as answer:  # noqa: S310
        there = answer.headers["Date"]
    apart = time.time() - parsedate_to_datetime(there).timestamp()
    if abs(apart) > _MOST_APART_S:
        return Finding("time", True, f"the clock here is {apart:+.0f} s from that of {url}: let NTP set both")
    return Finding("time", False, f"agrees with that of {url}")


def _stream(url: str, allowed: dict[str, str]) -> Finding:
    """Open the event stream of an account; its first bytes must come at once."""
    request = urllib.request.Request(  # noqa: S310
        f"{url}/v1/me/events", headers={"Accept": "text/event-stream", **allowed}
    )
    try:
        with urllib.request.urlopen(request, timeout=_STREAM_S) as stream:  # noqa: S310
            stream.readline()
    except TimeoutError:
        return Finding(
            "proxy",
            True,
            f"{url} passes on nothing of an event stream within {_STREAM_S:g} s: turn off buffering of responses "
            "there (nginx: `proxy_buffering off;`; Caddy: no `buffer_responses` or `response_buffers`)",
        )
    return Finding("proxy", False, f"{url} passes on event streams at once")


def main() -> int:
    """Print the findings, and return the exit status."""
    parser = argparse.ArgumentParser(prog="shengji doctor", description=__doc__, formatter_class=_PLAIN)
    parser.add_argument("--url", default="", help="where players reach the service, such as https://play.example")
    arguments = parser.parse_args()
    try:
        settings = Settings.from_env()
    except SettingsError as error:
        say(Finding("settings", True, str(error)))
        return 1
    say(Finding("settings", False, "all can be read"))
    wrong = unknown = 0
    for finding in examine(settings, arguments.url):
        say(finding)
        wrong += finding.is_wrong is True
        unknown += finding.is_wrong is None
    right = "Nothing is wrong." if not unknown else "Nothing is wrong in what could be looked at; the rest has a `?`."
    sys.stdout.write(f"{wrong} to mend.\n" if wrong else f"{right}\n")
    return 1 if wrong else 0


_PLAIN: Final[Callable[..., Any]] = argparse.RawDescriptionHelpFormatter
_MARKS: Final = {True: "WRONG", False: "ok", None: "?"}


def say(finding: Finding) -> None:
    """Print a finding."""
    sys.stdout.write(f"{finding.subject:<10} {_MARKS[finding.is_wrong]:<6} {finding.text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
