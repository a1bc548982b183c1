"""Why a sign-in fails. The player is redirected back with the reason; these are not problems of a request."""


class Failed(Exception):
    """A failed sign-in.

    Attributes:
        reason: `access_denied` (by the player or the provider), `provider_down` (it does not answer) or `refused` (its
            answer is not valid).
    """

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


def refused(why: str) -> Failed:
    """Return the failure for an invalid answer."""
    return Failed("refused", why)
