"""Mistakes by theme: what the analyses of a player's rounds have found, gathered."""

from collections import defaultdict
from dataclasses import replace
from functools import partial

import pytest

from service.coach.mistakes import MOST_EXAMPLES, MOST_ROUNDS
from service.store.analyses import THEMES
from tests.api.jobs.test_analyses import answer, ended_game, get, post, quick  # noqa: F401 - fixture
from tests.workers.players import LITTLE
from workers.ai import judging

SEAT = 1


@pytest.fixture
def analysed(world, monkeypatch):
    """A game with an analysed round in which everybody played at random, and the seat made a mistake."""
    monkeypatch.setattr(judging, "EFFORTS", {"expert": replace(LITTLE["expert"], confirm=8)})
    while True:
        table = ended_game(world, by=partial(answer, level="random"))
        post(table)
        world.work()
        if any(each["seat"] == SEAT and each["best"] and each["gain"] for each in get(table).json["decisions"]):
            return table


def mistakes_of(client):
    answered = client.get("/v1/me/mistakes")
    assert answered.status_code == 200, answered.json
    return answered.json


def put_analysis(world, player, number, decisions):
    """List a round of a player with an analysis."""
    played = {"game": "gm_a_1", "number": number, "ruleset": "shengji", "players": 4, "seat": SEAT, "result": "won"}
    world.stores.past_rounds.add(player, [played], world.now + number)
    analysis = {"level": "expert", "of": len(decisions), "decisions": decisions}
    world.stores.analyses.begin("gm_a_1", number, analysis)


def decision(gain, seq=1, seat=SEAT, **more):
    best = {"type": "play", "cards": ["AS"]}
    return {
        "seq": seq,
        "seat": seat,
        "type": "play",
        "level": "expert",
        "best": best,
        "gain": gain,
        "error": 0.01,
        **more,
    }


def test_mistakes_of_a_seat_are_gathered_by_theme_with_what_they_cost(analysed):
    judged = get(analysed).json["decisions"]
    costs = defaultdict(list)
    for each in judged:
        if each["seat"] == SEAT and each["best"] and each["gain"]:
            costs[each["theme"]].append((each["gain"], each["seq"]))
    assert costs
    found = mistakes_of(analysed.clients[SEAT])
    assert found["rounds"] == 1
    assert {each["theme"]: each["count"] for each in found["items"]} == {
        theme: len(its) for theme, its in costs.items()
    }
    totals = [each["cost"] for each in found["items"]]
    assert totals == sorted(totals, reverse=True)
    for each in found["items"]:
        its = sorted(costs[each["theme"]], reverse=True)
        assert each["theme"] in THEMES
        assert each["cost"] == each["cost_a_round"] == pytest.approx(sum(cost for cost, _ in its), abs=0.001)
        assert [worst["cost"] for worst in each["worst"]] == [cost for cost, _ in its[:MOST_EXAMPLES]]
        for worst in each["worst"]:
            path = f"/v1/games/{worst['game']}/rounds/{worst['round']}"
            actions = analysed.clients[SEAT].get(path).json["actions"]
            assert [each["seat"] for each in actions if each["seq"] == worst["seq"]] == [SEAT]
            assert worst["replay"]


def test_only_own_decisions_count_not_those_of_an_ai_in_ones_place(world, lin):
    rows = [decision(0.3, 1, theme="kitty", by="player"), decision(0.5, 2, theme="kitty", by="timeout")]
    rows += [decision(0.7, 3, seat=2, theme="kitty", by="player"), decision(None, 4, theme="bid", by="player")]
    rows += [{**decision(0.0, 5, by="player"), "best": None, "theme": None}]
    put_analysis(world, lin.player["id"], 1, rows)
    [item] = mistakes_of(lin)["items"]
    assert (item["theme"], item["count"], item["cost"]) == ("kitty", 1, 0.3)


def test_analyses_of_earlier_releases_have_no_theme(world, lin):
    put_analysis(world, lin.player["id"], 1, [decision(0.2)])
    assert [each["theme"] for each in mistakes_of(lin)["items"]] == ["other"]


def test_the_latest_analysed_rounds_count(world, lin):
    me = lin.player["id"]
    for number in range(1, MOST_ROUNDS + 6):
        put_analysis(world, me, number, [decision(0.1, theme="shape")])
    found = mistakes_of(lin)
    assert (found["rounds"], found["items"][0]["count"]) == (MOST_ROUNDS, MOST_ROUNDS)
    assert found["items"][0]["cost_a_round"] == pytest.approx(0.1)
    assert {each["round"] for each in found["items"][0]["worst"]} <= set(range(6, MOST_ROUNDS + 6))


def test_nobody_elses_mistakes_are_shown(world, analysed):
    assert mistakes_of(world.player("Mei")) == {"rounds": 0, "items": [], "next_cursor": None}
