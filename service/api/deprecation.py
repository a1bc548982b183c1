"""That an operation goes: what its answers say of it (RFC 9745, RFC 8594), and for how long it stays."""

from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from typing import Final

#: Shortest time from the announcement to the end (docs/stability.md).
LEAST: Final = timedelta(days=365)


class Deprecation:
    """The announcement that an operation goes.

    Args:
        since: day on which the announcing release was made.
        until: last day on which the operation is promised.
        instead: what to use, as in `GET /v1/events`.

    Attributes:
        headers: headers of all answers of the operation.
        text: sentence for the document.

    Raises:
        ValueError: the time between the days is too short.
    """

    __slots__ = ("headers", "text")

    def __init__(self, since: date, until: date, instead: str) -> None:
        if until - since < LEAST:
            raise ValueError(f"from {since} to {until}: at least {LEAST.days} days are promised")
        begins, ends = (datetime.combine(day, time(), UTC) for day in (since, until))
        self.headers: Final = (
            ("Deprecation", f"@{int(begins.timestamp())}"),
            ("Sunset", format_datetime(ends, usegmt=True)),
        )
        self.text: Final = f"Deprecated since {since}, and promised until {until}: use {instead}."
