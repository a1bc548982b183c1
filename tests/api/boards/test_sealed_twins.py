"""The end of a sealed board is told to nobody: worlds that differ only in it answer alike, whatever is asked."""

from itertools import pairwise

from harness.document import document
from tests.api.boards.test_boards import begin, day, entrant, play, quick  # noqa: F401 - fixtures
from tests.api.tournaments.test_team_events import Cup
from tests.api.twins import Twins, differing, operations

OPERATOR = "0123456789abcdef"
TAKES_ALL = {"from": "anyone", "concurrent": 1, "rated": "any", "rulesets": [], "players": [], "clocks": []}


def finished(table, player):
    """The player plays the board to its end."""
    return lambda world: play(world, player, table, "random")


def given_up(table, player):
    """The player has the game of the board abandoned."""

    def happens(world):
        world.tables.act(table, {"type": "open_vote", "player": player.player["id"], "kind": "abandon"})
        world.advance(table)
        assert world.tables.load(table)["game"]["kept"]

    return happens


def left(table, player):
    """The player leaves, and AI players play on."""

    def happens(world):
        world.tables.act(table, {"type": "leave", "player": player.player["id"]})
        while world.tables.load(table)["status"] == "playing":
            world.now += 1_000
            world.advance(table)
        assert world.tables.load(table)["game"]["kept"]

    return happens


def under_way(world, player, table):
    """The player plays a part of the board."""
    for _ in range(6):
        world.now += 1_000
        world.advance(table)
    assert world.tables.load(table)["status"] == "playing"


def known(world, player, table, **more):
    """Parameters that name the player and the board; whoever asks knows even the ids that nobody is told."""
    state = world.tables.load(table)
    return {
        "table": table,
        "game": state["game"]["id"],
        "player": player.player["id"],
        "name": player.player["name"],
        "code": state["settings"]["join_code"],
        "n": 1,
        "round": 1,
        "seq": 12,
        "seat": 1,
        "ruleset": state["ruleset"],
        "kind": "score",
        "match": "1-1",
        "team": "tm_none",
        "problem": "not-finished",
        "players": state["players"],
        "link": "member",
        **dict.fromkeys(
            (
                *("token", "identity", "challenge", "vote", "subscription", "webhook", "delivery", "report", "block"),
                *(
                    "code_id",
                    "event",
                    "board",
                    "invitation",
                    "room",
                    "club",
                    "season",
                    "riddle",
                    "holiday",
                    "comment",
                    "note",
                ),
            ),
            "none",
        ),
        **more,
    }


def assert_alike(world, endings, readers, values, control=lambda _: None):
    """Assert that nobody is told which of these endings there was, nor of any difference to the control."""
    twins = Twins(world)
    # The control: what two copies do not have in common by themselves.
    worlds = [twins.answers(happens, readers, values) for happens in (control, control, *endings)]
    for number, (one, other) in enumerate(pairwise(worlds)):
        differences = [f"{what}: {one} / {other}" for what, (one, other) in differing(one, other).items()]
        assert not differences, "\n".join([f"worlds {number} and {number + 1}", *differences])
    return worlds[0]


def test_no_answer_tells_that_a_board_of_the_day_has_ended(day):  # noqa: F811
    day.start(operator_token=OPERATOR)
    lin, event = entrant(day)
    mei, _ = entrant(day, "Mei")
    friend = day.player("Friend")
    friend.put(f"/v1/me/friends/{mei.player['id']}")
    mei.put(f"/v1/me/friends/{friend.player['id']}")
    mei.patch("/v1/me", {"accepts": TAKES_ALL})
    # Who has played the same board is told.
    play(day, lin, begin(lin, event, 2))
    table = begin(mei, event)
    under_way(day, mei, table)
    day.stores.people.note_here([mei.player["id"]], day.now)
    readers = {
        "operator": (OPERATOR, False),
        "entrant": (lin.token, True),
        "friend": (friend.token, False),
        "stranger": (day.player("Tao").token, True),
        "nobody": (None, False),
    }
    endings = [ending(table, mei) for ending in (finished, given_up, left)]
    answers = assert_alike(day, endings, readers, known(day, mei, table, event=event))
    assert answers["stranger", "get", "/v1/players/{player}"][0] == 200
    assert answers["entrant", "get", "/v1/leaderboard"][0] == 200
    assert answers["operator", "get", "/v1/operator/players/{player}"][0] == 200


def test_no_answer_tells_that_a_board_of_teams_has_ended_in_the_other_room(world):
    world.start(operator_token=OPERATOR)
    cup = Cup(world, boards=2)
    friend = world.player("Friend")
    lin = cup.team("Lin", {"level": "easy"}, {"player": friend.player["id"]})
    friend.put(f"{cup.path}/teams/{lin.team}/confirmation")
    mei = cup.team("Mei")
    cup.begin()
    table = cup.body(friend)["mine"]["table"]
    under_way(world, friend, table)

    def played(new_world):
        cup.world = new_world
        cup.play(table)

    readers = {
        "operator": (OPERATOR, False),
        "team": (lin.token, True),
        "opponent": (mei.token, True),
        "director": (cup.director.token, False),
        "stranger": (world.player("Tao").token, True),
    }
    endings = [played, given_up(table, friend), left(table, friend)]
    answers = assert_alike(world, endings, readers, known(world, friend, table, event=cup.id, team=lin.team))
    assert answers["opponent", "get", "/v1/team-events/{event}/standings"][0] == 200


def test_no_answer_tells_that_a_board_of_pairs_has_ended_at_another_table(world):
    world.start(operator_token=OPERATOR)
    cup = Cup(world, form="swiss_pairs", boards=2)
    lin, mei, wei, tao = (cup.team(name, {"level": "easy"}, size=2) for name in ("Lin", "Mei", "Wei", "Tao"))
    cup.begin()
    table = cup.body(lin)["mine"]["table"]
    [*_, opponent] = (each for each in (mei, wei, tao) if cup.table_of(each) == table)
    [other, *_] = (each for each in (mei, wei, tao) if cup.table_of(each) != table)
    under_way(world, lin, table)

    def played(new_world):
        cup.world = new_world
        cup.play(table)

    readers = {
        "operator": (OPERATOR, False),
        "other table": (other.token, True),
        "director": (cup.director.token, False),
        "stranger": (world.player("Nobody").token, True),
    }
    endings = [played, left(table, lin), left(table, opponent)]
    answers = assert_alike(world, endings, readers, known(world, lin, table, event=cup.id, team=lin.team))
    assert answers["other table", "get", "/v1/team-events/{event}/standings"][0] == 200


def test_no_answer_tells_that_a_board_of_a_league_has_ended_in_another_match(world):
    world.start(operator_token=OPERATOR)
    cup = Cup(world, teams=4, form="round_robin", league="agreed", rounds=1, boards=2, round_ms=7 * 86_400_000)
    cup.begin()
    matches = cup.body()["played"][-1]["matches"]
    captain = {client.team: client for client in cup.captains}
    (lin, mei), (other, _) = ([captain[team] for team in match["teams"]] for match in matches)
    for client in (lin, mei):
        assert client.put(f"{cup.path}/matches/1-1/readiness").status_code == 200
    table = cup.body(lin)["mine"]["table"]
    under_way(world, lin, table)

    def played(new_world):
        cup.world = new_world
        cup.play(table)

    readers = {
        "operator": (OPERATOR, False),
        "other match": (other.token, True),
        "director": (cup.director.token, False),
    }
    endings = [played, left(table, lin)]
    answers = assert_alike(world, endings, readers, known(world, lin, table, event=cup.id, team=lin.team))
    assert answers["other match", "get", "/v1/team-events/{event}"][0] == 200


def test_no_answer_tells_that_a_board_of_a_shown_event_has_ended_at_another_table(world):
    world.start(operator_token=OPERATOR)
    cup = Cup(world, form="swiss_pairs", boards=2)
    lin, *others = (cup.team(name, {"level": "easy"}, size=2) for name in ("Lin", "Mei", "Wei", "Tao"))
    voice = world.player("Voice")
    shown = {"delay_ms": 0, "commentators": [voice.player["id"]]}
    assert cup.director.put(f"{cup.path}/showing", shown).status_code == 200
    matches = cup.begin()["played"][-1]["matches"]
    [match] = [each["match"] for each in matches if lin.team in each["teams"]]
    table = cup.table_of(lin)
    [*_, opponent] = (each for each in others if cup.table_of(each) == table)
    [other, *_] = (each for each in others if cup.table_of(each) != table)
    under_way(world, lin, table)

    def played(new_world):
        cup.world = new_world
        cup.play(table)

    readers = {
        "operator": (OPERATOR, False),
        "entrant": (other.token, True),
        "director": (cup.director.token, False),
        "commentator": (voice.token, True),
        "second account": (world.player("Nobody").token, True),
    }
    endings = [played, left(table, lin), left(table, opponent)]
    values = known(world, lin, table, event=cup.id, team=lin.team, match=match)
    answers = assert_alike(world, endings, readers, values)
    watched = "/v1/team-events/{event}/showing"
    for reader, status in (("entrant", 403), ("director", 200), ("commentator", 200), ("second account", 200)):
        assert answers[reader, "get", watched][0] == status
    assert answers["second account", "get", f"{watched}/boards/{{n}}/matches/{{match}}"][0] == 409


def test_the_twins_are_asked_every_operation():
    """An operation whose path or query has a parameter that the twins do not know fails instead of being left out."""
    document_has = {
        (method, path)
        for path, item in document()["paths"].items()
        for method in item
        if method in ("get", "post", "put", "patch", "delete")
    }
    twin_operations = set(operations(changes=True))
    assert document_has - twin_operations == {("delete", "/v1/me"), ("post", "/v1/me/token")}
    assert len(document_has) > 150
