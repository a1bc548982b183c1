"""Every error as `application/problem+json` (RFC 9457; `api.md` §1): which code has which status, and how it is told.

What refuses knows its code and its data and nothing of HTTP; this module alone puts a status and a sentence to it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from service.errors import InvalidOption, InvalidRequest, Refusal, RuleBroken
from service.game.errors import NotFound, StaleDecision
from service.texts import Text, options, play_rules, round_rules, sentence
from service.texts import problems as problem_texts
from service.texts.problems import FAULTS, PROBLEMS, SPELT_OUT, WORDS

MEDIA_TYPE: Final = "application/problem+json"

#: code -> HTTP status. The only such table.
STATUS: Final[Mapping[str, int]] = {
    "invalid-request": 400,
    "unauthorized": 401,
    "not-your-seat": 403,
    "not-host": 403,
    "private-table": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "stale-decision": 409,
    "not-your-turn": 409,
    "wrong-phase": 409,
    "seat-taken": 409,
    "table-full": 409,
    "already-seated": 409,
    "game-running": 409,
    "not-finished": 409,
    "version-mismatch": 412,
    "too-large": 413,
    "unsupported-media-type": 415,
    "illegal-declaration": 422,
    "illegal-discard": 422,
    "illegal-call": 422,
    "illegal-play": 422,
    "cards-not-held": 422,
    "invalid-option": 422,
    "too-complex": 422,
    "idempotency-key-reused": 422,
    "precondition-required": 428,
    "rate-limited": 429,
    "internal-error": 500,
    "unavailable": 503,
}

#: rule -> sentence about it.
RULES: Final[Mapping[str, Text]] = {**play_rules.RULES, **round_rules.RULES}
#: `reason` of a refusal -> sentence.
REASONS: Final[Mapping[str, Text]] = {**problem_texts.REASONS, **round_rules.REASONS, **options.REASONS}

#: Seconds after which a client may try again when a part of the service cannot be reached.
RETRY_AFTER_S: Final = 2


class Fault(NamedTuple):
    """One thing that is wrong with a request.

    `pointer` (RFC 6901) says where in the body; for a query it is the parameter's name behind `?`.
    """

    pointer: str
    code: str
    params: Mapping[str, Any]


class InvalidFields(InvalidRequest):
    """Some fields of the request are not what the operation takes."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(reason="fields")
        self.faults = tuple(faults)


class Unauthorized(Refusal):
    """There is no valid token."""

    code = "unauthorized"


class MethodIsNotAllowed(Refusal):
    """The resource has no such method. `params`: `method`, `allowed`."""

    code = "method-not-allowed"


class BodyTooLarge(Refusal):
    """The body has too many bytes. `params`: `limit`."""

    code = "too-large"


class UnsupportedMediaType(Refusal):
    """The body is not said to be JSON."""

    code = "unsupported-media-type"


class PreconditionRequired(Refusal):
    """The change must name the version that it is based on."""

    code = "precondition-required"


class RateLimited(Refusal):
    """The budget is used up. `params`: `budget`, `limit`, `window_s`, `retry_after_s`."""

    code = "rate-limited"


class InternalError(Refusal):
    """Something broke."""

    code = "internal-error"


class Unavailable(Refusal):
    """Something that the answer needs cannot be reached. `params`: `retry_after_s`."""

    code = "unavailable"


def refusal_of(error: HTTPException, method: str, limit: int) -> Refusal:
    """Return the framework's own error as one of ours."""
    if isinstance(error, MethodNotAllowed):
        return MethodIsNotAllowed(method=method, allowed=sorted(error.valid_methods or ()))
    if isinstance(error, RequestEntityTooLarge):
        return BodyTooLarge(limit=limit)
    if error.code == 404:
        return NotFound(what="path")
    if error.code is not None and error.code < 500:
        return InvalidRequest(reason="bad_http")
    return InternalError()


def problem(refusal: Refusal, language: str, *, instance: str, request_id: str) -> dict[str, Any]:
    """Return the body that tells a refusal: the fields of `api.md` §1. `instance` is the path asked for."""
    title, detail = PROBLEMS[refusal.code]
    told = _particular(refusal) or detail
    body: dict[str, Any] = {
        "type": f"/docs/problems#{refusal.code}",
        "title": sentence(title, language, refusal.params),
        "status": STATUS[refusal.code],
        "detail": sentence(told, language, _values(refusal, language)),
        "instance": instance,
        "code": refusal.code,
        "params": dict(refusal.params),
        "errors": [
            {
                "pointer": fault.pointer,
                "code": fault.code,
                "detail": sentence(FAULTS.get(fault.code) or told, language, fault.params),
            }
            for fault in _faults(refusal)
        ],
        "request_id": request_id,
    }
    if isinstance(refusal, RuleBroken):
        body |= {"rule": refusal.rule, "required": refusal.required, "example": refusal.example}
    if isinstance(refusal, StaleDecision):
        body["decision"] = refusal.decision
    return body


def _particular(refusal: Refusal) -> Text | None:
    """Return the sentence about just this occurrence: of the rule broken, or of the reason given."""
    if isinstance(refusal, RuleBroken):
        return RULES.get(refusal.rule)
    return REASONS.get(str(refusal.params.get("reason")))


def _values(refusal: Refusal, language: str) -> dict[str, Any]:
    """Return what a sentence may mention: the params, codes among them in words, and what a broken rule asked for."""
    if not isinstance(refusal, RuleBroken):
        params = dict(refusal.params)
        words = {name: WORDS[params[name]] for name in SPELT_OUT if params.get(name, 0) in WORDS}
        return params | {name: sentence(word, language, {}) for name, word in words.items()}
    required = refusal.required if isinstance(refusal.required, Mapping) else {"required": refusal.required}
    return {**required, **refusal.params, "example": refusal.example}


def _faults(refusal: Refusal) -> tuple[Fault, ...]:
    """Return the entries of `errors`: of the fields, or of the one field that the rules name."""
    if isinstance(refusal, InvalidFields):
        return refusal.faults
    if isinstance(refusal, InvalidOption):
        return (Fault(f"/options/{refusal.params['option']}", str(refusal.params["reason"]), refusal.params),)
    if isinstance(refusal, InvalidRequest) and "field" in refusal.params:
        return (Fault(f"/{refusal.params['field']}", str(refusal.params["reason"]), refusal.params),)
    return ()
