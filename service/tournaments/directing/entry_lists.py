"""Entries from a list that a director pastes: a line for each, as people write it or a spreadsheet saves it."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.store.port import Player
from service.tournaments import forms
from service.tournaments.directing.entries import Entry, NamedMember
from service.tournaments.team_events import TeamEvents

#: Longest list (characters): more than a hundred lines of four links each.
LONGEST_LIST: Final = 20_000
_CODE: Final = re.compile(r"pl_[A-Za-z0-9]{1,40}")
#: How much of what is written is shown where it is wrong (characters).
_LONGEST_SHOWN: Final = 60
#: What is before a colon is a name, unless it belongs to a link.
_NAMED: Final = re.compile(r"([^:：,，;；\t]*)[:：](?!//)(.*)", re.DOTALL)
_SEPARATORS: Final = re.compile(r"[,，;；、\t]")


class Wrong(NamedTuple):
    """What is wrong in a line: its number from 1 on (0: in the list as a whole), and the reason with its values."""

    line: int
    reason: str
    params: Mapping[str, Any]


class Line(NamedTuple):
    """A line: its number, the name of the entry ("": none), and who plays, as written."""

    number: int
    name: str
    people: list[str]


class EntryLists:
    """See the module.

    Args:
        events: the events.
        records_of: returns the records of those players (ids) who exist. One round trip.
        known_to: returns the people whom a player (id) may call by their names: friends, and those of a club (id).
    """

    def __init__(
        self,
        events: TeamEvents,
        records_of: Callable[[Sequence[str]], Mapping[str, Player]],
        known_to: Callable[[str, str | None], Sequence[Player]],
    ) -> None:
        self._events: Final = events
        self._records_of: Final = records_of
        self._known_to: Final = known_to

    def read(self, event: str, player: str, text: str, level: str) -> tuple[list[tuple[int, Entry]], list[Wrong]]:
        """Return the entries of a list with the numbers of their lines, and what is wrong in it. Enters nobody.

        Args:
            event: id of the event.
            player: the director.
            text: the list.
            level: of the AI players that take the places that are left.

        Raises:
            NotFound, NotDirector, EventClosed: see these.
        """
        team_event = self._events.directed(event, player)
        form = forms.form_of(team_event.event)
        lines, wrong = lines_of(text, form.unit, form.size(team_event.event["players"]), form.most)
        if wrong:
            return [], wrong
        written = {each for line in lines for each in line.people}
        codes = {each: code[0] for each in written if (code := _CODE.search(each))}
        exist = self._records_of(sorted({*codes.values()})).keys()
        named: dict[str, set[str]] = {}
        for known in self._known_to(player, team_event.event["teams"].get("club")) if written - codes.keys() else ():
            named.setdefault(known["name"].casefold(), set()).add(known["id"])
        found = {
            each: {codes[each]} & exist if each in codes else named.get(each.casefold(), set()) for each in written
        }
        wrong = _wrong_people(lines, found)
        size = form.size(team_event.event["players"])
        return ([] if wrong else [(line.number, _entry(line, found, size, level)) for line in lines]), wrong


def _wrong_people(lines: Sequence[Line], found: Mapping[str, Collection[str]]) -> list[Wrong]:
    """Return what is wrong with the people of lines. `found`: what is written -> players (ids) who may be meant."""
    wrong, seen = list[Wrong](), set[str]()
    for line in lines:
        for each in line.people:
            players = found[each]
            reason = "list_unknown" if not players else "list_ambiguous" if len(players) > 1 else None
            if reason is None and not seen.isdisjoint(players):
                reason = "list_twice"
            if reason is not None:
                wrong.append(Wrong(line.number, reason, {"line": line.number, "name": each[:_LONGEST_SHOWN]}))
            seen.update(players)
    return wrong


def _entry(line: Line, found: Mapping[str, Collection[str]], size: int, level: str) -> Entry:
    members: list[NamedMember] = [{"player": player} for each in line.people for player in found[each]]
    members += [{"level": level}] * (size - len(members))
    entry: Entry = {"members": members}
    return {**entry, "name": line.name} if line.name else entry


def lines_of(text: str, unit: str, size: int, most: int) -> tuple[list[Line], list[Wrong]]:
    """Return the lines of a list that are not empty, and what is wrong in them.

    Args:
        text: the list.
        unit: `team`, `pair` or `player`.
        size: how many people each has.
        most: most lines.
    """
    written = [(number, each.strip()) for number, each in enumerate(text.lstrip("\ufeff").split("\n"), 1)]
    written = [(number, each) for number, each in written if each.strip(",，;；\t \r")]
    if not written:
        return [], [Wrong(0, "list_empty", {})]
    if len(written) > most:
        return [], [Wrong(0, "list_too_long", {"limit": most})]
    lines = [_line(number, each, unit, size) for number, each in written]
    wrong = [
        Wrong(line.number, f"list_of_{unit}s", {"line": line.number, "count": size})
        for line in lines
        if not 1 <= len(line.people) <= size or (unit == "team" and not line.name)
    ]
    return lines, wrong


def _line(number: int, written: str, unit: str, size: int) -> Line:
    named = _NAMED.fullmatch(written)
    name, rest = (named[1], named[2]) if named else ("", written)
    fields = [field for each in _SEPARATORS.split(rest) if (field := each.strip().strip('"').strip())]
    if not named and (unit == "team" or (unit == "pair" and len(fields) == size + 1)):
        name, fields = (fields[0], fields[1:]) if fields else ("", [])
    return Line(number, name.strip().strip('"').strip(), fields)
