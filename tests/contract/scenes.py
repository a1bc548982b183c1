"""Tables in any phase, written directly to the store, for tests that need many or change hidden state."""

import copy
from functools import cache
from typing import NamedTuple

from harness.driver import Driver
from service.api.http.auth import hash_of
from tests.api.conftest import START

#: The time of all scenes, when no decision has timed out yet.
NOW = START + 2_000


class Scene(NamedTuple):
    """A table with a player `p0`, `p1`, … on every seat, and its log."""

    state: dict
    log: list


def take(driver):
    return Scene(copy.deepcopy(driver.state), copy.deepcopy(driver.log))


@cache
def scene(phase, ruleset="shengji", players=4, *, seed=1, most_steps=400):
    """A table of a random game that waits for this kind of decision, or is `lobby`, `dealing`, `finished`, `closed`."""
    timed = phase == "dealing"
    options = {} if ruleset == "arms_length" else {"deal_pace": "timed"} if timed else {"start_level": "A"}
    driver = Driver(ruleset, players, options, seed=seed, start=phase not in ("lobby", "closed"), take_back=True)
    driver.throws = 0.3
    if timed:
        driver.wait(2_000)
    elif phase == "finished":
        for _ in driver.rounds(50):
            pass
    elif phase == "closed":
        driver.do(0, type="close")
    elif phase != "lobby":
        driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == phase, most_steps)
    return take(driver)


def token(seat):
    return f"sjt_of_player_{seat}"


def register(world, players):
    """Register `p0`, `p1`, … (again) with known tokens; return their clients."""
    for seat in range(players):
        player = {"id": f"p{seat}", "name": f"Bot {seat}", "kind": "bot", "locale": "en", "created_at": START}
        world.stores.players.delete(player["id"])
        world.stores.players.create(player, hash_of(token(seat)))
    return [world.anybody.with_token(token(seat)) for seat in range(players)]


def put(world, scene, table):
    """Store the table of a scene, and its record if its game is over."""
    state, log = scene.state | {"id": table}, scene.log
    world.stores.tables.append(table, 0, log, state, wake_at=None, listed=state["status"] == "lobby")
    for seat in range(state["players"]):
        world.stores.players.add_table(f"p{seat}", table, NOW)
    if state["game"] and state["game"]["ended"]:
        world.tables.finished(state, log)
