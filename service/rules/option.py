"""What an option is: a name, its values, its default in each ruleset, and who plays it so."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from service.rules.games import SHENGJI_FAMILY

#: Option -> value, any JSON value: those in effect, or those that somebody asks for.
Options: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    """One row of the table.

    Attributes:
        default: the value where `but` says nothing else; None: the ruleset's own number, and nothing but that.
        source: who plays it so, by the short names of `docs/rules.md` §12.
        values: every value, or empty where `schema` describes them and `check` decides.
        but: ruleset id -> its own default.
        applies: ruleset ids in which the value may be changed at all.
        schema: JSON Schema of the values, where a list of them would say less.
        check: whether it takes a value, where `values` are not listed.
    """

    name: str
    default: Any
    source: str
    values: tuple[Any, ...] = ()
    but: Mapping[str, Any] = field(default_factory=dict)
    applies: frozenset[str] = SHENGJI_FAMILY
    schema: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[[object], bool] | None = None

    def default_for(self, ruleset: str) -> Any:
        """Return the ruleset's own value."""
        return self.but.get(ruleset, self.default)

    def takes(self, value: object) -> bool:
        """Tell whether the value is one of this option, whatever the ruleset."""
        if self.check is not None:
            return self.check(value)
        # `1 == True` in Python, but not in JSON.
        return any(value == known and type(value) is type(known) for known in self.values)

    def json_schema(self) -> dict[str, Any]:
        """Return the values as a JSON Schema (2020-12)."""
        return dict(self.schema) if self.schema else {"enum": list(self.values)}


def choice(name: str, source: str, values: str, default: str, **more: Any) -> Option:
    """Return an option whose values are words."""
    return Option(name, default, source, tuple(values.split()), **more)


def flag(name: str, source: str, *on: str, **more: Any) -> Option:
    """Return an option of true and false that is off but for the rulesets `on`."""
    return Option(name, False, source, (False, True), but=dict.fromkeys(on, True), **more)


def number(name: str, source: str, least: int, most: int, default: int | str | None, **more: Any) -> Option:
    """Return an option whose values are numbers from `least` to `most`, and its default if that is none of them."""
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
