"""Refusals about accounts."""

from service.common.errors import Refusal


class InsufficientScope(Refusal):
    """The token does not allow this. `params`: `required` (scopes), and in some cases `reason`."""

    code = "insufficient-scope"


class Suspended(Refusal):
    """The player is suspended. `params`: `until` (a time), `cause` (a code), `note`, `remaining_ms`."""

    code = "suspended"


class TooManyTokens(Refusal):
    """The player has reached the limit of tokens. `params`: `limit`."""

    code = "too-many-tokens"


class IdentityTaken(Refusal):
    """The identity is linked to another player. `params`: `provider`."""

    code = "identity-taken"


class TooManyIdentities(Refusal):
    """The player has reached the limit of identities. `params`: `limit`."""

    code = "too-many-identities"


class DeviceTooNew(Refusal):
    """The token was made a moment ago. `params`: `remaining_ms`."""

    code = "device-too-new"


class LastWayIn(Refusal):
    """The identity is the only way back into the account except the calling device."""

    code = "last-way-in"


class NoIdentity(Refusal):
    """The identity is not linked. `params`: `what`."""

    code = "not-found"


class VoidCode(Refusal):
    """The code of a link, a recovery or a sign-in is invalid or no longer valid. `params`: `what`, `id`, `reason`."""

    code = "not-found"
