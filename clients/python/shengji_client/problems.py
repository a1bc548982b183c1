"""Errors of requests, as exceptions."""

from typing import Any

#: Statuses after which the same request may succeed later, since client or service are too busy.
PASSING = frozenset({429, 502, 503, 504})
#: Most invalid fields that a message names.
_MOST_NAMED = 5


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
        location: where a redirect leads, if in the response.
    """

    def __init__(
        self, status: int, body: dict[str, Any], retry_after: float | None = None, location: str | None = None
    ) -> None:
        # With all arguments, so that it can be copied, and pickled on its way to another process.
        super().__init__(status, body, retry_after, location)
        self.status = status
        self.body = body
        self.retry_after = retry_after
        self.location = location

    def __str__(self) -> str:
        """Return the text, and what is wrong with each invalid field."""
        named = [_named(error, self.text) for error in self.errors[:_MOST_NAMED]]
        if left := len(self.errors) - len(named):
            named.append(f"and {left} more")
        return f"{self.text} ({'; '.join(named)})" if named else self.text

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
    def errors(self) -> list[dict[str, Any]]:
        """The invalid parts of the request: `pointer`, `code` and `detail` of each; empty if none is invalid."""
        errors = self.body.get("errors")
        return [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []

    @property
    def text(self) -> str:
        """The text for people, in the language of the client."""
        sentence = self.body.get("detail") or self.body.get("title")
        if sentence:
            return str(sentence)
        if 300 <= self.status < 400:
            to = f" to {self.location}" if self.location else ""
            return f"status {self.status}: redirected{to}, which is not followed; use the URL of the service itself"
        return f"status {self.status}, without a problem of the service: something in between may have answered"


def _named(error: dict[str, Any], text: str) -> str:
    where = str(error.get("pointer") or "")
    what = str(error.get("detail") or error.get("code") or "invalid")
    if where and what == text:
        return where
    return f"{where}: {what}" if where else what
