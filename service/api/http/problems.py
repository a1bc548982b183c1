"""Errors as `application/problem+json` (RFC 9457, docs/contract.md §1): their status and text.

A refusal has a code and data, and is independent of HTTP. Only this module gives it a status and a sentence. It runs in
the page too, so it imports nothing of the framework.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, NotRequired, TypedDict

from service.accounts.errors import InsufficientScope
from service.common.errors import InvalidOption, InvalidRequest, Refusal, RuleBroken
from service.game.errors import StaleDecision
from service.game.views.fields import timestamp
from service.texts import Text, enumerated, options, play_rules, round_rules, sentence
from service.texts import problems as problem_texts
from service.texts.problems import FAULTS, PROBLEMS
from service.texts.words import SPELT_OUT, SUITS

MEDIA_TYPE: Final = "application/problem+json"

#: Code -> HTTP status. The only such table.
STATUS: Final[Mapping[str, int]] = {
    "invalid-request": 400,
    "unauthorized": 401,
    "insufficient-scope": 403,
    "suspended": 403,
    "device-too-new": 403,
    "not-your-seat": 403,
    "not-host": 403,
    "not-director": 403,
    "plays-in-event": 403,
    "not-commentator": 403,
    "bots-only": 403,
    "private-table": 403,
    "no-spectators": 403,
    "operators-only": 403,
    "address-blocked": 403,
    "registration-closed": 403,
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
    "hints-off": 409,
    "no-voice": 409,
    "too-many-tables": 409,
    "too-many-rooms": 409,
    "room-full": 409,
    "removed-from-room": 403,
    "only-watching": 403,
    "too-many-clubs": 409,
    "club-full": 409,
    "removed-from-club": 403,
    "club-role-needed": 403,
    "season-over": 409,
    "last-owner": 409,
    "members-only": 403,
    "too-many-tokens": 409,
    "too-many-codes": 409,
    "too-many-identities": 409,
    "identity-taken": 409,
    "last-way-in": 409,
    "too-many-subscriptions": 409,
    "webhook-inactive": 409,
    "event-closed": 409,
    "not-entered": 409,
    "board-played": 409,
    "not-sendable": 409,
    "too-many-deals": 409,
    "deal-known": 409,
    "deal-full": 409,
    "entries-closed": 409,
    "in-another-team": 409,
    "too-many-teams": 409,
    "too-many-events": 409,
    "own-team": 409,
    "not-the-last-ruling": 409,
    "round-not-ready": 409,
    "round-closed": 409,
    "match-not-open": 409,
    "name-held": 409,
    "nothing-to-appeal": 409,
    "appeal-decided": 409,
    "player-blocked": 409,
    "too-many-blocks": 409,
    "too-many-friends": 409,
    "ticket-open": 409,
    "not-friends": 409,
    "party-busy": 409,
    "not-matched": 409,
    "not-accepted": 409,
    "challenge-over": 409,
    "version-mismatch": 412,
    "too-large": 413,
    "uri-too-long": 414,
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
    "too-many-streams": 429,
    "headers-too-large": 431,
    "internal-error": 500,
    "unavailable": 503,
}

#: Rule -> its text.
RULES: Final[Mapping[str, Text]] = {**play_rules.RULES, **round_rules.RULES}
#: `reason` of a refusal -> its text.
REASONS: Final[Mapping[str, Text]] = {**problem_texts.REASONS, **round_rules.REASONS, **options.REASONS}

#: Most entries of `errors`, since a request may have thousands of faults.
MOST_FAULTS: Final = 20
#: Most characters or entries of a value quoted from a request.
_LONGEST_TEXT: Final = 200
_LONGEST_LIST: Final = 64

#: `Retry-After` while a part of the service is unavailable.
RETRY_AFTER_S: Final = 2


class FaultCode(str):
    """The code of a fault, with the values for its text."""

    __slots__ = ("params",)
    params: Mapping[str, object]

    @classmethod
    def of(cls, code: str, **params: object) -> "FaultCode":
        """Return a code with its values."""
        fault = cls(code)
        fault.params = params
        return fault


class Fault(NamedTuple):
    """One invalid part of a request.

    Attributes:
        pointer: place in the body (RFC 6901), empty for the whole body; `?name` for a query parameter, `Name:` for a
            header.
        code: key of `FAULTS` or `REASONS`.
        params: values for its text.
    """

    pointer: str
    code: str
    params: Mapping[str, object]


class InvalidFields(InvalidRequest):
    """Some fields of the request are invalid."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(reason="fields")
        self.faults = tuple(faults)


class Unauthorized(Refusal):
    """The request has no valid token."""

    code = "unauthorized"


class OperatorsOnly(Refusal):
    """Only operators may do this, with their token or from the machine itself."""

    code = "operators-only"


class AddressBlocked(Refusal):
    """An operator has blocked the address. Whoever comes from there learns nothing else."""

    code = "address-blocked"


class MethodIsNotAllowed(Refusal):
    """The resource has no such method. `params`: `method`, `allowed`."""

    code = "method-not-allowed"


class BodyTooLarge(Refusal):
    """The body exceeds the size limit. `params`: `limit`."""

    code = "too-large"


class UriTooLong(Refusal):
    """The request line exceeds the size limit of the server."""

    code = "uri-too-long"


class HeadersTooLarge(Refusal):
    """The headers exceed the size limit of the server, or there are too many."""

    code = "headers-too-large"


class UnsupportedMediaType(Refusal):
    """The body's media type is not JSON, or it is compressed: `params` has `reason` and `encoding` then."""

    code = "unsupported-media-type"


class PreconditionRequired(Refusal):
    """The request needs an `If-Match` header."""

    code = "precondition-required"


class RateLimited(Refusal):
    """The budget is used up. `params`: `budget`, `limit`, `window_s`, `retry_after_s`."""

    code = "rate-limited"


class TooManyStreams(Refusal):
    """The player holds as many event streams and long polls as are allowed. `params`: `limit`, `retry_after_s`."""

    code = "too-many-streams"


class InternalError(Refusal):
    """A bug."""

    code = "internal-error"


class Unavailable(Refusal):
    """A part of the service that the request needs is unavailable.

    `params`: `retry_after_s`; `reason` `newer_release`: a newer release has changed the table.
    """

    code = "unavailable"


class FaultBody(TypedDict):
    """An entry of `errors`."""

    pointer: str
    code: str
    detail: str


class ProblemBody(TypedDict):
    """The body of an error response; docs/contract.md §1 describes its members."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    params: dict[str, object]
    errors: list[FaultBody]
    request_id: str
    rule: NotRequired[str]
    required: NotRequired[object]
    example: NotRequired[Sequence[object] | None]
    decision: NotRequired[Mapping[str, object] | None]
    server_time: NotRequired[str]


def problem(refusal: Refusal, language: str, *, instance: str, request_id: str) -> ProblemBody:
    """Return the problem for a refusal. `instance` is the requested path."""
    title, general_detail = PROBLEMS[refusal.code]
    detail = _specific_detail(refusal) or general_detail
    params = _cut(dict(refusal.params))
    placeholders = _placeholders(refusal, language)
    faults = _faults(refusal)
    if len(faults) > MOST_FAULTS:
        params["more_errors"] = len(faults) - MOST_FAULTS
    body: ProblemBody = {
        "type": f"/docs/problems#{refusal.code}",
        "title": sentence(title, language, params),
        "status": STATUS[refusal.code],
        "detail": sentence(detail, language, placeholders),
        "instance": instance,
        "code": refusal.code,
        "params": params,
        "errors": [
            {
                "pointer": _cut(fault.pointer),
                "code": fault.code,
                "detail": sentence(
                    FAULTS.get(fault.code) or detail,
                    language,
                    placeholders if fault.params is refusal.params else _cut(fault.params),
                ),
            }
            for fault in faults[:MOST_FAULTS]
        ],
        "request_id": request_id,
    }
    if isinstance(refusal, RuleBroken):
        body |= {"rule": refusal.rule, "required": refusal.required, "example": refusal.example}
    if isinstance(refusal, InsufficientScope):
        body["required"] = refusal.params["required"]
    if isinstance(refusal, StaleDecision):
        body["decision"] = refusal.decision
        body["server_time"] = timestamp(refusal.now)
    return body


def _specific_detail(refusal: Refusal) -> Text | None:
    """Return the text on the broken rule or the reason, if there is one."""
    if isinstance(refusal, RuleBroken):
        return RULES.get(refusal.rule)
    return REASONS.get(str(refusal.params.get("reason")))


def _placeholders(refusal: Refusal, language: str) -> dict[str, object]:
    """Return the values for a text: the params (some codes as words), and the requirements of a broken rule."""
    params: dict[str, Any] = _cut(dict(refusal.params))
    if isinstance(refusal, InvalidOption):
        return params | _option_words(refusal.params, language)
    if not isinstance(refusal, RuleBroken):
        words = {name: known[params[name]] for name, known in SPELT_OUT.items() if params.get(name, 0) in known}
        return params | {name: sentence(word, language, {}) for name, word in words.items()}
    required = refusal.required if isinstance(refusal.required, Mapping) else {"required": refusal.required}
    return _with_suits({**required, **params}, language) | {"example": refusal.example}


def _with_suits(values: Mapping[str, object], language: str) -> dict[str, object]:
    """Return the values of a rule text with its suits in words; several are enumerated."""
    named = {name: sentence(word, language, {}) for name, word in SUITS.items()}
    words = dict(values)
    if (suit := str(values.get("suit"))) in named:
        words["suit"] = named[suit]
    if isinstance(suits := values.get("suits"), Sequence):
        words["suits"] = enumerated([named.get(str(each), str(each)) for each in suits], language)
    return words


def _option_words(params: Mapping[str, Any], language: str) -> dict[str, str | list[str]]:
    """Return an option's refused value as JSON, to distinguish `"true"` from `true`, and the accepted values."""
    accepted = params["accepted"]
    possible: str | list[str]
    if isinstance(accepted, Mapping):
        possible = _schema_words(params["option"], accepted, language)
    else:
        possible = [entry if params["reason"] == "no_such_option" else _json(entry) for entry in accepted]
    return {"value": _json(params["value"]), "accepted": possible}


def _schema_words(option: str, schema: Mapping[str, Any], language: str) -> str:
    """Describe the values that a JSON Schema of an option accepts."""
    if "maxItems" in schema:
        return sentence(options.FEWER, language, schema)
    if option in options.SHAPES:
        return sentence(options.SHAPES[option], language, {})
    if "anyOf" not in schema:
        return sentence(options.NUMBERS, language, schema)
    other, numbers = schema["anyOf"]
    return sentence(options.NUMBERS_AND, language, {**numbers, "other": _json(other["const"])})


def _json(value: object) -> str:
    return json.dumps(_cut(value), ensure_ascii=False)


def _cut(value: object) -> Any:
    """Truncate long strings and lists in a quoted value of a request."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else f"{value[:_LONGEST_TEXT]} [...]"
    if isinstance(value, Mapping):
        return {_cut(name): _cut(entry) for name, entry in list(value.items())[:_LONGEST_LIST]}
    if isinstance(value, list | tuple):
        return [_cut(entry) for entry in value[:_LONGEST_LIST]]
    return value


def _faults(refusal: Refusal) -> tuple[Fault, ...]:
    """Return the entries of `errors`: the invalid fields, or the one field that a refusal names."""
    if isinstance(refusal, InvalidFields):
        return refusal.faults
    if isinstance(refusal, InvalidOption):
        return (Fault(f"/options/{refusal.params['option']}", str(refusal.params["reason"]), refusal.params),)
    if isinstance(refusal, InvalidRequest):
        return (Fault(_pointer(refusal), str(refusal.params["reason"]), refusal.params),)
    return ()


#: Reason of an invalid request -> its field. Other reasons concern the whole body.
_FIELD_OF: Final[Mapping[str, str]] = {
    "no_such_ruleset": "ruleset",
    "not_for_so_many": "players",
    "no_such_preset": "preset",
    "chat_length": "text",
    "no_such_level": "level",
    "no_such_vote": "kind",
    "vote_seat": "seat",
    "record_format": "format",
}


def _pointer(refusal: InvalidRequest) -> str:
    """Return the place of an invalid request: a field, a header, or the whole body."""
    if "header" in refusal.params:
        return f"{refusal.params['header']}:"
    field = refusal.params.get("field") or _FIELD_OF.get(str(refusal.params["reason"]))
    return f"/{field}" if field else ""
