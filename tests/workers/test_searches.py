"""Moves that search: made by separate processes, without delaying others, and replaced by rules if necessary."""

import threading
from typing import Any

import pytest
import structlog
from redis import Redis

from harness.waiting import wait_until
from service.common.settings import Settings
from service.game.state import clock
from service.game.state.levels import SEARCHED
from service.game.views.ai_view import ai_view
from service.jobs import worker_status
from service.jobs.queues import AI, PEOPLE, PRACTICE, QUEUES, SEARCH
from service.jobs.worker_status import Heartbeat, JobMetrics
from service.rules.cards import CARDS, names_of
from tests.workers.conftest import House
from tests.workers.players import QUICK
from workers import __main__ as processes
from workers import ai, analysing, jobs
from workers.jobs import Worker
from workers.search_budget import Chooser


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minimal searches."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)


def searching(house: House, name: str, people: int = 1, *, practice: bool = True) -> str:
    """Open a table whose AI seats search, and advance it to the first such move."""
    table = house.table(name, people=people, level="expert", practice=practice)
    for _ in range(200):
        decision = house.state(table)["decision"]
        assert decision is not None
        if decision["kind"] in SEARCHED and decision["seats"] != [0]:
            return table
        if decision["seats"] == [0]:
            command = ai.choose(ai_view(house.state(table), 0, house.now), b"person", "easy")
            house.tables.act(table, {**command, "player": "pl_0", "decision_id": decision["id"]})
        house.work()
    raise AssertionError("nobody searches")


def test_a_worker_leaves_moves_that_search_to_a_searcher(house: House, quick: None) -> None:
    table = searching(house, "tb_search")
    before = house.state(table)["version"]
    house.work()
    assert house.state(table)["version"] == before
    assert house.job_ids(SEARCH)
    house.work(role="searcher")
    assert house.state(table)["version"] > before
    assert house.job_ids(SEARCH) == []


def test_searches_of_practice_tables_yield_to_others_and_then_alternate(house: House, quick: None) -> None:
    table = searching(house, "tb_practice")
    before = house.state(table)["version"]
    for number in range(3):
        house.queues.enqueue(f"tb_gone{number}", 1, SEARCH)
    house.work(jobs=1, role="searcher")
    assert house.state(table)["version"] == before
    assert [job.split("-")[0] for job in house.job_ids(PRACTICE)] == [table]
    house.work(jobs=2, role="searcher")
    assert house.state(table)["version"] > before
    assert [job.split("-")[0] for job in house.job_ids(SEARCH)][:2] == ["tb_gone1", "tb_gone2"]


def test_a_searcher_leaves_everything_else_to_workers(house: House, quick: None) -> None:
    table = house.table("tb_easy", people=1)
    waiting = house.job_ids(PEOPLE)
    before = house.state(table)["version"]
    house.work(role="searcher")
    assert house.state(table)["version"] == before
    assert house.job_ids(PEOPLE) == waiting


def test_without_a_searcher_the_clock_lets_seats_move_by_rules(house: House) -> None:
    table = searching(house, "tb_alone")
    before = house.state(table)["version"]
    house.redis.delete(f"rq:queue:{SEARCH}")
    house.now += 5_000
    house.clock.tick()
    assert house.job_ids(SEARCH) == []
    assert house.job_ids(AI)
    house.work()
    assert house.state(table)["version"] > before


def test_with_a_searcher_the_clock_asks_for_a_search(house: House) -> None:
    searching(house, "tb_asked")
    house.redis.delete(f"rq:queue:{SEARCH}")
    house.now += 5_000
    Heartbeat(house.redis, "searcher", lambda: house.now).beat()
    house.clock.tick()
    assert len(house.job_ids(SEARCH)) == 1


def test_a_searcher_counts_as_alive_during_a_long_search(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_status, "HEARTBEAT_S", 0.02)
    searching(house, "tb_long")
    alive = []

    def think(*_: Any) -> Any:
        house.now += worker_status.ALIVE_MS + 1
        alive.append(wait_until(lambda: worker_status.alive(house.redis, "searcher", house.now)))
        raise RuntimeError("that is all")

    monkeypatch.setattr(ai, "LEVELS", {**QUICK, "expert": {**QUICK["expert"], "play": think, "discard": think}})
    house.work(role="searcher")
    assert alive == [1] * len(alive) != []


def test_jobs_of_a_searcher_are_counted_with_heartbeats_from_a_thread(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Heartbeat, "beat", lambda _: None)
    monkeypatch.setattr(worker_status, "HEARTBEAT_S", 0.0)
    failed = []

    def think(*_: Any) -> Any:
        failed.append(answer_of(house.redis, house)["failed"])
        raise RuntimeError("that is all")

    monkeypatch.setattr(ai, "LEVELS", {**QUICK, "expert": {**QUICK["expert"], "play": think, "discard": think}})
    for table in ("tb_one", "tb_two"):
        searching(house, table)
    house.work(role="searcher")
    assert failed[0] == 0 < failed[-1]


def a_view(house: House) -> Any:
    state = house.state(searching(house, "tb_seen"))
    assert state["decision"] is not None
    return ai_view(state, state["decision"]["seats"][0], house.now)


def test_the_more_searches_wait_the_less_work_each_gets(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = []

    def note(_view: Any, _seed: bytes, _level: str, share: float) -> Any:
        shares.append(share)
        return ai.Advice({})

    monkeypatch.setattr(ai, "advise", note)
    metrics = JobMetrics(house.redis)
    for waiting in (0, 1, 2, 4, 20):
        Chooser(lambda waiting=waiting: waiting, metrics).search(to_play(None), b"", "expert")
    assert shares == [1.0, 1.0, 1.0, 0.5, 0.1]
    metrics.flush()
    assert answer_of(house.redis, house)["reduced"] == 2


def test_searches_do_the_share_of_their_work_that_the_operator_allows(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = []
    monkeypatch.setattr(ai, "advise", lambda *arguments: shares.append(arguments[-1]) or ai.Advice({}))
    metrics = JobMetrics(house.redis)
    for waiting in (1, 4):
        Chooser(lambda waiting=waiting: waiting, metrics, work=0.2).search(to_play(None), b"", "expert")
    assert shares == [0.2, 0.1]
    metrics.flush()
    assert answer_of(house.redis, house)["reduced"] == 1, "only the second search did less than it may"


def test_the_operator_sets_the_work_of_searches_and_analyses(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.from_env({"REDIS_URL": house.url, "SEARCH_PERCENT": "20"})
    calls = []
    monkeypatch.setattr(
        analysing, "analyse", lambda *arguments: calls.append(arguments[-1]) or {"decisions": [], "of": 0}
    )

    class Once(Worker):
        def work(self, **_: Any) -> None:
            jobs.analyse("gm_one", 1)
            jobs.answer_asked()
            self._stop.set()

    monkeypatch.setattr(processes, "Worker", Once)
    monkeypatch.setattr(processes, "handle_signals", lambda _: None)
    processes.run_worker(settings, threading.Event(), "searcher")
    assert calls == [0.2]


def to_play(remaining_ms: int | None, bank_ms: int = 0, players: int = 4) -> Any:
    decision = {"kind": "play", "remaining_ms": remaining_ms, "seats": [0]}
    return {"ruleset": "shengji", "decision": decision, "seats": [{"bank_ms": bank_ms}] * players}


def test_the_sooner_a_move_must_be_made_the_less_work_it_gets(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    shares, now = [], [0.0]

    def note(_view: Any, _seed: bytes, level: str, share: float = 1.0) -> Any:
        shares.append((level, share))
        now[0] += 4 * share
        return ai.Advice({})

    monkeypatch.setattr(ai, "advise", note)
    chooser = Chooser(lambda: 0, JobMetrics(house.redis), lambda: now[0])
    for remaining in (None, 60_000, 4_000, 800, 100, 0):
        chooser.search(to_play(remaining), b"", "expert")
    assert [level for level, _ in shares] == ["expert"] * 4 + ["normal"] * 2
    assert [share for _, share in shares] == pytest.approx([1.0, 1.0, 0.5, 0.1, 1.0, 1.0])
    chooser = Chooser(lambda: 0, JobMetrics(house.redis), lambda: now[0])
    chooser.search(to_play(0, bank_ms=60_000), b"", "expert")
    assert shares[-1] == ("expert", 1.0), "the bank is time, too"
    chooser.search({"decision": {"kind": "declare", "remaining_ms": 0}}, b"", "expert")
    assert shares[-1] == ("expert", 1.0), "it does not search for that"


def test_the_duration_of_searches_is_learnt_for_each_level_and_number_of_seats(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares, now = [], [0.0]

    def note(view: Any, _seed: bytes, level: str, share: float = 1.0) -> Any:
        shares.append(share)
        now[0] += share * (len(view["seats"]) if level == "expert" else 0.1)
        return ai.Advice({})

    monkeypatch.setattr(ai, "advise", note)
    chooser = Chooser(lambda: 0, JobMetrics(house.redis), lambda: now[0])
    for level, players in (("hard", 4), ("expert", 4), ("expert", 8)):
        for _ in range(2):
            chooser.search(to_play(1_000, players=players), b"", level)
    # Initially a search of expert is estimated at two seconds, and it may take half of the remaining one.
    assert shares == pytest.approx([1.0, 1.0, 1 / 4, 1 / 8, 1 / 4, 1 / 16])


def test_a_short_search_does_not_hide_the_duration_of_others(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = []
    monkeypatch.setattr(ai, "advise", lambda *arguments: shares.append(arguments[-1]) or ai.Advice({}))
    chooser = Chooser(lambda: 0, JobMetrics(house.redis), lambda: 0.0)
    for _ in range(2):
        chooser.search(to_play(1_000), b"", "expert")
    assert shares == pytest.approx([1 / 4, 1 / 4], rel=0.05), "the first had nothing to compare, perhaps"


def test_a_seat_that_searches_moves_by_rules_even_after_its_deadline(house: House, quick: None) -> None:
    table = searching(house, "tb_late", practice=False)
    state = house.state(table)
    assert state["decision"] is not None
    house.now = state["decision"]["deadline"] + clock.AI_LATE_MS
    assert house.tables.load(table) == state, "nobody who looks moves for it"
    view = ai_view(state, state["decision"]["seats"][0], house.now)
    assert view["decision"]["remaining_ms"] == 0
    before = state["version"]
    house.work(jobs=1, role="searcher")
    events = [event for event in house.tables.log(table) if event["seq"] > before]
    assert events[0]["by"] == "ai"
    rules = Chooser(lambda: 0, JobMetrics(house.redis)).by_rules(view, b"", "normal")
    assert names_of(events[0]["data"]["cards"]) == rules["cards"]


def answer_of(redis: Redis, house: House) -> Any:
    return worker_status.read(redis, house.store, QUEUES, house.now).searches


def test_a_share_of_the_work_is_a_share_of_the_simulated_plays() -> None:
    assert ai.EFFORTS["expert"].scaled(0.1).plays == ai.EFFORTS["expert"].plays // 10


def test_if_a_search_fails_the_seat_plays_by_rules_and_the_log_names_no_card(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = a_view(house)

    def broken(*_: Any) -> Any:
        raise RuntimeError(f"bad hand {view['my']['hand']}")

    monkeypatch.setattr(ai, "LEVELS", {**ai.LEVELS, "expert": {"play": broken, "discard": broken}})
    metrics = JobMetrics(house.redis)
    with structlog.testing.capture_logs() as lines:
        command = Chooser(lambda: 0, metrics).search(view, b"x", "expert")
    assert command == Chooser(lambda: 0, metrics).by_rules(view, b"x", "normal")
    assert [line["event"] for line in lines] == ["search failed"]
    assert lines[0]["table"] == view["id"]
    assert not any(card in str(value) for value in lines[0].values() for card in CARDS)
    metrics.flush()
    assert answer_of(house.redis, house)["failed"] == 1
