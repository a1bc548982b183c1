"""Shared rounds: whoever has the code can read them without an account, and nobody else."""

import pytest

from tests.api.contract import assert_problem
from tests.api.game.test_games import one_round


@pytest.fixture
def shared(world):
    """A table whose first round is over, the path of that round, and its code."""
    table = one_round(world)
    path = f"/v1/games/{table.state()['game']['id']}/rounds/1"
    return table, path, table.clients[1].post(f"{path}/share", None).json["code"]


def shared_path(path: str) -> str:
    game, _, n = path.removeprefix("/v1/games/").partition("/rounds/")
    return f"/v1/shared-rounds/{game}/{n}"


def test_a_shared_round_is_read_without_an_account(world, shared):
    table, path, code = shared
    stranger = world.anybody.get(f"{shared_path(path)}?code={code}&seat=2")
    assert stranger.status_code == 200
    body = stranger.json
    assert body["record"] == table.clients[0].get(path).json
    events = table.clients[0].get(f"{path}/events?seat=2").json
    assert {name: body[name] for name in ("view", "events")} == events
    assert "join_code" not in body["view"]
    assert world.anybody.get(f"{shared_path(path)}?code={code[:9].upper()}%20{code[9:]}&seat=2").status_code == 200
    # The running round is not shared.
    later = f"{shared_path(path)[:-1]}2?code={code}"
    assert_problem(world.anybody.get(later), "not-finished", what="round")


def test_every_player_gets_the_same_code_and_strangers_get_none(world, shared):
    table, path, code = shared
    assert table.clients[2].post(f"{path}/share", None).json["code"] == code
    assert_problem(world.player().post(f"{path}/share", None), "no-spectators")
    assert_problem(world.anybody.post(f"{path}/share", None), "unauthorized")


@pytest.mark.parametrize("wrong", ["a", "a" * 26, "ä"])
def test_a_wrong_code_finds_nothing(world, shared, wrong):
    _, path, _ = shared
    assert_problem(world.anybody.get(f"{shared_path(path)}?code={wrong}"), "not-found", what="round")
    assert_problem(world.anybody.get(shared_path(path)), "invalid-request")
