"""Schemas, arrays and objects that are bounded before their contents are looked at.

marshmallow validates every entry of an array, and only then its length. These check the length first, and stop once
there are more faults than a problem shows (`MOST_FAULTS`). In long work (`yielding`) they rest between entries.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final, TypeAlias

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.api.http.problems import MOST_FAULTS, FaultCode
from service.api.http.yielding import current_work

#: Entries between two looks at the clock.
_ENTRIES_PER_REST: Final = 16

#: marshmallow's messages: codes, or name or index -> messages.
_Messages: TypeAlias = "list[Any] | Mapping[Any, _Messages]"


def _count(messages: _Messages) -> int:
    """Return the number of faults in marshmallow's messages."""
    if isinstance(messages, Mapping):
        return sum(map(_count, messages.values()))
    return len(messages)


def codes(invalid: str) -> dict[str, Any]:
    """Return the codes of a field's faults; `invalid` is that of a wrong type."""
    return {"required": "required", "null": "null", "invalid": invalid, "validator_failed": "invalid"}


class Contract(Schema):
    """Base of all schemas: unknown fields are refused."""

    class Meta:
        """See marshmallow."""

        unknown = RAISE

    error_messages = {"unknown": "unknown", "type": "not_an_object"}  # noqa: RUF012 (marshmallow reads a plain dict)

    def load(self, data: Any, **options: Any) -> object:
        """Load a value. Of many unknown fields, only some are looked at."""
        most = len(self.load_fields) + MOST_FAULTS
        if type(data) is dict and len(data) > most and self.unknown == RAISE:
            known = {field.data_key or name for name, field in self.load_fields.items()}
            unknown = islice((name for name in data if name not in known), MOST_FAULTS + 1)
            data = {name: data[name] for name in (*unknown, *(known & data.keys()))}
        return super().load(data, **options)


class Length(validate.Length):
    """Bounds of a length."""

    def _format_error(self, *_: object) -> str:
        return FaultCode.of("length", min=self.min or 0, max=self.max)


class StrictList(fields.List[Any]):
    """An array."""

    default_error_messages = codes("not_an_array")

    def _deserialize(self, value: object, attr: object, data: object, **options: Any) -> list[object]:  # noqa: ARG002
        if type(value) is not list:
            raise self.make_error("invalid")
        super()._validate(value)
        load, count = self.inner.deserialize, 0
        loaded: list[object] = []
        faults: dict[int, _Messages] = {}
        for index, entry in enumerate(_rested(value)):
            try:
                loaded.append(load(entry, **options))
            except ValidationError as error:
                faults[index] = error.messages
                count += _count(error.messages)
                if count > MOST_FAULTS:
                    break
        if faults:
            raise ValidationError(faults)
        return loaded

    def _validate(self, value: object) -> None:
        """Do nothing: `_deserialize` has checked the length."""


class StrictObject(fields.Dict):
    """An object with arbitrary names, up to `high` of them."""

    default_error_messages = codes("not_an_object")

    def __init__(self, high: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.high: Final = high

    def _deserialize(self, value: object, attr: object, data: object, **options: Any) -> dict[object, object]:  # noqa: ARG002
        if not isinstance(value, Mapping):
            raise self.make_error("invalid")
        if self.high is not None and len(value) > self.high:
            raise ValidationError(FaultCode.of("length", min=0, max=self.high))
        loaded: dict[object, object] = {}
        faults: dict[str, dict[str, _Messages]] = {}
        count = 0
        for name, entry in value.items():
            for part, field, part_value in (("key", self.key_field, name), ("value", self.value_field, entry)):
                try:
                    checked = part_value if field is None else field.deserialize(part_value, **options)
                except ValidationError as error:
                    faults.setdefault(name, {})[part] = error.messages
                    count += _count(error.messages)
                else:
                    # The value comes last. Names stay as they are.
                    loaded[name] = checked
            if count > MOST_FAULTS:
                break
        if faults:
            raise ValidationError(faults)
        return loaded


def _rested(entries: list[object]) -> Iterable[object]:
    """Return the entries; in long work, rest between them."""
    work = current_work()
    return entries if work is None or len(entries) < _ENTRIES_PER_REST else _resting(entries, work.rest)


def _resting(entries: list[object], rest: Any) -> Iterable[object]:
    for index, entry in enumerate(entries):
        if index % _ENTRIES_PER_REST == 0:
            rest()
        yield entry
