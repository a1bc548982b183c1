"""An AI player knows only its view."""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from harness.ai_table import Table
from service.game.state.types import State
from service.game.views.ai_view import ai_view
from service.rules.cards import counts_of, kinds_in
from service.rules.options.rulesets import RULESETS
from tests.support.sorting import is_day
from tests.workers.players import LITTLE, QUICK, choose, interpreted, levels_asked
from workers import ai
from workers.ai import advice_of, by_search, judging
from workers.ai.deals.dealing import Deal, Dealer

GAMES = [("shengji", 4), ("sishifen", 4), ("zhaopengyou_80", 6), ("finding_friends", 7), ("arms_length", 4)]
#: The other rulesets, which make no difference to a search.
OTHERS = [("tractor", 4), ("shengji_six", 6), ("zhaopengyou", 5)]


def situations(ruleset: str, players: int, deal: int) -> Iterator[tuple[State, int, dict[str, Any]]]:
    """Yield (state, seat, view) each time a seat is asked in a round."""
    pace = {} if ruleset == "arms_length" else {"deal_pace": "instant"}
    table = Table(ruleset, players, pace, deal)
    decisions: list[tuple[State, int, dict[str, Any]]] = []

    def note(seat: int, view: dict[str, Any]) -> dict[str, Any]:
        decisions.append((table.state, seat, view))
        return choose(view, b"honest")

    while not table.results:
        table.step(note)
        yield from decisions
        decisions.clear()


def is_tried(view: dict[str, Any], chance: random.Random) -> bool:
    """Return whether to ask levels for this view: in `make test` for a third of the plays."""
    return not is_day() or view["decision"]["kind"] != "play" or chance.random() < 1 / 3


def shuffled_elsewhere(state: State, seat: int, chance: random.Random) -> State:
    """Return a table that this seat cannot distinguish from `state`: cards hidden from it are dealt again.

    Cards shown in a declaration stay where they are.
    """
    other = copy.deepcopy(state)
    hidden = other["round"]
    kitty = "kitty" if hidden["kitty"] else "discard"
    buried = [] if kitty == "discard" and hidden["kitty_seat"] == seat else hidden[kitty] or []
    free = {number: unshown(hidden, number) for number in range(len(hidden["hands"])) if number != seat}
    pool = [kind for hand in free.values() for kind in kinds_in(hand)] + buried
    chance.shuffle(pool)
    for number, hand in free.items():
        dealt = counts_of([pool.pop() for _ in range(sum(hand))])
        whole = hidden["hands"][number]
        hidden["hands"][number] = [a - b + c for a, b, c in zip(whole, hand, dealt, strict=True)]
    if buried:
        hidden[kitty] = [pool.pop() for _ in buried]
    assert not pool
    return other


def unshown(table_round: Any, seat: int) -> list[int]:
    """Return the hand of a seat without the cards of its last declaration, while these are known to be there."""
    hand: list[int] = table_round["hands"][seat]
    declared = [each["cards"] for each in table_round["shown"] if each["seat"] == seat]
    if not declared or table_round["trick"] is not None or table_round["last_trick"] is not None:
        return hand
    return [count - min(count, known) for count, known in zip(hand, counts_of(declared[-1]), strict=True)]


@pytest.mark.parametrize(("ruleset", "players"), [*GAMES, *OTHERS])
def test_hidden_cards_change_neither_the_view_nor_the_choice_of_a_seat(ruleset: str, players: int) -> None:
    chance = random.Random(7)
    differed = 0
    for state, seat, view in situations(ruleset, players, 2):
        other = shuffled_elsewhere(state, seat, chance)
        differed += other["round"]["hands"] != state["round"]["hands"]
        again = ai_view(other, seat, 0)
        assert again == ai_view(state, seat, 0)
        for level in levels_asked(view, chance) if is_tried(view, chance) else ():
            # Including its reason and its values of other plays, which hints and records show.
            assert advice_of(QUICK[level], again, b"x") == advice_of(QUICK[level], view, b"x")
    assert differed > 20


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_hidden_cards_do_not_change_the_judgements_of_an_analysis(
    ruleset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai, "LEVELS", QUICK)
    monkeypatch.setattr(judging, "EFFORTS", LITTLE)
    chance = random.Random(7)
    gains = []
    for state, seat, view in situations(ruleset, players, 2):
        if "expert" not in levels_asked(view, chance) or not is_tried(view, chance):
            continue
        other = shuffled_elsewhere(state, seat, chance)
        action = choose(view, b"done", "random")
        judgement = judging.judge(view, action, b"x", "expert")
        assert judgement == judging.judge(ai_view(other, seat, 0), action, b"x", "expert")
        gains.append(judgement.gain)
    assert len(set(gains)) > (1 if ruleset == "arms_length" else 2)


def test_all_rulesets_are_covered() -> None:
    assert {ruleset for ruleset, _ in [*GAMES, *OTHERS]} == set(RULESETS)


@interpreted
def test_a_search_that_knows_the_true_hands_fails_that_test(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    true: list[State] = []
    deal = Dealer.deal

    def peeking(self: Dealer) -> Deal:
        self.random.seed(str(true[-1]["round"]["hands"]))
        return deal(self)

    monkeypatch.setattr(Dealer, "deal", peeking)
    count = 0
    for state, seat, view in situations("shengji", 4, 2):
        if view["decision"]["kind"] != "play" or count:
            continue
        advice = []
        for each in (state, shuffled_elsewhere(state, seat, chance)):
            true.append(each)
            advice.append(advice_of(by_search(LITTLE["expert"]), ai_view(each, seat, 0), b"x"))
        count += advice[0] != advice[1]
    assert count


def test_a_player_that_peeks_fails_that_test() -> None:
    chance = random.Random(7)
    is_caught = False
    for state, seat, view in situations("shengji", 4, 2):
        other = shuffled_elsewhere(state, seat, chance)
        peeking, again = dict(view), ai_view(other, seat, 0)
        peeking["seed"], again["seed"] = (str(each["round"]["hands"]).encode() for each in (state, other))
        is_caught |= choose(peeking, peeking["seed"], "random") != choose(again, again["seed"], "random")
    assert is_caught


class Told(dict[str, Any]):
    """A part of a view that allows reading only existing fields."""

    def __init__(self, part: dict[str, Any]) -> None:
        super().__init__({name: plain(value) for name, value in part.items()})

    def __missing__(self, name: str) -> Any:
        raise AssertionError(f"a player reads {name!r}, which its seat is not told")

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else self.__missing__(name)


class Hidden:
    """A placeholder for unknown values in a view; reading it is an error."""

    def _read(self, *_: object) -> Any:
        raise AssertionError("a player reads what is hidden from its seat")

    __bool__ = __iter__ = __len__ = __getitem__ = __eq__ = __contains__ = _read  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return Told(value)
    return [plain(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_players_read_only_fields_of_their_view(ruleset: str, players: int) -> None:
    chance = random.Random(4)
    for _, _, view in situations(ruleset, players, 4):
        guarded = Told(view)
        guarded["options"] = view["options"]
        if guarded["round"]["kitty"]:
            guarded["round"]["kitty"]["cards"] = Hidden()
        for seat in guarded["seats"]:
            seat["hand"] = Hidden()
        for level in levels_asked(view, chance) if is_tried(view, chance) else ():
            assert choose(guarded, b"x", level) == choose(view, b"x", level)
