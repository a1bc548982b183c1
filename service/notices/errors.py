"""Refusals about notices."""

from service.common.errors import InvalidRequest, Refusal


class NoSuchNotice(Refusal):
    """There is no such subscription or delivery. `params`: `what`, `id`."""

    code = "not-found"


class TooManySubscriptions(Refusal):
    """The player has reached the limit of subscriptions of a kind. `params`: `kind`, `limit`."""

    code = "too-many-subscriptions"


class WebhookInactive(Refusal):
    """The endpoint has not proven itself, or the webhook is switched off. `params`: `state`."""

    code = "webhook-inactive"


class BadTarget(InvalidRequest):
    """A forbidden or invalid address. `params`: `reason`, `field`, and what would be accepted."""
