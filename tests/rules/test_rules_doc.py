"""The tables of docs/rules.md are up to date, and every option has a meaning, a source and vectors."""

import json
import re

import pytest

from harness.make_run import ROOT
from scripts.rules_doc import BLOCK, TABLES, TARGET, text
from service.rules.games import RULESETS
from service.rules.options.presets import PRESETS
from service.rules.options.table import OPTIONS, PHASES
from service.rules.versions import READINGS, RULES, Reading
from service.texts.options import OPTIONS as OPTION_TEXTS
from service.texts.options import PHASES as PHASE_TEXTS
from service.texts.preset_texts import PRESETS as PRESET_TEXTS
from tests.rules.pins import READ_BY, pins
from tests.rules.vectors import cases

#: Values that no vector can test, and why.
UNPINNED = {
    ("first_starter", "draw_high_card"): "a seat chosen by lot: no input, no output",
    **{("start_level", rank): "any rank does as 8 does" for rank in "345679TJQKA"},
}
#: Short names of the published sources and of servers.
SHORT_NAMES = [
    "Pagat",
    "Zhang",
    "Parlett",
    "80",
    "No-trump",
    "rbtying/shengji",
    "ChannonTian/80fen",
    "jding92",
    "abadcafe",
    "sunbin1998can",
    "ejfn",
    "jerryyyu",
    "Weipp7",
    "Botzone",
    "qian-loong",
    "JimYuhaoWu",
    "LeoDreamer2004",
    "contests",
    "players' reports",
]


def test_the_page_is_up_to_date() -> None:
    page = TARGET.read_text(encoding="utf-8")
    assert text(page) == page, "run python -m scripts.rules_doc"


def test_the_page_names_every_source() -> None:
    sources = TARGET.read_text(encoding="utf-8").partition("## 12 Sources")[2]
    assert all(name in sources for name in SHORT_NAMES)


def test_every_table_is_on_the_page_once() -> None:
    assert sorted(BLOCK.findall(TARGET.read_text(encoding="utf-8"))) == sorted(TABLES)


def test_every_cited_section_exists() -> None:
    there = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", TARGET.read_text(encoding="utf-8"), re.MULTILINE))
    cited = 0
    for path in [
        file
        for room in ("service", "workers", "tests", "tools", "bench", "laboratory")
        for file in (ROOT / room).rglob("*.py")
    ]:
        for line in path.read_text(encoding="utf-8").splitlines():
            for part in re.findall(r"docs/rules\.md`? ((?:§[\d.]+[-, ]*(?:\d[\d.]*)?(?: and )?)+)", line):
                for section in re.findall(r"\d+(?:\.\d+)?", part):
                    assert section in there, f"{path.relative_to(ROOT)}: {line.strip()}"
                    cited += 1
    assert cited > 20


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_explained_sourced_and_pinned(name: str) -> None:
    option = OPTIONS[name]
    assert OPTION_TEXTS[name].meaning
    assert any(option.source.startswith(name) for name in (*SHORT_NAMES, "this service")), (
        "a short name of docs/rules.md §12"
    )
    for value in option.values:
        if type(value) is int:
            continue
        if isinstance(value, str) and len(value) > 1:
            assert OPTION_TEXTS[name].values[value]
        assert (json.dumps(value) in pins()[name]) is ((name, value) not in UNPINNED), value
    assert len(pins()[name]) > 1 or name in ("first_starter", "throw_penalty_levels"), (
        "no vector shows that the option matters"
    )


def test_texts_and_pins_refer_only_to_existing_options() -> None:
    assert set(OPTION_TEXTS) == set(OPTIONS) == set(READ_BY)
    assert set(PHASES) == set(PHASE_TEXTS)
    assert set(PRESET_TEXTS) == set(PRESETS)
    for name, told in OPTION_TEXTS.items():
        assert set(told.values) <= set(OPTIONS[name].values)


def test_ids_distinguish_own_vectors_from_those_of_the_sources() -> None:
    known = set(RULESETS)
    for case in cases():
        assert case["ruleset"] in known
        assert re.match(r"(00[0-4]|points|own|corr|house)-", case["id"])


def test_the_page_lists_the_changes_of_each_version_of_the_rules() -> None:
    section = TARGET.read_text(encoding="utf-8").partition("## 13 ")[2]
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)] == [*READINGS]
    assert READINGS[RULES] == Reading()
