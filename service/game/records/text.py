"""Records as text, in the style of PBN: tags, the deal, a trick per line, comments (docs/record-format.md).

A text is parsed into the shape of a JSON record, which is then checked like any other.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

from service.common.errors import InvalidRequest, TooComplex
from service.game.records.by_record import Time, milliseconds
from service.game.records.record import FORMAT
from service.game.records.replay import MOST_ROUNDS, MOST_STEPS
from service.game.records.types import RecordDraft, RecordedDeal, RecordJson
from service.game.views.fields import timestamp
from service.rules.cards import KIND

#: A place in a record: numbers (from 0) of the round and the action; of a tag its field, after the round if it has one.
Place: TypeAlias = tuple[int | str, ...]

#: Tag -> the field of the record, or of a round.
OF_RECORD: Final = {
    "Format": "format", "Game": "game", "Ruleset": "ruleset", "Players": "players", "Rules": "rules",
    "Options": "options", "Clock": "clock", "Length": "length", "Seats": "seats", "Ended": "ended",
}  # fmt: skip
OF_ROUND: Final = {
    "Round": "round", "Opened": "opened_at", "Starter": "starter", "Declarer": "declarer", "Standings": "standings",
    "Levels": "levels", "Result": "result", "Shuffle": "shuffle",
    "TakenBack": "taken_back",
}  # fmt: skip
#: Most characters of a line: more than any trick of sixteen seats has, and than any tag.
_LONGEST_LINE: Final = 20_000
_CHARACTERS_PER_PAUSE: Final = 1_000
#: Most actions and tags; a reveal beside a discard is no step of its own.
_MOST_PLACES: Final = 2 * MOST_STEPS + len(OF_RECORD) + (1 + len(OF_ROUND)) * MOST_ROUNDS
_TAG: Final = re.compile(r"\[([A-Za-z]+) (.*)\]")
_CARDS: Final = re.compile(r"(?:hand (\d{1,2})|kitty): ?(.*)")
_TRICK: Final = re.compile(r"\d{1,4}\. (.*)")
_ACTION: Final = re.compile(r"(\d{1,2}) ([a-z_]+)((?: [^@ ]+)*)(?: @(\d{1,9}(?:\.\d{1,3})?))?")
_CLOSED: Final = re.compile(r"closed @(\d{1,9}(?:\.\d{1,3})?)")
_PLAY: Final = re.compile(r"(\d{1,2}) ([^@]*?)(?: @(\d{1,9}(?:\.\d{1,3})?))?")
#: The opening time of a round without one.
_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)


class Read(NamedTuple):
    """A parsed text: the record, and the lines (from 1) of its rounds, actions and tags."""

    record: RecordDraft
    lines: dict[Place, int]


# --- writing -----------------------------------------------------------------------------------------------------


def written(record: RecordJson, deals: Mapping[int, list[RecordedDeal]]) -> str:
    """Return a record as text.

    Args:
        deals: number of a round -> the cards of its deals.
    """
    seats = [{"seat": each["seat"], "name": each["occupant"]["name"]} for each in record["seats"] if each["occupant"]]
    head = {**record, "format": FORMAT, "seats": seats}
    parts = [_tags(OF_RECORD, head)]
    for played in record["rounds"]:
        hidden = () if _is_timed(record) else ("closings",)
        parts.append(_round({name: value for name, value in played.items() if name not in hidden}, record, deals))
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts)


def _is_timed(record: RecordJson) -> bool:
    return bool(record["options"].get("deal_pace") == "timed")


def _tags(names: Mapping[str, str], values: RecordJson) -> list[str]:
    pairs = [(tag, values[name]) for tag, name in names.items() if values.get(name) is not None]
    return [f"[{tag} {json.dumps(value, ensure_ascii=False)}]" for tag, value in pairs]


def _round(played: RecordJson, record: RecordJson, deals: Mapping[int, list[RecordedDeal]]) -> list[str]:
    lines = _tags(OF_ROUND, played)
    for deal in deals[played["round"]]:
        lines += [f"hand {seat}: {' '.join(hand)}" for seat, hand in enumerate(deal["hands"])]
        lines.append(f"kitty: {' '.join(deal['kitty'])}")
    offset = _offsets(played) if _is_timed(record) else None
    closings = list(played.get("closings") or ()) if offset else []
    trick: list[str] = []
    number = 1
    for action in played["actions"]:
        if action["type"] == "play":
            trick.append(_play(action, leads=not trick))
            if len(trick) == record["players"]:
                lines.append(f"{number}. {' | '.join(trick)}")
                number, trick = number + 1, []
            continue
        if trick:
            lines.append(f"{number}. {' | '.join(trick)}")
            trick = []
        while offset and closings and closings[0] <= action["at"]:
            lines.append(f"closed @{offset(closings.pop(0))}")
        lines.append(_action(action) + (f" @{offset(action['at'])}" if offset else ""))
    if trick:
        lines.append(f"{number}. {' | '.join(trick)}")
    return lines


def _offsets(played: RecordJson) -> Callable[[str], str]:
    """Return a function from times to seconds since the start of the round, without pauses and interruptions."""
    time = Time(played.get("pauses", ()))
    opened = time.of(played["opened_at"])
    lost = [(milliseconds(each["at"]), each["ms"]) for each in played.get("interruptions", ())]

    def offset(text: str) -> str:
        at = milliseconds(text)
        passed = time.of(text) - opened - sum(ms for since, ms in lost if since <= at)
        return f"{passed / 1000:.3f}"

    return offset


def _play(action: RecordJson, *, leads: bool) -> str:
    units = action.get("units") or [action["cards"]]
    cards = " + ".join(" ".join(unit) for unit in units) if leads else " ".join(action["cards"])
    return f"{action['seat']} {cards}"


def _action(action: RecordJson) -> str:
    more = list(action.get("cards", ()))
    more += [f"{each['card']}:{'other' if each.get('other') else each['ordinal']}" for each in action.get("calls", ())]
    more += [str(action[name]) for name in ("road", "interval_ms") if name in action]
    return " ".join([str(action["seat"]), action["type"], *more])


# --- reading -----------------------------------------------------------------------------------------------------


def read(text: str, pause: Callable[[], None] = lambda: None) -> Read:
    """Parse a text.

    Args:
        text: the text.
        pause: called with each line; lets other work run every few milliseconds.

    Raises:
        InvalidRequest: reason `record_line`; `params` has the number (`line`) and content (`text`) of the line;
            `several_games`: another game begins at `line`.
        TooComplex: it has more actions than are replayed.
    """
    record: RecordDraft = {"rounds": []}
    lines: dict[Place, int] = {}
    for number, line in _meant(text, pause):
        if len(lines) > _MOST_PLACES:
            raise TooComplex(budget=MOST_STEPS, reason="many_steps")
        try:
            _take(record, line, lines, number)
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise InvalidRequest(reason="record_line", field="text", line=number, text=line) from None
    return Read(record, lines)


def _meant(text: str, pause: Callable[[], None]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers and without comments, which may span lines.

    A comment that is not closed is yielded with its line, which is then refused. Editors put a byte order mark first.

    Raises:
        InvalidRequest: reason `record_line`: a line is too long.
    """
    unpaused = 0
    opened: tuple[int, str] | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        unpaused += len(line) + 1
        if unpaused > _CHARACTERS_PER_PAUSE:
            unpaused = 0
            pause()
        if len(line) > _LONGEST_LINE:
            raise InvalidRequest(reason="record_line", field="text", line=number, text=line)
        rest = line.strip()
        if opened is not None:
            _, ends, rest = rest.partition("}")
            if not ends:
                continue
            opened, rest = None, rest.strip()
        if not rest.startswith(("[", "%", ";")):
            rest = _without_comments(rest)
            before, begins, _ = rest.partition("{")
            if begins:
                opened, rest = (number, rest), before
            rest = " ".join(rest.split())
        if rest and not rest.startswith(("%", ";")):
            yield number, rest
    if opened is not None:
        yield opened


def _without_comments(line: str) -> str:
    """Return a line with a space for each comment. A brace that is not closed stays."""
    pieces, at = [], 0
    while (opened := line.find("{", at)) >= 0 and (closed := line.find("}", opened)) >= 0:
        pieces += [line[at:opened], " "]
        at = closed + 1
    return "".join([*pieces, line[at:]])


def _take(record: RecordDraft, line: str, lines: dict[Place, int], number: int) -> None:
    """Add a line to a record. Raises ValueError and similar exceptions if it cannot be parsed."""
    rounds = record["rounds"]
    if match := _TAG.fullmatch(line):
        tag, value = match[1], json.loads(match[2])
        if tag == "Round":
            rounds.append({"actions": [], "closings": [], "deals": []})
            lines[len(rounds) - 1,] = number
        if rounds and tag in OF_RECORD:
            raise InvalidRequest(reason="several_games", field="text", line=number)
        if tag in OF_RECORD or tag in OF_ROUND:
            name = (OF_ROUND if rounds else OF_RECORD)[tag]
            _set(rounds[-1] if rounds else record, name, value)
            lines[(len(rounds) - 1, name) if rounds else (name,)] = number
        return  # Others are skipped, as unknown fields are: later versions and other programs may have more.
    played = rounds[-1]
    if match := _CARDS.fullmatch(line):
        _add_cards(played["deals"], match[1], _cards(match[2].split()))
    elif match := _CLOSED.fullmatch(line):
        played["closings"].append(_at(played, match[1]))
    elif match := _TRICK.fullmatch(line):
        for play in match[1].split("|"):
            _add(played, _read_play(played, play.strip()), lines, (len(rounds) - 1, number))
    elif match := _ACTION.fullmatch(line):
        _add(played, _read_action(played, *match.groups()), lines, (len(rounds) - 1, number))
    else:
        raise ValueError(line)


def _set(target: RecordDraft, name: str, value: object) -> None:
    if name in target:
        raise ValueError(name)
    target[name] = value


def _add(played: RecordDraft, action: RecordDraft, lines: dict[Place, int], where: tuple[int, int]) -> None:
    number, line = where
    lines[number, len(played["actions"])] = line
    played["actions"].append(action)


def _add_cards(deals: list[RecordDraft], seat: str | None, cards: list[str]) -> None:
    if seat == "0":
        deals.append({"hands": []})
    deal = deals[-1]
    if "kitty" in deal or (seat is not None and int(seat) != len(deal["hands"])):
        raise ValueError(seat)
    if seat is None:
        deal["kitty"] = cards
    else:
        deal["hands"].append(cards)


def _cards(names: Iterable[str]) -> list[str]:
    # As people write them: 10 for T, small and wide letters.
    plain = (unicodedata.normalize("NFKC", name).upper().replace("10", "T") for name in names)
    return [name for name in plain if KIND[name] >= 0]


def _at(played: RecordJson, seconds: str) -> str:
    opened = played.get("opened_at")
    begun = _EARLIEST if opened is None else datetime.fromisoformat(opened)
    at = round(begun.timestamp() * 1000) + round(float(seconds) * 1000)
    if at >= 1 << 47:  # the year 6429
        raise ValueError(seconds)
    return timestamp(at)


def _with_time(played: RecordJson, action: RecordDraft, seconds: str | None) -> RecordDraft:
    return action if seconds is None else {**action, "at": _at(played, seconds)}


def _read_play(played: RecordJson, play: str) -> RecordDraft:
    match = _PLAY.fullmatch(play)
    if match is None:
        raise ValueError(play)
    units = [_cards(unit.split()) for unit in match[2].split("+")]
    action: RecordDraft = {"seat": int(match[1]), "type": "play", "cards": [card for unit in units for card in unit]}
    if len(units) > 1:
        action["units"] = units
    return _with_time(played, action, match[3])


def _read_action(played: RecordJson, seat: str, kind: str, more: str, seconds: str | None) -> RecordDraft:
    action: RecordDraft = {"seat": int(seat), "type": kind}
    words = more.split()
    if kind in ("declare", "discard", "overcall_kitty"):
        action["cards"] = _cards(words)
    elif kind == "call":
        action["calls"] = [_call(word) for word in words]
    elif kind == "road":
        [action["road"]] = words
    elif kind == "pass" and words:
        [interval] = words
        action["interval_ms"] = int(interval)
    elif words or kind not in ("pass", "redeal", "reveal", "claim"):
        raise ValueError(kind)
    return _with_time(played, action, seconds)


def _call(word: str) -> RecordDraft:
    card, _, which = word.partition(":")
    [card] = _cards([card])
    return {"card": card, "other": True} if which == "other" else {"card": card, "ordinal": int(which)}
