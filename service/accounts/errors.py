"""Refusals about accounts."""

from service.common.errors import Refusal


class InsufficientScope(Refusal):
    """The token does not allow this. `params`: `required` (scopes), and where there is more to say `reason`."""

    code = "insufficient-scope"


class Suspended(Refusal):
    """The player is suspended. `params`: `until` (a time), `cause` (a code), `note`, `remaining_ms`."""

    code = "suspended"


class TooManyTokens(Refusal):
    """The player has as many tokens as are allowed. `params`: `limit`."""

    code = "too-many-tokens"


class IdentityTaken(Refusal):
    """The identity is linked to another player. `params`: `provider`."""

    code = "identity-taken"


class TooManyIdentities(Refusal):
    """The player has as many identities as are allowed. `params`: `limit`."""

    code = "too-many-identities"


class LastWayIn(Refusal):
    """Without this identity nothing leads back to the account but the device that asks."""

    code = "last-way-in"


class NoIdentity(Refusal):
    """The identity is linked to nobody. `params`: `what`."""

    code = "not-found"


class VoidCode(Refusal):
    """This is no code of a link, a recovery or a sign-in, or not any more. `params`: `what`, `id`, `reason`."""

    code = "not-found"
