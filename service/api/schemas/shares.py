"""Rounds that are shared."""

from service.api.schemas import fields as f
from service.api.schemas.games import RecordedRound, RoundEvents, RoundQuery


class SharedCode(f.Contract):
    """The code that opens a shared round."""

    code = f.text("Its code.", example="kq7d3m2xw5rja4bzh6cyn2tpue")


class SharedQuery(RoundQuery):
    """Which round, and whose view."""

    code = f.text("The code of the round.", 1, 60, example="kq7d3m2xw5rja4bzh6cyn2tpue")


class SharedRound(RoundEvents):
    """A shared round: its record, and the round as a seat saw it."""

    record = f.nested(RecordedRound, "Its record.")
