"""The docs are correct: what they name exists, their tables match the code, and references can be followed."""

import importlib.util
import re
from dataclasses import fields
from functools import cache
from pathlib import Path

from service.common.settings import Settings
from service.game.state.settings import TIME_LIMITS
from service.rules.options.rulesets import RULESETS
from service.store import keys
from tests.document import document
from tests.house.conftest import ROOT
from tests.house.test_imports import EVERYTHING, GAME, LAYERS, MAY_IMPORT

PAGES = sorted(
    [*ROOT.glob("*.md"), *(path for top in ("docs", "tests", ".github") for path in (ROOT / top).rglob("*.md"))]
)
SOURCES = sorted(
    path
    for top in ("service", "workers", "demo", "bench", "tests", "scripts", "docs")
    for ending in ("py", "lua", "sh")
    for path in (ROOT / top).rglob(f"*.{ending}")
    if "vectors" not in path.parts
)
OTHERS = [ROOT / name for name in ("Makefile", "Dockerfile", "docker-compose.yml", "pyproject.toml", "mkdocs.yml")]
#: Texts that a reader of the repository does not have.
ELSEWHERE = re.compile(r"(?<![\w/.-])(?:api|design|models|house-rules)\.md\b|\bseeds/|\bshared/|/work/")
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def rows(text: str, heading: str) -> list[list[str]]:
    """Cells of the first table below a heading, without its head."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def ticked(cell: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def anchors(text: str) -> set[str]:
    """Names of the headings of a page, as the forge makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@cache
def anchors_of(page: Path) -> set[str]:
    return anchors(page.read_text())


def test_every_link_to_a_file_leads_somewhere() -> None:
    links = [
        (page, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
        if "://" not in target
    ]
    assert len(links) > 100
    assert [(str(page), target) for page, target in links if not (page.parent / target).exists()] == []


def test_every_link_to_a_heading_finds_it() -> None:
    links = [
        (page, target, anchor)
        for page in PAGES
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", page.read_text())
        if "://" not in target
    ]
    assert len(links) > 20
    assert [
        f"{page}: {target}#{anchor}"
        for page, target, anchor in links
        if anchor not in anchors_of(page.parent / target if target else page)
    ] == []


def test_every_file_that_is_named_exists() -> None:
    named = {
        (page, name)
        for page in PAGES
        for name in re.findall(r"`((?:service|workers|tests|bench|docs|demo|scripts)/[\w./*-]+)`", page.read_text())
    }
    assert len(named) > 100
    assert [(str(page), name) for page, name in named if not list(ROOT.glob(name))] == []


def test_every_reference_to_a_document_or_a_decision_leads_somewhere() -> None:
    known = {int(decision.name[:4]) for decision in DECISIONS}
    wrong = []
    for source in (*PAGES, *SOURCES, *OTHERS):
        text = source.read_text()
        for name, anchor in re.findall(r"(?<![\w/])(docs/[\w./-]+\.\w+)(?:#([\w-]+))?", text):
            if not (ROOT / name).exists() or (anchor and anchor not in anchors_of(ROOT / name)):
                wrong.append(f"{source}: {name}#{anchor}")
        cited = re.findall(r"\bdecisions? (\d+)\b(?:(?:,| and) (\d+)\b)?", text, re.IGNORECASE)
        numbers = {int(number) for pair in cited for number in pair if number}
        wrong += [f"{source}: decision {number}" for number in numbers - known]
    assert wrong == []


def test_no_page_cites_a_document_outside_the_repository() -> None:
    cited = {str(page): ELSEWHERE.findall(page.read_text()) for page in PAGES if page.name != "rules.md"}
    assert {page: names for page, names in cited.items() if names} == {}


def test_every_command_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    wrong = []
    for page in PAGES:
        text = page.read_text()
        blocks = "\n".join(re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
        made = re.findall(r"`make ([a-z][a-z ]*)", text) + re.findall(r"^make ([a-z][a-z ]*)", blocks, re.MULTILINE)
        wrong += [f"{page}: make {words}" for words in made if not set(words.split()) <= targets]
        modules = set(re.findall(r"python -m ([\w.]+)", text))
        wrong += [f"{page}: {module}" for module in modules if not importlib.util.find_spec(module)]
    assert wrong == []


def test_every_setting_is_documented_with_its_default_and_its_help() -> None:
    def shown(value: object) -> str:
        if isinstance(value, tuple):
            return "/".join(map(str, value)) if hasattr(value, "_fields") else ",".join(map(str, value))
        return str(value)

    expected = [
        [f"`{known.name.upper()}`", f"`{shown(known.default)}`" if shown(known.default) else "", known.metadata["help"]]
        for known in fields(Settings)
    ]
    assert rows(text_of("operations.md"), "Settings") == expected


def test_every_bound_is_held_by_a_test() -> None:
    for bound in rows(text_of("operations.md"), "Bounds"):
        [test] = ticked(bound[2])
        path, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text(), test


def test_the_metrics_to_watch_exist() -> None:
    source = (ROOT / "service" / "api" / "metrics.py").read_text()
    made = re.findall(
        r"(Counter|Gauge|Histogram|CounterMetricFamily|GaugeMetricFamily|HistogramMetricFamily|_gauge)\(\s*\"(\w+)\"",
        source,
    )
    names = {f"{name}_total" if kind.startswith("Counter") else name for kind, name in made}
    assert names == {name for shown, _ in rows(text_of("operations.md"), "Metrics") for name in ticked(shown)}
    paths = (ROOT / "openapi.yaml").read_text()
    for path in re.findall(r"`GET (/\w+)`", text_of("operations.md")):
        assert re.search(rf"^  {path}:$", paths, re.MULTILINE), path


def full(short: str) -> str:
    """The name of a module that a page shortens."""
    return short if short.partition(".")[0] in EVERYTHING else f"service.{short}"


def test_the_drawing_shows_the_layers() -> None:
    drawing = text_of("architecture.md").partition("never up or sideways:\n\n```\n")[2].partition("```")[0]
    shown = [re.split(r"\s{2,}", line.strip())[1].split(" · ") for line in drawing.splitlines()]
    assert [{full(short) for short in line} for line in reversed(shown)] == list(LAYERS)


def test_the_map_shows_every_room_and_whom_it_may_import() -> None:
    shown: dict[str, set[str]] = {}
    for name, _, others in rows(text_of("architecture.md"), "Rooms"):
        listed = {full(short.strip()) for short in others.split(",") if short.strip()}
        if "service.game.*" in listed:
            listed = listed - {"service.game.*"} | GAME
        shown[name.strip("`")] = MAY_IMPORT.keys() - {"bench", "tests"} if others == "everything above" else listed
    assert shown == MAY_IMPORT


def test_the_map_shows_every_key() -> None:
    documented = set(re.findall(r"^    (sj:\S+)\s+([a-z ]+):", keys.__doc__ or "", re.MULTILINE))
    assert documented
    shown = {(name.strip("`"), kind) for name, kind, _ in rows(text_of("architecture.md"), "What lies in Redis")}
    assert shown == documented


def test_the_map_shows_every_kind_of_decision_and_its_time() -> None:
    shown = {
        kind.strip("`"): time.strip("`") for kind, _, time in rows(text_of("architecture.md"), "The life of a decision")
    }
    assert shown == dict(TIME_LIMITS)


def test_a_decision_says_what_was_asked_decided_and_rejected() -> None:
    wanted = ["Context", "Decision", "Rejected"]
    for decision in DECISIONS:
        name, text = decision.name, decision.read_text()
        number = int(name[:4])
        assert re.match(rf"# (?:{number}\. )?[A-Z]", text), f"{name}: a title; its number, if any, is that of the file"
        headings = re.findall(r"^## (\w+)", text, re.MULTILINE)
        assert [heading for heading in headings if heading in wanted] == wanted, name
        assert text.count("\n- ", text.index("## Rejected")) >= 1, f"{name}: name at least one way that was rejected"


def status_of(decision: Path) -> tuple[str, list[int]]:
    """How a record was superseded, `"changed"`, `"replaced"` or `""`, and by which records."""
    found = re.match(r"# .*\n\nStatus: (changed|replaced) by (\d+(?:(?:, | and )\d+)*)\n\n", decision.read_text())
    return (found[1], [int(number) for number in re.findall(r"\d+", found[2])]) if found else ("", [])


def test_the_index_lists_every_decision_once_under_a_subject_with_title_and_status() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text().partition("\n## How to write one\n")[0]
    entries = re.findall(r"^- \[(.+?)\]\((\d{4}-[\w-]+\.md)\)\. (.+)$", index.partition("\n## ")[2], re.MULTILINE)
    assert sorted(name for _, name, _ in entries) == [decision.name for decision in DECISIONS]
    for title, name, line in entries:
        decision = ROOT / "docs" / "decisions" / name
        assert decision.read_text().startswith(f"# {title}\n"), name
        mark = re.search(r" \*(Changed|Replaced) by (.+)\.\*$", line)
        shown = (mark[1].lower(), [int(number) for number in re.findall(r"\[(\d+)\]", mark[2])]) if mark else ("", [])
        assert shown == status_of(decision), name


def test_a_decision_and_the_one_that_supersedes_it_name_each_other() -> None:
    texts = {int(path.name[:4]): path.read_text() for path in DECISIONS}
    for decision in DECISIONS:
        number = int(decision.name[:4])
        kind, later = status_of(decision)
        assert kind or "\nStatus:" not in texts[number], f"{decision.name}: a status not in the format of the README"
        for newer in later:
            assert re.search(rf"\bdecision\s+{number}\b", texts[newer], re.IGNORECASE), (decision.name, newer)


def test_decisions_have_numbers_of_their_own() -> None:
    numbers = [path.name[:4] for path in DECISIONS]
    assert len(numbers) == len(set(numbers))


def test_the_page_about_rules_has_every_ruleset() -> None:
    assert all(f"`{name}`" in text_of("rules.md") for name in RULESETS)


def test_the_page_for_clients_names_every_request_that_takes_an_idempotency_key() -> None:
    paths = document()["paths"]
    takers = {
        path.removeprefix("/v1/tables/{table}")
        for path, operations in paths.items()
        for operation in operations.values()
        if any(each.get("name") == "Idempotency-Key" for each in operation.get("parameters", ()))
    }
    retries = text_of("clients.md").partition("## Retries")[2].partition("## ")[0]
    assert len(takers) > 8
    assert [path for path in takers if f"{path}`" not in retries] == []
