"""Refusals about notices."""

from service.common.errors import InvalidRequest, Refusal


class NoSuchNotice(Refusal):
    """There is no such subscription or delivery. `params`: `what`, `id`."""

    code = "not-found"


class TooManySubscriptions(Refusal):
    """The player has reached the limit of subscriptions of a kind. `params`: `kind`, `limit`."""

    code = "too-many-subscriptions"


class BadTarget(InvalidRequest):
    """A forbidden or invalid address. `params`: `reason`, `field`, and what would be accepted."""
