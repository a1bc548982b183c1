"""`make demo`: plays a round by the public API alone, and tells it in plain text where there is no terminal."""

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from demo.crowd import Checker, Tally
from demo.screen import Screen, cards_text
from demo.terminal import plain, write
from service.rules.options.rulesets import RULESETS
from tests.house.conftest import ROOT, Service


def demo(url: str, *arguments: str, answers: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "demo", "--url", url, "--pace", "0", *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
        input=answers,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_it_plays_a_round_of_every_ruleset(service: Service, ruleset: str) -> None:
    done = demo(service.url, "--ruleset", ruleset)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Round 1" in done.stdout
    assert "→" in done.stdout
    assert ("score: " if ruleset == "arms_length" else "attackers' points: ") in done.stdout
    assert "\x1b" not in done.stdout, "colours belong into terminals"


def test_it_goes_on_with_the_next_round_when_asked_for_two(service: Service) -> None:
    done = demo(service.url, "--ruleset", "sishifen", "--rounds", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("attackers' points: ") == 2


def test_the_person_at_the_keyboard_may_choose_and_is_told_why_a_play_is_refused(service: Service) -> None:
    done = demo(service.url, "--ruleset", "sishifen", "--seed", "keyboard", "--me", answers="BJ BJ BJ\n" + 40 * "\n")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "your play, e.g." in done.stdout
    assert done.stdout.count("hand of Demo") == 1 + 12 + 1, "once at the start, at each trick, and after the refusal"


def test_without_a_service_it_says_what_to_do() -> None:
    done = demo("http://127.0.0.1:9")
    assert done.returncode == 1
    assert "make run" in done.stdout
    assert not done.stderr


def test_a_refusal_is_told_in_a_sentence(service: Service) -> None:
    done = demo(service.url, "--ruleset", "bridge")
    assert done.returncode == 1
    assert "The service refuses" in done.stdout
    assert not done.stderr


def test_cards_are_shown_with_their_suit_and_red_ones_in_red() -> None:
    assert plain(cards_text(["7H", "TS", "LJ", "BJ"])) == "♥7 ♠10 joker JOKER"
    assert cards_text(["7H"]) == "\x1b[1;31m♥7\x1b[0m"


@pytest.mark.parametrize(
    ("environment", "coloured"), [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)]
)
def test_only_a_terminal_that_shows_colours_gets_them(
    environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    terminal, file = io.StringIO(), io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    for out in (terminal, file):
        write(cards_text(["7H"]), out)
    assert ("\x1b" in terminal.getvalue()) is coloured
    assert file.getvalue() == "♥7\n"


def test_events_that_tell_people_nothing_are_passed_over(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        Screen(out, 0).show({"type": "an_event_of_tomorrow", "data": {}})
    assert (tmp_path / "out").read_text() == ""


def test_the_crowd_plays_at_many_tables_and_finds_no_fault(service: Service) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demo.crowd", "--url", service.url, "--minutes", "0.1", "--tables", "8"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("; 0 faults")


def checked(*events: tuple[str, dict[str, object]]) -> list[str]:
    """Faults that the crowd finds in a log of these events."""
    tally = Tally()
    checker = Checker("a table", tally)
    for seq, (kind, data) in enumerate(events, 1):
        checker.see({"seq": seq, "type": kind, "data": data})
    return tally.faults


def committed(seed: str) -> str:
    return "sha256:" + hashlib.sha256(bytes.fromhex(seed)).hexdigest()


CREATED = ("table_created", {"next_commitment": committed("aa")})
OPENED = ("round_opened", {"commitment": committed("aa"), "next_commitment": committed("bb")})


def test_the_crowd_accepts_a_round_that_keeps_its_promises() -> None:
    trick, score = ("trick_won", {"points": 15}), ("round_scored", {"trick_points": 15})
    assert checked(CREATED, OPENED, trick, score, ("round_ended", {"server_seed": "aa"})) == []


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ((("table_created", {"next_commitment": committed("bb")}), OPENED), "not the one announced"),
        ((CREATED, OPENED, ("round_ended", {"server_seed": "bb"})), "not the one committed to"),
        ((CREATED, OPENED, ("round_scored", {"trick_points": 5})), "more points than all tricks"),
    ],
)
def test_the_crowd_tells_a_broken_promise(broken: tuple[tuple[str, dict[str, object]], ...], fault: str) -> None:
    (told,) = checked(*broken)
    assert fault in told


def test_the_crowd_tells_a_gap_in_the_log() -> None:
    tally = Tally()
    Checker("a table", tally).see({"seq": 2, "type": "presence", "data": {}})
    assert len(tally.faults) == 1
