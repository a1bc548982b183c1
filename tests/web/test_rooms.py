"""Directions of imports between the rooms of the page, read from its sources, as for the service."""

import re
from functools import cache
from pathlib import Path

from tools.page.__main__ import CLIENT

APP = CLIENT / "app"

#: Rooms from the ground up, one floor per line; docs/architecture.md shows this. A module imports from its own room and
#: from floors below, never from another room of its floor.
FLOORS = (
    {"api"},
    {"texts"},
    {"cards"},
    {"table"},
    {"ui"},
    {"games"},
    {"account"},
    {"people"},
    {"live"},
    {"seats"},
    {"round"},
    {"coach", "deals", "events", "lessons", "operator", "review", "sitting", "suspended"},
    {"teams"},
    {"alone", "clubs", "hall", "rooms", "start", "teamevents"},
    {"later", "main", "routes"},
)
#: Most modules of a room; one with more mixes different things.
MOST_MODULES = 16
IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";$', re.MULTILINE)
ON_DEMAND = re.compile(r'import\("(\./[^"]+\.js)"\)')
TYPES = re.compile(r"/\*\*.*?\*/", re.DOTALL)
#: Modules that load parts of the page on demand.
LOADS = {"main.js", "routes.js"}


@cache
def imports() -> dict[Path, list[Path]]:
    """Module -> what it imports, without libraries and types."""
    return {
        path: [
            target
            for name in IMPORT.findall(path.read_text("utf-8"))
            if (target := (path.parent / name).resolve()).is_relative_to(APP)
        ]
        for path in APP.rglob("*.js")
    }


def room(path: Path) -> str:
    return path.relative_to(APP).parts[0].removesuffix(".js")


def floor(path: Path) -> int:
    floors = [at for at, rooms in enumerate(FLOORS) if room(path) in rooms]
    assert floors, f"{path.relative_to(APP)} is in no room: add it to FLOORS and to docs/architecture.md"
    return floors[0]


def test_a_module_imports_from_its_room_and_from_the_floors_below() -> None:
    wrong = [
        f"{path.relative_to(APP)} must not import {target.relative_to(APP)}"
        for path, targets in imports().items()
        for target in targets
        if room(path) != room(target) and floor(target) >= floor(path) and room(path) not in FLOORS[-1]
    ]
    assert wrong == []


def test_every_room_is_there() -> None:
    assert {room(path) for path in imports()} == set().union(*FLOORS)


def test_no_modules_import_each_other_in_a_circle() -> None:
    done: set[Path] = set()

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        circle = [each.name for each in above]
        assert path not in above, f"{' -> '.join([*circle, path.name])}"
        if path not in done:
            for target in imports()[path]:
                visit(target, (*above, path))
            done.add(path)

    for path in imports():
        visit(path, ())


def test_every_module_is_used() -> None:
    used = {target for targets in imports().values() for target in targets}
    loaded = {
        APP / name for each in LOADS for name in ON_DEMAND.findall(TYPES.sub("", (APP / each).read_text("utf-8")))
    }
    assert set(imports()) - used - loaded == {APP / "main.js"}


def test_no_room_has_too_many_modules() -> None:
    rooms = [room(path) for path in imports()]
    assert {name: rooms.count(name) for name in rooms if rooms.count(name) > MOST_MODULES} == {}
