"""The rule oracle: questions about the rules, without a table. One operation per kind of question."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Handler, Resource
from service.api.schemas.oracle import rounds, tricks
from service.api.schemas.oracle.questions import Question
from service.game.errors import NotFound
from service.rules.options.rulesets import RULESETS
from service.rules.oracle import questions

resource: Final = Resource(
    "Oracle",
    "Questions about the rules, answered without a table. `options` and `decks` may differ from the ruleset's. "
    "Requests use the input names of the project's rule vectors (`tests/vectors`), responses their output names; "
    "other fields of a vector are refused. Work is bounded: a question that would take too long is refused with "
    "`too-complex`.",
)

#: All kinds of questions.
QUESTIONS: Final = (*rounds.QUESTIONS, *tricks.QUESTIONS)

_ERRORS: Final = ("invalid-option", "illegal-play", "illegal-call", "cards-not-held", "too-complex")


def _check_ruleset(ruleset: str) -> None:
    if ruleset not in RULESETS:
        raise NotFound(what="ruleset", id=ruleset)


def _handler(question: Question) -> Handler:
    def ask(request: ApiRequest, ruleset: str) -> Response:
        with request.charged():
            return json_response(questions.answer(ruleset, question.kind, request.body))

    ask.__name__ = f"ask_{question.kind}"
    ask.__doc__ = f"{question.title}\n\n{question.description}"
    return ask


for _question in QUESTIONS:
    resource.operation(
        "POST",
        f"/v1/rulesets/<ruleset>/{_question.kind}",
        body=_question.body(),
        response=_question.response(),
        scope="games:read",
        budget="oracle",
        exists=_check_ruleset,
        keeps=NOTHING,
        errors=_ERRORS,
        example=_question.example,
    )(_handler(_question))
