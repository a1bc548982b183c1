"""The rule oracle: questions about the rules, without a table. One operation for each kind of question."""

from typing import Final

from flask import Response

from service.api.http.operations import Call, Handler, Resource
from service.api.http.responses import reply
from service.api.schemas import oracle_rounds, oracle_tricks
from service.api.schemas.questions import Question
from service.game.errors import NotFound
from service.rules import oracle
from service.rules.rulesets import RULESETS

resource: Final = Resource(
    "Oracle",
    "Questions about the rules, answered without a table. `options` and `decks` may differ from those of the ruleset. "
    "Any of the project's rule vectors (`tests/vectors`) may be sent as it is: bodies have the names of its inputs, "
    "answers those of its outputs. Work is bounded: what would take too long is refused with `too-complex`.",
)

#: All kinds of questions.
QUESTIONS: Final = (*oracle_rounds.QUESTIONS, *oracle_tricks.QUESTIONS)

_ERRORS: Final = ("invalid-option", "illegal-play", "illegal-call", "cards-not-held", "too-complex")


def _asking(question: Question) -> Handler:
    def ask(call: Call, ruleset: str) -> Response:
        if ruleset not in RULESETS:
            raise NotFound(what="ruleset", id=ruleset)
        return reply(oracle.answer(ruleset, question.kind, call.body))

    ask.__name__ = f"ask_{question.kind}"
    ask.__doc__ = f"{question.title}\n\n{question.about}"
    return ask


for _question in QUESTIONS:
    resource.operation(
        "POST",
        f"/v1/rulesets/<ruleset>/{_question.kind}",
        takes=_question.takes(),
        gives=_question.gives(),
        budget="oracle",
        errors=_ERRORS,
        example=_question.example,
    )(_asking(_question))
