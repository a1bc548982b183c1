"""Why a sign-in fails. The player is redirected back with the reason; these are not problems of a request."""


class Failed(Exception):
    """A sign-in that came to nothing.

    Attributes:
        reason: `access_denied` (the player or the provider does not want it), `provider_down` (it does not answer) or
            `refused` (its answer proves nothing).
    """

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


def refused(why: str) -> Failed:
    """Return the failure of an answer that proves nothing."""
    return Failed("refused", why)
