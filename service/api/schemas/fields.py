"""Strict fields: they accept exactly what JSON Schema accepts, and report faults as codes.

marshmallow's own fields are lenient (they accept "1" and `true` as integers) and report faults in English. These report
a code and the values for its text (`service.texts.problems.FAULTS`).
"""

import re
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, AnyStr, Final, NamedTuple, TypeAlias, TypedDict, Unpack

from marshmallow import Schema, ValidationError, fields, validate

from service.api.http.problems import FaultCode
from service.api.schemas import bounded
from service.api.schemas.bounded import Length, StrictList, StrictObject, codes
from service.common import typed
from service.game.legible import is_legible, shows
from service.game.names import is_like_ai
from service.rules.cards import KIND

#: The base of all schemas.
Contract = bounded.Contract
#: A field of any type.
Field: TypeAlias = fields.Field[Any]

_RFC_3339: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII | re.IGNORECASE)
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

#: Most cards in a list: more than the largest hand with kitty.
MOST_CARDS: Final = 200
#: Upper limits: seats of a table, cards of a kitty, cards of a declaration with its joker, called friends.
MOST_SEATS: Final = 16
MOST_KITTY: Final = 60
MOST_SHOWN: Final = 2 * MOST_SEATS + 1
MOST_CALLS: Final = MOST_SEATS - 2
#: Upper limit of options in a request; there are fewer.
MOST_OPTIONS: Final = 200


#: Tag -> schema of the part that it determines; None: not described.
Parts: TypeAlias = dict[str, type[Contract] | None]


class Variants(NamedTuple):
    """A schema of answers in which one field determines the schema of another.

    `openapi.yaml` describes it as a choice of schemas: `<Tag><suffix>` for each tag, and `Other<suffix>` for tags that
    later versions may add.

    Attributes:
        base: the schema, with all of its fields.
        tag: name of the determining field.
        part: name of the dependent field.
        parts: tag -> schema of `part`; None: that of `base`.
        suffix: suffix of the names of the schemas.
        marks: tag -> `x-` fields of its schema.
    """

    base: type[Schema]
    tag: str
    part: str
    parts: Mapping[str, type[Contract] | None]
    suffix: str
    marks: Mapping[str, Mapping[str, object]] = MappingProxyType({})


class _Range(validate.Range):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("range", min=self.min, max=self.max)


class _OneOf(validate.OneOf):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("choice", accepted=list(self.choices))


class _Pattern(validate.Regexp):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("pattern", pattern=self.regex.pattern)


class _Place(validate.Regexp):
    def _format_error(self, *_: object) -> str:
        return FaultCode.of("no_such_place")


class _Legible(validate.Regexp):
    def __call__(self, value: AnyStr) -> AnyStr:
        if isinstance(value, str) and not is_legible(value):
            raise ValidationError(self._format_error(value))
        return super().__call__(value)

    def _format_error(self, *_: object) -> str:
        return FaultCode.of("illegible")


class _Visible(validate.Regexp):
    def __call__(self, value: AnyStr) -> AnyStr:
        if isinstance(value, str) and not any(map(shows, value)):
            raise ValidationError(self._format_error(value))
        return super().__call__(value)

    def _format_error(self, *_: object) -> str:
        return FaultCode.of("blank")


class _VisibleOrEmpty(_Visible):
    def __call__(self, value: AnyStr) -> AnyStr:
        return value if not value else super().__call__(value)


class StrictText(fields.String):
    """A string. One that is too long is not looked at any further: patterns take time."""

    default_error_messages = codes("not_a_string")

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._length = next((each for each in self.validators if isinstance(each, Length)), None)
        self._most = (self._length and self._length.max) or sys.maxsize

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if type(value) is not str:
            raise self.make_error("invalid")
        if len(value) > self._most and self._length is not None:
            self._length(value)
        return value


class TypedCode(StrictText):
    """A code as people type it; loads what they meant."""

    def deserialize(self, value: object, attr: str | None = None, data: Any = None, **kwargs: object) -> Any:
        """See marshmallow."""
        loaded = super().deserialize(value, attr, data, **kwargs)
        return typed.code(loaded) if isinstance(loaded, str) else loaded


class Choice(StrictText):
    """One of several strings; the fault of any other value lists them."""

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if type(value) is not str:
            for validator in self.validators:
                validator(value)
        return super()._deserialize(value)


class StrictInteger(fields.Integer):
    """An integer; not `true` or `"1"`."""

    default_error_messages = codes("not_an_integer")

    def _deserialize(self, value: object, *_: object, **__: object) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class QueryInteger(fields.Integer):
    """An integer in a query, where every value is text."""

    default_error_messages = codes("not_an_integer")

    def _deserialize(self, value: str, *_: object, **__: object) -> int:
        # Far beyond every range, but within the limit of `int`.
        if re.fullmatch(r"-?\d{1,4000}", value, re.ASCII) is None:
            raise self.make_error("invalid")
        return int(value)


class StrictBoolean(fields.Boolean):
    """True or false."""

    default_error_messages = codes("not_a_boolean")

    def _deserialize(self, value: object, *_: object, **__: object) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class QueryBoolean(fields.Boolean):
    """True or false in a query."""

    default_error_messages = codes("not_a_boolean")

    def _deserialize(self, value: str, *_: object, **__: object) -> bool:
        if value not in ("true", "false"):
            raise self.make_error("invalid")
        return value == "true"


class Moment(fields.String):
    """A time (RFC 3339), as milliseconds since the epoch."""

    default_error_messages = codes("not_a_time")

    def _deserialize(self, value: object, *_: object, **__: object) -> int:  # type: ignore[override]
        if type(value) is not str or _RFC_3339.fullmatch(value) is None:
            raise self.make_error("invalid")
        try:
            return (datetime.fromisoformat(value.upper()) - _EPOCH) // _MILLISECOND
        except ValueError:
            raise self.make_error("invalid") from None


class CardName(fields.String):
    """The name of a card."""

    default_error_messages = codes("no_such_card")

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if type(value) is not str or value not in KIND:
            raise self.make_error("invalid")
        return value


class Attributes(TypedDict, total=False):
    """Arguments common to all fields.

    Attributes:
        optional: whether the field may be left out.
        nullable: whether it may be null.
        default: value if it is left out; makes it optional.
        example: example for `openapi.yaml`.
        data_key: its name, if that is a Python keyword.
        named: name of its schema in `openapi.yaml`.
        go_name: its name in Go, if its own collides with a generated method.
    """

    optional: bool
    nullable: bool
    default: object
    example: object
    data_key: str
    named: str
    go_name: str


def _arguments(about: str, attributes: Attributes, **annotations: object) -> dict[str, Any]:
    """Return the arguments of a field's constructor; `annotations` go into its schema in `openapi.yaml`."""
    metadata: dict[str, object] = {"description": about} if about else {}
    if "example" in attributes:
        metadata["examples"] = [attributes["example"]]
    if "named" in attributes:
        metadata["named"] = attributes["named"]
    if "go_name" in attributes:
        metadata["x-go-name"] = attributes["go_name"]
    arguments: dict[str, object] = {
        "required": not attributes.get("optional") and "default" not in attributes,
        "allow_none": attributes.get("nullable", False),
        "metadata": metadata | annotations,
    }
    if "default" in attributes:
        arguments["load_default"] = attributes["default"]
    if "data_key" in attributes:
        arguments["data_key"] = arguments["attribute"] = attributes["data_key"]
    return arguments


def _length(low: int, high: int | None) -> list[validate.Validator]:
    return [Length(low or None, high)] if low or high else []


def text(
    about: str, low: int = 0, high: int | None = None, *, pattern: str | None = None, **attributes: Unpack[Attributes]
) -> Field:
    """Return a field for a string of `low` to `high` characters matching a regular expression."""
    validators = _length(low, high)
    if pattern is not None:
        validators.append(_Pattern(re.compile(pattern)))
    return StrictText(validate=validators, **_arguments(about, attributes))


def code(about: str, high: int, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for the code of a table, as people type it."""
    about += " Case, width, spaces and hyphens make no difference."
    return TypedCode(validate=_length(1, high), **_arguments(about, attributes))


def place(about: str, pattern: str, high: int, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an opaque position in a list of events, of at most `high` characters."""
    return StrictText(validate=[*_length(1, high), _Place(re.compile(pattern))], **_arguments(about, attributes))


_INVISIBLE: Final = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
_VISIBLE: Final = rf"[^\s{_INVISIBLE}]"


#: Other characters forbidden in names: invisible ones, and those that look different in every font.
_HIDDEN: Final = (
    rf"{_INVISIBLE}\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2060-\u206f\u2800\u3164"
    r"\ue000-\uf8ff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\uffff"
)
#: Combining marks. Real names have at most two on a letter.
_MARKS: Final = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    r"\u0ec8-\u0ece\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)


def name(about: str, high: int, low: int = 1, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for a name of `low` to `high` characters, without invisible ones and stacks of marks.

    The pattern is the part that clients can check: not all regular expressions support categories and scripts, or
    characters above U+FFFF. `is_legible` checks the rest.
    """
    first, last = rf"[^\s{_HIDDEN}\u200d\ufe0f]", rf"[^\s{_HIDDEN}\u200d]"
    pattern = _Legible(re.compile(rf"^(?!.*[{_MARKS}]{{3}}){first}([^{_HIDDEN}]*{last})?$"))
    return StrictText(validate=[*_length(low, high), pattern], **_arguments(about, attributes))


def player_name(**attributes: Unpack[Attributes]) -> Field:
    """Return a field for the name of a player, which may not look like that of an AI player."""
    field = name("The name shown to others; not like those of AI players, such as `AI 1`.", 40, **attributes)
    field.validators.append(_not_like_ai)
    return field


def _not_like_ai(value: str) -> None:
    if is_like_ai(value):
        raise ValidationError(FaultCode.of("like_ai"))


def line(about: str, high: int, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for a message: one line, not blank, no control characters."""
    pattern = _Visible(re.compile(rf"^[^{_INVISIBLE}]*{_VISIBLE}[^{_INVISIBLE}]*$"))
    return StrictText(validate=[*_length(1, high), pattern], **_arguments(about, attributes))


def line_or_nothing(about: str, high: int, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for one line without control characters, or the empty text."""
    pattern = _VisibleOrEmpty(re.compile(rf"^([^{_INVISIBLE}]*{_VISIBLE}[^{_INVISIBLE}]*)?$"))
    return StrictText(validate=[*_length(0, high), pattern], **_arguments(about, attributes))


def time(about: str, *, pattern: str | None = None, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for a time: RFC 3339 in UTC with milliseconds."""
    attributes = {"example": "2026-11-20T19:30:00.000Z", **attributes}
    validators = [] if pattern is None else [_Pattern(re.compile(pattern))]
    return StrictText(validate=validators, **_arguments(about, attributes, format="date-time"))


def moment(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a request field for a time: RFC 3339, in any time zone."""
    attributes = {"example": "2026-11-20T19:30:00.000Z", **attributes}
    return Moment(**_arguments(about, attributes, format="date-time"))


def uri(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a response field for a URI reference."""
    return StrictText(**_arguments(about, attributes, format="uri-reference"))


def integer(
    about: str,
    low: int | None = None,
    high: int | None = None,
    *,
    query: bool = False,
    **attributes: Unpack[Attributes],
) -> Field:
    """Return a field for an integer from `low` to `high`."""
    validators = [] if low is None and high is None else [_Range(low, high)]
    return (QueryInteger if query else StrictInteger)(validate=validators, **_arguments(about, attributes))


def flag(about: str, *, query: bool = False, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for true or false."""
    return (QueryBoolean if query else StrictBoolean)(**_arguments(about, attributes))


def choice(about: str, *values: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for one of several strings."""
    return Choice(validate=[_OneOf(values)], **_arguments(about, attributes))


def extensible(about: str, values: Iterable[str], **attributes: Unpack[Attributes]) -> Field:
    """Return a response field for one of several strings, to which later versions may add.

    Generated clients must accept unknown values, so `openapi.yaml` has a string with `x-extensible-enum`.
    """
    return StrictText(**_arguments(about, attributes, **{"x-extensible-enum": [*values]}))


def card(about: str = "", **attributes: Unpack[Attributes]) -> Field:
    """Return a field for the name of a card."""
    return CardName(**_arguments(about, attributes))


def cards(about: str, low: int = 0, high: int = MOST_CARDS, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for cards. Their order is arbitrary unless `about` says otherwise."""
    entry = CardName(error_messages={"null": "no_such_card"})
    return StrictList(entry, validate=[Length(low, high)], **_arguments(about, attributes))


def array(of: Field, about: str, low: int = 0, high: int | None = None, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an array of `low` to `high` entries."""
    return StrictList(of, validate=_length(low, high), **_arguments(about, attributes))


def nested(schema: type[Schema], about: str = "", **attributes: Unpack[Attributes]) -> Field:
    """Return a field for an object of a schema."""
    return fields.Nested(schema, error_messages=codes("not_an_object"), **_arguments(about, attributes))


def mapping(
    about: str,
    of: Field | None = None,
    *,
    high: int | None = None,
    names: Field | None = None,
    **attributes: Unpack[Attributes],
) -> Field:
    """Return a field for an object with up to `high` arbitrary names: `names` validates the names, `of` the values.

    In requests, `high` is required.
    """
    annotations = {} if high is None else {"maxProperties": high}
    return StrictObject(high, keys=names, values=of, **_arguments(about, attributes, **annotations))


def number(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a response field for a number."""
    return fields.Float(**_arguments(about, attributes))


def anything(about: str, **attributes: Unpack[Attributes]) -> Field:
    """Return a field for any JSON value."""
    attributes = {**attributes, "nullable": True}
    return fields.Raw(error_messages=codes("invalid"), **_arguments(about, attributes))
