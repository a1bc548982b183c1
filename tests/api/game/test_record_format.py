"""The page, the grammar, the schema and the importer say the same of records (`docs/record-format.md`)."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from abnf import ParseError, Rule
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from scripts.client_models import RECORD_SCHEMA
from service.common.errors import InvalidRequest
from service.common.settings import Settings
from service.game.records.text import OF_RECORD, OF_ROUND, read
from service.rules.options.rulesets import RULESETS
from tests.api.conftest import World
from tests.api.game.test_records import EXAMPLE, game_record

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "record-format.md").read_text(encoding="utf-8")
GRAMMAR = (DOCS / "records" / "shengji-record-1.abnf").read_text(encoding="utf-8")
SCHEMA = Draft202012Validator(json.loads(RECORD_SCHEMA.read_text(encoding="utf-8")))
FILES = {folder: sorted((DOCS / "records" / folder).iterdir()) for folder in ("good", "typed", "broken")}
#: File -> its row below 'Broken files': what is wrong, `yes` or `no`, the reason, the place.
BROKEN = {
    name: [cell.strip().strip("`") for cell in cells.split("|")]
    for name, cells in re.findall(r"^\| `([\w-]+\.(?:txt|json))` \|(.*)\|$", PAGE, re.MULTILINE)
}


class Grammar(Rule):
    """The rules of the grammar."""


Grammar.load_grammar(GRAMMAR.replace("\n", "\r\n"), strict=True)


def is_well_formed(text: str) -> bool:
    """Whether a text is a record by the grammar."""
    try:
        Grammar("record").parse_all(text)
    except ParseError:
        return False
    return True


def is_of_shape(path: Path) -> bool:
    """Whether a file is well-formed: a text by the grammar, JSON by the schema."""
    content = path.read_bytes().decode()
    return is_well_formed(content) if path.suffix == ".txt" else SCHEMA.is_valid(json.loads(content))


def body_of(path: Path) -> dict[str, Any]:
    content = path.read_bytes().decode()
    return {"text": content} if path.suffix == ".txt" else {"record": json.loads(content)}


def named(path: Path) -> str:
    return path.name


@pytest.fixture(scope="module")
def world(module_redis: Any) -> Iterator[World]:
    made = World(module_redis, Settings())
    yield made
    made.close()


@pytest.fixture(scope="module")
def lin(world: World) -> Any:
    return world.player("Lin", "human")


@pytest.mark.parametrize("path", FILES["good"], ids=named)
def test_a_good_file_is_well_formed_and_imported(lin: Any, path: Path) -> None:
    assert is_of_shape(path)
    answer = lin.post("/v1/records", body_of(path))
    assert answer.status_code == 201, answer.json


@pytest.mark.parametrize("path", FILES["typed"], ids=named)
def test_what_people_type_is_imported_as_the_same_game(lin: Any, path: Path) -> None:
    assert not is_of_shape(path), "it belongs to the good files"
    assert read(path.read_bytes().decode()).record == read(EXAMPLE).record
    assert lin.post("/v1/records", body_of(path)).status_code == 201


@pytest.mark.parametrize("path", FILES["broken"], ids=named)
def test_a_broken_file_is_refused_as_the_page_says(lin: Any, path: Path) -> None:
    _, shape, reason, place = BROKEN[path.name]
    answer = lin.post("/v1/records", body_of(path))
    assert answer.status_code in (400, 422), answer.json
    problem = answer.json
    told = problem["params"]["reason"]
    where = problem["params"].get("line") or problem["errors"][0]["pointer"]
    code = "" if problem["code"] == "invalid-request" else f"{problem['code']}`, `"
    assert ["yes" if is_of_shape(path) else "no", f"{code}{told}", str(where)] == [shape, reason, place]


def test_the_page_has_a_row_for_each_broken_file() -> None:
    assert [*BROKEN] == [path.name for path in FILES["broken"]]
    assert len(BROKEN) > 20
    assert {cells[1] for cells in BROKEN.values()} == {"yes", "no"}


def test_unknown_tags_change_nothing() -> None:
    text = (DOCS / "records" / "good" / "unknown-tags.txt").read_text(encoding="utf-8")
    names = set(re.findall(r"^\[(\w+) ", text, re.MULTILINE)) - OF_RECORD.keys() - OF_ROUND.keys()
    assert any(name.startswith("X") for name in names)
    assert any(not name.startswith("X") for name in names)
    assert read(text).record == read(EXAMPLE).record


def test_the_grammar_has_all_tags() -> None:
    for rule, tags in (("record-name", OF_RECORD), ("round-name", {**OF_ROUND, "Round": "round"})):
        lines = re.findall(rf"^{rule} +=/? (.*)$", GRAMMAR, re.MULTILINE)
        names = {name for line in lines for name in re.findall(r'%s"(\w+)"', line)}
        assert names | ({"Round"} if rule == "round-name" else set()) == tags.keys()


def test_the_grammar_has_all_types_of_actions() -> None:
    actions = json.loads(RECORD_SCHEMA.read_text(encoding="utf-8"))["$defs"]["AskedPlayedAction"]["properties"]["type"]
    assert {*re.findall(r'^what +=/? %s"(\w+)"', GRAMMAR, re.MULTILINE), "play"} == {*actions["enum"]}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_the_service_writes_is_well_formed(ruleset: str) -> None:
    for players in {RULESETS[ruleset].players[0], RULESETS[ruleset].players[-1]}:
        record, text = game_record(ruleset, players, options={})
        assert is_well_formed(text)
        assert SCHEMA.is_valid(record)


def test_a_timed_deal_of_the_service_is_well_formed() -> None:
    _, text = game_record(rounds=2, options={"deal_pace": "timed"})
    assert "@" in text
    assert is_well_formed(text)


@cache
def lines_of(ruleset: str) -> list[str]:
    return game_record(ruleset, RULESETS[ruleset].players[0], options={})[1].splitlines()


#: What the reader may refuse in a well-formed text, by the page: values that are no JSON, tags and cards out of order.
MEANING = re.compile(r"\[|hand |kitty:")


@settings(suppress_health_check=[HealthCheck.filter_too_much], deadline=None)
@given(data=st.data())
def test_the_reader_takes_every_line_that_is_well_formed(data: st.DataObject) -> None:
    lines = list(lines_of(data.draw(st.sampled_from(["shengji", "zhaopengyou", "arms_length"]))))
    at = data.draw(st.integers(0, len(lines) - 1))
    if lines[at]:
        place = data.draw(st.integers(0, len(lines[at]) - 1))
        letter = data.draw(st.sampled_from('0129ASHDCJKT@+|:.[]{}%;" cdx\t\u3000'))
        until = place + data.draw(st.integers(0, 1))
        lines[at] = lines[at][:place] + letter + lines[at][until:]
    text = "\n".join([*lines, ""])
    assume(is_well_formed(text))
    assert MEANING.match(refused_line(text) or "[")


def refused_line(text: str) -> str | None:
    """The line that the reader does not understand."""
    try:
        read(text)
    except InvalidRequest as refusal:
        return str(refusal.params["text"])
    return None
