"""Refusals about voices."""

from service.common.errors import Refusal


class NoVoice(Refusal):
    """Nobody talks at this table. `params`: `reason`."""

    code = "no-voice"
