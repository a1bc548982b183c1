"""The cases, and what was recorded from the service, as data."""

import gzip
import json
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Final

Json = dict[str, Any]
#: A case: `id`, `shows`, `goal`, and optional `with`, `world`, `faults`, `expect`, `slow` (see README.md).
Case = Json

_DATA: Final = files("shengji_conformance") / "data"
#: Subject -> what its cases are about.
SUBJECTS: Final[dict[str, str]] = json.loads((_DATA / "subjects.json").read_text(encoding="utf-8"))


@cache
def recording(name: str) -> Json:
    """Return what was recorded, such as `games/shengji`: `table`, `steps`, `events`, `last`. Copy it before a change.

    Each of `steps` has the `view` that asks the player, the `answer` (`method`, `path` below the table, `body`) and its
    `outcome`; `events` are those of the table from the first one on, `last` is the final view.
    """
    loaded: Json = json.loads(gzip.decompress((_DATA / f"{name}.json.gz").read_bytes()))
    return loaded


@cache
def problems() -> dict[str, Json]:
    """Return an example of each problem of the service, by code."""
    examples: dict[str, Json] = json.loads((_DATA / "problems.json").read_text(encoding="utf-8"))
    return examples


@cache
def registered() -> Json:
    """Return the answer to a registration."""
    answer: Json = json.loads((_DATA / "registered.json").read_text(encoding="utf-8"))
    return answer


@cache
def account() -> Json:
    """Return the stream of the account: where it begins, the `snapshot` there, and the `messages` after it.

    Each of `messages` has the `id` of the message, a place to resume after, and its `event`.
    """
    stream: Json = json.loads((_DATA / "account.json").read_text(encoding="utf-8"))
    return stream


@cache
def maps() -> frozenset[str]:
    """Return the names of fields whose objects have free keys, such as seats: an unknown key is no unknown field."""
    return frozenset(json.loads((_DATA / "maps.json").read_text(encoding="utf-8")))


def all_cases() -> list[Case]:
    """Return all cases, by subject."""
    loaded: list[Case] = []
    for subject in SUBJECTS:
        loaded += json.loads((_DATA / "cases" / f"{subject}.json").read_text(encoding="utf-8"))
    return loaded


def subject_of(case: Case) -> str:
    """Return the subject of a case, with which its id begins."""
    return str(case["id"]).partition("/")[0]


def chosen(patterns: Iterable[str], *, slow: bool = True) -> list[Case]:
    """Return the cases whose id matches one of the patterns (`streams/*`), or all if there is none."""
    wanted = list(patterns)
    return [
        case
        for case in all_cases()
        if (slow or not case.get("slow"))
        and (not wanted or any(fnmatchcase(case["id"], pattern) for pattern in wanted))
    ]


def route(pattern: str) -> re.Pattern[str]:
    """Return what a method and path match, such as `POST /v1/tables/{table}/play`, or `POST *` for any path."""
    parts = re.split(r"(\{\w+\}|\*)", pattern)
    text = "".join("[^/]+" if part.startswith("{") else ".*" if part == "*" else re.escape(part) for part in parts)
    return re.compile(text)
