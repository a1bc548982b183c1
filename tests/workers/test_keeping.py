"""Archiving of finished games, even if the worker dies meanwhile."""

from collections.abc import Sequence
from typing import Any

import pytest

from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.view import view
from service.store.players.past_games import PastGameStore
from service.store.players.players import RedisPlayerStore
from service.store.players.results import ResultStore
from service.store.port import Player
from service.store.stores import Stores
from service.tables import Finished, Tables
from service.tables.results import Keeper
from tests.workers.conftest import HOST, House
from workers import ai


class Died(Exception):
    """The worker was killed."""


def die(*_: object) -> None:
    """Simulate a kill."""
    raise Died


@pytest.fixture
def results(house: House) -> ResultStore:
    return ResultStore(house.redis)


def keeper_of(house: House, results: ResultStore, past_games: PastGameStore | None = None) -> Keeper:
    lists = past_games or PastGameStore(house.redis)
    return Keeper(Stores(house.redis).archive, results, lists, lambda player: {"id": player})


def tables_of(house: House, keep: Finished) -> Tables:
    tables = Tables(house.store, now=lambda: house.now)
    tables.on_finished(keep)
    return tables


def played_out(house: House, tables: Tables, table: str, people: int = 1) -> State:
    """Play a game of players and AI seats to its end; a worker advances the table in between.

    Without AI seats no worker runs, so the game is not archived yet.
    """
    tables.create(HOST, {"ruleset": "arms_length", "players": 4, "ai_pace_ms": 0}, table)
    code = house.state(table)["settings"]["join_code"]
    for seat in range(people):
        me: dict[str, Any] = {"player": f"pl_{seat}", "name": f"P{seat}", "kind": "human"}
        tables.act(table, {"type": "sit", **me, "seat": seat, "join_code": code})
    for seat in range(people, 4):
        tables.act(table, {"type": "seat_ai", "player": HOST["id"], "seat": seat, "level": "easy"})
    all_ready(tables, table, people)
    while (state := house.state(table))["status"] == "playing":
        decision = state["decision"]
        seat = decision["seats"][0]
        if seat >= people:
            tables.advance(table, None, ai.choose)
        elif decision["kind"] == "ready":
            tables.act(table, {"type": "ready", "player": f"pl_{seat}"})
        else:
            command = ai.choose(view(state, seat, house.now), b"seed")
            tables.act(table, {"player": f"pl_{seat}", "decision_id": decision["id"], **command})
    return house.state(table)


def all_ready(tables: Tables, table: str, people: int) -> None:
    for seat in range(people):
        tables.act(table, {"type": "ready", "player": f"pl_{seat}"})


def finished(house: House, tables: Tables, table: str) -> State:
    """Play a game to its end and let a worker finish it."""
    state = played_out(house, tables, table)
    tables.advance(table, None, ai.choose)
    return state


def test_a_finished_game_has_a_record_and_results(house: House, results: ResultStore) -> None:
    house.tables = tables_of(house, keeper_of(house, results).keep)
    state = finished(house, house.tables, "tb_kept")
    game = state["game"]["id"]
    archived = Stores(house.redis).archive.load_archive(game)
    assert archived is not None
    assert archived["events"][-1]["type"] == "game_ended"
    assert results.of_player("pl_0", ["arms_length"])["arms_length"]["games"] == 1
    assert house.state("tb_kept")["game"]["kept"]


def test_a_worker_that_dies_after_settling_a_game_leaves_it_to_another_which_counts_it_no_second_time(
    house: House, results: ResultStore
) -> None:
    keeper = keeper_of(house, results)

    def die_afterwards(state: State, log: Sequence[Event]) -> None:
        keeper.keep(state, log)
        raise Died

    dying = tables_of(house, die_afterwards)
    with pytest.raises(Died):
        finished(house, dying, "tb_twice")
    assert not house.state("tb_twice")["game"]["kept"]
    [due] = house.store.lease_due(house.now, 1_000, 10)
    assert (due.table, due.version) == ("tb_twice", house.state("tb_twice")["version"])
    tables_of(house, keeper.keep).advance("tb_twice", None, ai.choose)
    assert house.state("tb_twice")["game"]["kept"]
    assert results.of_player("pl_0", ["arms_length"])["arms_length"]["games"] == 1


def test_who_hears_of_a_finished_game_hears_in_order_and_again_if_one_dies(house: House) -> None:
    heard, dies = [], [True]

    def second(state: State, log: Sequence[Event]) -> None:
        heard.append(("second", state["game"]["id"], log[-1]["type"]))
        if dies:
            raise Died

    tables = tables_of(house, lambda state, log: heard.append(("first", state["game"]["id"], log[-1]["type"])))
    tables.on_finished(second)
    with pytest.raises(Died):
        finished(house, tables, "tb_heard")
    dies.clear()
    tables.advance("tb_heard", None, ai.choose)
    game = house.state("tb_heard")["game"]["id"]
    assert heard == [("first", game, "game_ended"), ("second", game, "game_ended")] * 2
    tables.advance("tb_heard", None, ai.choose)
    assert len(heard) == 4


def test_a_worker_that_dies_before_archiving_loses_nothing(house: House, results: ResultStore) -> None:
    dying = tables_of(house, die)
    with pytest.raises(Died):
        finished(house, dying, "tb_late")
    assert results.of_player("pl_0", ["arms_length"]) == {}
    tables_of(house, keeper_of(house, results).keep).advance("tb_late", None, ai.choose)
    assert results.of_player("pl_0", ["arms_length"])["arms_length"]["games"] == 1


def test_a_finished_game_is_on_its_players_lists_once_despite_crashes(
    house: House, results: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    record: Player = {"id": "pl_0", "name": "P0", "kind": "human", "locale": "en", "created_at": 0}
    RedisPlayerStore(house.redis).create(record, "hash")
    past_games = PastGameStore(house.redis)
    tables = tables_of(house, keeper_of(house, results, past_games).keep)
    with monkeypatch.context() as dying:
        dying.setattr(past_games, "add", die)
        with pytest.raises(Died):
            finished(house, tables, "tb_list")
    with monkeypatch.context() as dying:
        dying.setattr(results, "settle", die)
        with pytest.raises(Died):
            tables.advance("tb_list", None, ai.choose)
    tables.advance("tb_list", None, ai.choose)
    game = house.state("tb_list")["game"]
    assert game["kept"]
    [listed] = past_games.newest_first("pl_0")
    assert (listed["game"], listed["ended_at"], listed["rounds"]) == (game["id"], game["ended_at"], 4)
    assert listed["parts"] == {"pl_0": {"seat": 0, "result": "won" if 0 in game["winners"] else "lost"}}


def test_the_next_game_may_begin_before_a_worker_archives_the_last(house: House, results: ResultStore) -> None:
    tables = tables_of(house, keeper_of(house, results).keep)
    game = played_out(house, tables, "tb_again", people=4)["game"]["id"]
    all_ready(tables, "tb_again", people=4)
    assert house.state("tb_again")["game"]["id"] != game
    archived = Stores(house.redis).archive.load_archive(game)
    assert archived is not None
    assert archived["events"][-1]["type"] == "game_ended"
    assert results.of_player("pl_0", ["arms_length"])["arms_length"]["games"] == 1


def test_a_player_who_leaves_right_after_the_game_has_a_result(house: House, results: ResultStore) -> None:
    tables = tables_of(house, keeper_of(house, results).keep)
    played_out(house, tables, "tb_left", people=4)
    tables.act("tb_left", {"type": "leave", "player": "pl_0"})
    tables.advance("tb_left", None, ai.choose)
    assert results.of_player("pl_0", ["arms_length"])["arms_length"]["games"] == 1


def test_a_game_archived_concurrently_by_worker_and_player_counts_once(house: House, results: ResultStore) -> None:
    keeper = keeper_of(house, results)

    def keep_while_a_worker_does(state: State, log: Sequence[Event]) -> None:
        tables_of(house, keeper.keep).advance("tb_both", None, ai.choose)
        keeper.keep(state, log)

    tables = tables_of(house, keep_while_a_worker_does)
    played_out(house, tables, "tb_both", people=4)
    all_ready(tables, "tb_both", people=4)
    kinds = [event["type"] for event in tables.log("tb_both")]
    assert (kinds.count("game_kept"), kinds.count("game_started")) == (1, 2)
    assert results.of_player("pl_0", ["arms_length"])["arms_length"]["games"] == 1
