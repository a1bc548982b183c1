"""Strict fields: they accept exactly what JSON Schema accepts, and report faults as codes.

marshmallow's own fields are lenient (they accept "1" and `true` as integers) and report faults in English. These report
a code, and the values that its text mentions (`service.texts.problems.FAULTS`).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from marshmallow import RAISE, Schema, fields, validate

from service.rules.cards import KIND

#: A field of any type.
Field: TypeAlias = fields.Field[Any]

#: Most cards in one list; far more than the hand and kitty of the largest game.
MOST_CARDS: Final = 60


class FaultCode(str):
    """The code of a fault, with the values that its text mentions."""

    __slots__ = ("params",)
    params: Mapping[str, object]

    @classmethod
    def of(cls, code: str, **params: object) -> "FaultCode":
        """Return a code with its values."""
        fault = cls(code)
        fault.params = params
        return fault


class Contract(Schema):
    """Base of all schemas: unknown fields are refused."""

    class Meta:
        """See marshmallow."""

        unknown = RAISE

    error_messages = {"unknown": "unknown", "type": "not_an_object"}  # noqa: RUF012 (marshmallow reads a plain dict)


class _Length(validate.Length):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("length", min=self.min or 0, max=self.max)


class _Range(validate.Range):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("range", min=self.min, max=self.max)


class _OneOf(validate.OneOf):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("choice", accepted=list(self.choices))


class _Pattern(validate.Regexp):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("pattern", pattern=self.regex.pattern)


class _Visible(validate.Regexp):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("blank")


def _codes(invalid: str) -> dict[str, Any]:
    return {"required": "required", "null": "null", "invalid": invalid, "validator_failed": "invalid"}


class StrictText(fields.String):
    """A string."""

    default_error_messages = _codes("not_a_string")

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        if type(value) is not str:
            raise self.make_error("invalid")
        return value


class StrictInteger(fields.Integer):
    """An integer; not `true` or `"1"`."""

    default_error_messages = _codes("not_an_integer")

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class QueryInteger(fields.Integer):
    """An integer in a query, where every value is text."""

    default_error_messages = _codes("not_an_integer")

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        if re.fullmatch(r"-?\d{1,15}", value, re.ASCII) is None:
            raise self.make_error("invalid")
        return int(value)


class StrictBoolean(fields.Boolean):
    """True or false."""

    default_error_messages = _codes("not_a_boolean")

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class QueryBoolean(fields.Boolean):
    """True or false in a query."""

    default_error_messages = _codes("not_a_boolean")

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        if value not in ("true", "false"):
            raise self.make_error("invalid")
        return value == "true"


class CardName(fields.String):
    """The name of a card."""

    default_error_messages = _codes("no_such_card")

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        if type(value) is not str or value not in KIND:
            raise self.make_error("invalid")
        return value


class StrictList(fields.List[Any]):
    """An array."""

    default_error_messages = _codes("not_an_array")


class StrictObject(fields.Dict):
    """An object with arbitrary names."""

    default_error_messages = _codes("not_an_object")


def _common(about: str, optional: bool, nullable: bool, more: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that all fields share.

    A default makes a field optional. What `more` has beyond the known names goes into `openapi.yaml`.
    """
    metadata: dict[str, Any] = {"description": about} if about else {}
    if "example" in more:
        metadata["examples"] = [more.pop("example")]
    arguments = {"required": not optional and "default" not in more, "allow_none": nullable}
    if "default" in more:
        arguments["load_default"] = more.pop("default")
    if "data_key" in more:
        # The field is named by a Python keyword: only the attribute of the schema needs another name.
        arguments["data_key"] = arguments["attribute"] = more.pop("data_key")
    return arguments | {"metadata": metadata | more}


def text(
    about: str, low: int = 0, high: int | None = None, *, optional: bool = False, nullable: bool = False, **more: Any
) -> Field:
    """Return a field for a string of `low` to `high` characters; `pattern` and `format` as in JSON Schema."""
    validators: list[Any] = [_Length(low or None, high)] if low or high else []
    if "pattern" in more:
        validators.append(_Pattern(re.compile(more.pop("pattern"))))
    return StrictText(validate=validators, **_common(about, optional, nullable, more))


_INVISIBLE: Final = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
_VISIBLE: Final = rf"[^\s{_INVISIBLE}]"


def _visible_text(about: str, high: int, pattern: str, more: dict[str, Any]) -> Field:
    field = text(about, 1, high, **more)
    field.validators.append(_Visible(re.compile(pattern)))
    return field


def name(about: str, high: int, **more: Any) -> Field:
    """Return a field for a name: no control characters, no leading or trailing space."""
    return _visible_text(about, high, rf"^{_VISIBLE}([^{_INVISIBLE}]*{_VISIBLE})?$", more)


def line(about: str, high: int, **more: Any) -> Field:
    """Return a field for a message: one line, not blank, no control characters."""
    return _visible_text(about, high, rf"^[^{_INVISIBLE}]*{_VISIBLE}[^{_INVISIBLE}]*$", more)


def time(about: str, **more: Any) -> Field:
    """Return a field for a time: RFC 3339 in UTC with milliseconds."""
    return text(about, format="date-time", **{"example": "2026-11-20T19:30:00.000Z", **more})


def integer(
    about: str,
    low: int | None = None,
    high: int | None = None,
    *,
    optional: bool = False,
    nullable: bool = False,
    query: bool = False,
    **more: Any,
) -> Field:
    """Return a field for an integer from `low` to `high`."""
    validators: list[Any] = [] if low is None and high is None else [_Range(low, high)]
    kind = QueryInteger if query else StrictInteger
    return kind(validate=validators, **_common(about, optional, nullable, more))


def flag(about: str, *, optional: bool = False, nullable: bool = False, query: bool = False, **more: Any) -> Field:
    """Return a field for true or false."""
    return (QueryBoolean if query else StrictBoolean)(**_common(about, optional, nullable, more))


def choice(about: str, *values: str, optional: bool = False, nullable: bool = False, **more: Any) -> Field:
    """Return a field for one of some strings."""
    return StrictText(validate=[_OneOf(values)], **_common(about, optional, nullable, more))


def extensible(about: str, values: Iterable[str], *, nullable: bool = False, **more: Any) -> Field:
    """Return a response field for one of some strings, to which later versions may add.

    Generated clients must accept unknown values, so `openapi.yaml` has a string with `x-extensible-enum`.
    """
    return text(about, nullable=nullable, **{"x-extensible-enum": [*values], **more})


def card(about: str = "", *, optional: bool = False, nullable: bool = False, **more: Any) -> Field:
    """Return a field for the name of a card."""
    return CardName(**_common(about, optional, nullable, more))


def cards(
    about: str,
    low: int = 0,
    high: int = MOST_CARDS,
    *,
    optional: bool = False,
    nullable: bool = False,
    **more: Any,
) -> Field:
    """Return a field for cards. Their order has no meaning unless `about` says so."""
    entry = CardName(error_messages={"null": "no_such_card"})
    return StrictList(entry, validate=[_Length(low, high)], **_common(about, optional, nullable, more))


def array(
    of: Field,
    about: str,
    low: int = 0,
    high: int | None = None,
    *,
    optional: bool = False,
    nullable: bool = False,
    **more: Any,
) -> Field:
    """Return a field for an array of `low` to `high` entries."""
    validators: list[Any] = [_Length(low or None, high)] if low or high else []
    return StrictList(of, validate=validators, **_common(about, optional, nullable, more))


def nested(
    schema: type[Schema], about: str = "", *, optional: bool = False, nullable: bool = False, **more: Any
) -> Field:
    """Return a field for an object of a schema."""
    return fields.Nested(schema, error_messages=_codes("not_an_object"), **_common(about, optional, nullable, more))


def mapping(
    about: str,
    of: Field | None = None,
    *,
    names: Field | None = None,
    optional: bool = False,
    nullable: bool = False,
    **more: Any,
) -> Field:
    """Return a field for an object with arbitrary names: `names` validates the names, `of` the values."""
    return StrictObject(keys=names, values=of, **_common(about, optional, nullable, more))


def number(about: str, *, optional: bool = False, nullable: bool = False, **more: Any) -> Field:
    """Return a response field for a number."""
    return fields.Float(**_common(about, optional, nullable, more))


def anything(about: str, *, optional: bool = False, **more: Any) -> Field:
    """Return a field for any JSON value."""
    return fields.Raw(error_messages=_codes("invalid"), **_common(about, optional, True, more))
