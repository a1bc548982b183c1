"""What can go wrong with a request, as exceptions."""

from typing import Any

#: Statuses after which the same request may succeed a little later: the client, or the service, is too busy.
PASSING = frozenset({429, 502, 503, 504})


class ServiceError(Exception):
    """A request has not been carried out, as far as the client knows."""


class Unreachable(ServiceError):
    """The service does not answer."""


class Problem(ServiceError):
    """The service has refused a request.

    Args:
        status: of the response, 300 or above.
        body: the problem (RFC 9457); empty if something between client and service has answered.
        retry_after: seconds to wait before another try, if the response says so.
    """

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.body = body
        self.retry_after = retry_after
        super().__init__(self.text)

    @property
    def code(self) -> str:
        """The kind of problem, for programs; empty if the service has not answered itself."""
        return str(self.body.get("code", ""))

    @property
    def params(self) -> dict[str, Any]:
        """Every value that the text mentions."""
        params: dict[str, Any] = self.body.get("params") or {}
        return params

    @property
    def text(self) -> str:
        """What has happened, for people, in the language of the client."""
        return str(self.body.get("detail") or self.body.get("title") or f"status {self.status}")
