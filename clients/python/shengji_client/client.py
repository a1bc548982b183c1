"""Requests of a player: JSON with a token, with retries, errors as exceptions."""

import http.client
import itertools
import json
import logging
import random
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, Final, Self, cast
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

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

log = logging.getLogger(__name__)
#: Services whose version has been checked.
_compared: set[str] = set()


def pause_before(attempt: int) -> float:
    """Return the delay before an attempt, s: 0 for the first, then random up to 1, 2, 4 … 30."""
    return random.uniform(0.5, 1) * min(LONGEST_PAUSE, 2.0 ** (attempt - 1)) if attempt else 0.0  # noqa: S311


class _NoRedirects(HTTPRedirectHandler):
    """Refuse redirects: the service has none, and a token must not be sent to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


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


class Client:
    """Sends the requests of a player. Thread-safe.

    Args:
        url: URL of the service, such as `https://cards.example`.
        token: token of the player; empty before registration.
        language: language of the texts of problems: `en` or `zh-Hans`.
        patience: how long a request is retried, s.

    Raises:
        ValueError: the URL does not begin with `http://` or `https://`.
    """

    def __init__(self, url: str, token: str = "", *, language: str = "en", patience: float = 60.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"the URL of the service must begin with http:// or https://, not {url!r}")
        self.url = url.rstrip("/")
        self.token = token
        self.language = language
        self.patience = patience
        self._opener = build_opener(_NoRedirects)
        self._lock = threading.Lock()
        self._paused_until = 0.0
        self._outage = _Outage(self.url)
        #: Deprecated operations that were logged: method and last day.
        self._deprecated: set[tuple[str, str]] = set()

    @classmethod
    def register(cls, url: str, name: str, *, kind: str = "bot", code: str | None = None, **settings: Any) -> Self:
        """Register a player, `bot` or `human`, and return its client. Store the `token`, which is shown only now.

        `code` is a registration code, where `GET /v1` has `registration: invited`.
        """
        client = cls(url, **settings)
        body: Json = {"name": name, "kind": kind} | ({"code": code} if code else {})
        client.token = client.request("POST", "/v1/players", body)["token"]
        return client

    def rotate_token(self) -> str:
        """Replace the token by a new one, and use that from now on."""
        self.token = str(self.request("POST", "/v1/me/token")["token"])
        return self.token

    def make_token(self, name: str, scopes: list[str] | None = None) -> Json:
        """Create a token for another device or a helper; by default with the scopes of this one."""
        body: Json = {"name": name} if scopes is None else {"name": name, "scopes": scopes}
        token: Json = self.request("POST", "/v1/me/tokens", body)
        return token

    def request(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        query: Query | None = None,
        wait: float = 0.0,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Send a request; return the JSON of the response, or None if it has no body. `send` returns headers, too.

        It is retried after a lost response, 429, 502, 503 and 504. That is safe: actions name the decision they answer,
        and each `POST` has an `Idempotency-Key`.

        Args:
            method: HTTP method.
            path: begins with `/v1`.
            body: sent as JSON.
            query: query parameters.
            wait: seconds for which the service may delay the response, as in the query.
            headers: more headers, such as `If-Match`.

        Raises:
            Problem: the service refuses the request.
            Unreachable: the service has not answered within the client's patience.
        """
        return self.send(method, path, body, query=query, wait=wait, headers=headers).body

    def send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        query: Query | None = None,
        wait: float = 0.0,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request as `request`, and return the whole response. With `If-None-Match` its status may be 304."""
        sent = self._headers("application/json")
        if method == "POST":
            sent["Idempotency-Key"] = str(uuid.uuid4())
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = Request(self._url(path, query), data, sent | dict(headers or {}), method=method)  # noqa: S310 (the user's own URL)
        until = time.monotonic() + self.patience
        for attempt in itertools.count(1):
            self._wait_for_budget()
            try:
                with self._open(request, TIMEOUT + wait) as answer:
                    text = answer.read()
                    response_headers = {name.lower(): value for name, value in (answer.headers or {}).items()}
                reply = Reply(answer.status, response_headers, json.loads(text) if text else None)
            except Problem as problem:
                pause = problem.retry_after if problem.retry_after is not None else pause_before(attempt)
                if problem.status not in PASSING or time.monotonic() + pause > until:
                    raise
                if problem.status == 429:
                    self._pause_for(pause)
            except (OSError, http.client.HTTPException, ValueError) as error:
                pause = pause_before(attempt - 1)
                if time.monotonic() + pause > until:
                    reason = getattr(error, "reason", error)
                    raise Unreachable(f"{self.url} does not answer ({reason})") from error
            else:
                self._compare_versions()
                self._note_deprecation(method, path, response_headers)
                return reply
            self.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def open_stream(self, path: str, after: str | None, timeout: float) -> http.client.HTTPResponse:
        """Open an event stream, without retries; the caller reads and closes it.

        Args:
            path: begins with `/v1`.
            after: id of the last message read, or None.
            timeout: seconds without data after which reading raises `TimeoutError`.

        Raises:
            Problem: the service refuses it.
            OSError: the service cannot be reached.
        """
        headers = self._headers("text/event-stream") | ({} if after is None else {"Last-Event-ID": after})
        self._wait_for_budget()
        return self._open(Request(self._url(path), headers=headers), timeout)  # noqa: S310 (as above)

    def sleep(self, seconds: float) -> None:
        """Wait before another attempt."""
        time.sleep(seconds)

    def _headers(self, accept: str) -> dict[str, str]:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Accept": accept, "Accept-Language": self.language, "User-Agent": "shengji-client"} | bearer

    def _url(self, path: str, query: Query | None = None) -> str:
        return f"{self.url}{path}?{urlencode(query)}" if query else self.url + path

    def _open(self, request: Request, timeout: float) -> http.client.HTTPResponse:
        try:
            answer: http.client.HTTPResponse = self._opener.open(request, timeout=timeout)
        except HTTPError as error:
            if error.code == 304:
                answer = cast("http.client.HTTPResponse", error)
            else:
                raise self._refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            self._outage.failed(getattr(error, "reason", error))
            raise
        self._outage.answered()
        return answer

    def _refusal(self, error: HTTPError) -> Problem:
        with error:
            after = error.headers.get("Retry-After", "")
            problem = Problem(
                error.code, _problem(error), float(after) if after.isdigit() else None, error.headers.get("Location")
            )
        if problem.status in PASSING and problem.status != 429:
            self._outage.failed(problem)
        else:
            self._outage.answered()
        return problem

    def _compare_versions(self) -> None:
        """Log once if the service is older or newer than this package."""
        with self._lock:
            if self.url in _compared:
                return
            _compared.add(self.url)
        try:
            about = self.request("GET", API)
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

    def _wait_for_budget(self) -> None:
        """After 429, delay all requests of the client, not only the refused one."""
        with self._lock:
            left = self._paused_until - time.monotonic()
        if left > 0:
            self.sleep(left + random.random())  # noqa: S311 (to spread the retries)


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


def _problem(answer: IO[bytes]) -> Json:
    try:
        body = json.loads(answer.read())
    except (ValueError, OSError, http.client.HTTPException):
        return {}
    return body if isinstance(body, dict) else {}
