"""The walk-through of the README, run literally against the service, and its other claims."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.make_run import ROOT, Service, need
from service.rules.options.catalogue import summary
from service.rules.options.rulesets import RULESETS

README = (ROOT / "README.md").read_text()
CHINESE = (ROOT / "README.zh-CN.md").read_text()
#: What both languages have in common: levels of headings, commands, pictures, what tables name first, and links.
COMMON = (
    r"^(#+) ",
    r"^```.*?^```$",
    r'<img src="([^"]+)" height="(\d+)"',
    r"^\| (`[^|]+`) \|(?: ([\d–, ]+) \|)?",
    r"\]\(([^)]+)\)",
    r"`(make [^`]+)`",
)


def walk_through() -> str:
    return "\n".join(re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def output(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The output of the walk-through."""
    need("bash")
    need("curl")
    script = walk_through()
    assert "http://127.0.0.1:8000/" in script
    file = tmp_path_factory.mktemp("readme") / "walk-through"
    file.write_text(script.replace("http://127.0.0.1:8000/", f"{service.url}/"))
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_proxy")}
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", file],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
        cwd=Path(file).parent,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_player_is_registered_and_gets_a_hand_of_25_cards(output: str) -> None:
    player, hand, *_ = output.splitlines()[0].partition("}")[0], output
    assert '"name":"Lin"' in player
    (cards,) = re.findall(r"^.*?(\[(?:\"\w\w\"(?:, )?){25}\])$", hand, re.MULTILINE)
    assert cards


def test_the_player_plays_a_card_and_the_retry_gets_the_recorded_result(output: str) -> None:
    lines = output.splitlines()
    # The hand, the events of the play, and the seq from the retry.
    at = next(at for at, line in enumerate(lines) if line.startswith("[{"))
    played, retried = json.loads(lines[at]), int(lines[at + 1])
    assert (played[0]["type"], played[0]["by"], played[0]["data"]["seat"]) == ("played", "player", 0)
    assert retried == played[-1]["seq"]


def test_there_are_ten_minutes_to_read_between_two_steps() -> None:
    """With the default clock the table would time out after half a minute, before the reader has read on."""
    (clock,) = re.findall(r"^clock='(.*?)'", walk_through(), re.MULTILINE)
    assert json.loads(clock) == dict.fromkeys(("declare_ms", "discard_ms", "play_ms"), 600_000)
    assert "'$clock'" in walk_through()


def test_the_stream_begins_with_the_first_event(output: str) -> None:
    assert 'id: 1\ndata: {"seq":1,"type":"table_created"' in output


def test_every_ruleset_is_listed_with_its_numbers_of_players() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d–, ]+) \|", README, re.MULTILINE))
    assert set(rows) == set(RULESETS)
    for name, text in rows.items():
        low, _, high = text.partition("–")
        listed = range(int(low), int(high) + 1) if high else (int(number) for number in text.split(","))
        assert tuple(listed) == tuple(RULESETS[name].players)


@pytest.mark.parametrize("common", COMMON)
def test_the_chinese_readme_has_the_same_headings_commands_rows_and_links(common: str) -> None:
    def found(text: str) -> list[object]:
        text = re.sub(r"^.*\bREADME(\.zh-CN)?\.md\).*$", "", text, count=1, flags=re.MULTILINE)
        return re.findall(common, text, re.MULTILINE | re.DOTALL)

    assert found(README) == found(CHINESE) != []
    assert "[English](README.md)" in CHINESE
    assert "[中文](README.zh-CN.md)" in README


@pytest.mark.parametrize("ruleset", summary(), ids=lambda ruleset: str(ruleset["id"]))
def test_the_chinese_readme_names_each_ruleset_as_the_catalogue_does(ruleset: dict[str, Any]) -> None:
    name = ruleset["names"]["zh-Hans"].partition("（")[0]
    assert re.search(rf"^\| `{ruleset['id']}` \| [^|]+ \| .*{name}", CHINESE, re.MULTILINE)
