"""Riddles: three a day, from analysed rounds, and nothing that tells whose."""

import json
from functools import partial
from itertools import islice

import pytest

from service.coach.riddles import A_DAY, DAY_MS, EVERY_MS, is_eligible
from service.game.records.decisions import decisions_of
from service.jobs.queues import SEARCH, Queues
from service.store import keys
from service.store.coach.riddles import MOST_RIDDLES, RIDDLE_MS
from tests.api.boards.test_boards import begin, day, entrant, play  # noqa: F401 - fixture
from tests.api.boards.test_boards import quick as quick_boards  # noqa: F401 - fixture
from tests.api.boards.test_sealed_twins import known
from tests.api.contract import assert_problem
from tests.api.game.test_games import one_round, whole_game
from tests.api.jobs.test_analyses import answer as plays
from tests.api.jobs.test_analyses import ended_game, post, quick  # noqa: F401 - fixture
from tests.api.people.test_people import block
from tests.api.twins import Twins, differing
from workers import riddles as cutting
from workers.ai.riddles import Choice

PLAYS = [
    {"cards": ["AS"], "cost": 0.0, "error": 0.0},
    {"cards": ["3D"], "cost": 0.25, "error": 0.03},
    {"cards": ["KH", "KH"], "cost": 0.5, "error": 0.04},
]
ORDER = [["3D"], ["AS"], ["KH", "KH"]]
BEST = 1


def cut(world, table, seat=None, number=1, most=1):
    """Cut riddles from decisions of a seat; None: of any."""
    source = world.services.riddles.source_of(table.state()["game"]["id"], number)
    plays = (
        each
        for each in decisions_of(source.log, number)
        if each.action["type"] == "play" and seat in (None, each.action["seat"])
    )
    for taken in islice(plays, most):
        world.services.riddles.add(source, taken, PLAYS)


def today(client):
    answer = client.get("/v1/me/riddles")
    assert answer.status_code == 200, answer.json
    return answer.json["items"]


def answer(client, riddle, choice):
    return client.put(f"/v1/me/riddles/{riddle}/answer", {"choice": choice})


@pytest.fixture
def table(world):
    """A game that is over, with five riddles from seat 2; the next day has begun."""
    table = ended_game(world)
    cut(world, table, seat=2, most=5)
    world.now += DAY_MS
    return table


def test_three_a_day_stay_the_same_until_the_next_one(world, table):
    mei = world.player("Mei")
    items = today(mei)
    assert len(items) == A_DAY == len({each["riddle"] for each in items})
    world.now += DAY_MS - world.now % DAY_MS - 1
    assert today(mei) == items
    for each in items[:2]:
        assert answer(mei, each["riddle"], 0).status_code == 200
    assert [each["riddle"] for each in today(mei)] == [each["riddle"] for each in items]
    world.now += 1
    left = [each["riddle"] for each in today(mei)]
    assert len(left) == A_DAY
    assert not set(left) & {each["riddle"] for each in items[:2]}
    assert all(each["solution"] is None for each in today(mei))


def test_a_riddle_comes_the_day_after_it_was_cut(world):
    table, mei = ended_game(world), world.player("Mei")
    world.now += 3_600_000
    cut(world, table)
    assert today(mei) == []
    world.now += DAY_MS - world.now % DAY_MS
    assert len(today(mei)) == 1
    world.now += RIDDLE_MS
    assert today(mei) == []


def test_a_position_is_what_the_seat_saw_counted_from_it(world, table):
    source = world.services.riddles.source_of(table.state()["game"]["id"], 1)
    [taken] = islice((each for each in decisions_of(source.log, 1) if each.action["type"] == "play"), 40, 41)
    seat, view = taken.action["seat"], taken.view()
    world.now += 1
    world.services.riddles.add(source, taken, PLAYS)
    world.now += DAY_MS
    named = max(world.stores.riddles.known().items(), key=lambda each: each[1].made_at)[0]
    [riddle] = world.stores.riddles.load([named])
    position, table_round = riddle["position"], view["round"]
    assert sorted(position["hand"]) == sorted(view["my"]["hand"])
    assert position["cards"][0] == len(position["hand"])
    assert position["declarer"] == (table_round["declarer"] - seat) % 4
    assert [(each["seat"] + seat) % 4 for each in position["trick"]] == [
        each["seat"] for each in (table_round["trick"] or {"plays": []})["plays"]
    ]
    assert len(position["tricks"]) == sum(each["tricks"] for each in view["seats"])
    played = [card for trick in [*position["tricks"], position["trick"]] for each in trick for card in each["cards"]]
    counts = {card: played.count(card) for card in played}
    assert counts == table_round["played"]
    assert (position["buried"] is not None) == (view["my"]["discard"] is not None)


def test_the_solution_comes_with_the_answer_and_only_the_first_counts(world, table):
    mei, wei = world.player("Mei"), world.player("Wei")
    one = today(mei)[0]
    assert [each["cards"] for each in one["choices"]] == ORDER
    assert (one["answer"], one["solution"]) == (None, None)
    assert "cost" not in json.dumps(one)
    solved = answer(mei, one["riddle"], 0).json
    assert solved["answer"] == 0
    assert [each["best"] for each in solved["solution"]] == [False, True, False]
    assert [each["cost"] for each in solved["solution"]] == [0.25, 0.0, 0.5]
    assert [each["chosen"] for each in solved["solution"]] == [1, 0, 0]
    again = answer(mei, one["riddle"], BEST).json
    assert again == solved, "the first answer counts"
    assert today(mei)[0] == solved
    theirs = {each["riddle"]: each for each in today(wei)}
    if one["riddle"] in theirs:
        assert theirs[one["riddle"]]["solution"] is None


def test_answers_of_people_are_counted_together(world, table):
    riddle = today(world.player("Mei"))[0]["riddle"]
    world.stores.riddles.answer("pl_1", riddle, {"play": 2, "at": world.now})
    world.stores.riddles.answer("pl_1", riddle, {"play": 0, "at": world.now})
    world.stores.riddles.answer("pl_2", riddle, {"play": 2, "at": world.now})
    assert world.stores.riddles.counts(riddle, 3) == [0, 0, 2]


def test_wrong_answers_are_refused(world, table):
    mei = world.player("Mei")
    riddle = today(mei)[0]["riddle"]
    assert_problem(answer(mei, "rd_nothing", 0), "not-found")
    assert_problem(answer(mei, riddle, 3), "not-found")
    assert_problem(answer(mei, riddle, -1), "invalid-request")
    assert_problem(answer(mei, riddle, "1"), "invalid-request")
    other = (world.stores.riddles.known().keys() - {each["riddle"] for each in today(mei)}).pop()
    assert_problem(answer(mei, other, 0), "not-found")
    assert today(mei)[0]["solution"] is None


def test_ones_own_comes_first_and_others_of_the_round_get_none_of_it(world, table):
    owner, beside = table.clients[2], table.clients[1]
    assert len(today(owner)) == A_DAY
    assert today(beside) == []
    other = ended_game(world)
    cut(world, other, seat=0, most=4)
    world.now += DAY_MS
    sources = world.stores.riddles.known()
    owners = [sources[each["riddle"]].source["owner"] for each in today(owner)]
    assert owners.count(owner.player["id"]) == 1
    assert len(owners) == A_DAY
    assert answer(owner, today(owner)[0]["riddle"], 0).status_code == 200
    assert sorted(owners) == sorted(sources[each["riddle"]].source["owner"] for each in today(owner))


def test_of_a_round_in_which_an_ai_player_decided_none_of_its_people_gets_it(world, lin):
    table = ended_game(world)
    cut(world, table, seat=2)
    [(name, known)] = world.stores.riddles.known().items()
    [riddle] = world.stores.riddles.load([name])
    world.stores.riddles.add(riddle, {**known.source, "owner": None})
    world.now += DAY_MS
    assert all(today(client) == [] for client in table.clients)
    assert len(today(lin)) == 1


# --- where none comes from --------------------------------------------------------------------------------------------


def source_of(world, table, number=1):
    return world.services.riddles.source_of(table.state()["game"]["id"], number)


def test_no_riddle_comes_from_a_running_game(world):
    table = one_round(world)
    game = table.state()["game"]["id"]
    assert source_of(world, table) is None
    world.services.riddles.wait(game, 1)
    world.conduct()
    assert world.redis.zscore(keys.RIDDLE_ROUNDS, f"{game}/1") > world.now, "it is looked at later"
    assert world.stores.riddles.known() == {}
    # Without a table and a record, it is forgotten.
    world.redis.delete(keys.head(table.id))
    world.now += 7 * 3_600_000
    world.redis.delete(keys.RIDDLE_PACE)
    world.conduct()
    assert not world.redis.exists(keys.RIDDLE_ROUNDS)


def test_no_riddle_comes_from_a_board_while_it_is_sealed_nor_later(quick_boards, day):  # noqa: F811 - fixtures
    world = day
    lin, event = entrant(world)
    table = begin(lin, event)
    play(world, lin, table)
    game = world.tables.load(table)["game"]["id"]
    assert world.stores.archive.load_archive(game) is not None
    assert world.services.riddles.source_of(game, 1) is None
    world.services.riddles.wait(game, 1)
    world.conduct()
    world.work()
    assert world.stores.riddles.known() == {}
    world.now += 3 * DAY_MS
    assert world.services.riddles.source_of(game, 1) is None


def test_no_riddle_comes_from_other_cards_and_rules(world):
    state = ended_game(world).state()
    assert is_eligible(state)
    settings = state["settings"]
    for name in ("board", "sandbox", "known", "imported", "deal"):
        assert not is_eligible({**state, "settings": {**settings, name: {}}}), name
    assert not is_eligible({**state, "settings": {**settings, "seed": "00"}})
    assert not is_eligible({**state, "game": {**state["game"], "ended": None}})
    assert not is_eligible(whole_game(world).state())
    house_rules = world.table(options={"deal_pace": "instant", "start_level": "5"}).state()
    assert not is_eligible({**state, **{name: house_rules[name] for name in ("options", "settings")}})
    friends = world.table(5, "finding_friends").state()
    assert not is_eligible({**friends, "game": state["game"]})


def test_no_riddle_shows_a_deal_that_is_sent_to_others(world):
    table = ended_game(world)
    cut(world, table)
    assert len(world.stores.riddles.known()) == 1
    path = f"/v1/games/{table.state()['game']['id']}/rounds/1/deal-links"
    assert table.clients[3].post(path, None).status_code == 201
    assert world.stores.riddles.known() == {}
    assert source_of(world, table) is None


@pytest.mark.parametrize("blocker", ["reader", "somebody"])
def test_a_block_hides_the_riddles_of_a_round(world, table, blocker):
    mei, somebody = world.player("Mei"), table.clients[3]
    assert today(mei)
    block(*((mei, somebody) if blocker == "reader" else (somebody, mei)))
    assert today(mei) == []
    assert today(world.player("Wei"))


def test_riddles_go_with_any_account_of_their_round(world, table):
    mei = world.player("Mei")
    riddle = today(mei)[0]["riddle"]
    answer(mei, riddle, 0)
    gone = table.clients[0]
    world.services.accounts.erase(gone.player["id"])
    assert today(mei) == []
    for name in (keys.RIDDLES, keys.RIDDLE_SOURCES, keys.RIDDLE_ORDER, keys.RIDDLE_ANSWERS):
        assert not world.redis.exists(name)
    assert source_of(world, table) is None


def test_riddles_of_people_whom_an_earlier_release_has_erased_are_not_shown(world, table):
    assert world.stores.players.delete(table.clients[3].player["id"])
    assert world.stores.riddles.known()
    assert today(world.player("Mei")) == []


def test_an_account_that_is_erased_while_a_riddle_is_cut_leaves_none(world, monkeypatch):
    table = ended_game(world)
    source = source_of(world, table)
    world.services.accounts.erase(table.clients[0].player["id"])
    [taken] = islice((each for each in decisions_of(source.log, 1) if each.action["type"] == "play"), 1)
    world.services.riddles.add(source, taken, PLAYS)
    assert world.stores.riddles.known() == {}


# --- twins ------------------------------------------------------------------------------------------------------------


def somebody_elses(name, owner, people):
    """The riddle was cut from a round of other people, of another game, later on."""

    def happens(world):
        [riddle] = world.stores.riddles.load([name])
        source = {"game": "gm_other_7", "round": 9, "seq": 1234, "owner": owner, "people": people}
        world.stores.riddles.add({**riddle, "made_at": riddle["made_at"] + 1_000}, source)

    return happens


def test_nothing_tells_whose_a_riddle_is(world):
    """Twins: in one world it is cut from this round, in the other from one of other people; all answers are alike."""
    table = ended_game(world)
    cut(world, table, seat=2)
    [name] = world.stores.riddles.known()
    world.now += DAY_MS
    mei, wei, tao = world.player("Mei"), world.player("Wei"), world.player("Tao")
    readers = {"stranger": (mei.token, True), "nobody": (None, False)}
    values = {**known(world, mei, table.id), "riddle": name}
    twins = Twins(world)
    one = twins.answers(lambda _: None, readers, values)
    people = [wei.player["id"], tao.player["id"]]
    other = twins.answers(somebody_elses(name, people[0], people), readers, values)
    assert differing(one, other) == {}
    assert one["stranger", "get", "/v1/me/riddles"][0] == 200
    assert name in one["stranger", "get", "/v1/me/riddles"][2]
    assert one["stranger", "put", "/v1/me/riddles/{riddle}/answer"][0] == 200


def test_the_same_cards_at_another_table_make_the_same_riddle(world):
    """Nothing but cards, rules and seats relative to the reader is in a position."""
    table = ended_game(world)
    game = table.state()["game"]["id"]
    source = source_of(world, table)
    [taken] = islice((each for each in decisions_of(source.log, 1) if each.action["type"] == "play"), 30, 31)
    world.services.riddles.add(source, taken, PLAYS)
    [riddle] = world.stores.riddles.load([*world.stores.riddles.known()])
    text = json.dumps([riddle["position"], riddle["plays"]])
    secret = [game, table.id, source.log.events[0]["data"]["game"], *(c.player["id"] for c in table.clients)]
    secret += [c.player["name"] for c in table.clients] + ["sha256", "Bot", "tb_", "pl_", "gm_"]
    state = taken.before
    secret += [state["round"]["commitment"], state["next_commitment"], str(taken.at), f"{state['version']}"]
    assert [each for each in secret if each and each in text] == []
    assert set(riddle["position"]) == {
        *("ruleset", "players", "level", "trump", "declarer", "declarers", "points", "hand", "buried", "cards"),
        *("declared", "tricks", "trick"),
    }


# --- making and keeping them ------------------------------------------------------------------------------------------


def test_an_analysed_round_gives_riddles_in_idle_time(world, monkeypatch):
    tried = []

    def riddle_in(view, done, seed):
        tried.append(view["version"])
        return [Choice(["AS"], 0.0, 0.0), Choice(done, 0.3, 0.02), Choice(["2D"], 0.4, 0.02)]

    monkeypatch.setattr(cutting, "riddle_in", riddle_in)
    monkeypatch.setattr(cutting, "LEVELS", 0.0)
    table = ended_game(world, by=partial(plays, level="random"))
    post(table)
    world.work()
    game = table.state()["game"]["id"]
    assert world.redis.zscore(keys.RIDDLE_ROUNDS, f"{game}/1")
    world.conduct()
    world.work()
    lost = {
        each["seq"]: each["gain"]
        for each in world.stores.analyses.load(game, 1)["decisions"]
        if each["type"] == "play" and each["best"] and each["gain"]
    }
    made = [each.source["seq"] for each in world.stores.riddles.known().values()]
    assert 0 < len(made) == len(tried) <= cutting.MOST_TRIED
    assert sorted(lost[seq] for seq in made) == sorted(lost.values())[-len(made) :], "those in which most was lost"
    assert not world.redis.exists(keys.RIDDLE_ROUNDS)


def test_one_round_is_looked_at_in_two_minutes_and_none_under_load(world):
    table = ended_game(world)
    game = table.state()["game"]["id"]
    for number in (1, 2):
        world.services.riddles.wait(game, number)
    queues = Queues(world.redis, world.clock)
    queues.enqueue("tb_1", 1, SEARCH)
    world.conduct()
    assert queues.waiting("analysis") == 0
    assert world.redis.zcard(keys.RIDDLE_ROUNDS) == 2, "it waits again"
    world.redis.delete(f"rq:queue:{SEARCH}", keys.RIDDLE_PACE)
    world.conduct()
    world.conduct()
    assert queues.waiting("analysis") == 1
    assert world.redis.zcard(keys.RIDDLE_ROUNDS) == 1
    assert 0 < world.redis.pttl(keys.RIDDLE_PACE) <= EVERY_MS


def test_a_decision_gives_one_riddle(world):
    table = ended_game(world)
    cut(world, table)
    cut(world, table)
    assert len(world.stores.riddles.known()) == 1


def test_riddles_are_bounded_and_take_less_than_a_megabyte(world):
    table = ended_game(world)
    cut(world, table)
    [(name, known)] = world.stores.riddles.known().items()
    [riddle] = world.stores.riddles.load([name])
    for number in range(MOST_RIDDLES + 20):
        one = {**riddle, "id": f"rd_{number:012}", "made_at": world.now + number}
        world.stores.riddles.add(one, {**known.source, "seq": number})
        world.stores.riddles.answer("pl_1", one["id"], {"play": 0, "at": world.now})
    assert len(world.stores.riddles.known()) == MOST_RIDDLES
    names = (keys.RIDDLES, keys.RIDDLE_SOURCES, keys.RIDDLE_ORDER, keys.RIDDLE_ANSWERS)
    assert [world.redis.hlen(each) for each in (keys.RIDDLES, keys.RIDDLE_SOURCES)] == [MOST_RIDDLES] * 2
    assert sum(world.redis.memory_usage(each, samples=0) for each in names) < 1_000_000


def test_answers_of_a_player_go_with_their_riddles(world, table):
    mei = world.player("Mei")
    me = mei.player["id"]
    answer(mei, today(mei)[0]["riddle"], 0)
    assert world.redis.hlen(keys.riddles_of(me)) == 1
    cut(world, ended_game(world), seat=1)
    world.now += RIDDLE_MS
    cut(world, ended_game(world), seat=1)
    world.now += DAY_MS
    answer(mei, today(mei)[0]["riddle"], 0)
    assert world.redis.hlen(keys.riddles_of(me)) == 1
    assert 0 < world.redis.pttl(keys.riddles_of(me)) <= RIDDLE_MS + DAY_MS
