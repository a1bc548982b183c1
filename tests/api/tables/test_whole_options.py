"""Every preset and every value of every option over HTTP: a round each, of one person and AI seats.

Default values of a ruleset are played with its presets and in `test_whole_games.py`.
"""

import pytest

from harness.options import SIZES, values_of
from service.common.errors import InvalidOption
from service.rules.options.presets import PRESETS
from service.rules.options.rulesets import RULESETS, effective_options
from service.rules.options.table import OPTIONS
from tests.api.play import Table
from tests.support.sorting import by_day

#: How many numbers are tried for each option.
MOST_TRIED = 3


def play(world, ruleset, players, **spec):
    """Play a round; return the client of the person and the table."""
    lin = world.player("Lin", "human")
    view = lin.post("/v1/tables", {"ruleset": ruleset, "players": players, "ai_pace_ms": 0, **spec})
    assert view.status_code == 201, view.json
    path = "/v1/tables/" + view.json["id"]
    assert lin.post(f"{path}/seats", {"seat": 0}).status_code == 200
    for seat in range(1, players):
        assert lin.put(f"{path}/seats/{seat}/ai", {"level": "easy"}).status_code == 200
    assert lin.put(f"{path}/seats/me/ready", {}).status_code == 200
    table = Table(world, path.rpartition("/")[2], [lin])
    while (state := table.state())["status"] == "playing" and not state["game"]["results"]:
        if state["decision"] and 0 in state["decision"]["seats"] and world.advance(table.id).steps == 0:
            table.step()
        else:
            world.now += 1_000
            world.advance(table.id)
    return lin, table


def shown_again(lin, table):
    """Check the record of the rounds that were played; return the view."""
    view = lin.get(table.path).json
    game = f"/v1/games/{view['game']['id']}"
    assert len(lin.get(game).json["results"]) >= 1
    record = lin.get(f"{game}/record").json
    checked = lin.post("/v1/record-checks", record)
    assert checked.status_code == 200, checked.json
    assert checked.json["ok"], checked.json
    return view


#: By day, one preset of each ruleset: tests in memory play all of them.
FIRST = {PRESETS[name].ruleset: name for name in reversed(PRESETS)}.values()


@pytest.mark.parametrize("name", by_day(FIRST, PRESETS))
def test_a_round_with_this_preset_is_played(world, name):
    preset = PRESETS[name]
    players = next(players for players in RULESETS[preset.ruleset].players if preset.suits(players))
    options = {} if preset.ruleset == "arms_length" else {"deal_pace": "instant"}
    lin, table = play(world, preset.ruleset, players, preset=name, options=options)
    view = shown_again(lin, table)
    assert all(view["options"][option] == value for option, value in preset.options.items())


def settings(name, value):
    """Return ruleset, players and options of a game in which this value can be chosen."""
    wanted = {
        "equal_rank_tractors": {"trump_tractors": "full"},
        "short_laps": {"laps": True},
        "declare_rank": {"active_passive": value == "any_active_level", "declarer_by": "trump_maker"},
        "hook_rule": {"hooks": {"J": "2"}},
        "hook_fall": {"hooks": {"J": "2"}},
        "suit_order": {"overcall": "longer_or_suit"},
        "turned_joker": {"no_declaration": "first_kitty_card"},
        "chao_di_rule": {"chao_di": True},
        "start_level": {"laps": True} if value == "joker" else {"last_level": "NT"} if value == "NT" else {},
        "must_play_attempt_enough": {"must_play": ["5"]},
        "throw_forfeit": {"throw_failure": "end_round"},
        "protect_by_rungs": {"protect_larger": True},
    }
    plain = "arms_length" if name == "deal_pace" else None
    for first in (wanted.get(name, {}), {}, {"decks": 4}):
        for ruleset, players in SIZES:
            if ruleset not in OPTIONS[name].applies or ruleset == plain:
                continue
            options = {"deal_pace": "instant", **first, name: value}
            try:
                settled = effective_options(ruleset, players, options)
            except InvalidOption:
                continue
            if settled[name] == value or value is None:
                return ruleset, players, options
    raise AssertionError(f"{name}={value} can be chosen nowhere")


def tried(name):
    own = [OPTIONS[name].default_for(ruleset) for ruleset in OPTIONS[name].applies]
    values = [value for value in values_of(name) if value not in own or type(value) is int]
    numbers = [value for value in values if type(value) is int]
    return [value for value in values if type(value) is not int] + numbers[:MOST_TRIED]


VALUES = [(name, value) for name in OPTIONS for value in tried(name)]


def together():
    """Return games that together choose a value of each option, as many in each as can be combined."""
    games = []
    for name, value in dict(reversed(VALUES)).items():
        ruleset, players, options = settings(name, value)
        for game in games:
            merged = {**game[2], **options}
            if game[:2] == (ruleset, players) and merged == {**options, **game[2]} and chosen(ruleset, players, merged):
                game[2].update(options)
                break
        else:
            games.append((ruleset, players, options))
    return games


def chosen(ruleset, players, options):
    """Whether a table can have these options, and they take effect."""
    try:
        settled = effective_options(ruleset, players, options)
    except InvalidOption:
        return False
    return all(settled[name] == value for name, value in options.items())


@pytest.mark.parametrize(("ruleset", "players", "options"), together(), ids=str)
def test_a_round_with_these_values_is_played(world, ruleset, players, options):
    lin, table = play(world, ruleset, players, options=options)
    view = shown_again(lin, table)
    assert {**options, **view["options"]} == {**view["options"], **options}


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "value"), VALUES, ids=lambda value: str(value)[:40])
def test_a_round_with_this_value_is_played(world, name, value):
    ruleset, players, options = settings(name, value)
    lin, table = play(world, ruleset, players, options=options)
    shown_again(lin, table)


def test_players_with_drawn_seats_play_a_round(world):
    lin, mei = world.player("Lin", "human"), world.player("Mei", "human")
    answer = lin.post(
        "/v1/tables",
        {
            "ruleset": "sishifen",
            "players": 4,
            "ai_pace_ms": 0,
            "visibility": "public",
            "options": {"deal_pace": "instant"},
            "random_seats": True,
            "seed": "another seat for everybody",
        },
    ).json
    assert answer["settings"]["random_seats"]
    path = f"/v1/tables/{answer['id']}"
    for seat, player in enumerate((lin, mei)):
        assert player.post(f"{path}/seats", {"seat": seat}).status_code == 200
    for seat in (2, 3):
        assert lin.put(f"{path}/seats/{seat}/ai", {"level": "easy"}).status_code == 200
    assert lin.put(f"{path}/seats/me/ready", {}).status_code == 200
    body = mei.put(f"{path}/seats/me/ready", {}).json
    sat = {event["data"]["seat"]: event["data"]["occupant"] for event in body["events"] if "occupant" in event["data"]}
    assert {event["data"]["reason"] for event in body["events"] if event["type"] == "seat_left"} == {"drawn"}
    seats = {player.get(path).json["my"]["seat"]: player for player in (lin, mei)}
    assert all(body["view"]["seats"][seat]["occupant"] == occupant for seat, occupant in sat.items())
    table = Table(world, answer["id"], [seats.get(seat) for seat in range(4)])
    while not table.state()["game"]["results"]:
        decision = table.state()["decision"]
        if decision and seats.keys() & set(decision["seats"]) and world.advance(table.id).steps == 0:
            table.step()
        else:
            world.now += 1_000
            world.advance(table.id)
    shown_again(lin, table)


def test_a_practice_table_can_repeat_a_deal(world):
    options = {"deal_pace": "instant"}
    lin, table = play(world, "sishifen", 4, options=options)
    game = lin.get(table.path).json["game"]["id"]
    played = lin.get(f"/v1/games/{game}/rounds/1").json
    shuffle = {name: played["shuffle"][name] for name in ("server_seed", "shuffle_name", "entropy")}
    deal = {**shuffle, "round": played["round"], "starter": played["starter"]}
    again, other = play(world, "sishifen", 4, options=options, deal=deal)
    view = shown_again(again, other)
    assert view["practice"]["repeats"]
    dealt = [
        next(event for event in client.get(f"{path}/events").json["events"] if event["type"] == "dealt")
        for client, path in ((lin, table.path), (again, other.path))
    ]
    assert dealt[0]["data"]["cards"] == dealt[1]["data"]["cards"]
    refused = lin.post("/v1/tables", {"ruleset": "sishifen", "players": 4, "deal": deal, "seed": "0" * 16})
    assert refused.json["params"]["reason"] == "seed_or_deal"


def test_sixteen_play_a_round(world):
    lin, table = play(world, "zhaopengyou", 16, options={"deal_pace": "instant"})
    view = shown_again(lin, table)
    assert len(view["seats"]) == 16
