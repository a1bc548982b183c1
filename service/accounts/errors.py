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


class VoidCode(Refusal):
    """This is no link code or recovery code, or not any more. `params`: `what`, `id`, `reason`."""

    code = "not-found"
