"""Whether a client did what a case asks: what it reported, and what arrived at the server."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from shengji_conformance.cases import Case, Json, recording, route
from shengji_conformance.server import Arrival, CaseServer

#: Clocks of timers and of the network may differ by this much, s.
_SLACK: Final = 0.05
#: Fields of a view that no event brings.
_UNTOLD: Final = frozenset({"server_time"})
_SHOWN: Final = 300
#: A UUID of version 4 or 7.
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)


def faults(case: Case, server: CaseServer, report: Json) -> list[str]:
    """Return what is wrong, a sentence each; none: the client passes."""
    expect = case.get("expect", {})
    found = list(server.world.wrong)
    if "failed" in report:
        found.append(f"the client failed: {_short(report['failed'])}")
    else:
        found += _differences(expect.get("report", {}), report, "")
    for row in expect.get("requests", ()):
        pattern = route(row["on"])
        arrivals = [arrival for arrival in server.arrivals if pattern.fullmatch(arrival.name)]
        found += [f"{row['on']}: {text}" for text in _of_requests(row, arrivals)]
    made = expect.get("made", {})
    found += [
        f"{server.world.made[what]} of `{what}` were made, not {count}: a retry needs the same Idempotency-Key"
        for what, count in made.items()
        if server.world.made[what] != count
    ]
    return found


def _differences(expected: Any, got: Any, where: str) -> Iterator[str]:
    """Yield where a report differs. Fields that are not expected do not matter."""
    at = f"`{where}` of the report" if where else "the report"
    if isinstance(expected, dict) and len(expected.keys() & _MATCHERS.keys()) == 1:
        [name] = expected.keys() & _MATCHERS.keys()
        yield from (f"{at} {text}" for text in _MATCHERS[name](expected, got))
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            yield f"{at} must be an object, not {_short(got)}"
            return
        for name, value in expected.items():
            inner = f"{where}.{name}" if where else name
            if name not in got:
                yield f"the report has no `{inner}` (expected {_short(value)}); it is {_short(got)}"
            else:
                yield from _differences(value, got[name], inner)
    elif expected != got:
        yield f"{at} must be {_short(expected)}, not {_short(got)}"


def _range(expected: Json, got: Any) -> Iterator[str]:
    """Judge the seqs of events: each once, in order; those in `may_skip` may be missing."""
    first, last = expected["range"]
    skipped = set(expected.get("may_skip", ()))
    seqs = got if isinstance(got, list) else []
    wanted = [seq for seq in range(first, last + 1) if seq not in skipped]
    if [seq for seq in seqs if seq not in skipped] == wanted:
        return
    if missing := sorted(set(wanted) - set(seqs)):
        yield f"misses {_short(missing)} of {first} to {last}"
    if twice := sorted({seq for seq in seqs if seqs.count(seq) > 1}):
        yield f"has {_short(twice)} twice"
    if other := sorted(set(seqs) - set(range(first, last + 1))):
        yield f"has {_short(other)}, which must not be there"
    yield f"must be {first} to {last} in order"


def _contains(expected: Json, got: Any) -> Iterator[str]:
    if not isinstance(got, str) or expected["contains"] not in got:
        yield f"must contain {expected['contains']!r}, not be {_short(got)}"


def _last_of(expected: Json, got: Any) -> Iterator[str]:
    """Judge a view that was kept up to date by events: it must be the one that the service shows."""
    wanted = recording(expected["last_of"])["last"]
    if not isinstance(got, dict):
        yield f"must be a view, not {_short(got)}"
        return
    yield from _unequal(wanted, got, "")


def _unequal(wanted: Any, got: Any, where: str) -> Iterator[str]:
    if isinstance(wanted, dict) and isinstance(got, dict):
        for name in sorted((wanted.keys() | got.keys()) - (_UNTOLD if not where else frozenset())):
            yield from _unequal(wanted.get(name, "(missing)"), got.get(name, "(missing)"), f"{where}/{name}")
    elif wanted != got:
        yield f"differs at {where}: {_short(got)} instead of {_short(wanted)}"


_MATCHERS: Final = {"range": _range, "contains": _contains, "last_of": _last_of}


def _of_requests(row: Json, arrivals: Sequence[Arrival]) -> Iterator[str]:
    """Yield what is wrong with the requests of a kind."""
    least, most = row.get("times", (0, len(arrivals)))
    if not least <= len(arrivals) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        yield f"must be sent {count} times, but was sent {len(arrivals)} times"
    if "resumes" in row:
        places = [arrival.headers.get("last-event-id", arrival.query.get("after")) for arrival in arrivals]
        if places != row["resumes"]:
            yield f"must resume after {row['resumes']}, not after {places} (null: from the beginning)"
    for before, after, pause in zip(arrivals, arrivals[1:], row.get("pauses_s", ()), strict=False):
        if (waited := after.at - before.answered_at) < pause - _SLACK:
            yield f"must not be sent again before {pause} s have passed, but was after {waited:.2f} s"
    yield from _of_headers(row, arrivals)


def _of_headers(row: Json, arrivals: Sequence[Arrival]) -> Iterator[str]:
    for check, (is_right, text) in _CHECKS.items():
        for name in row.get(check, ()):
            values = [arrival.body if name == "body" else arrival.headers.get(name) for arrival in arrivals]
            if not is_right(values):
                yield f"its {name} must be {text}, not {_short(values)}"
    for name, start in row.get("headers", {}).items():
        values = [arrival.headers.get(name) for arrival in arrivals]
        if not all(str(value).startswith(start) for value in values):
            yield f"its {name} must begin with {start!r}, not {_short(values)}"


#: What is asked of a header in all requests of a kind -> whether its values are right, and what they must be.
_CHECKS: Final[dict[str, tuple[Callable[[list[Any]], bool], str]]] = {
    "has": (all, "there each time"),
    "uuid": (lambda values: all(_UUID.fullmatch(str(value)) for value in values), "a random UUID"),
    "same": (lambda values: all(value == values[0] for value in values), "the same each time"),
    "unlike": (lambda values: len(set(values)) == len(values), "another one each time"),
}


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
