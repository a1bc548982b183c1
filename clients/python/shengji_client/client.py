"""Requests of a player: JSON with a token, with retries, errors as exceptions."""

import time
from collections.abc import Iterator
from http.client import HTTPException, HTTPResponse
from typing import Any, Self, Unpack, cast
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from shengji_client.problems import Problem
from shengji_client.protocol import Answer, Json, Options, Pause, Reply, Send, Session, Steps
from shengji_client.streams import Message, Stream


class _NoRedirects(HTTPRedirectHandler):
    """Refuse redirects: the service has none, and a token must not be sent to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


class Client(Session):
    """Sends the requests of a player. Thread-safe.

    Proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY`).

    Args:
        url: URL of the service, such as `https://cards.example`.
        token: token of the player; empty before registration.
        language: language of the texts of problems: `en`, `zh-Hans` or `zh-Hant`.
        patience: how long a request is retried, s.

    Raises:
        ValueError: the URL does not begin with `http://` or `https://`.
    """

    def __init__(self, url: str, token: str = "", *, language: str = "en", patience: float = 60.0) -> None:
        super().__init__(url, token, language=language, patience=patience)
        self._opener = build_opener(_NoRedirects)

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

    def request(self, method: str, path: str, body: Json | None = None, **options: Unpack[Options]) -> Any:
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
        return self.send(method, path, body, **options).body

    def send(self, method: str, path: str, body: Json | None = None, **options: Unpack[Options]) -> Reply:
        """Send a request as `request`, and return the whole response. With `If-None-Match` its status may be 304."""
        return self._carry_out(self.exchange(method, path, body, **options))

    def sleep(self, seconds: float) -> None:
        """Wait before another attempt."""
        time.sleep(seconds)

    def _carry_out(self, steps: Steps) -> Reply:
        try:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    self.sleep(step.seconds)
                    step = next(steps)
                    continue
                try:
                    with self._open(step) as response:
                        answer = Answer(response.status, _by_name(response), response.read())
                except Problem as problem:
                    step = steps.throw(problem)
                except self.failures as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as done:
            return cast("Reply", done.value)

    def _open(self, request: Send) -> HTTPResponse:
        """Send a request; the caller reads and closes the response.

        Raises:
            Problem: the service refuses it.
            OSError, HTTPException: the service cannot be reached.
        """
        sent = Request(request.url, request.body, dict(request.headers), method=request.method)  # noqa: S310 (the user's own URL)
        try:
            response: HTTPResponse = self._opener.open(sent, timeout=request.timeout)
        except HTTPError as error:
            response = cast("HTTPResponse", error)
        except (OSError, HTTPException) as error:
            self.failed(error)
            raise
        if response.status < 300 or response.status == 304:
            self.answered()
            return response
        with response:
            raise self.refusal(Answer(response.status, _by_name(response), _text(response)))


def follow(client: Client, path: str, after: str | None = None) -> Iterator[Message]:
    """Yield the messages of a stream, each event once, reconnecting as needed.

    It ends after the message `end`, which has a `reason`, and when no more events can come. After `reset`, discard the
    current state and continue with the state in the message, or in the `snapshot` after it.

    Args:
        client: client of the player.
        path: `/v1/tables/{table}/events` or `/v1/me/events`.
        after: id of the last message read; None: begin with the current state.

    Raises:
        Problem: the service refuses the stream permanently.
    """
    stream = Stream(client, path, after)
    while True:
        if left := client.budget():
            client.sleep(left)
        try:
            with client._open(stream.connect()) as response:  # noqa: SLF001 (of this module)
                if response.status == 204:
                    return
                for line in response:
                    yield from stream.receive(line)
                    if stream.is_over:
                        return
        except Problem as problem:
            stream.refused(problem)
        except client.failures:
            pass  # A lost connection is like the end of one.
        client.sleep(stream.pause())


def _by_name(response: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _text(response: HTTPResponse) -> bytes:
    try:
        return response.read()
    except (OSError, HTTPException):
        return b""
