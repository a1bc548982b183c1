"""Events that are shown: a board opens to those who watch once nobody has to play it any more, and to nobody before."""

import pytest

from service.boards import deals
from service.showing.showing import MOST_COMMENTATORS, MOST_COMMENTS
from service.tournaments.match_tables import rooms_of
from service.tournaments.standings import room
from tests.api.contract import assert_problem
from tests.api.tournaments.test_team_events import MINUTE, Cup

PAST = {"closes_at": "2023-01-01T00:00:00Z"}


class Shown(Cup):
    """A shown event of pairs at two tables, with somebody who watches and a commentator."""

    def __init__(self, world, *, delay_ms=0, boards=2):
        super().__init__(world, form="swiss_pairs", boards=boards, sit_out=True)
        self.captains = [self.team(name, {"level": "easy"}, size=2) for name in ("Lin", "Mei", "Wei", "Tao")]
        self.watcher, self.voice = world.player("Watcher"), world.player("Voice")
        self.show(delay_ms)
        self.begin()

    def show(self, delay_ms=0, commentators=None):
        names = [self.voice.player["id"]] if commentators is None else commentators
        body = {"delay_ms": delay_ms, "commentators": names}
        answer = self.director.put(f"{self.path}/showing", body)
        assert answer.status_code == 200, answer.json
        return answer.json

    def shown(self, client=None, query=""):
        answer = (client or self.watcher).get(f"{self.path}/showing{query}")
        assert answer.status_code == 200, answer.json
        return answer.json

    def boards(self, client=None):
        return self.shown(client)["boards"]

    def watch(self, number=1, match="1-1", client=None, query="?hands=open"):
        return (client or self.watcher).get(f"{self.path}/showing/boards/{number}/matches/{match}{query}")

    def says(self, text="Well played", number=1, client=None):
        return (client or self.voice).post(f"{self.path}/showing/boards/{number}/comments", {"text": text})

    def play_board(self):
        """All tables play their board."""
        for table in {self.table_of(client) for client in self.captains}:
            self.play(table)


def test_a_board_is_shown_once_all_tables_have_played_it(world):
    cup = Shown(world)
    first, *others = sorted({cup.table_of(client) for client in cup.captains})
    assert cup.boards() == []
    assert_problem(cup.watch(), "not-finished", what="board")
    cup.play(first)
    assert cup.boards() == []
    for match in ("1-1", "1-2"):
        assert_problem(cup.watch(match=match), "not-finished", what="board")
    for table in others:
        cup.play(table)
    [board] = cup.boards()
    assert (board["number"], board["round"], len(board["rooms"])) == (1, 1, 2)
    for each in board["rooms"]:
        seen = cup.watch(match=each["match"])
        assert seen.status_code == 200, seen.json
        assert seen.json["record"]["round"] == 1
        assert len(seen.json["view"]["hands"]) == 4, sorted(seen.json["view"])
        played = [each for each in seen.json["events"] if each["type"] == "played"]
        assert len(played) > 4
    # The round is not over: everywhere else the board stays sealed.
    game = board["rooms"][0]["game"]
    assert_problem(cup.watcher.get(f"/v1/games/{game}/record"), "not-finished")
    assert_problem(cup.watcher.get(f"{cup.path}/matches/1-1"), "not-finished")
    assert_problem(cup.watch(2), "not-finished", what="board")
    assert_problem(cup.watch(match="1-9"), "not-found")
    assert_problem(cup.watch(9), "not-found")


def test_the_delay_holds_in_every_operation(world):
    cup = Shown(world, delay_ms=10 * MINUTE)
    cup.play_board()
    world.now += 9 * MINUTE
    assert cup.boards() == []
    assert_problem(cup.watch(), "not-finished", what="board")
    assert_problem(cup.says(), "not-finished", what="board")
    world.now += 2 * MINUTE
    [board] = cup.boards()
    assert cup.watch(match=board["rooms"][0]["match"]).status_code == 200
    assert cup.says().status_code == 200


def test_a_board_that_a_table_has_not_played_is_shown_when_the_round_is_over(world):
    cup = Shown(world, boards=1)
    first = min({cup.table_of(client) for client in cup.captains})
    cup.play(first)
    assert cup.boards() == []
    cup.director.patch(f"{cup.path}/rounds/1", PAST)
    [board] = cup.boards()
    games = {each["match"]: each["game"] for each in board["rooms"]}
    assert sorted(map(bool, games.values())) == [False, True]
    [left] = [match for match, game in games.items() if game is None]
    assert_problem(cup.watch(match=left), "not-finished")


def test_boards_are_listed_round_by_round(world):
    cup = Shown(world, delay_ms=MINUTE)
    assert (cup.shown()["round"], cup.shown(query="?round=1")["round"]) == (None, 1)
    for _ in range(2):
        cup.play_board()
    assert cup.boards() == []
    world.now += MINUTE
    cup.begin(2)
    # Nothing of the second round is shown: the latest one that has something is the first.
    first = cup.shown()
    assert (first["round"], [board["number"] for board in first["boards"]]) == (1, [2, 1])
    assert cup.shown(query="?round=2")["boards"] == []
    cup.play_board()
    assert cup.shown() == first
    world.now += MINUTE
    second = cup.shown()
    assert (second["round"], [board["number"] for board in second["boards"]]) == (2, [3])
    assert cup.shown(query="?round=2") == second
    assert cup.shown(query="?round=1") == first
    assert cup.says("Well played", 1).status_code == 200
    assert [board["comments"] for board in cup.boards()] == [[]]
    assert [len(board["comments"]) for board in cup.shown(query="?round=1")["boards"]] == [0, 1]
    assert_problem(cup.watcher.get(f"{cup.path}/showing?round=3"), "not-found", what="round")
    for wrong in ("0", "x", "99999999999999999999"):
        assert_problem(cup.watcher.get(f"{cup.path}/showing?round={wrong}"), "invalid-request")


def test_as_many_names_are_read_at_once_as_have_said_something(world, monkeypatch):
    cup = Shown(world)
    cup.play_board()
    others = [world.player(f"Voice {number}").player["id"] for number in range(3)]
    comments = [{"id": f"co_{number}", "board": 1, "text": "x", "at": number} for number in range(MOST_COMMENTS)]
    world.stores.boards.comments.admit(cup.id, others)
    for name in others:
        world.stores.boards.comments.change(cup.id, name, lambda _: comments)
    asked = []
    read = world.services.showing._records_of
    monkeypatch.setattr(world.services.showing, "_records_of", lambda players: asked.append(players) or read(players))
    monkeypatch.setattr(world.stores.players, "get", lambda player: pytest.fail(f"{player} is read alone"))
    [board] = world.services.showing.boards(cup.id, cup.watcher.player["id"])[1]
    assert len(board.remarks) == 3 * MOST_COMMENTS
    assert asked == [{*others}]


def test_nobody_who_plays_watches_before_the_event_is_over(world):
    cup = Shown(world)
    lin = cup.captains[0]
    answers = [(each.get(f"{cup.path}/showing"), cup.watch(client=each)) for each in cup.captains]
    cup.play_board()
    answers += [(each.get(f"{cup.path}/showing"), cup.watch(client=each)) for each in cup.captains]
    for answer in (each for pair in answers for each in pair):
        assert_problem(answer, "plays-in-event", event=cup.id)
    cup.show(commentators=[lin.player["id"]])
    assert_problem(cup.says(client=lin), "plays-in-event")
    cup.director.post(f"{cup.path}/closing")
    assert [board["number"] for board in cup.boards(lin)] == [2, 1]


def test_whoever_enters_during_the_event_watches_no_longer_and_who_was_only_asked_does(world):
    cup = Shown(world)
    cup.play_board()
    asked = world.player("Asked")
    members = [{"player": asked.player["id"]}, {"level": "easy"}]
    answer = cup.director.post(f"{cup.path}/teams", {"teams": [{"name": "Late", "members": members}]})
    assert answer.status_code == 200, answer.json
    assert len(cup.boards(asked)) == 1, "a captain could keep anybody from watching"
    [team] = [each["team"] for each in answer.json["entries"] if each["name"] == "Late"]
    assert asked.put(f"{cup.path}/teams/{team}/confirmation").status_code == 200
    assert_problem(asked.get(f"{cup.path}/showing"), "plays-in-event")


def test_no_event_is_shown_unless_its_director_says_so(world):
    cup = Shown(world)
    cup.play_board()
    for other in (cup.watcher, cup.captains[0], cup.voice):
        assert_problem(other.put(f"{cup.path}/showing", {}), "not-director")
        assert_problem(other.delete(f"{cup.path}/showing"), "not-director")
    assert cup.says().status_code == 200
    hidden = cup.director.delete(f"{cup.path}/showing")
    assert hidden.json["showing"] is None
    assert cup.director.delete(f"{cup.path}/showing").json == hidden.json
    for answer in (cup.watcher.get(f"{cup.path}/showing"), cup.watch(), cup.says()):
        assert_problem(answer, "not-found", what="showing")
    cup.show()
    assert [each["text"] for each in cup.boards()[0]["comments"]] == ["Well played"]


def test_a_right_to_comment_ends_when_the_director_takes_it_back(world):
    cup = Shown(world)
    cup.play_board()
    assert_problem(cup.says(client=cup.watcher), "not-commentator", event=cup.id)
    said = cup.says().json
    assert (said["name"], said["text"]) == ("Voice", "Well played")
    assert cup.voice.get(f"{cup.path}/showing").json["may_comment"] is True
    assert cup.body()["showing"] == {"delay_ms": 0, "commentators": [cup.voice.player["id"]]}
    assert cup.body(cup.watcher)["showing"] == {"delay_ms": 0, "commentators": []}
    cup.show(commentators=[])
    assert_problem(cup.says(), "not-commentator")
    assert [each["text"] for each in cup.boards()[0]["comments"]] == ["Well played"]
    where = f"{cup.path}/showing/comments/{said['comment']}"
    assert_problem(cup.watcher.delete(where), "not-found", what="comment")
    assert cup.director.delete(where).status_code == 204
    assert cup.boards()[0]["comments"] == []
    cup.show()
    cup.director.post(f"{cup.path}/closing")
    assert_problem(cup.says(), "not-commentator")


def test_what_commentators_say_is_bounded(world):
    cup = Shown(world)
    cup.play_board()
    ids = [world.player(f"Voice {number}").player["id"] for number in range(MOST_COMMENTATORS + 1)]
    many = cup.director.put(f"{cup.path}/showing", {"commentators": ids})
    assert_problem(many, "invalid-request")
    assert_problem(cup.director.put(f"{cup.path}/showing", {"commentators": ["pl_none"]}), "not-found", what="player")
    assert_problem(cup.says("x" * 201), "invalid-request")
    assert_problem(cup.says("one\ntwo"), "invalid-request")
    world.stores.boards.comments.change(
        cup.id, cup.voice.player["id"], lambda _: [{"id": "co_1", "board": 1, "text": "x", "at": 1}] * MOST_COMMENTS
    )
    assert_problem(cup.says(), "invalid-request", reason="too_many_comments", limit=MOST_COMMENTS)


def test_commentators_who_have_said_nothing_make_room_for_others(world):
    cup = Shown(world)
    ids = [world.player(f"Voice {number}").player["id"] for number in range(32)]
    for at in range(0, 32, 8):
        cup.show(commentators=ids[at : at + 8])
    kept = world.stores.boards.comments.of_event(cup.id)
    assert sorted(kept) == sorted(ids[24:])
    for name in ids[:8] + ids[24:]:
        world.stores.boards.comments.admit(cup.id, [*kept, name])
        world.stores.boards.comments.change(cup.id, name, lambda _: [{"id": "co_1", "board": 1, "text": "x", "at": 1}])
    full = cup.director.put(f"{cup.path}/showing", {"commentators": [*ids[8:16], cup.voice.player["id"]][:8]})
    assert full.status_code == 200
    full = cup.director.put(f"{cup.path}/showing", {"commentators": ids[8:16]})
    assert full.status_code == 200, "as often as wanted"
    for name in ids[8:16]:
        world.stores.boards.comments.change(cup.id, name, lambda _: [{"id": "co_1", "board": 1, "text": "x", "at": 1}])
    one_more = cup.director.put(f"{cup.path}/showing", {"commentators": [ids[20]]})
    assert_problem(one_more, "invalid-request", reason="too_many_commentators")


def test_a_comment_that_cannot_be_stored_is_refused_until_the_director_names_its_author_again(world):
    cup = Shown(world)
    cup.play_board()
    # Two requests at once: the other one had named nobody, and forgot who was silent after this one had noted them.
    world.stores.boards.comments.admit(cup.id, [])
    assert_problem(cup.says(), "not-commentator", event=cup.id)
    assert cup.boards()[0]["comments"] == []
    cup.show()
    assert cup.says().status_code == 200
    assert [each["text"] for each in cup.boards()[0]["comments"]] == ["Well played"]


def test_what_a_commentator_has_said_is_exported_and_erased(world):
    cup = Shown(world)
    cup.play_board()
    cup.says("Well played")
    exported = cup.voice.get("/v1/me/export").json["comments"]
    assert [(each["event"], each["board"], each["text"]) for each in exported] == [(cup.id, 1, "Well played")]
    assert cup.voice.delete("/v1/me").status_code == 204
    assert cup.boards()[0]["comments"] == []
    assert cup.body()["showing"] == {"delay_ms": 0, "commentators": []}
    assert world.stores.boards.comments.of_event(cup.id) == {}


def test_a_comment_can_be_reported_and_removed(world):
    secret = "0123456789abcdef"
    world.start(operator_token=secret)
    cup = Shown(world)
    cup.play_board()
    said = cup.says("Rude words").json["comment"]
    assert_problem(cup.watcher.post(f"{cup.path}/reports", {"comment": "co_none"}), "not-found", what="comment")
    assert cup.watcher.post(f"{cup.path}/reports", {"comment": said}).status_code == 200
    operator = world.anybody.with_token(secret)
    [report] = operator.get("/v1/operator/reports").json["items"]
    assert (report["player"], report["name"], report["comment"]) == (cup.voice.player["id"], "Rude words", said)
    where = f"/v1/operator/team-events/{cup.id}/comments/{said}"
    assert operator.delete(where).status_code == 204
    assert_problem(operator.delete(where), "not-found", what="comment")
    assert cup.boards()[0]["comments"] == []


@pytest.mark.parametrize("form", ["swiss", "knock_out"])
def test_a_match_of_teams_shows_both_rooms(world, form):
    cup = Cup(world, teams=2, form=form, boards=1)
    watcher = world.player("Watcher")
    assert cup.director.put(f"{cup.path}/showing", {}).status_code == 200
    cup.begin()
    tables = rooms_of_round(world, cup)
    cup.play(tables[0])
    if cup.body()["played"][-1]["status"] == "open":
        assert watcher.get(f"{cup.path}/showing").json["boards"] == []
    for table in tables[1:]:
        cup.play(table)
    [board] = watcher.get(f"{cup.path}/showing").json["boards"]
    assert [(each["match"], each["room"]) for each in board["rooms"]] == [("1-1", 1), ("1-1", 2)]
    for number in (1, 2):
        seen = watcher.get(f"{cup.path}/showing/boards/1/matches/1-1?room={number}&hands=open")
        assert seen.status_code == 200, seen.json
    # Both rooms have the same cards.
    assert_problem(watcher.get(f"{cup.path}/showing/boards/1/matches/1-2"), "not-found", what="match")


def rooms_of_round(world, cup):
    team_event = world.services.team_events.event(cup.id)
    return [deals.table_of(team_event.event, 1, room(*each)) for each in rooms_of(*team_event)]
