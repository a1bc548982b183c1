"""Fields that take just what JSON Schema says they take, and say in codes what is wrong.

marshmallow's own fields are lenient ("1" and `true` are integers to it) and speak English; a client developer gets
the strict reading, and a code with the values that its sentence mentions (`service.texts.problems.FAULTS`).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.rules.cards import KIND

#: A field of whatever type.
Field = fields.Field[Any]

#: Most cards in one list: a hand with the kitty of the largest game is far below it.
MOST_CARDS: Final = 60


class Code(str):
    """The code of a fault, with the values that its sentence mentions."""

    __slots__ = ("params",)
    params: Mapping[str, Any]

    @classmethod
    def of(cls, code: str, **params: Any) -> "Code":
        """Return a code with its values."""
        made = cls(code)
        made.params = params
        return made


class Contract(Schema):
    """Base of all schemas: fields that nobody has heard of are refused."""

    class Meta:
        """See marshmallow."""

        unknown = RAISE

    error_messages = {"unknown": "unknown", "type": "not_an_object"}  # noqa: RUF012 (marshmallow reads a plain dict)


class _Length(validate.Length):
    def _format_error(self, *_: Any) -> str:
        return Code.of("length", min=self.min or 0, max=self.max)


class _Range(validate.Range):
    def _format_error(self, *_: Any) -> str:
        return Code.of("range", min=self.min, max=self.max)


class _OneOf(validate.OneOf):
    def _format_error(self, *_: Any) -> str:
        return Code.of("choice", accepted=list(self.choices))


class _Pattern(validate.Regexp):
    def _format_error(self, *_: Any) -> str:
        return Code.of("pattern", pattern=self.regex.pattern)


class _Visible(validate.Regexp):
    def _format_error(self, *_: Any) -> str:
        return Code.of("blank")


def _codes(invalid: str) -> dict[str, Any]:
    return {"required": "required", "null": "null", "invalid": invalid, "validator_failed": "invalid"}


class StrictText(fields.String):
    """A string."""

    default_error_messages = _codes("not_a_string")

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if type(value) is not str:
            raise self.make_error("invalid")
        return value


class StrictInteger(fields.Integer):
    """A whole number; `true` and `"1"` are none."""

    default_error_messages = _codes("not_an_integer")

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class QueryInteger(fields.Integer):
    """A whole number in a query, where everything is text."""

    default_error_messages = _codes("not_an_integer")

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if re.fullmatch(r"-?\d{1,15}", value, re.ASCII) is None:
            raise self.make_error("invalid")
        return int(value)


class StrictBoolean(fields.Boolean):
    """True or false."""

    default_error_messages = _codes("not_a_boolean")

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class QueryBoolean(fields.Boolean):
    """True or false in a query."""

    default_error_messages = _codes("not_a_boolean")

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if value not in ("true", "false"):
            raise self.make_error("invalid")
        return value == "true"


class CardName(fields.String):
    """The name of a card."""

    default_error_messages = _codes("no_such_card")

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if type(value) is not str or value not in KIND:
            raise self.make_error("invalid")
        return value


class StrictList(fields.List[Any]):
    """An array."""

    default_error_messages = _codes("not_an_array")


class Cards(StrictList):
    """Cards by name. Most requests have such a list, so it is read in one loop."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if type(value) is not list:
            raise self.make_error("invalid")
        faults: dict[int, list[str]] = {
            at: ["no_such_card"] for at, card in enumerate(value) if type(card) is not str or card not in KIND
        }
        if faults:
            raise ValidationError(faults)
        return value


class StrictObject(fields.Dict):
    """An object whose names are not known beforehand."""

    default_error_messages = _codes("not_an_object")


def _common(about: str, optional: bool, nullable: bool, more: dict[str, Any]) -> dict[str, Any]:
    """Return what every field takes. A default makes it optional; what is left of `more` goes into the document."""
    metadata: dict[str, Any] = {"description": about} if about else {}
    if "example" in more:
        metadata["examples"] = [more.pop("example")]
    known = {"required": not optional and "default" not in more, "allow_none": nullable}
    if "default" in more:
        known["load_default"] = more.pop("default")
    if "data_key" in more:
        # Words of Python as names: the attribute of the schema is called otherwise, what is loaded is not.
        known["data_key"] = known["attribute"] = more.pop("data_key")
    return known | {"metadata": metadata | more}


def text(
    about: str, low: int = 0, high: int | None = None, *, optional: bool = False, nullable: bool = False, **more: Any
) -> Field:
    """Return a field for a string of `low` to `high` characters; `pattern` and `format` as in JSON Schema."""
    validators: list[Any] = [_Length(low or None, high)] if low or high else []
    if "pattern" in more:
        validators.append(_Pattern(re.compile(more.pop("pattern"))))
    return StrictText(validate=validators, **_common(about, optional, nullable, more))


_HIDDEN: Final = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
_SEEN: Final = rf"[^\s{_HIDDEN}]"


def _visible(about: str, high: int, pattern: str, more: dict[str, Any]) -> Field:
    made = text(about, 1, high, **more)
    made.validators.append(_Visible(re.compile(pattern)))
    return made


def name(about: str, high: int, **more: Any) -> Field:
    """Return a field for what people see: no control characters, no space before or after."""
    return _visible(about, high, rf"^{_SEEN}([^{_HIDDEN}]*{_SEEN})?$", more)


def line(about: str, high: int, **more: Any) -> Field:
    """Return a field for what people say: one line, not blank, no control characters."""
    return _visible(about, high, rf"^[^{_HIDDEN}]*{_SEEN}[^{_HIDDEN}]*$", more)


def time(about: str, **more: Any) -> Field:
    """Return a field for a moment: RFC 3339 in UTC with milliseconds."""
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
    """Return a field for a whole number from `low` to `high`."""
    validators: list[Any] = [] if low is None and high is None else [_Range(low, high)]
    kind = QueryInteger if query else StrictInteger
    return kind(validate=validators, **_common(about, optional, nullable, more))


def flag(about: str, *, optional: bool = False, nullable: bool = False, query: bool = False, **more: Any) -> Field:
    """Return a field for true or false."""
    return (QueryBoolean if query else StrictBoolean)(**_common(about, optional, nullable, more))


def choice(about: str, *values: str, optional: bool = False, nullable: bool = False, **more: Any) -> Field:
    """Return a field for one of some strings."""
    return StrictText(validate=[_OneOf(values)], **_common(about, optional, nullable, more))


def growing(about: str, values: Iterable[str], *, nullable: bool = False, **more: Any) -> Field:
    """Return a field of an answer for one of some strings, to which later versions may add others.

    Clients made from the document must take what they do not know: so it is a string there, and its values are told
    by `x-extensible-enum`.
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
    """Return a field for cards; their order means nothing unless `about` says so."""
    return Cards(CardName(), validate=[_Length(low, high)], **_common(about, optional, nullable, more))


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
    """Return a field for an object with names not known beforehand (but of a kind), and values `of` a kind (or any)."""
    return StrictObject(keys=names, values=of, **_common(about, optional, nullable, more))


def number(about: str, *, optional: bool = False, nullable: bool = False, **more: Any) -> Field:
    """Return a field of an answer for a number."""
    return fields.Float(**_common(about, optional, nullable, more))


def anything(about: str, *, optional: bool = False, **more: Any) -> Field:
    """Return a field for any JSON value."""
    return fields.Raw(error_messages=_codes("invalid"), **_common(about, optional, True, more))
