"""Refusals of registration, and of appeals."""

from service.common.errors import Refusal


class RegistrationClosed(Refusal):
    """Nobody may register now, or only with a valid registration code. `params`: `reason` (code of the sentence)."""

    code = "registration-closed"


class TooManyCodes(Refusal):
    """Too many registration codes were made. `params`: `limit`, and the `days` within which it holds."""

    code = "too-many-codes"


class NothingToAppeal(Refusal):
    """The player is not suspended, and no operator has given the name."""

    code = "nothing-to-appeal"


class AppealDecided(Refusal):
    """An operator has decided on the appeal. `params`: `answer`; None: none was given."""

    code = "appeal-decided"
