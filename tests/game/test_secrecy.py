"""Secrecy: a seat sees what its player could see at a real table, and nothing else."""

import itertools
import json
import random
from typing import Any, NamedTuple

import pytest

from harness.driver import Driver
from service.common.errors import Refusal
from service.game.commands.decide import decide
from service.game.events.evolve import fold
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views import redaction
from service.game.views import view as views
from service.game.views.redaction import redact
from service.game.views.types import OPEN
from service.game.views.view import view
from service.rules.cards import CARDS, KIND, names_of
from tests.game.hidden import exchanged

TABLES = [
    ("zhaopengyou", 5, {"deal_pace": "timed"}),
    ("zhaopengyou", 6, {"call_other_copy": True, "throw_test": "cards"}),
    ("zhaopengyou_80", 4, {"throw_failure": "beaten_unit"}),
    ("finding_friends", 7, {"misdeal": {"points_below": 15}}),
    ("shengji", 4, {"chao_di": True}),
    ("tractor", 4, {"deal_pace": "timed"}),
    ("sishifen", 4, {}),
    ("arms_length", 4, {}),
]


def dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


class Moment(NamedTuple):
    """A table at some moment of a round, with its log."""

    state: State
    log: list[Event]
    players: int


def moments(ruleset: str, players: int, options: dict[str, Any], every: int) -> list[Moment]:
    """Play a round and a part of the next one; return some moments of them."""
    driver = Driver(ruleset, players, options, seed=3)
    driver.throws = 0.3
    situations: list[Moment] = []
    steps = itertools.count()

    def note(table: Driver) -> None:
        table_round = table.state["round"]
        if table_round is not None and table_round["result"] is None and next(steps) % every == 0:
            situations.append(Moment(table.state, list(table.log), players))

    driver.on_step = note
    driver.play_until(lambda state: state["round"]["number"] == 2 and state["round"]["phase"] == "playing")
    for _ in range(players * 3):
        driver.step()
    return situations


@pytest.fixture(scope="module")
def played() -> list[Moment]:
    return [moment for table in TABLES for moment in moments(*table, every=23)]


def attempts(state: State, viewer: int) -> list[dict[str, Any]]:
    """Return commands, most of which are refused; the refusals must not depend on what is hidden."""
    hand = [kind for kind, count in enumerate(state["round"]["hands"][viewer]) for _ in range(count)]
    absent = [CARDS[kind] for kind in range(54) if kind not in hand][:2]
    return [
        {"type": "play", "cards": absent},
        {"type": "play", "cards": names_of(hand)},
        {"type": "play", "cards": names_of(hand[:2]), "units": [names_of(hand[:1])]},
        {"type": "declare", "cards": names_of(hand[:1])},
        {"type": "discard", "cards": names_of(hand[:1])},
        {"type": "call", "calls": []},
        {"type": "overcall_kitty", "cards": names_of(hand[:1])},
        {"type": "redeal"},
        {"type": "road", "road": "nowhere"},
    ]


def refusals(state: State, viewer: int) -> list[str]:
    """Return what the viewer is told in response to these commands."""
    decision = state["decision"]["id"] if state["decision"] else "dc_0"
    reasons = []
    for command in attempts(state, viewer):
        try:
            decide(state, {"player": f"p{viewer}", "decision_id": decision, **command}, 0, random.Random(0).randbytes)
        except Refusal as refusal:
            reasons.append(f"{refusal!r} {refusal.params} {vars(refusal)}")
        else:
            reasons.append("done")
    return reasons


def same_for(state: State, log: list[Event], players: int, viewer: int | None, rng: random.Random) -> int:
    """Assert that the viewer cannot tell the table from one that differs only in what is hidden.

    Returns how many cards differ.
    """
    other_log, changed = exchanged(log, players, viewer, rng)
    other = fold(other_log)
    assert {**other, "round": None, "next_seed": None} == {**state, "round": None, "next_seed": None}
    assert view(other, viewer, 7) == view(state, viewer, 7)
    assert dump(view(other, viewer, 7)) == dump(view(state, viewer, 7))
    for event, twin in zip(log, other_log, strict=True):
        assert dump(redact(event, viewer, state["ruleset"])) == dump(redact(twin, viewer, state["ruleset"])), event[
            "type"
        ]
    if viewer is not None:
        mine, theirs = refusals(state, viewer), refusals(other, viewer)
        throws = [at for at, (one, two) in enumerate(zip(mine, theirs, strict=True)) if one != two]
        assert not throws, mine[throws[0]]
    return changed


def test_views_and_events_do_not_depend_on_what_is_hidden(played):
    rng = random.Random(1)
    changed = 0
    for state, log, players in played:
        assert fold(log) == state
        for viewer in (*range(players), None):
            changed += same_for(state, log, players, viewer, rng)
    assert changed > 20 * len(played), "hardly any card was exchanged: the test would not notice"


def names_in(value: Any) -> set[str]:
    """Return all cards that are named anywhere inside."""
    if isinstance(value, dict):
        return set().union(*(names_in(inner) for inner in value.values()), *(names_in(key) for key in value))
    if isinstance(value, list):
        return set().union(*map(names_in, value))
    return {value} if isinstance(value, str) and value in KIND else set()


def knows(log: list[Event], viewer: int | None) -> set[str]:
    """Return the cards that the viewer can know in the running round, derived from the log."""
    known: set[int] = set()
    for event in log:
        kind, data = event["type"], event["data"]
        if kind == "round_opened":
            known = set()
        elif kind == "dealt" and viewer is not None:
            known.update(data["cards"][viewer])
        elif (kind in {"kitty_taken", "discarded"} and data["seat"] == viewer) or kind in {
            "played", "declared", "throw_failed", "kitty_flipped", "kitty_shown", "kitty_revealed", "kitty_overcalled",
        }:  # fmt: skip
            known.update(data["cards"])
        elif kind == "redealt":
            known.update(data["hand"] or ())
        elif kind == "friends_called":
            known.update(call["card"] for call in data["calls"])
    return set(names_of(known))


def test_no_view_names_a_card_that_the_viewer_cannot_know(played):
    for state, log, players in played:
        for viewer in (*range(players), None):
            table_view = view(state, viewer, 7)
            if state["decision"] and state["decision"]["kind"] == "call":
                # Examples of calls name cards of the deck, whoever holds them.
                table_view["decision"].pop("hints", None)
            assert names_in(table_view) <= knows(log, viewer), (viewer, state["round"]["phase"])


def test_no_event_names_a_card_before_the_viewer_can_know_it(played):
    for state, log, players in played[::5]:
        for at, event in enumerate(log, start=1):
            if event["type"] == "round_scored":
                continue  # The kitty is turned up.
            for viewer in (0, players - 1, None):
                named = names_in(redact(event, viewer, state["ruleset"]))
                assert not named or named <= knows(log[:at], viewer), event["type"]


def test_seeds_are_secret_until_the_round_has_ended(played):
    for state, log, players in played:
        open_seeds = {event["data"]["server_seed"] for event in log if event["type"] == "round_ended"}
        secret = {state["next_seed"], state["round"]["server_seed"]} - open_seeds
        assert len(secret) == 2
        for viewer in (0, players - 1, None, OPEN):
            table_view = dump(view(state, viewer, 7)) + dump([redact(event, viewer, state["ruleset"]) for event in log])
            assert not [seed for seed in secret if seed in table_view]
            assert '"deck"' not in table_view


def test_a_seed_is_revealed_when_its_round_has_ended():
    driver = Driver("shengji", 4)
    for _ in driver.rounds(1):
        pass
    ended = next(event for event in driver.log if event["type"] == "round_ended")
    assert redact(ended, None, "shengji")["data"]["server_seed"] == driver.state["round"]["server_seed"]


def test_the_seed_of_a_practice_table_is_revealed_when_its_game_is_over():
    driver = Driver("arms_length", 4, practice="monday")
    table_view = dump(view(driver.state, 0, 7)) + dump([redact(event, 0, "arms_length") for event in driver.log])
    assert "monday" not in table_view
    assert view(driver.state, 0, 7)["practice"] == {"seed": None}
    for _ in driver.rounds(4):
        pass
    assert view(driver.state, 0, 7)["practice"] == {"seed": "monday"}


def test_only_seated_players_see_the_join_code(played):
    for state, log, _ in played[:3]:
        code = state["settings"]["join_code"]
        assert code in dump(view(state, 1, 7))
        assert code not in dump(view(state, None, 7)) + dump([redact(event, 1, state["ruleset"]) for event in log])
        assert code not in dump(view(state, OPEN, 7))


# --- allow-lists ---------------------------------------------------------------------------------------------------

MARK = "secret_marker"


def marked(value: Any, inside_options: bool = False) -> Any:
    """Add an unknown key at every level, except in options: all their values are public."""
    if isinstance(value, dict):
        inner = {name: marked(each, inside_options or name == "options") for name, each in value.items()}
        return inner if inside_options else {**inner, MARK: MARK}
    return [marked(each, inside_options) for each in value] if isinstance(value, list) else value


def test_unknown_fields_do_not_reach_views_or_events(played):
    kinds = set()
    for state, log, players in played[::3]:
        for viewer in (0, players - 1, None, OPEN):
            assert MARK not in dump(view(marked(state), viewer, 7))
            for event in log[-60:]:
                kinds.add(event["type"])
                hidden = {**event, "data": marked(event["data"]), MARK: MARK}
                assert MARK not in dump(redact(hidden, viewer, state["ruleset"]))
    assert len(kinds) > 15


def test_unknown_fields_of_results_votes_and_take_backs_are_hidden():
    driver = Driver("zhaopengyou", 5, seed=2, take_back=True)
    driver.throws = 0.3
    for _ in driver.rounds(2):
        pass
    driver.play_until(lambda state: state["round"]["number"] == 3 and state["round"].get("returnable"))
    last = driver.state["round"]["trick"]["plays"][-1]["seat"]
    driver.do(last, type="take_back")
    driver.do(0, type="open_vote", kind="abandon")
    driver.do(1, type="chat", name="One", text="hello")
    assert MARK not in dump(view(marked(driver.state), 0, 7))
    for event in driver.log:
        assert MARK not in dump(redact({**event, "data": marked(event["data"])}, 0, "zhaopengyou")), event["type"]


def test_changing_a_view_does_not_change_the_state(played):
    state, _, _ = played[-1]
    before = dump(state)
    table_view = view(state, 0, 7)
    table_view["options"].clear()
    table_view["seats"][0]["occupant"].clear()
    table_view["clock"].clear()
    assert dump(state) == before


# --- these tests can fail ------------------------------------------------------------------------------------------


def leaking_deal(data: dict[str, Any], _: int | None) -> dict[str, Any]:
    return {"count": data["count"], "cards": names_of(data["cards"][0])}


def leaking_kitty(data: dict[str, Any], _: int | None) -> dict[str, Any]:
    return {"seat": data["seat"], "cards": names_of(data["cards"])}


@pytest.mark.parametrize(
    ("event_type", "shower"), [("dealt", leaking_deal), ("kitty_taken", leaking_kitty), ("discarded", leaking_kitty)]
)
def test_a_leak_in_an_event_is_noticed(monkeypatch, played, event_type, shower):
    monkeypatch.setitem(redaction._REDACTORS, event_type, shower)
    with pytest.raises(AssertionError):
        test_views_and_events_do_not_depend_on_what_is_hidden(played)
    with pytest.raises(AssertionError):
        test_no_event_names_a_card_before_the_viewer_can_know_it(played)


def test_a_leak_in_the_view_is_noticed(monkeypatch, played):
    plain = views._round_view
    monkeypatch.setattr(
        views, "_round_view", lambda state, viewer: {**plain(state, viewer), "left": names_of(state["round"]["kitty"])}
    )
    with pytest.raises(AssertionError):
        test_views_and_events_do_not_depend_on_what_is_hidden(played)
    with pytest.raises(AssertionError):
        test_no_view_names_a_card_that_the_viewer_cannot_know(played)


def test_a_leak_in_a_hint_is_noticed(monkeypatch, played):
    monkeypatch.setattr(views.hints, "hints", lambda state, seat: {"next": state["round"]["hands"][seat - 1]})
    with pytest.raises(AssertionError):
        test_views_and_events_do_not_depend_on_what_is_hidden(played)


def test_a_view_without_an_allow_list_is_noticed(monkeypatch, played):
    monkeypatch.setattr(views, "game_view", lambda state: state["game"])
    with pytest.raises(AssertionError):
        test_unknown_fields_do_not_reach_views_or_events(played)
