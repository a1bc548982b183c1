"""Generate the tables of docs/rules.md from the options and the vectors: `python -m scripts.rules_doc`."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from service.rules.cards import names_of
from service.rules.composition import Composition
from service.rules.games import RULESETS, STEP_GAMES, Ruleset
from service.rules.option import Option
from service.rules.options.constraints import CONSTRAINTS
from service.rules.options.rulesets import composition, effective_options
from service.rules.options.table import PHASES
from service.rules.rounds.scoring import bands
from service.texts.options import OPTIONS, REASONS
from tests.rules.pins import pins

TARGET = Path(__file__).parents[1] / "docs" / "rules.md"
#: Most vectors listed for a value; some values have hundreds.
_MOST_IDS = 4
BLOCK = re.compile(r"<!-- table: (.+?) -->\n.*?<!-- end -->", re.DOTALL)


def _json(value: Any) -> str:
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value, ensure_ascii=False)}`"


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    head = list(head)
    yield _row(head)
    yield _row("---" for _ in head)
    yield from map(_row, rows)
    yield ""


def _rulesets() -> Iterator[str]:
    for rules in RULESETS.values():
        yield f"### `{rules.id}`: {rules.names['en']} ({rules.names['zh-Hans']})"
        yield ""
        yield f"Source {rules.seed} (§12). Teams: {rules.teams}. The game ends {_end(rules)}."
        yield ""
        head = ["players", "decks", "big jokers", "little jokers", "taken out", "cards each", "kitty", "calls"]
        yield from _table([*head, "declarers"], (_game(rules, players) for players in rules.players))


def _end(rules: Ruleset) -> str:
    if rules.family == "arms_length":
        return "after four rounds; the higher total wins"
    options = effective_options(rules.id, rules.players[0], {})
    if options["last_level_by"] == "declarers_there":
        return f"when a round is won at {options['last_level']} on the declarer's side"
    return f"when a player passes {options['last_level']}"


def _game(rules: Ruleset, players: int) -> list[object]:
    cards: Composition = composition(rules.id, players, {})
    taken = ", ".join(f"`{name}`" for name in names_of(cards.removed)) or "–"
    friends = [cards.calls, f"up to {cards.declarers_max}"] if cards.calls else ["–", "–"]
    return [players, cards.decks, cards.big_jokers, cards.little_jokers, taken, cards.hand, cards.kitty, *friends]


def _scores() -> Iterator[str]:
    for rules in RULESETS.values():
        if rules.family == "shengji" and rules.id not in STEP_GAMES:
            yield f"`{rules.id}`, from the attackers' points on:"
            yield ""
            for decks in sorted({composition(rules.id, players, {}).decks for players in rules.players}):
                options = effective_options(rules.id, rules.players[0], {})
                yield f"- {decks} decks: " + "; ".join(_bands(rules.id, decks, options)) + "."
            yield ""


def _bands(ruleset: str, decks: int, options: dict[str, Any]) -> Iterator[str]:
    for band in bands(ruleset, decks, options):
        yield f"{band.points}: " + ("nobody" if band.side is None else f"{band.side} +{band.levels}")


def _options(phase: str) -> Iterator[str]:
    pinned = pins()
    for option in PHASES[phase]:
        yield from _option(option, pinned[option.name])


def _option(option: Option, pinned: dict[str, list[str]]) -> Iterator[str]:
    yield f"#### `{option.name}`"
    yield ""
    yield f"{OPTIONS[option.name].meaning['en']} Source: {option.source}."
    yield ""
    yield from _table(["value", "meaning", "vectors"], _values(option, pinned))
    if option.schema:
        yield f"Any value of the schema `{json.dumps(option.json_schema())}`; the table has those with vectors."
        yield ""
    yield from _defaults(option)
    refusals = list(_refusals(option))
    yield from [*refusals, ""] if refusals else ()


def _values(option: Option, pinned: dict[str, list[str]]) -> Iterator[list[object]]:
    listed = sorted(pinned) if option.schema else [json.dumps(value) for value in option.values]
    for value in listed:
        ids = pinned.get(value, [])
        more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
        plain = json.loads(value)
        meaning = OPTIONS[option.name].values.get(plain, {}).get("en", "") if isinstance(plain, str) else ""
        yield [_json(plain), meaning, ", ".join(f"`{each}`" for each in ids[:_MOST_IDS]) + more]


def _refusals(option: Option) -> Iterator[str]:
    for row in CONSTRAINTS:
        if row.option == option.name and row.reason:
            values = " or ".join(map(_json, row.bad)) if isinstance(row.bad, tuple) else None
            reason = _reason(row.reason, option.name, values or "…")
            yield f"- {values or 'Some other values are'} refused as `{row.reason}`: {reason}"


def _reason(reason: str, option: str, value: str) -> str:
    """Return the sentence of a refusal without the list of accepted values, which depends on the table."""
    text = REASONS[reason]["en"].replace("{option}", f"`{option}`").replace("{value}", value)
    for tail in ("; possible: {accepted}", " can be {accepted}", " must be {accepted}", ": `" + option + "`"):
        text = text.replace(tail, "")
    return text


def _defaults(option: Option) -> Iterator[str]:
    """Yield the defaults of an option, each with its rulesets."""
    by_value: dict[str, list[str]] = {}
    for rules in RULESETS.values():
        if rules.id in option.applies:
            by_value.setdefault(_json(option.default_for(rules.id)), []).append(f"`{rules.id}`")
    defaults = [f"{value} in {', '.join(names)}" for value, names in by_value.items()]
    yield "Default: " + "; ".join(defaults) + "."
    yield ""


#: Name of a table -> function that yields its lines.
TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "rulesets": _rulesets,
    "scores": _scores,
    **{f"options of {phase}": lambda phase=phase: _options(phase) for phase in PHASES},  # type: ignore[misc]
}


def text(page: str) -> str:
    """Return the page with its tables regenerated."""
    return BLOCK.sub(lambda block: f"<!-- table: {block[1]} -->\n\n{_lines(block[1])}<!-- end -->", page)


def _lines(name: str) -> str:
    return "".join(line + "\n" for line in TABLES[name]())


if __name__ == "__main__":
    TARGET.write_text(text(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
