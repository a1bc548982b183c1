"""Write docs/rules.md from the tables of the rules and the vectors: `python -m tests.rules.rules_doc`."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from service.rules.cards import names_of
from service.rules.catalogue import SEEDS
from service.rules.constraints import CONSTRAINTS
from service.rules.options import OPTIONS, Option
from service.rules.rulesets import RULESETS, Composition, Ruleset, composition, effective_options
from service.rules.scoring import bands
from service.texts.option_texts import MEANINGS, REASONS, VALUES
from tests.rules.pins import pins

TARGET = Path(__file__).parents[2] / "docs" / "rules.md"
#: Vectors named for a value: all that set the option themselves would be too many for some.
_MOST_IDS = 4

_HEAD = """\
# Rulesets and options

For developers of clients and bots. This page is written from the tables that the engine itself reads
(`service/rules/options.py`, `rulesets.py`, `constraints.py`, `scoring.py`); do not edit it, run
`python -m tests.rules.rules_doc`. The same data, in English and Chinese, comes from `GET /v1/rulesets/{ruleset}`, and
any question about the rules is answered by `POST /v1/rulesets/{ruleset}/{kind}`.

Sources: a seed's number with its line (`l.`), section (`§`) or footnote (`fn`); `rules.md` with a section is the
specification that came with the vectors, which settles what the seeds leave open. Every value names vectors of
`tests/vectors/` that pin it: first those that set the option, else those that rest on it.

Words: **declare / reinforce / overcall / defend** make, strengthen, change and keep trumps; the **declarer** takes the
**kitty**; **declarers** are the declarer's side, **attackers** the side that collects points; a **tuple** is identical
cards, a **tractor** consecutive tuples of one width, a **unit** any of these or a single, a **throw** several units led
at once. Cards are rank and suit (`TS`), `LJ` and `BJ` the jokers.
"""

_READINGS = """\
## Where the seeds are silent

What this engine does where neither the seeds nor that specification settle a case:

- `predetermined_declarer`: a result with which nobody gains leaves the declarer where they are.
- `declarer_by: rotation` in friends games: the next declarer also draws first.
- `any_active_level`: jokers name no rank, so only an active player may show them; the player's own level is then trump
  rank.
- `defence`: only as many identical cards as the overcall has; with more it is an overcall, which can be answered again.
- `call_other_copy`: exactly one copy must be held; the card cannot be called by number as well. The call is kept with
  ordinal 0 and filled by whoever but the declarer plays the card.
- `chao_di` with more than two decks: more identical cards are higher, as in the deal; at equal numbers the pair order
  counts.
- `flip_kitty`: a kitty of jokers alone makes no trump suit.
- `misdeal`: any one of the conditions is enough.
- `kitty_factor: table_248`: eight if any unit of the lead is a tractor, four if any is a tuple.
- `hooks` in friends games: of the declarers, those who stand at the trump rank fall; in later laps inside their lap.
- `must_play` holds in every lap. Penalty levels are paid before anything else, also with a round won at the last level.
- `laps`: where the ace must be won as declarers, it must be in every lap.
- `tractor`: no-trump is finished by winning it as declarers; the ace may be passed by attackers.
- Arm's Length: two partners who both state `either` have not clashed; the one nearer the dealer's left takes the high
  road.
"""


def _json(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`" if isinstance(value, dict | list | bool) else f"`{value}`"


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    head = list(head)
    yield _row(head)
    yield _row("---" for _ in head)
    yield from map(_row, rows)
    yield ""


def _ruleset(rules: Ruleset) -> Iterator[str]:
    yield f"### `{rules.id}`: {rules.names['en']} ({rules.names['zh-Hans']})"
    yield ""
    if rules.family == "arms_length":
        ends = "after four rounds; the higher total wins"
    elif rules.last_as_declarers:
        ends = f"when a round is won at {rules.last_level} on the declarer's side"
    else:
        ends = f"when a player passes {rules.last_level}"
    yield f"Seed {rules.seed}, {SEEDS[rules.seed]}. Teams: {rules.teams}. The game ends {ends}."
    yield ""
    games = [(players, composition(rules.id, players, {})) for players in rules.players]
    head = ["players", "decks", "big jokers", "little jokers", "taken out", "cards each", "kitty", "calls", "declarers"]
    yield from _table(head, (_game(players, made) for players, made in games))
    if rules.family == "shengji":
        yield "Attackers' points from which a side gains levels:"
        yield ""
        yield from _scores(rules, {made.decks: players for players, made in games})


def _game(players: int, made: Composition) -> list[object]:
    taken = ", ".join(f"`{name}`" for name in names_of(made.removed)) or "–"
    friends = [made.calls, f"up to {made.declarers_max}"] if made.calls else ["–", "–"]
    return [players, made.decks, made.big_jokers, made.little_jokers, taken, made.hand, made.kitty, *friends]


def _scores(rules: Ruleset, games: dict[int, int]) -> Iterator[str]:
    for decks, players in games.items():
        options = effective_options(rules.id, players, {})
        parts = []
        for band in bands(rules.id, decks, options["points_per_level"]):
            gain = "nobody" if band.side is None else f"{band.side} +{band.levels}"
            parts.append(f"{band.points}: {gain}" + (f", +1 for every further {band.every}" if band.every else ""))
        yield f"- {decks} deck{'s' if decks > 1 else ''}: " + "; ".join(parts) + "."
    yield ""


def _option(option: Option, pinned: dict[str, list[str]]) -> Iterator[str]:
    yield f"### `{option.name}`"
    yield ""
    yield f"{MEANINGS[option.name]['en']} Source: {option.source}."
    yield ""
    values = [json.dumps(value) for value in option.values] or sorted(pinned)
    known = VALUES.get(option.name, {})
    rows = []
    for value in values:
        ids = pinned.get(value, [])
        more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
        plain = json.loads(value)
        meaning = known[plain]["en"] if isinstance(plain, str) and plain in known else ""
        rows.append([_json(plain), meaning, ", ".join(f"`{each}`" for each in ids[:_MOST_IDS]) + more])
    yield from _table(["value", "meaning", "vectors"], rows)
    if not option.values:
        yield f"Any value of the schema `{json.dumps(option.json_schema())}`; the table has those with vectors."
        yield ""
    yield from _defaults(option)
    refusals = []
    for row in CONSTRAINTS:
        if row.option == option.name and row.reason:
            bad = " or ".join(map(_json, row.bad))
            refusals.append(f"- {bad} refused as `{row.reason}`: {_reason(row.reason, option.name, bad)}")
    if option.name == "points_per_level":
        refusals.append("- Refused as `step_must_reach_threshold` unless it divides the threshold (40 points a deck).")
    yield from [*refusals, ""] if refusals else ()


def _reason(reason: str, option: str, value: str) -> str:
    """Return the sentence of a refusal without the list of accepted values, which depends on the table."""
    text = REASONS[reason]["en"].replace("{option}", f"`{option}`").replace("{value}", value)
    for tail in ("; here: {accepted}", " can be {accepted}", " must be {accepted}", ": `" + option + "`"):
        text = text.replace(tail, "")
    return text


def _defaults(option: Option) -> Iterator[str]:
    """Say what the default is where the option applies, shortly where it is the same everywhere."""
    games = [rules.id for rules in RULESETS.values() if rules.id in option.applies]
    by_value: dict[str, list[str]] = {}
    for ruleset in games:
        by_value.setdefault(_json(option.default_for(ruleset)), []).append(f"`{ruleset}`")
    if option.name == "points_per_level":
        by_value = {"20 points a deck": [f"`{ruleset}`" for ruleset in games]}
    shown = [f"{value} in {', '.join(names)}" for value, names in by_value.items()]
    yield "Default: " + "; ".join(shown) + "."
    yield ""


def text() -> str:
    """Return the whole page."""
    pinned = pins()
    lines = [_HEAD, "## Rulesets", ""]
    for rules in RULESETS.values():
        lines += _ruleset(rules)
    lines += [
        "## Options",
        "",
        "A table may override any option that applies to its ruleset. What contradicts is refused (`invalid-option`)",
        "with what would be accepted; a default that another choice makes pointless yields. The effective options of a",
        "table can be sent back as they are.",
        "",
    ]
    for option in OPTIONS.values():
        lines += _option(option, pinned[option.name])
    lines.append(_READINGS)
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text(), encoding="utf-8")
