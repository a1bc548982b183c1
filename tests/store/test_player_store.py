"""The contract of every player store (`service.store.port.PlayerStore`)."""

import threading

import pytest

LIN = {"id": "pl_lin", "name": "林", "kind": "human"}
WEI = {"id": "pl_wei", "name": "Wei", "kind": "bot"}


def test_a_player_is_found_by_id(players):
    players.create(LIN, "hash-1")
    players.create(WEI, "hash-2")
    assert players.get("pl_lin") == LIN
    assert players.get("pl_wei") == WEI
    assert players.get("pl_none") is None
    assert players.get("") is None


@pytest.mark.parametrize(("player", "token"), [(LIN, "hash-9"), (WEI, "hash-1")])
def test_neither_a_player_nor_a_token_can_be_created_twice(players, player, token):
    players.create(LIN, "hash-1")
    with pytest.raises(ValueError, match="there is a player"):
        players.create({**player, "name": "another"}, token)
    assert players.get("pl_lin") == LIN
    assert players.get("pl_wei") is None


def test_an_update_replaces_the_record_and_returns_it(players):
    players.create(LIN, "hash-1")
    assert players.update("pl_lin", lambda player: {**player, "name": "Lin"}) == {**LIN, "name": "Lin"}
    assert players.get("pl_lin") == {**LIN, "name": "Lin"}
    assert players.update("pl_none", lambda player: player) is None
    assert players.get("pl_none") is None


def test_no_concurrent_update_is_lost(players):
    players.create({**LIN, "games": 0}, "hash-1")

    def count_games():
        for _ in range(25):
            players.update("pl_lin", lambda player: {**player, "games": player["games"] + 1})

    threads = [threading.Thread(target=count_games) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert players.get("pl_lin")["games"] == 100


def test_an_erased_player_leaves_no_trace(players):
    players.create(LIN, "hash-1")
    players.create(WEI, "hash-2")
    players.add_table("pl_lin", "tb_a", 1)
    assert players.delete("pl_lin")
    assert not players.delete("pl_lin")
    assert players.get("pl_lin") is None
    assert players.tables_of("pl_lin") == []
    assert players.get("pl_wei") == WEI
    players.create(LIN, "hash-1")
    assert players.tables_of("pl_lin") == []


def test_the_tables_of_a_player_come_latest_first(players):
    for at, table in enumerate(["tb_a", "tb_b", "tb_c"]):
        players.add_table("pl_lin", table, at)
    players.add_table("pl_lin", "tb_a", 9)
    players.remove_table("pl_lin", "tb_b")
    players.remove_table("pl_lin", "tb_none")
    players.add_table("pl_wei", "tb_d", 1)
    assert players.tables_of("pl_lin") == ["tb_a", "tb_c"]
    assert players.tables_of("pl_none") == []


DAY = 24 * 3_600_000


def test_a_guest_is_idle_since_registering(players):
    players.create({**LIN, "created_at": 10 * DAY}, "hash-1")
    players.create({**WEI, "created_at": 10 * DAY}, "hash-2")
    assert players.idle_guests(10 * DAY, 9) == []
    assert sorted(players.idle_guests(10 * DAY + 1, 9)) == ["pl_lin", "pl_wei"]
    assert len(players.idle_guests(10 * DAY + 1, 1)) == 1
    players.keep("pl_wei")
    assert players.idle_guests(20 * DAY, 9) == ["pl_lin"]


def test_the_traces_of_a_player_are_returned(players):
    players.create({**LIN, "created_at": DAY}, "hash-1")
    players.add_table("pl_lin", "tb_a", 3)
    players.add_hosted("pl_lin", "tb_b", 4)
    assert players.traces("pl_lin") == (DAY, {"tb_a": 3}, {"tb_b": 4})
    players.keep("pl_lin")
    assert players.traces("pl_lin").guest_at is None
    assert players.traces("pl_none") == (None, {}, {})


def test_only_a_guest_who_is_still_idle_expires(players):
    players.create({**LIN, "created_at": DAY}, "hash-1")
    players.create({**WEI, "created_at": DAY}, "hash-2")
    players.add_table("pl_lin", "tb_a", 1)
    players.add_hosted("pl_lin", "tb_a", 1)
    players.keep("pl_wei")
    assert not players.expire_guest("pl_lin", DAY)
    assert not players.expire_guest("pl_wei", 3 * DAY)
    assert players.get("pl_wei") == {**WEI, "created_at": DAY}
    assert players.expire_guest("pl_lin", DAY + 1)
    assert players.get("pl_lin") is None
    assert players.tables_of("pl_lin") == []
    assert players.add_hosted("pl_lin", "tb_b", 2) == ["tb_b"]
    assert not players.expire_guest("pl_lin", 9 * DAY)


def test_the_tables_that_a_player_hosts_are_listed_oldest_first(players):
    assert players.add_hosted("pl_lin", "tb_b", 2) == ["tb_b"]
    assert players.add_hosted("pl_lin", "tb_a", 1) == ["tb_a", "tb_b"]
    players.remove_hosted("pl_lin")
    players.remove_hosted("pl_lin", "tb_b", "tb_none")
    assert players.add_hosted("pl_lin", "tb_c", 3) == ["tb_a", "tb_c"]
