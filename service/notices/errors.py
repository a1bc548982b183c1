"""Refusals about notices."""

from service.common.errors import InvalidRequest, Refusal


class NoSuchNotice(Refusal):
    """There is no such subscription or delivery. `params`: `what`, `id`."""

    code = "not-found"


class TooManySubscriptions(Refusal):
    """The player has as many subscriptions of a kind as are allowed. `params`: `kind`, `limit`."""

    code = "too-many-subscriptions"


class BadTarget(InvalidRequest):
    """An address that is not called. `params`: `reason`, `field`, and what would be accepted."""
