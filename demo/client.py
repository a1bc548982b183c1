"""HTTP client of the API: sends JSON with a token, raises errors as exceptions. Standard library only."""

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, Final

#: How often a request is sent if the service is unreachable or unavailable (503), and the seconds between two tries.
_TRIES: Final = 10
_WAIT: Final = 0.5


class RefusedError(Exception):
    """The service answered with an error. `problem` is the body (RFC 9457)."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        self.problem = problem

    @property
    def code(self) -> str:
        """Return the stable code of the problem."""
        return str(self.problem.get("code", ""))


class UnreachableError(Exception):
    """The service cannot be reached."""


class Client:
    """Sends the requests of one player.

    Args:
        url: of the service, e.g. `http://127.0.0.1:8000`.
        token: of the player; empty before registering.
    """

    def __init__(self, url: str, token: str = "") -> None:
        self.url = url.rstrip("/")
        self.token = token

    @classmethod
    def register(cls, url: str, name: str) -> "Client":
        """Register a bot and return its client.

        Raises:
            UnreachableError: the service does not answer at the URL.
            RefusedError: the service does not accept the name.
        """
        client = cls(url)
        client.token = client.send("POST", "/v1/players", {"name": name, "kind": "bot"})["token"]
        return client

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a request; return the JSON of the response, or None if it has no body.

        If the response is lost, the request is sent again. This is safe: an action names the decision that it answers.

        Raises:
            RefusedError: the response has a status of 400 or above.
            UnreachableError: the service does not answer.
        """
        for left in range(_TRIES, 0, -1):
            try:
                return self._once(method, path, body)
            except urllib.error.HTTPError as error:
                refused = _refusal(error)
                if refused.status != 503 or left == 1:
                    raise refused from None
            except (OSError, HTTPException) as error:
                if left == 1 or not self.token:
                    reason = getattr(error, "reason", error)
                    raise UnreachableError(f"The service does not answer at {self.url} ({reason}).") from None
            time.sleep(_WAIT)
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, headers, method=method)  # noqa: S310 - given by the user
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            text = answer.read()
        return json.loads(text) if text else None


def _refusal(error: urllib.error.HTTPError) -> RefusedError:
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = {}
    return RefusedError(error.code, problem if isinstance(problem, dict) else {})
