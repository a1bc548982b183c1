"""The kinds of questions to the rule oracle, and their handlers.

A question has the input fields of a rule vector, and its answer has the vector's output fields.
"""

from collections.abc import Mapping
from typing import Final

from service.common.errors import InvalidRequest
from service.rules.games import RULESETS, ruleset_of
from service.rules.oracle import arms_length, rounds, tricks
from service.rules.oracle.inputs import Question, refuse

_ANY: Final = frozenset({"setup", "game", "options", "order"})
_ROUNDS: Final = {**rounds.HANDLERS, **arms_length.HANDLERS}
#: All kinds of questions, in alphabetical order.
KINDS: Final[tuple[str, ...]] = tuple(sorted({*_ROUNDS, *tricks.HANDLERS}))


def kinds_for(ruleset: str) -> tuple[str, ...]:
    """Return the kinds of questions that apply to a ruleset."""
    arms = RULESETS[ruleset].family == "arms_length"
    return tuple(kind for kind in KINDS if kind in _ANY or (kind in arms_length.HANDLERS) is arms)


def answer(ruleset: str, kind: str, body: Mapping[str, object]) -> dict[str, object]:
    """Answer a question.

    Raises:
        InvalidRequest: no such ruleset, no such kind for it, or a malformed body.
        InvalidOption: options that are not valid together.
        RuleBroken: the question assumes something that the rules forbid, such as a lead of two suits.
        CardsNotHeld: the play is not in the hand.
        TooComplex: an exact answer would take too long.
    """
    rules = ruleset_of(ruleset)
    if kind not in kinds_for(rules.id):
        raise InvalidRequest(reason="no_such_kind", accepted=list(kinds_for(rules.id)))
    if not isinstance(body, dict):
        refuse("not_an_object", "")
    if kind in _ROUNDS:
        return _ROUNDS[kind](Question(rules.id, body))
    return tricks.HANDLERS[kind]({**body, "ruleset": rules.id})
