"""Errors of requests, as exceptions."""

from typing import Any

#: Statuses after which the same request may succeed later, since client or service are too busy.
PASSING = frozenset({429, 502, 503, 504})


class ServiceError(Exception):
    """A request was not carried out, as far as the client knows."""


class Unreachable(ServiceError):
    """The service does not answer."""


class Problem(ServiceError):
    """The service has refused a request.

    Args:
        status: status of the response, 300 or above.
        body: the problem (RFC 9457); empty if an intermediary has answered.
        retry_after: delay before another attempt in seconds, if in the response.
    """

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.body = body
        self.retry_after = retry_after
        super().__init__(self.text)

    @property
    def code(self) -> str:
        """The kind of problem, for programs; empty if an intermediary has answered."""
        return str(self.body.get("code", ""))

    @property
    def params(self) -> dict[str, Any]:
        """All values that the text mentions."""
        params: dict[str, Any] = self.body.get("params") or {}
        return params

    @property
    def text(self) -> str:
        """The text for people, in the language of the client."""
        return str(self.body.get("detail") or self.body.get("title") or f"status {self.status}")
