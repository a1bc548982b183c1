"""What is hidden from a seat does not change a byte of its hints, nor of what an analysis says of its decisions.

A table is put into the store and a hint is asked for; then its twin (`tests.game.hidden`) is, which differs only in
what the seat has not seen. Both have the same seed of AI players, which hangs together with no card.
"""

import json
import random
from dataclasses import replace

import pytest

from harness.driver import Driver
from service.common.settings import Budget, Settings
from service.game.events.evolve import fold
from service.game.records.decisions import Taken
from service.game.state.queries import seats_asked
from service.game.views.ai_view import ai_view
from service.rules.cards import KIND
from service.tables import Tables
from tests.api.conftest import World
from tests.contract import scenes
from tests.game.hidden import exchanged
from tests.workers.players import LITTLE, QUICK
from workers import ai, analysing, jobs
from workers.ai import judging
from workers.ai.friends import told
from workers.ai.reasons import reason

PLAYERS = 6
#: How many decisions with a friend to tell of, and others.
TOLD, OTHERS = 4, 3


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Searches with minimal effort."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)
    monkeypatch.setattr(judging, "EFFORTS", LITTLE)


@pytest.fixture(scope="module")
def moments():
    """Decisions of rounds of friends: (seat, scene, time); in most of them its hint has a friend to tell of."""
    found = {True: [], False: []}

    def note(driver):
        state = driver.state
        if state["decision"] is None or state["decision"]["kind"] not in ("discard", "call", "play"):
            return
        seat = seats_asked(state, state["decision"])[0]
        tells = told(ai_view(state, seat, driver.now), reason("boss")) != reason("boss")
        if tells or driver.random.random() < 0.05:
            found[tells].append((seat, scenes.take(driver), driver.now))

    for seed in range(20):
        driver = Driver("zhaopengyou", PLAYERS, {"start_level": "A"}, seed=seed, hints="on")
        driver.on_step = note
        driver.play_until(lambda state: state["round"]["result"] is not None or len(found[True]) >= TOLD)
        if len(found[True]) >= TOLD:
            break
    return found[True][:TOLD] + found[False][:OTHERS]


@pytest.fixture(scope="module")
def world(module_redis):
    unlimited = {name: Budget(0, 60) for name in vars(Settings()) if name.startswith("limit_")}
    new_world = World(module_redis, replace(Settings(), **unlimited))
    scenes.register(new_world, PLAYERS)
    yield new_world
    new_world.close()


def twin_of(scene, seat, rng):
    """The twin of a scene for a seat, with the same seed of AI players, and how many cards differ."""
    log, cards = exchanged(scene.log, PLAYERS, seat, rng)
    for at, event in enumerate(log):
        if event["type"] == "round_opened":
            seed = scene.log[at]["data"]["next_seed"]
            log[at] = {**event, "data": {**event["data"], "next_seed": seed}}
    return scenes.Scene(fold(log), log), cards


def hint(world, table, scene, seat, now):
    """The bytes of a hint, and what it says."""
    world.now = now
    scenes.put(world, scene, table)
    client, body = world.anybody.with_token(scenes.token(seat)), {"decision_id": scene.state["decision"]["id"]}
    path = f"/v1/tables/{table}/hint?wait=0"
    assert client.post(path, body).status_code == 202
    world.work()
    answer = client.post(path, body)
    assert answer.status_code == 200, answer.json
    return answer.get_data(), answer.json


def analysis(_world, _table, scene, seat, now):
    """The bytes of what an analysis says of a decision that `easy` has made, and what that is."""
    action = {"seq": 1, "seat": seat, "by": "player", **ai.choose(ai_view(scene.state, seat, now), b"x", "easy")}
    judged = analysing.judged(Taken(action, scene.state, now), "gm_x")
    return json.dumps(judged).encode(), judged


def assert_alike(ask, world, moments):
    """Assert that the answers to twins are the same; return how many cards differed and how often a friend was told."""
    rng, differed, friends = random.Random(1), 0, 0
    for seat, scene, now in moments:
        twin, cards = twin_of(scene, seat, rng)
        world.redis.flushdb()
        scenes.register(world, PLAYERS)
        (one, said), (other, _) = (
            ask(world, table, *(each, seat, now)) for table, each in (("tb_one", scene), ("tb_two", twin))
        )
        assert one == other
        differed += cards
        friends += "friends" in said["reason"]
    return differed, friends


@pytest.mark.parametrize("ask", [hint, analysis])
def test_hints_and_analyses_do_not_depend_on_what_is_hidden(world, moments, ask):
    differed, friends = assert_alike(ask, world, moments)
    assert differed > 20 * len(moments)
    assert friends == TOLD


# --- this test can fail ----------------------------------------------------------------------------------------------


def truth_of(monkeypatch):
    """Return a list that ends with the true hands of the table of which a hint or an analysis is asked."""
    hands = []
    question_of, view_of = Tables.question_of, Taken.view

    def question(self, table, *asked):
        hands.append(self.load(table)["round"]["hands"])
        return question_of(self, table, *asked)

    def view(self):
        hands.append(self.before["round"]["hands"])
        return view_of(self)

    monkeypatch.setattr(Tables, "question_of", question)
    monkeypatch.setattr(Taken, "view", view)
    return hands


def with_changed_friends(monkeypatch, change):
    """Change what `told` adds to reasons."""
    for module in (jobs, analysing):
        monkeypatch.setattr(module, "told", lambda view, reason: change(view, told(view, reason)))


def holds_a_called_card(hands, view, seat):
    return any(hands[seat][KIND[call["card"]]] for call in view["round"]["calls"])


def being_sure_of_who_holds_a_card(monkeypatch):
    hands = truth_of(monkeypatch)

    def change(view, reason):
        sure = [
            {**friend, "chance": 100 * holds_a_called_card(hands[-1], view, friend["seat"])}
            for friend in reason.get("friends", ())
        ]
        return {**reason, "friends": sure} if sure else reason

    with_changed_friends(monkeypatch, change)


def telling_nobody_who_holds_no_card(monkeypatch):
    hands = truth_of(monkeypatch)

    def change(view, reason):
        true = [friend for friend in reason.get("friends", ()) if holds_a_called_card(hands[-1], view, friend["seat"])]
        return {**reason, "friends": true} if "friends" in reason else reason

    with_changed_friends(monkeypatch, change)


PEEKING = (being_sure_of_who_holds_a_card, telling_nobody_who_holds_no_card)


@pytest.mark.parametrize("ask", [hint, analysis])
@pytest.mark.parametrize("peek", PEEKING)
def test_a_peek_at_hidden_cards_fails_that_test(world, moments, monkeypatch, ask, peek):
    peek(monkeypatch)
    with pytest.raises(AssertionError):
        assert_alike(ask, world, moments)
