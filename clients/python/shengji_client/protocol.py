"""What a client sends, when it tries again, and what responses mean: the protocol without a connection.

`shengji_client.Client` and `shengji_client.asyncio.Client` carry it out. A request is a generator of steps: it yields
what to send and how long to wait, and is given responses and errors, until it returns the reply.
"""

import itertools
import json
import logging
import random
import threading
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, ClassVar, Final, TypedDict
from urllib.parse import urlencode

from shengji_client.models import MADE_FOR
from shengji_client.problems import PASSING, Problem, ServiceError, Unreachable

Json = dict[str, Any]
Query = Mapping[str, object]

#: Base path of the API.
API: Final = "/v1"
#: Timeout of a connection without data, s.
TIMEOUT: Final = 10.0
LONGEST_PAUSE: Final = 30.0
#: Duration of an outage after which the log tells of it, s; then again after twice the time, at least every minute.
OUTAGE: Final = 5.0
log = logging.getLogger("shengji_client")
#: Services whose version has been checked.
_compared: set[str] = set()


def pause_before(attempt: int) -> float:
    """Return the delay before an attempt, s: 0 for the first, then random up to 1, 2, 4 … 30."""
    return random.uniform(0.5, 1) * min(LONGEST_PAUSE, 2.0 ** (attempt - 1)) if attempt else 0.0  # noqa: S311


class Options(TypedDict, total=False):
    """More of a request: its query, for how long the service may delay the response (s), and more headers."""

    query: Query | None
    wait: float
    headers: Mapping[str, str] | None


@dataclass(frozen=True)
class Send:
    """A step of a request: send this. `timeout` is the longest time without data, s."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Pause:
    """A step of a request: wait, s."""

    seconds: float


@dataclass(frozen=True)
class Answer:
    """A whole response: its status, its headers by their names in small letters, and its text."""

    status: int
    headers: Mapping[str, str]
    text: bytes


@dataclass(frozen=True)
class Reply:
    """A response: its status, its headers by their names in small letters, and its JSON (None: no body)."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def etag(self) -> str:
        """The `ETag`, to be sent as `If-Match` or `If-None-Match`; empty: none."""
        return self.headers.get("etag", "")


Steps = Generator[Send | Pause, Answer, Reply]


class _Outage:
    """Logs for how long a service has not answered, and when it answers again. Thread-safe."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._since: float | None = None
        self._tell_at = 0.0
        self._is_reported = False

    def failed(self, why: object) -> None:
        now = time.monotonic()
        with self._lock:
            if self._since is None:
                self._since, self._tell_at, self._is_reported = now, now + OUTAGE, False
            lasted = now - self._since
            if now < self._tell_at:
                return
            self._tell_at, self._is_reported = now + min(60.0, max(OUTAGE, lasted)), True
        log.warning("%s has not answered for %.0f s (%s); trying on", self._url, lasted, why)

    def answered(self) -> None:
        if self._since is None:
            return
        with self._lock:
            since, was_reported, self._since = self._since, self._is_reported, None
        if since is not None and was_reported:
            log.warning("%s answers again, after %.0f s", self._url, time.monotonic() - since)


class Session:
    """A player's requests to a service, and what they share: the token, the pause after 429, what was logged.

    Its arguments are those of `shengji_client.Client`. Thread-safe.
    """

    #: Errors of a connection; the request is sent again.
    failures: ClassVar[tuple[type[Exception], ...]] = (OSError, HTTPException, ValueError)

    def __init__(self, url: str, token: str = "", *, language: str = "en", patience: float = 60.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"the URL of the service must begin with http:// or https://, not {url!r}")
        self.url = url.rstrip("/")
        self.token = token
        self.language = language
        self.patience = patience
        self._lock = threading.Lock()
        self._paused_until = 0.0
        self._outage = _Outage(self.url)
        #: Deprecated operations that were logged: method and last day.
        self._deprecated: set[tuple[str, str]] = set()

    def exchange(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        query: Query | None = None,
        wait: float = 0.0,
        headers: Mapping[str, str] | None = None,
    ) -> Steps:
        """Yield the steps of a request, and return the reply. Arguments and errors are those of `Client.send`."""
        sent = self.headers("application/json")
        if method == "POST":
            sent["Idempotency-Key"] = str(uuid.uuid4())
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        url = f"{self.url}{path}?{urlencode(query)}" if query else self.url + path
        request = Send(method, url, sent | dict(headers or {}), data, TIMEOUT + wait)
        until = time.monotonic() + self.patience
        for attempt in itertools.count(1):
            if left := self.budget():
                yield Pause(left)
            try:
                answer = yield request
                reply = Reply(answer.status, answer.headers, json.loads(answer.text) if answer.text else None)
            except Problem as problem:
                pause = problem.retry_after if problem.retry_after is not None else pause_before(attempt)
                if problem.status not in PASSING or time.monotonic() + pause > until:
                    raise
                if problem.status == 429:
                    self._pause_for(pause)
            except self.failures as error:
                pause = pause_before(attempt - 1)
                if time.monotonic() + pause > until:
                    raise Unreachable(f"{self.url} does not answer ({reason(error)})") from error
            else:
                yield from self._compare_versions()
                self._note_deprecation(method, path, reply.headers)
                return reply
            yield Pause(pause)
        raise AssertionError("the last try returns or raises")

    def budget(self) -> float:
        """Return how long to wait before the next request, s: after 429, the whole client waits."""
        with self._lock:
            left = self._paused_until - time.monotonic()
        return left + random.random() if left > 0 else 0.0  # noqa: S311 (to spread the retries)

    def failed(self, error: Exception) -> None:
        """Note that a request did not reach the service."""
        self._outage.failed(reason(error))

    def answered(self) -> None:
        """Note that the service has answered."""
        self._outage.answered()

    def refusal(self, answer: Answer) -> Problem:
        """Return the problem that a response of another status than 2xx and 304 tells."""
        after = answer.headers.get("retry-after", "")
        pause = float(after) if after.isdigit() else None
        problem = Problem(answer.status, _problem(answer.text), pause, answer.headers.get("location"))
        if problem.status in PASSING and problem.status != 429:
            self._outage.failed(problem)
        else:
            self._outage.answered()
        return problem

    def headers(self, accept: str) -> dict[str, str]:
        """Return the headers of each request, for a response of this media type."""
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Accept": accept, "Accept-Language": self.language, "User-Agent": "shengji-client"} | bearer

    def _compare_versions(self) -> Generator[Send | Pause, Answer]:
        """Log once if the service is older or newer than this package."""
        with self._lock:
            if self.url in _compared:
                return
            _compared.add(self.url)
        try:
            about = (yield from self.exchange("GET", API)).body
        except ServiceError:
            # The request itself has succeeded; the version can be checked another time.
            _compared.discard(self.url)
            return
        if text := difference(about["version"], about["api_versions"]):
            log.warning("%s %s", self.url, text)

    def _note_deprecation(self, method: str, path: str, headers: Mapping[str, str]) -> None:
        """Log once that an operation goes (RFC 9745), and until when it is promised (RFC 8594)."""
        if "deprecation" not in headers:
            return
        until = headers.get("sunset", "an unknown day")
        with self._lock:
            is_new = (method, until) not in self._deprecated
            self._deprecated.add((method, until))
        if is_new:
            log.warning("%s %s is deprecated, and promised until %s", method, path, until)

    def _pause_for(self, seconds: float) -> None:
        with self._lock:
            self._paused_until = max(self._paused_until, time.monotonic() + seconds)


def reason(error: Exception) -> object:
    """Return what an error of a connection is about, without the wrapping of `urllib`."""
    return getattr(error, "reason", error)


def difference(version: str, api_versions: list[str]) -> str:
    """Return a message about a service of this version, or ""."""
    if API.strip("/") not in api_versions:
        return f"is of version {version} and speaks {', '.join(api_versions)}, this package {API}: it may fail"
    theirs, ours = ([int(part) for part in each.split(".")[:2]] for each in (version, MADE_FOR))
    if theirs == ours:
        return ""
    what, then = ("older", "it refuses what it does not know yet")
    if theirs > ours:
        what, then = ("newer", "what is new in it is unknown here")
    return f"is of version {version}, {what} than {MADE_FOR}, for which this package was made: {then}"


def _problem(text: bytes) -> Json:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
