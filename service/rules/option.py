"""The type of an option: its name, values, default in each ruleset, and source."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from service.rules.games import SHENGJI_FAMILY

#: Option -> value, any JSON value.
Options: TypeAlias = Mapping[str, Any]
#: The same, in a dict that its owner may change.
OwnOptions: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        default: in all rulesets that `but` does not list; None: a number that depends on the ruleset.
        source: sources and servers that have the option, by the short names of `docs/rules.md` §12.
        values: all values; empty if `schema` describes them and `check` decides.
        but: ruleset id -> its default, if that differs from `default`.
        applies: ids of the rulesets in which the value can be changed.
        schema: JSON Schema of the values, if they are too many to list.
        check: returns whether a value is allowed, if `values` is empty.
        since: the first release that knows the option; "" for release 0.3.
        later: value -> the first release that knows it, if that is later than the option's.
    """

    name: str
    default: Any
    source: str
    values: tuple[object, ...] = ()
    but: Options = field(default_factory=dict)
    applies: frozenset[str] = SHENGJI_FAMILY
    schema: Mapping[str, object] = field(default_factory=dict)
    check: Callable[[object], bool] | None = None
    since: str = ""
    later: Mapping[str, str] = field(default_factory=dict)

    def default_for(self, ruleset: str) -> Any:
        """Return the default in a ruleset."""
        return self.but.get(ruleset, self.default)

    def takes(self, value: object) -> bool:
        """Return whether the option can have this value in any ruleset."""
        if self.check is not None:
            return self.check(value)
        # `1 == True` in Python, but not in JSON.
        return any(value == known and type(value) is type(known) for known in self.values)

    def json_schema(self) -> dict[str, object]:
        """Return the values as a JSON Schema (2020-12)."""
        return dict(self.schema) if self.schema else {"enum": list(self.values)}


def choice(name: str, source: str, values: str, default: str, **more: Any) -> Option:
    """Return an option whose values are words."""
    return Option(name, default, source, tuple(values.split()), **more)


def flag(name: str, source: str, *on: str, **more: Any) -> Option:
    """Return an option of true and false, which is true by default only in the rulesets `on`."""
    return Option(name, False, source, (False, True), but=dict.fromkeys(on, True), **more)


def number(name: str, source: str, least: int, most: int, default: int | str | None, **more: Any) -> Option:
    """Return an option whose values are the numbers from `least` to `most`, and `default` if it is none of them."""
    numbers = {"type": "integer", "minimum": least, "maximum": most}
    inside = type(default) is int
    values = tuple(range(least, most + 1))
    return Option(
        name,
        default,
        source,
        values if inside else (default, *values),
        schema=numbers if inside else {"anyOf": [{"const": default}, numbers]},
        **more,
    )
