"""Refusals of registration."""

from service.common.errors import Refusal


class RegistrationClosed(Refusal):
    """Nobody may register now, or only with a valid registration code. `params`: `reason` (code of the sentence)."""

    code = "registration-closed"


class TooManyCodes(Refusal):
    """Too many registration codes were made. `params`: `limit`, and the `days` within which it holds."""

    code = "too-many-codes"
