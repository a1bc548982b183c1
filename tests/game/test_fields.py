"""Fields that a game does not have are null or left out of views, events and records; the others are never null."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from harness.driver import Driver
from service.game.records import record
from service.game.state.queries import game_of
from service.game.views.redaction import redact
from service.game.views.view import view
from service.rules.games import ARMS_LENGTH, FRIENDS_GAMES, RULESETS, SHENGJI_FAMILY
from service.tables.past_games import past_game
from tests.game.golden import players_of

ARMS: Final = frozenset({ARMS_LENGTH})
ROUNDS: Final = 2
#: Fields whose names are seats, players, cards or options, or depend on what has been shown: taken as one value.
MAPS: Final = frozenset({"options", "played", "seen", "roads", "entropy", "parts"})


def _each(prefix: str, fields: str, games: frozenset[str]) -> dict[str, frozenset[str]]:
    return {prefix + name: games for name in fields.split()}


#: Field -> the games that have it: never null in these, null or left out in all others.
HAS: Final[dict[str, frozenset[str]]] = {
    **_each("view.seats.", "level penalty side points", SHENGJI_FAMILY),
    **_each("view.seats.", "active", FRIENDS_GAMES),
    **_each("view.game.", "scores", ARMS),
    **_each("view.game.results.", "points levels declarer declarers", SHENGJI_FAMILY),
    **_each("view.game.results.", "scores roads tricks", ARMS),
    **_each("view.round.", "level declarations passes kitty attackers_points", SHENGJI_FAMILY),
    **_each("view.round.", "calls", FRIENDS_GAMES),
    **_each("view.round.", "roads", ARMS),
    **_each("view.round.last_trick.", "points", SHENGJI_FAMILY),
    **_each("view.round.result.", "points trick_points kitty penalties sides levels", SHENGJI_FAMILY),
    **_each("view.round.result.", "scores", ARMS),
    **_each("view.round.result.summary.", "points levels declarer declarers", SHENGJI_FAMILY),
    **_each("view.round.result.summary.", "scores roads tricks", ARMS),
    **_each("view.decision.hints.", "possible redeal", SHENGJI_FAMILY),
    **_each("view.decision.hints.", "calls", FRIENDS_GAMES),
    **_each("view.decision.hints.", "roads", ARMS),
    **_each("game_started.", "level", SHENGJI_FAMILY),
    **_each("game_started.", "scores", ARMS),
    **_each("round_opened.", "level declarations passes kitty attackers_points", SHENGJI_FAMILY),
    **_each("round_opened.", "calls", FRIENDS_GAMES),
    **_each("round_opened.", "roads", ARMS),
    **_each("redealt.", "all_active", FRIENDS_GAMES),
    **_each("trick_won.", "points attackers_points", SHENGJI_FAMILY),
    **_each("round_scored.", "points trick_points kitty penalties sides levels", SHENGJI_FAMILY),
    **_each("round_scored.", "scores", ARMS),
    **_each("round_scored.summary.", "points levels declarer declarers", SHENGJI_FAMILY),
    **_each("round_scored.summary.", "scores roads tricks", ARMS),
    **_each("levels_changed.seats.", "active", FRIENDS_GAMES),
    **_each("record.rounds.", "standings closings levels", SHENGJI_FAMILY),
    **_each("record.rounds.standings.", "active", FRIENDS_GAMES),
    **_each("record.rounds.result.", "points levels", SHENGJI_FAMILY),
    **_each("record.rounds.result.summary.", "points levels declarer declarers", SHENGJI_FAMILY),
    **_each("record.rounds.result.summary.", "scores roads tricks", ARMS),
    **_each("record.rounds.actions.", "calls", FRIENDS_GAMES),
    **_each("record.rounds.actions.", "road", ARMS),
    **_each("past_game.", "levels", SHENGJI_FAMILY),
    **_each("past_game.", "scores", ARMS),
}

#: Fields that may also be null in games that have them: not known yet, or not the case.
AT_TIMES: Final = {
    **_each("", "declared.defence played.throw round_scored.side", SHENGJI_FAMILY),
    **_each("round_opened.", "declarer sorted_by.rank", SHENGJI_FAMILY),
    **_each("round_ended.next.", "declarer", SHENGJI_FAMILY),
    **_each("view.round.", "declarer trump.rank result.side trick.plays.throw last_trick.plays.throw", SHENGJI_FAMILY),
    **_each("view.my.", "discard sorted_by.rank", SHENGJI_FAMILY),
    **_each("view.my.", "road", ARMS),
    **_each("record.rounds.", "declarer result.side", SHENGJI_FAMILY),
    **_each("", "round_scored.summary.side view.round.result.summary.side", SHENGJI_FAMILY),
    **_each("", "view.game.results.side record.rounds.result.summary.side", SHENGJI_FAMILY),
}


def fields_in(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the path and value of each field, also in the entries of lists."""
    if isinstance(value, list):
        for each in value:
            yield from fields_in(each, path)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield f"{path}.{name}", inner
            if name not in MAPS:
                yield from fields_in(inner, f"{path}.{name}")


class Shown:
    """The fields that a game has shown, with a value and as null, and the objects that contain them."""

    def __init__(self) -> None:
        self.full: set[str] = set()
        self.null: set[str] = set()

    def look(self, part: str, value: Any) -> None:
        for path, each in fields_in(value, part):
            (self.null if each is None else self.full).add(path)

    @property
    def parts(self) -> set[str]:
        return {path.rpartition(".")[0] for path in self.full | self.null}


def fields_shown_in(ruleset: str) -> Shown:
    """Return the fields of whole rounds: in views of the seat that is asked, in all events, in the record."""
    new_shown, steps = Shown(), 0

    def look(driver: Driver) -> None:
        nonlocal steps
        steps, decision = steps + 1, driver.state["decision"]
        if steps % 5 == 0 or decision is None or decision["kind"] != "play":
            new_shown.look("view", view(driver.state, decision["seats"][0] if decision else 0, driver.now))

    options = {} if ruleset == ARMS_LENGTH else {"misdeal": {"points_below": 60}}
    driver = Driver(ruleset, players_of(ruleset), options, seed=3)
    driver.throws, driver.on_step = 0.4, look
    assert len(list(driver.rounds(ROUNDS))) == ROUNDS
    for event in driver.log:
        new_shown.look(event["type"], redact(event, event["data"].get("seat", 0), ruleset)["data"])
    new_shown.look("record", record.record(record.game_log(driver.log, game_of(driver.state)["id"]), driver.now))
    new_shown.look("past_game", past_game(driver.state))
    return new_shown


@pytest.fixture(scope="module")
def games() -> dict[str, Shown]:
    return {ruleset: fields_shown_in(ruleset) for ruleset in RULESETS}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_fields_that_a_game_does_not_have_are_null_and_others_are_not(games: dict[str, Shown], ruleset: str) -> None:
    fields = games[ruleset]
    lacks = {path for path, those in {**HAS, **AT_TIMES}.items() if ruleset not in those}
    assert lacks & fields.full == set()
    has = {path for path, those in HAS.items() if ruleset in those and path.rpartition(".")[0] in fields.parts}
    assert has <= fields.full
    assert has & fields.null == set()


def test_every_field_that_only_some_games_have_is_listed_here(games: dict[str, Shown]) -> None:
    games_of = {}
    for path in set().union(*(game_fields.full for game_fields in games.values())):
        those = {ruleset for ruleset, game_fields in games.items() if path.rpartition(".")[0] in game_fields.parts}
        have = {ruleset for ruleset, game_fields in games.items() if path in game_fields.full}
        if have != those:
            games_of[path] = have
    # Not every game that has a field has shown it.
    assert {path for path in games_of if not games_of[path] <= {**HAS, **AT_TIMES}.get(path, frozenset())} == set()
    assert {*HAS, *AT_TIMES} <= set().union(*(game_fields.full for game_fields in games.values()))
