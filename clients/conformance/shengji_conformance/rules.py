"""Asks a server of the rules the vectors of the project: cards, tricks, declarations, friends, scores, levels."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from shengji_conformance.adapter import Adapter, AdapterFailed
from shengji_conformance.cases import Json
from shengji_conformance.made import MADE_FOR

#: Those of the kit.
VECTORS: Final = Path(__file__).with_name("vectors")
#: Fields of a vector that say what must come out, or where it comes from.
_OUTPUTS: Final = frozenset(
    {"expect", "final", "then", "asked", "descending", "trumps_in_deck", "over_single", "legal", "illegal", "complete"}
    | {"consecutive", "not_consecutive", "id", "source", "note"}
)
#: Lists whose order means nothing: of cards, plays, seats.
_UNORDERED: Final = frozenset({"legal", "consecutive", "forced", "units", "declarers", "removed_ranks"})
#: Time for an answer, s.
_PATIENCE: Final = 30.0


@dataclass
class Outcome:
    """What became of a server of the rules; counts by kind."""

    client: str
    passed: dict[str, int] = field(default_factory=dict)
    failed: dict[str, list[str]] = field(default_factory=dict)
    not_tried: dict[str, int] = field(default_factory=dict)

    def badge(self) -> str:
        """Return a line that says what the server passes, with a date."""
        passed = sum(self.passed.values())
        tried = passed + sum(map(len, self.failed.values()))
        without = f", without {', '.join(sorted(self.not_tried))}" if self.not_tried else ""
        today = datetime.now(UTC).date().isoformat()
        return f"{self.client}: {passed} of {tried} vectors of shengji-conformance {MADE_FOR} pass{without} ({today})"

    def table(self) -> list[str]:
        """Return a line for each kind of vectors."""
        return [
            f"{kind:14} {self.passed.get(kind, 0):4} passed {len(self.failed.get(kind, ())):4} failed "
            f"{self.not_tried.get(kind, 0):4} not tried"
            for kind in sorted({*self.passed, *self.failed, *self.not_tried})
        ]


def vectors(folder: Path) -> list[Json]:
    """Return all vectors of a folder.

    Raises:
        OSError: there is no such folder, or no vector in it.
    """
    found = [path for path in sorted(folder.glob("*.json")) if path.name != "schema.json"]
    if not found:
        raise OSError(f"no vectors in {folder}: leave out --vectors, or name a folder that has them as *.json")
    return [vector for path in found for vector in json.loads(path.read_text(encoding="utf-8"))]


def question_of(vector: Mapping[str, Any]) -> Json:
    """Return what goes in, without what must come out."""
    question = {name: value for name, value in vector.items() if name not in _OUTPUTS}
    kind = vector["kind"]
    if "legal" in vector:
        question["plays"] = sorted(vector["legal"] + vector["illegal"])
    elif kind == "adjacent":
        question["pairs"] = sorted(vector["consecutive"] + vector["not_consecutive"])
    elif kind == "chao_order":
        question["pairs"] = sorted(vector["descending"])
    elif kind == "active_passive":
        question["rounds"] = [{key: each[key] for key in each if key != "expect"} for each in vector["rounds"]]
    return {"case": vector["id"], **question}


def answer_of(vector: Mapping[str, Any]) -> Json:
    """Return what must come out."""
    if "legal" in vector:
        return {"legal": vector["legal"]}
    if vector["kind"] == "adjacent":
        return {"consecutive": vector["consecutive"]}
    if vector["kind"] == "active_passive":
        return {"expect": [each["expect"] for each in vector["rounds"]]}
    outputs = ("expect", "final", "then", "asked", "descending", "trumps_in_deck", "over_single")
    return {name: vector[name] for name in outputs if name in vector}


def differences(expected: Any, got: Any, where: str = "") -> Iterator[str]:
    """Yield where an answer differs. Fields that the vector does not have do not matter."""
    name = where.rpartition("/")[2]
    if isinstance(expected, dict) and isinstance(got, dict):
        for field_name, value in expected.items():
            yield from differences(value, got.get(field_name, "(missing)"), f"{where}/{field_name}")
    elif name == "descending" and isinstance(got, list):
        # Cards of one tier are equal.
        if [sorted(tier) for tier in expected] != [sorted(tier) for tier in got]:
            yield f"{where} must be {expected}, not {got}"
    elif isinstance(expected, list) and expected and isinstance(expected[0], dict) and isinstance(got, list):
        if len(expected) != len(got):
            yield f"{where} must have {len(expected)} entries, not {len(got)}"
        for at, (one, other) in enumerate(zip(expected, got, strict=False)):
            yield from differences(one, other, f"{where}/{at}")
    elif _settled(expected, name) != _settled(got, name):
        yield f"{where} must be {expected!r}, not {got!r}"


def _settled(value: Any, name: str) -> Any:
    if name in _UNORDERED and isinstance(value, list):
        return sorted((sorted(each) if isinstance(each, list) else each for each in value), key=repr)
    return value


def run(
    command: Sequence[str], folder: Path, is_chosen: Callable[[Json], bool], told: Callable[[str, list[str]], None]
) -> Outcome:
    """Ask an adapter all chosen vectors.

    Args:
        command: starts the adapter.
        folder: where the vectors are.
        is_chosen: tells whether to ask a vector.
        told: called with the id of each vector and what is wrong.

    Raises:
        AdapterFailed: the adapter does not start.
        OSError: there are no vectors.
    """
    chosen = [vector for vector in vectors(folder) if is_chosen(vector)]
    adapter = Adapter(command)
    outcome = Outcome(str(adapter.about.get("client") or " ".join(command)))
    try:
        for vector in chosen:
            kind = vector["kind"]
            if kind not in adapter.about["can"]:
                outcome.not_tried[kind] = outcome.not_tried.get(kind, 0) + 1
                continue
            try:
                wrong = list(differences(answer_of(vector), adapter.ask(question_of(vector), _PATIENCE)))
            except AdapterFailed as failure:
                wrong = [str(failure)]
                adapter = Adapter(command)
            if wrong:
                outcome.failed.setdefault(kind, []).append(vector["id"])
            else:
                outcome.passed[kind] = outcome.passed.get(kind, 0) + 1
            told(vector["id"], wrong)
    finally:
        adapter.close()
    return outcome
