"""Records exported as JSON or text and imported into a service that has not seen the game give the same states."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.game.events.updates import standing_of
from service.game.records import record as records
from service.game.records.importing import imported
from service.game.records.record import GameLog
from service.game.records.text import read, written
from service.game.state.queries import round_of
from service.game.views.ai_view import ai_view
from service.rules.cards import names_of
from service.rules.options.rulesets import RULESETS
from workers import ai

NOW = 1_800_000_000_000
#: Fields of a round that depend on its shuffle or on its place in the log.
BESIDE = {"commitment", "server_seed", "entropy", "opened_seq", "deal"}
#: Events after which states are not compared.
BETWEEN = {"dealt", "decision_opened", "game_ended", "game_kept"}
OPTIONS = [
    ("shengji", 4, {"chao_di": True}),
    ("shengji", 4, {"deal_pace": "timed"}),
    ("zhaopengyou", 6, {"kitty_reveal": True}),
    ("zhaopengyou", 8, {"throw_failure": "end_round", "throw_forfeit": "unplayed_to_others"}),
    *((name, rules.players[0], {}) for name, rules in RULESETS.items()),
]


class Ai(Driver):
    """A table whose seats decide like AI players of a level."""

    level = "random"

    def choice(self, seat: int) -> dict[str, Any]:
        if self.decision["kind"] == "ready":
            return {"type": "ready"}
        return dict(ai.choose(ai_view(self.state, seat, self.now), self.random.randbytes(8), self.level))


def game_of(driver: Driver, rounds: int) -> GameLog:
    driver.throws = 0.2
    for _ in driver.rounds(rounds):
        pass
    return records.game_log(driver.log, driver.state["game"]["id"])


def states(log: GameLog) -> Iterator[Any]:
    """The round and the standings after each event of a finished round.

    How many cards each `dealt` has depends on when somebody looked, so the states between two of them are left out.
    """
    finished = {played["round"] for played in records.record(log, NOW)["rounds"]}
    for event, _, after in log.states():
        if event["round"] in finished and event["type"] in records.OF_ROUND - BETWEEN:
            table_round = {name: value for name, value in round_of(after).items() if name not in BESIDE}
            yield event["type"], table_round, [standing_of(seat) for seat in after["seats"]]


def as_text(log: GameLog) -> str:
    game_record = records.record(log, NOW)
    return written(game_record, records.deals_of(log))


def rounds_of(text: str) -> list[str]:
    """The lines of the rounds, without the time when each was opened."""
    return [line for line in text.partition("[Round ")[2].splitlines() if not line.startswith("[Opened")]


def travelled(log: GameLog) -> None:
    """Assert that the game of a log, and its text, are the same after export and import as JSON and as text."""
    game_record = records.record(log, NOW)
    text = as_text(log)
    again = imported(json.loads(json.dumps(game_record)), "p0", "tb_elsewhere", NOW)
    assert [*states(again)] == [*states(log)]
    read_again = imported(read(text).record, "p0", "tb_elsewhere", NOW)
    assert [*states(read_again)] == [*states(log)]
    assert rounds_of(as_text(read_again)) == rounds_of(text)


@pytest.mark.parametrize(("ruleset", "players", "options"), OPTIONS)
def test_a_record_can_be_exported_and_imported(ruleset, players, options):
    log = game_of(Driver(ruleset, players, options, seed=4), rounds=2 if options else 1)
    assert records.record(log, NOW)["rounds"]
    travelled(log)


@pytest.mark.parametrize(("ruleset", "players", "options"), OPTIONS)
def test_a_record_needs_only_the_options_that_differ(ruleset, players, options):
    log = game_of(Driver(ruleset, players, options, seed=4), rounds=1)
    pace = {} if ruleset == "arms_length" else {"deal_pace": "instant"}
    again = imported({**records.record(log, NOW), "options": {**pace, **options}}, "p0", "tb_elsewhere", NOW)
    assert again.base["options"] == log.base["options"]
    assert [*states(again)] == [*states(log)]


def test_the_units_of_a_throw_are_read_from_text():
    driver = Driver("shengji", 4, seed=4)
    driver.throws = 0.9
    for _ in driver.rounds(2):
        pass
    log = records.game_log(driver.log, driver.state["game"]["id"])
    leads = [event["data"] for event in log.events if event["type"] == "played" and event["data"]["throw"] is not None]
    meant = [[names_of(unit) for unit in data["units"]] for data in leads if data["throw"]["ok"]]
    assert meant
    actions = [action for played in read(as_text(log)).record["rounds"] for action in played["actions"]]
    throw_units = [action["units"] for action in actions if "units" in action]
    assert all(units in throw_units for units in meant)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("level", ["random", "easy"])
def test_two_hundred_records_can_be_exported_and_imported(level, seed):
    for ruleset, rules in RULESETS.items():
        timed = seed % 3 == 0 and rules.family == "shengji"
        for players in {rules.players[seed % len(rules.players)], rules.players[-1 - seed % len(rules.players)]}:
            driver = Ai(ruleset, players, {"deal_pace": "timed"} if timed else {}, seed=seed)
            driver.level = level
            travelled(game_of(driver, rounds=1 + seed % 2))


# --- texts as people have them ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def text_of_a_game():
    return as_text(game_of(Ai("shengji", 4, {}), 1))


@pytest.mark.parametrize(
    "written_as",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "".join(f"  \t{line}\n" for line in text.splitlines()),
        lambda text: "{ a comment\n[over] lines,\n\nfor several } " + text,
        lambda text: text.replace("\n1. ", "\n{ one {\n} { two\n} 1. ", 1),
        lambda text: re.sub(r"\bT([SHDC])\b", r"10\1", text),
        lambda text: re.sub(r"\b([2-9TJQKA][SHDC]|LJ|BJ)\b", lambda card: card[0].lower(), text),
    ],
    ids=[
        "a mark",
        "lines of Windows",
        "indented",
        "a long comment",
        "comments in a round",
        "10 for T",
        "small letters",
    ],
)
def test_a_text_is_read_as_people_have_it(text_of_a_game, written_as):
    changed = written_as(text_of_a_game)
    assert changed != text_of_a_game
    assert read(changed).record == read(text_of_a_game).record


def test_a_comment_over_lines_leaves_the_numbers_of_lines_and_one_without_an_end_is_named(text_of_a_game):
    with pytest.raises(InvalidRequest) as refused:
        read("{ one\ntwo }\nnonsense\n" + text_of_a_game)
    assert refused.value.params["line"] == 3
    with pytest.raises(InvalidRequest) as refused:
        read(text_of_a_game + "\n{ never closed\n% more\n")
    assert refused.value.params["text"] == "{ never closed"


def test_a_second_game_in_a_text_is_named_with_its_line(text_of_a_game):
    with pytest.raises(InvalidRequest) as refused:
        read(text_of_a_game + "\n" + text_of_a_game)
    assert refused.value.params["reason"] == "several_games"
    assert refused.value.params["line"] == len(text_of_a_game.splitlines()) + 2
