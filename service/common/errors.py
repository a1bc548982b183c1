"""Refusals: reasons for not carrying out a request, as exceptions with data.

A refusal has a stable `code` and the values for its text; it does not depend on HTTP or a language. `service.texts` has
the sentences, `service.api.http.problems` the statuses. A refused request changes nothing.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar


class Refusal(Exception):
    """A refused request, and why.

    `params` has all values for the text (JSON values only).
    """

    code: ClassVar[str] = "invalid-request"

    def __init__(self, **params: object) -> None:
        super().__init__()
        self._params: Mapping[str, Any] = params

    @property
    def params(self) -> Mapping[str, Any]:
        """The values for the text, by name."""
        return self._params

    def __str__(self) -> str:
        return f"{self.code} {self.params}" if self.params else self.code


class InvalidRequest(Refusal):
    """The request is malformed or invalid."""


class InvalidOption(Refusal):
    """An option cannot have this value, or not together with another one.

    `params`: `option`, `value`, `accepted` (text or list), `reason` (id of the sentence). `accepted` may be passed as a
    function that finds it: who only tries many values never asks.
    """

    code = "invalid-option"

    @cached_property
    def params(self) -> Mapping[str, Any]:
        """The values for the text, by name."""
        accepted = self._params["accepted"]
        return {**self._params, "accepted": accepted() if callable(accepted) else accepted}


class RuleBroken(Refusal):
    """An action that a rule of the game forbids.

    Args:
        rule: id of the rule, a key of the rule texts, e.g. `"follow_suit"`.
        required: requirements of the rule, as JSON; the shape depends on the rule.
        example: card names of a legal action from the actor's own hand, or None.
    """

    def __init__(
        self, rule: str, *, required: object = None, example: Sequence[object] | None = None, **params: object
    ) -> None:
        super().__init__(**params)
        self.rule = rule
        self.required = required
        self.example = example

    def __str__(self) -> str:
        return f"{self.code}: {self.rule} {dict(self.params)}"


class IllegalDeclaration(RuleBroken):
    """These cards do not make, change or defend the trump suit now."""

    code = "illegal-declaration"


class IllegalDiscard(RuleBroken):
    """These cards cannot be the kitty."""

    code = "illegal-discard"


class IllegalCall(RuleBroken):
    """These cards cannot be called for friends."""

    code = "illegal-call"


class IllegalPlay(RuleBroken):
    """These cards cannot be led or followed with."""

    code = "illegal-play"


class CardsNotHeld(Refusal):
    """The action names cards that the seat does not hold. `params`: `missing` (card names)."""

    code = "cards-not-held"


class TooComplex(Refusal):
    """An exact answer would take more work than allowed for a request. `params`: `budget`."""

    code = "too-complex"
