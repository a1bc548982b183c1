"""`make demo`: plays a round through the public API, and prints plain text if the output is not a terminal."""

import hashlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from demo.__main__ import main
from demo.crowd import Checker, Tally
from demo.keyboard import SlipError, ask, cards_in
from demo.screen import Screen, cards_text
from demo.table import Table
from demo.terminal import plain, write
from harness.make_run import ROOT, Service
from service.rules.options.rulesets import RULESETS
from shengji_client import Client


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


def test_with_two_rounds_it_continues_with_the_next_one(service: Service) -> None:
    done = demo(service.url, "--ruleset", "sishifen", "--rounds", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("attackers' points: ") == 2


def test_the_person_at_the_keyboard_chooses_and_sees_why_a_play_is_refused(service: Service) -> None:
    done = demo(
        service.url, "--ruleset", "sishifen", "--seed", "keyboard-keyboard", "--me", answers="BJ BJ BJ\n" + 40 * "\n"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tricks = len(re.findall(r"^ +\d+\. ", done.stdout, re.MULTILINE))
    assert done.stdout.count("your play, e.g.") == tricks + 1, "at each trick, and after the refusal"
    assert done.stdout.count("hand of Demo") == 1 + tricks + 1, "at the start too"
    assert "You do not hold JOKER JOKER." in done.stdout


def test_a_person_declares_buries_calls_and_plays_and_is_asked_again_after_a_slip(service: Service) -> None:
    # With this seed, Demo has the pair that overcalls, and is asked last.
    slips = ["Joker", "♥3", "♠2"], ["♣9 ♣5"], ["AH", "♦K copy x", "♦K copy 99", "♠2 copy 1"], ["♥3"]
    answers = "♠2 ♠2", "♣9 ♣5, ♣4 4h 8H h9 ♦8 d9", "dk copy 1", "♣A"
    typed = [line for wrong, right in zip(slips, answers, strict=True) for line in (*wrong, right)]
    done = demo(
        service.url, "--ruleset", "zhaopengyou", "--seed", "demo-demo-demo-25", "--me", answers="\n".join(typed)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr
    lines_of_demo = [line.strip() for line in done.stdout.splitlines()]
    expected = [
        "'Joker' is no card. Write cards as they are shown",
        "You do not hold ♥3.",
        "♦2 stands: to overcall",
        "Demo overcalls with ♠2 ♠2",
        "declarer's side: Demo; not known yet: AI 2, AI 3, AI 4, AI 5",
        "Discard 8 cards; you sent 2.",
        "Demo buries 8 cards: ",
        "'AH' is no call. Write a card and which copy",
        "'♦K copy x' is no call.",
        "This must be between 1 and 32",
        "♠2 is a trump",
        "Demo calls ♦K copy 1",
        "You do not hold ♥3.",
        "1. Demo ♣A",
        "No more input: the table is closed.",
    ]
    lines = iter(lines_of_demo)
    for start in expected:
        assert any(line.startswith(start) for line in lines), (
            f"{start!r} is missing, or not in its place:\n{done.stdout}"
        )


def test_a_person_states_a_road_and_sees_who_is_the_partner(service: Service) -> None:
    typed = "straight\nHIGH\n" + 20 * "\n"
    done = demo(service.url, "--ruleset", "arms_length", "--me", answers=typed)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "'straight' is no road. Write one of high, low, either." in done.stdout
    assert re.search(r"roads: Demo (high with AI 3 low|low with AI 3 high)", done.stdout), done.stdout
    assert "next round: " in done.stdout


def test_it_shows_the_sides_the_points_so_far_and_what_comes_next(service: Service) -> None:
    output = demo(service.url, "--ruleset", "sishifen").stdout
    assert re.search(
        r"declarer's side: (Demo, AI 3; attackers: AI 2, AI 4|AI 2, AI 4; attackers: Demo, AI 3)\n", output
    )
    running = [int(points) for points in re.findall(r"\(attackers (\d+)\)\n", output)]
    assert len(running) == len(re.findall(r"^ +\d+\. ", output, re.MULTILINE)) > 0
    assert running == sorted(running)
    assert re.search(r"  next round: (Demo|AI \d) is declarer, level \w+\n", output)
    assert "make demo ARGS=--me" in output.splitlines()[-2]


def lines_for(*events: tuple[str, dict[str, object]]) -> list[str]:
    """Lines on the screen of seat 0 for these events."""
    out = io.StringIO()
    screen = Screen(out, 0)
    for seat, name in enumerate(["Lin", "Mei"]):
        screen.show({"type": "seat_taken", "data": {"seat": seat, "occupant": {"name": name}}})
    for kind, data in events:
        screen.show({"type": kind, "data": data})
    return out.getvalue().splitlines()


def test_the_next_round_names_the_new_level_of_its_declarer() -> None:
    change = {"seat": 1, "from": "2", "to": "4"}
    levels = ("levels_changed", {"seats": [change, {"seat": 0, "from": "2", "to": "2"}]})
    ended = [("round_ended", {"next": {"declarer": seat, "starter": 0}}) for seat in (0, 1, None)]
    assert lines_for(("game_started", {"level": "2"}), levels, *ended) == [
        "  levels: Mei 2 → 4",
        "  next round: Lin is declarer, level 2",
        "  next round: Mei is declarer, level 4",
        "  next round: whoever makes trumps is declarer",
    ]


def test_sides_are_shown_when_they_change() -> None:
    unknown, known = ["declarers", "unknown"], ["declarers", "attackers"]
    assert lines_for(*[("of_any_kind", {"sides": sides}) for sides in (["unknown"] * 2, unknown, unknown, known)]) == [
        "  declarer's side: Lin; not known yet: Mei",
        "  declarer's side: Lin; attackers: Mei",
    ]


def test_partners_who_chose_the_same_road_are_asked_again() -> None:
    agreed = ("roads_set", {"roads": {"3": "low", "1": "high"}})
    assert lines_for(
        ("roads_asked", {"seats": [0, 1, 2, 3], "clashes": [0, 0]}),
        agreed,
        ("roads_asked", {"seats": [0, 2], "clashes": [1, 0]}),
    ) == ["  roads: Mei high with seat 3 low", "  partners chose the same road and are asked again: Lin, seat 2"]


HAND = ["7H", "TS", "TS", "LJ", "BJ", "AC"]


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("♥7 ♠10 joker JOKER", ["7H", "TS", "LJ", "BJ"]),
        ("7h, 10S,ts", ["7H", "TS", "TS"]),
        ("h7 S10 lj bj", ["7H", "TS", "LJ", "BJ"]),
        ("♥\ufe0f7 A♧", ["7H", "AC"]),
    ],
)
def test_cards_are_accepted_as_shown_and_by_their_names_in_the_api(typed: str, cards: list[str]) -> None:
    assert cards_in(typed, HAND) == cards


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("Joker", "'Joker' is no card"),
        ("♥7 x", "'x' is no card"),
        ("♥", "'♥' is no card"),
        ("11S", "'11S' is no card"),
        (",", "There is no card in ','"),
        ("♥7 ♥7 ♦2", "You do not hold ♥7 ♦2"),
    ],
)
def test_a_slip_is_explained(typed: str, fault: str) -> None:
    with pytest.raises(SlipError, match=re.escape(fault)):
        cards_in(typed, HAND)


@pytest.mark.parametrize(
    ("kind", "hints", "typed", "answer"),
    [
        ("declare", {"possible": []}, [], ("pass", {})),
        ("declare", {"possible": [["TS"]]}, [""], ("pass", {})),
        ("defend", {"possible": [["TS", "TS"]]}, ["♠9", "♠10 ♠10"], ("declare", {"cards": ["TS", "TS"]})),
        ("overcall-kitty", {"possible": [["BJ"]]}, ["JOKER"], ("overcall-kitty", {"cards": ["BJ"]})),
        ("overcall-kitty", {"possible": [["BJ"]]}, ["Pass"], ("pass", {})),
        ("declare", {"possible": [["TS", "TS"]]}, ["♠１０\u3000ｔｓ"], ("declare", {"cards": ["TS", "TS"]})),
        ("declare", {"possible": [["TS", "TS"]]}, ["黑桃10、黑桃１０"], ("declare", {"cards": ["TS", "TS"]})),
        ("overcall-kitty", {"possible": [["BJ"]]}, ["大王"], ("overcall-kitty", {"cards": ["BJ"]})),
        ("overcall-kitty", {"possible": [["BJ"]]}, ["ｐａｓｓ"], ("pass", {})),
        (
            "call",
            {"calls": 2, "example": []},
            ["♥A", "♥A copy 2, JOKER other copy"],
            ("call", {"calls": [{"card": "AH", "ordinal": 2}, {"card": "BJ", "other": True}]}),
        ),
        ("road", {"roads": ["high", "low"], "example": "low"}, [""], ("road", {"road": "low"})),
    ],
)
def test_every_kind_of_decision_can_be_answered(
    kind: str, hints: dict[str, object], typed: list[str], answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(typed)
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    view = {"decision": {"kind": kind, "hints": hints}, "my": {"hand": HAND}}
    assert ask(view, Screen(io.StringIO(), 0)) == answer
    assert list(lines) == []


def test_a_patient_table_has_ten_minutes_for_each_answer(service: Service) -> None:
    client = Client.register(service.url, "Slow")
    clocks = [
        client.request("GET", Table.fill(client, "sishifen", patient=slow).path)["clock"] for slow in (True, False)
    ]
    patient, usual = ([clock[f"{kind}_ms"] for kind in ("declare", "discard", "call", "play")] for clock in clocks)
    assert patient == 4 * [600_000]
    assert max(usual) < 600_000


def test_me_makes_a_patient_table(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bool] = []

    def fill(*_: object, patient: bool, **__: object) -> Table:
        calls.append(patient)
        raise EOFError

    monkeypatch.setattr(Table, "fill", fill)
    for arguments in ([], ["--me"]):
        monkeypatch.setattr(sys, "argv", ["demo", "--url", service.url, *arguments])
        assert main() == 0
    assert calls == [False, True]


def test_it_exits_silently_when_its_output_is_closed(service: Service) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "demo", "--url", service.url, "--pace", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 0


def test_without_a_service_it_says_what_to_do() -> None:
    done = demo("http://127.0.0.1:9")
    assert done.returncode == 1
    assert "make run" in done.stdout
    assert not done.stderr


def test_a_refusal_is_printed_as_a_sentence(service: Service) -> None:
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
def test_only_a_terminal_with_colours_gets_them(
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


def test_events_without_a_text_are_skipped(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        Screen(out, 0).show({"type": "an_event_of_tomorrow", "data": {}})
    assert (tmp_path / "out").read_text() == ""


def test_the_crowd_plays_at_many_tables_and_finds_no_fault(service: Service) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demo.crowd", "--url", service.url, "--minutes", "0.03", "--tables", "4"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("; 0 faults")


def checked(*events: tuple[str, dict[str, object]]) -> list[str]:
    """Faults found by the crowd in a log of these events."""
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
def test_the_crowd_reports_a_broken_promise(broken: tuple[tuple[str, dict[str, object]], ...], fault: str) -> None:
    (complaint,) = checked(*broken)
    assert fault in complaint


def test_the_crowd_reports_a_gap_in_the_log() -> None:
    tally = Tally()
    Checker("a table", tally).see({"seq": 2, "type": "presence", "data": {}})
    assert len(tally.faults) == 1
