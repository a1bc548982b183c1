"""AI seats move at their pace, once, and from the view of their seat."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from harness.tables import Command, House, at_once, choose, consistent, finished
from service.common.interruptions import Interruptions
from service.common.reckoning import TOLERANCE_MS
from service.game.commands.ai_moves import AiMoves
from service.game.state import clock
from service.game.views.ai_view import ai_view
from service.tables import Tables
from service.tables.writing import queue_for
from tests.game.scenes import stack


@pytest.fixture
def house() -> House:
    return House()


# --- AI seats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("arms_length", 4, {}),
        ("sishifen", 4, {}),
        ("zhaopengyou_80", 4, {"deal_pace": "timed"}),
        ("shengji", 4, {"chao_di": True, "start_level": "A"}),
    ],
)
def test_ai_seats_play_a_game_to_its_end(house, ruleset, players, options):
    table = house.table(ruleset, players, ai=players, options=options, ai_pace_ms=0)
    house.play_by_ai(table, lambda state: finished(state) and state["game"]["kept"])
    assert house.state(table)["game"]["winners"]
    assert house.finished_games[0][0] == house.state(table)["game"]["id"]
    assert {event["by"] for event in house.log(table)} == {"player", "server", "ai"}
    assert house.due_at(table) is None
    consistent(house, table)


def test_a_long_job_stops_and_enqueues_another(house):
    table = house.table(ai=4, ai_pace_ms=0)
    house.jobs.clear()
    advanced = house.tables.advance(table, None, choose)
    assert advanced.steps == 60
    assert house.jobs == [(table, advanced.version, "ai")]
    assert advanced.wake_at == house.clock.now


def test_an_ai_keeps_its_pace(house):
    table = house.table(ai=4, ai_pace_ms=600)
    assert house.tables.advance(table, None, choose).steps == 0
    house.clock.now += 600
    assert house.tables.advance(table, None, choose).steps == 1
    assert house.due_at(table) == house.clock.now + 600


def test_a_job_does_what_was_due_by_the_clock_of_the_process_that_enqueued_it(house):
    table = house.table(ai=4, ai_pace_ms=600)
    version, due = house.state(table)["version"], house.due_at(table)
    house.clock.now = due - TOLERANCE_MS - 1
    assert house.tables.advance(table, version, choose).steps == 0
    house.clock.now += 1
    assert house.tables.advance(table, None, choose).steps == 0, "no job, so nobody has seen it due"
    advanced = house.tables.advance(table, version, choose)
    assert (advanced.steps, advanced.late_ms) == (1, 0)
    assert house.log(table)[-1]["at"] == due
    assert house.due_at(table) == due + 600
    consistent(house, table)


def test_after_a_deal_an_ai_waits_for_its_pace_too(house):
    table = house.table(ai=4, ai_pace_ms=600, options={"deal_pace": "timed"})
    house.clock.now += 25 * 400
    house.tables.advance(table, None, lambda *_: {"type": "pass"})
    assert house.state(table)["round"]["phase"] == "declaring"
    assert house.due_at(table) == house.clock.now + 600


def test_an_ai_does_not_play_while_nobody_can_answer_a_take_back(house):
    table = house.table(ai=2, ai_pace_ms=0, take_back=True, seed="unrated")
    state = house.state(table)
    while clock.ai_seats_asked(state) != [2] or not any(state["round"]["played"]):
        house.tables.advance(table, None, choose)
        state = house.state(table)
        command = dict(choose(ai_view(state, state["decision"]["seats"][0], house.clock.now), b"seed", "easy"))
        house.act(table, state["decision"]["seats"][0], command.pop("type"), **command)
        state = house.state(table)
    house.act(table, 1, "take_back")
    house.clock.now += clock.ANSWER_MS
    away = Tables(house.store, now=house.clock, interrupted=lambda: Interruptions(house.clock.now - 1_000))
    assert away.advance(table, None, choose).steps == 0
    assert house.tables.advance(table, None, choose).steps > 0


def test_a_worker_is_woken_when_an_ai_is_to_move_at_once(house):
    table = house.table(ai=3, ai_pace_ms=0)
    house.jobs.clear()
    while house.state(table)["decision"]["seats"] != [0]:
        house.tables.advance(table, None, choose)
    house.jobs.clear()
    house.act(table, 0, "pass")
    assert house.jobs == [(table, house.state(table)["version"], "people")]


def test_concurrent_and_repeated_jobs_do_no_harm(house):
    table = house.table("sishifen", ai=4, ai_pace_ms=0)
    for _ in range(3):
        at_once(3, lambda _: house.tables.advance(table, None, choose))
        version = house.state(table)["version"]
        at_once(3, lambda _: house.tables.advance(table, version, choose))  # noqa: B023 - called before the next turn
    consistent(house, table)
    played = [event for event in house.log(table) if event["type"] == "played"]
    assert len(played) >= 48


def test_ai_seats_declare_while_cards_are_dealt(house):
    table = house.table(ai=4, options={"deal_pace": "timed"}, ai_pace_ms=0)
    house.clock.now += 25 * 400
    house.tables.advance(table, None, choose)
    declarations = house.state(table)["round"]["shown"]
    assert declarations
    dealt = [event["seq"] for event in house.log(table) if event["type"] == "dealt"]
    declared = [event["seq"] for event in house.log(table) if event["type"] == "declared"]
    assert declared[0] == dealt[0] + 1


def test_after_an_outage_ai_seats_declare_only_once_all_cards_that_are_due_are_dealt(house):
    """Otherwise a record, which has the times of actions, would be replayed with other cards and another window."""
    table = house.table(ai=4, options={"deal_pace": "timed"}, ai_pace_ms=0)
    began = house.clock.now
    house.clock.now += 10 * 400
    house.tables.advance(table, None, lambda *_: {"type": "pass"})
    gap = (house.clock.now, house.clock.now + 5_000)
    house.clock.now = began + 26 * 400 + 5_000
    tables = Tables(house.store, now=house.clock, interrupted=lambda: Interruptions(gaps=(gap,)))
    hands = []

    def watch(view: Mapping[str, Any], seed: bytes, level: str) -> Command:
        hands.append(len(view["my"]["hand"]))
        return choose(view, seed, level)

    tables.advance(table, None, watch)
    kinds = [event["type"] for event in house.log(table)]
    assert kinds[kinds.index("interrupted") + 1] == "dealt"
    assert "declared" in kinds
    assert set(hands[:4]) == {25}


def test_an_ai_sees_its_seat_and_nothing_else(house):
    table = house.table(ai=3, ai_pace_ms=0)
    seats: list[int] = []

    def watch(view: Mapping[str, Any], seed: bytes, level: str) -> Command:
        state = house.state(table)
        seat = view["viewer"]["seat"]
        assert view == ai_view(state, seat, house.clock.now)
        seats.append(seat)
        return choose(view, seed, level)

    house.tables.advance(table, None, watch)
    assert set(seats) <= {1, 2, 3}
    assert seats


def test_an_illegal_choice_of_an_ai_is_replaced_by_the_fallback(house, caplog):
    table = house.table(ai=4, ai_pace_ms=0)

    def stumble(view: Mapping[str, Any], _seed: bytes, _level: str) -> Command:
        return {"type": "play", "cards": ["2S", "2S", "AH"]}

    house.tables.advance(table, None, stumble)
    assert house.state(table)["round"]["phase"] == "playing"
    assert "refused" in caplog.text
    assert "2S" not in caplog.text
    consistent(house, table)


def test_an_illegal_declaration_of_an_ai_does_not_stop_the_deal(house):
    table = house.table(ai=4, options={"deal_pace": "timed"})
    house.clock.now += 4_000

    def stumble(view: Mapping[str, Any], _seed: bytes, _level: str) -> Command:
        return {"type": "declare", "cards": ["KS"]}

    assert house.tables.advance(table, None, stumble).steps == 1
    assert house.state(table)["round"]["deal"]["count"] == 40


def test_while_a_defence_is_open_other_ai_seats_do_not_declare(house, monkeypatch):
    stack(monkeypatch, {0: "2S", 1: "2H 2H", 2: "2D"})
    table = house.table("zhaopengyou", 5, ai=5, options={"deal_pace": "timed"})
    house.clock.now += 20 * 400 - 1
    house.tables.advance(table, None, choose)
    state = house.state(table)
    assert state["decision"]["kind"] == "defend"
    assert [declarations["seat"] for declarations in state["round"]["shown"]] == [0, 1]


def test_a_finished_game_is_archived_once(house):
    table = house.table("arms_length", ai=4, ai_pace_ms=0)
    house.play_by_ai(table, lambda state: finished(state) and state["game"]["kept"])
    length = len(house.log(table))
    house.tables.advance(table, None, choose)
    assert len(house.finished_games) == 1
    assert house.finished_games[0][1] == length - 1
    assert [event["type"] for event in house.log(table)[-2:]] == ["game_ended", "game_kept"]


def test_without_an_archive_a_finished_game_is_still_marked_as_archived():
    house = House()
    house.tables = Tables(house.store, now=house.clock, entropy=random.Random(5).randbytes)
    table = house.table("arms_length", ai=4, ai_pace_ms=0)
    house.play_by_ai(table, lambda state: finished(state) and state["game"]["kept"])
    assert house.due_at(table) is None


def test_a_failing_ai_is_replaced_and_the_log_names_no_card(house, caplog):
    table = house.table(ai=4, ai_pace_ms=0)

    def broken(view: Mapping[str, Any], seed: bytes, level: str) -> Command:
        raise RuntimeError(f"no move with {view['my']['hand']}")

    before = house.state(table)["version"]
    with caplog.at_level("ERROR"):
        assert house.tables.advance(table, None, broken).steps
    assert house.state(table)["version"] > before
    assert any(f"table {table}" in message and "RuntimeError" in message for message in caplog.messages)
    assert not any("'" in message or "no move" in message for message in caplog.messages)
    consistent(house, table)


@pytest.mark.parametrize("searches", [True, False])
def test_a_job_does_only_the_moves_of_its_kind(house, searches):
    table = house.table(ai=4, ai_pace_ms=0)
    for _ in range(50):
        if house.state(table)["round"]["phase"] == "playing":
            break
        house.tables.advance(table, None, choose)
    state = house.state(table)
    assert queue_for(state) == "ai"
    house.jobs.clear()
    advanced = house.tables.advance(table, None, choose, searches=searches)
    assert (advanced.steps == 0) == searches
    assert house.jobs[-1][2] == "ai"


@pytest.mark.parametrize(("how", "level"), [("normal", "normal"), (None, "easy")])
def test_the_table_chooses_which_ai_plays_for_the_absent(house, how, level):
    table = house.table(ai=3, **({"takeover_level": how} if how else {}))
    house.act(table, 0, "leave")
    assert house.state(table)["seats"][0]["autopilot"] == level


def test_the_choices_of_an_ai_cannot_be_predicted_from_public_information(house):
    seeds = []

    def noted(view, seed, level):
        seeds.append(seed)
        return choose(view, seed, level)

    state = house.state(house.table(ai=4))
    seat = state["decision"]["seats"][0]
    moves = AiMoves(noted, house.tables._writer.entropy)
    for secret in (state["next_seed"], state["next_seed"], "00" * 32):
        moves.move({**state, "next_seed": secret}, seat, house.clock.now)
    assert seeds[0] == seeds[1] != seeds[2]


def test_an_ai_that_raises_is_replaced_by_the_fallback_and_logged_without_cards(house, caplog):
    table = house.table(ai=4, ai_pace_ms=0)
    version = house.state(table)["version"]

    def broken(view, _seed, _level):
        raise RuntimeError(f"bad hand {view['my']['hand']}")

    house.tables.advance(table, None, broken)
    assert house.state(table)["version"] > version
    consistent(house, table)
    lines = [record.getMessage() for record in caplog.records]
    assert f"table {table}, version {version}, level easy, RuntimeError" in lines[0]
    assert not any("bad hand" in line for line in lines)
