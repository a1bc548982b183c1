"""The rules of tricks against brute force, and what must hold whatever the cards."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from service.errors import IllegalPlay, TooComplex
from service.rules import units as units_module
from service.rules import winning
from service.rules.cards import KIND, KINDS, POINTS, SUITS, counts_of, kinds_in, kinds_of, names_of
from service.rules.leads import Lead
from service.rules.tricks import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, Trump
from service.rules.units import Unit
from tests.rules.reference import RANKS, Reference

OPTIONS: dict[str, list[Any]] = {
    "twos_always_trump": [False, False, True],
    "trump_tractors": ["full", "full", "suit_only"],
    "equal_rank_tractors": ["no", "yes", "no_gap"],
    "throw_test": ["units", "cards"],
    "throw_failure": ["beaten_unit", "lowest_card", "end_round", "penalty_levels"],
    "throw_penalty": ["none", "flat", "per_unit", "per_card", "per_withdrawn"],
    "throw_same_count": [False, False, True],
    "follow_tractors": [False, True],
    "follow_smaller": [False, True],
    "protect_larger": [False, True],
    "trump_throw_compare": ["largest_unit", "all_units"],
    "quad_beats_tractor": [False, True],
}
GROUPS = (*SUITS, "trumps")
#: The machine may be slow; what is tested is not.
always = settings(deadline=None)


class Game(NamedTuple):
    """Rules under random options, their brute-force reference, and a few neighbouring cards to play with."""

    rules: TrickRules
    reference: Reference
    decks: int
    group: int
    row: tuple[str, ...]


@st.composite
def games(draw: st.DrawFn, **fixed: Any) -> Game:
    options = {name: draw(st.sampled_from(values)) for name, values in OPTIONS.items()} | fixed
    trump = Trump(draw(st.sampled_from([*RANKS, None])), draw(st.sampled_from([*SUITS, None])))
    rules = trick_rules(trump, options)
    group = draw(st.sampled_from([TRUMPS, *(group for group in range(TRUMPS + 1) if rules.order.groups[group])]))
    suit = names_of(rules.order.groups[group])
    start = draw(st.integers(0, max(len(suit) - 3, 0)))
    row = tuple(suit[start : start + draw(st.integers(2, 7))])
    return Game(rules, Reference(*trump, options), draw(st.integers(1, 6)), group, row)


def cards(game: Game, least: int, most: int, among: tuple[str, ...] | None = None) -> st.SearchStrategy[list[str]]:
    """Lists of cards, no card more often than there are decks; runs of equal cards are likely."""
    among = game.row if among is None else among
    tuples = st.tuples(st.sampled_from(among), st.integers(1, game.decks))

    def build(drawn: list[tuple[str, int]]) -> list[str]:
        counts: Counter[str] = Counter()
        for card, number in drawn:
            counts[card] = max(counts[card], number)
        return list(counts.elements())[:most]

    return st.lists(tuples, min_size=1, max_size=8).map(build).filter(lambda found: len(found) >= least)


@st.composite
def situations(draw: st.DrawFn, most_led: int = 5, most_held: int = 8, **fixed: Any) -> tuple[Game, Lead, list[str]]:
    """A lead and a hand that mostly holds cards of the suit led."""
    game = draw(games(throw_same_count=False, **fixed))
    lead = game.rules.lead(kinds_of(draw(cards(game, 1, most_led))))
    hand = draw(cards(game, 0, most_held))
    others = [card for card in ("3S", "KS", "TH", "5H", "4D", "JD", "6C", "9C") if card not in game.row]
    more = draw(st.integers(max(lead.size - len(hand), 0), max(lead.size - len(hand), 0) + 2))
    return game, lead, hand + [others[number % len(others)] for number in range(more)]


def shapes(lead: Lead) -> list[tuple[int, int]]:
    return [(unit.width, unit.length) for unit in lead.units]


def legal(rules: TrickRules, lead: Lead, hand: list[int], play: list[int]) -> bool:
    try:
        rules.follow(lead, hand, play)
    except IllegalPlay:
        return False
    return True


@always
@given(situations())
def test_the_legal_follows_are_those_that_brute_force_finds(situation: tuple[Game, Lead, list[str]]) -> None:
    game, lead, hand = situation
    note(f"lead {[names_of(unit.cards) for unit in lead.units]}, hand {hand}")
    suit = GROUPS[game.group]
    expected = {
        play
        for play in game.reference.all_plays(hand, lead.size)
        if game.reference.legal(shapes(lead), suit, hand, play)
    }
    counts = counts_of(kinds_of(hand))
    accepted = {
        play for play in game.reference.all_plays(hand, lead.size) if legal(game.rules, lead, counts, kinds_of(play))
    }
    assert accepted == expected
    plays, complete = game.rules.plays(counts, lead, limit=100_000, budget=1_000_000)
    assert complete
    assert len(plays) == len(set(plays))
    assert {tuple(sorted(names_of(play))) for play in plays} == expected


@st.composite
def tight_fits(draw: st.DrawFn, most_units: int = 6) -> tuple[Game, list[int], list[tuple[int, int]]]:
    """Counts of a suit, and units that fill it nearly, or a little more than that."""
    game = draw(games(throw_same_count=False, trump_tractors="full"))
    line = game.rules.lines[game.group]
    counts = [0] * len(line.kinds)
    units: list[tuple[int, int]] = []
    for _ in range(draw(st.integers(1, most_units))):
        width, length = draw(st.integers(2, 3)), draw(st.integers(1, 3))
        places = line.places([6 - count for count in counts], (width, length))
        if places:
            for slot in draw(st.sampled_from(places[:8])):
                counts[slot] += width
            units.append((width, length))
    for at in draw(st.lists(st.integers(0, len(units) - 1), max_size=2, unique=True)):
        width, length = units[at]
        units[at] = (width, max(length + draw(st.sampled_from([-1, 1])), 1))
    return game, counts, units


def fits(game: Game, cards: Counter[str], units: list[tuple[int, int]]) -> bool:
    """Brute force: do the units lie in the cards, in whatever way?"""
    if not units:
        return True
    width = units[0][0]
    return any(
        fits(game, cards - Counter(dict.fromkeys(place, width)), units[1:])
        for place in game.reference.places(cards, units[0])
    )


@always
@given(tight_fits())
def test_units_fit_where_brute_force_finds_room(case: tuple[Game, list[int], list[tuple[int, int]]]) -> None:
    game, counts, units = case
    line = game.rules.lines[game.group]
    cards = Counter({name: count for name, count in zip(names_of(line.kinds), counts, strict=True) if count})
    placed = line.fit(counts, tuple(units))
    assert (placed is not None) == fits(game, cards, sorted(units, reverse=True))
    if placed is not None:
        assert sorted((width, len(place)) for width, place in placed) == sorted(units)
        used: Counter[int] = Counter()
        for width, place in placed:
            assert line.is_run(width, place)
            used.update(dict.fromkeys(place, width))
        assert all(used[slot] <= counts[slot] for slot in used)


@always
@given(tight_fits(most_units=4), st.integers(0, 99).map(Random))
def test_answers_to_throws_of_several_units_are_judged_as_brute_force_does(
    case: tuple[Game, list[int], list[tuple[int, int]]], random: Random
) -> None:
    game, counts, units = case
    kinds = game.rules.order.groups[game.group]
    hand = [kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]
    units = sorted(units, key=lambda unit: (unit[0] * unit[1], unit[0]), reverse=True)
    # What was led does not matter beyond its shape.
    lead = Lead(game.group, sum(w * n for w, n in units), "throw", tuple(Unit(w, n, (0,) * (w * n)) for w, n in units))
    hand += [random.choice(kinds) for _ in range(max(lead.size + 2 - len(hand), 0))]
    held = counts_of(hand)
    suit = GROUPS[game.group]
    legal_plays = [game.rules.random_play(held, lead, random), game.rules.example(held, lead)]
    for play in [*legal_plays, *(random.sample(hand, lead.size) for _ in range(4))]:
        expected = game.reference.legal(units, suit, names_of(hand), names_of(play))
        assert legal(game.rules, lead, held, list(play)) == expected
        assert expected or play not in legal_plays


def test_a_search_for_room_gives_up_before_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {name: values[0] for name, values in OPTIONS.items()} | {"trump_throw_compare": "all_units"}
    rules = trick_rules(Trump("8", "H"), options)
    hand = [2, 2, 2, 0, 2, 2, 2, 0, 2, 2, 0, 0]
    assert rules.lines[0].fit(hand, ((2, 2),) * 4) is None
    lead = rules.lead(kinds_of(["AS", "AS", "QS", "QS", "TS"]))
    plays = [kinds_of(["9H", "9H", "6H", "6H", "AH"]), kinds_of(["TH", "TH", "5H", "5H", "KH"])]
    assert not rules.beats(lead, *plays)
    for module in (units_module, winning):
        monkeypatch.setattr(module, "MOST_STATES", 0)
    with pytest.raises(TooComplex):
        rules.lines[0].fit(hand, ((2, 2),) * 4)
    with pytest.raises(TooComplex):
        rules.beats(lead, *plays)


@always
@given(situations(most_led=14, most_held=20), st.integers(0, 999).map(Random))
def test_a_legal_follow_always_exists(situation: tuple[Game, Lead, list[str]], random: Random) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    for play in (game.rules.example(counts, lead), game.rules.random_play(counts, lead, random)):
        assert not Counter(play) - Counter(kinds_of(hand))
        game.rules.follow(lead, counts, play)


@always
@given(situations())
def test_the_example_wastes_no_points_that_can_be_kept(situation: tuple[Game, Lead, list[str]]) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    example = game.rules.example(counts, lead)
    free = any(
        not any(POINTS[kind] for kind in play)
        for play in game.rules.plays(counts, lead, limit=10_000, budget=1_000_000)[0]
    )
    assert free == (not any(POINTS[kind] for kind in example))
    assert example == game.rules.example(counts, lead)


@always
@given(situations(), st.integers(0, 999).map(Random))
def test_random_follows_reach_every_legal_play(situation: tuple[Game, Lead, list[str]], random: Random) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    plays, _ = game.rules.plays(counts, lead, limit=4)
    if len(plays) == 4:
        return
    drawn = {tuple(sorted(game.rules.random_play(counts, lead, random))) for _ in range(60 * len(plays))}
    assert drawn == set(plays)


@always
@given(situations(most_led=8, most_held=14))
def test_what_is_required_is_held_and_enough(situation: tuple[Game, Lead, list[str]]) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    required = game.rules.required(lead, counts)
    held = game.rules.order.suit_counts(counts, game.group)
    assert required["cards"] == lead.size
    assert required["must_follow"] == (GROUPS[game.group] if sum(held) else None)
    asked = sum(unit["width"] * unit["length"] for unit in required["required"])
    assert asked <= min(lead.size, sum(held))
    assert sum(held) > lead.size > 1 or required["required"] == []
    assert all(
        (unit["kind"] == "tractor") == (unit["length"] > 1) and unit["width"] > 1 for unit in required["required"]
    )


@always
@given(situations(), st.lists(st.sampled_from(range(KINDS)), max_size=6))
def test_cards_outside_the_suit_do_not_matter_where_the_suit_suffices(
    situation: tuple[Game, Lead, list[str]], more: list[int]
) -> None:
    game, lead, hand = situation
    suited = [kind for kind in kinds_of(hand) if game.rules.order.group_of[kind] == game.group]
    others = [kind for kind in more if game.rules.order.group_of[kind] != game.group]
    if len(suited) < lead.size:
        return
    alone, with_others = counts_of(suited), counts_of(suited + others)
    plays = game.rules.plays(alone, lead, limit=10_000, budget=1_000_000)
    assert plays == game.rules.plays(with_others, lead, limit=10_000, budget=1_000_000)


@always
@given(games(throw_same_count=False), st.data())
def test_a_lead_is_read_longest_unit_first(game: Game, data: st.DataObject) -> None:
    led = data.draw(cards(game, 1, 10))
    lead = game.rules.lead(kinds_of(led))
    expected = game.reference.read(led)
    assert shapes(lead) == [shape for shape, _ in expected]
    keys = [game.reference.key(set(names_of(unit.cards))) for unit in lead.units]
    assert keys == [game.reference.key(place) for _, place in expected]
    assert sorted(lead.cards) == sorted(kinds_of(led))


@always
@given(games(throw_same_count=False), st.data())
def test_the_leader_may_say_how_a_lead_is_read(game: Game, data: st.DataObject) -> None:
    led = data.draw(cards(game, 1, 8))
    said: list[list[str]] = []
    left = Counter(led)
    while left.total():
        places = [
            (width, place)
            for width in range(1, 4)
            for length in range(1, 4 if width > 1 else 2)
            for place in game.reference.places(left, (width, length))
        ]
        width, place = data.draw(st.sampled_from(places))
        said.append([card for card in place for _ in range(width)])
        left -= Counter(said[-1])
    lead = game.rules.lead(kinds_of(led), [kinds_of(unit) for unit in said])
    assert sorted(sorted(unit.cards) for unit in lead.units) == sorted(sorted(kinds_of(unit)) for unit in said)
    order = [(len(unit.cards), unit.width) for unit in lead.units]
    assert order == sorted(order, reverse=True)


@always
@given(games(), st.data())
def test_what_is_no_unit_cannot_be_said_to_be_one(game: Game, data: st.DataObject) -> None:
    unit = data.draw(cards(game, 2, 6))
    counts = Counter(unit)
    is_unit = len(set(counts.values())) == 1 and (
        len(counts) == 1 or (min(counts.values()) > 1 and game.reference.is_tractor(tuple(counts)))
    )
    try:
        lead = game.rules.lead(kinds_of(unit), [kinds_of(unit)])
    except IllegalPlay as refusal:
        broken = refusal.rule
    else:
        broken = None
        assert len(lead.units) == 1
    assert broken == (None if is_unit else "no_unit")


@st.composite
def tricks(draw: st.DrawFn) -> tuple[Game, Lead, list[list[str]]]:
    game = draw(games(throw_same_count=False))
    led = draw(cards(game, 1, 6))
    lead = game.rules.lead(kinds_of(led))
    plays = [led]
    trumps = tuple(names_of(game.rules.order.groups[TRUMPS]))
    window = trumps[-8:] if draw(st.booleans()) else trumps[:8]
    for _ in range(draw(st.integers(1, 4))):
        source = draw(st.sampled_from([game.row, window]))
        play = draw(cards(game, 0, lead.size, source))
        filler = [source[number % len(source)] for number in range(lead.size - len(play))]
        plays.append(play + filler if draw(st.integers(0, 9)) else [*(play + filler)[1:], "3S"])
    return game, lead, plays


@always
@given(tricks())
def test_the_winner_is_the_one_that_brute_force_finds(trick: tuple[Game, Lead, list[list[str]]]) -> None:
    game, lead, plays = trick
    note(f"{game.reference.options} {plays}")
    best = 0
    for number in range(1, len(plays)):
        if game.reference.beats(shapes(lead), GROUPS[game.group], plays[best], plays[number]):
            best = number
    assert game.rules.winner(lead, [kinds_of(play) for play in plays]) == best


@st.composite
def trumped_throws(draw: st.DrawFn) -> tuple[Game, Lead, list[list[str]]]:
    """A throw of a side suit, and trumps that nearly all answer it."""
    game = draw(games(throw_same_count=False, trump_tractors="full"))
    groups = [group for group in range(TRUMPS) if game.rules.order.groups[group]]
    side = names_of(game.rules.order.groups[draw(st.sampled_from(groups))])
    trumps = names_of(game.rules.order.groups[TRUMPS])
    start = draw(st.integers(0, max(len(trumps) - 5, 0)))
    led = [
        card
        for at, width in enumerate(draw(st.lists(st.integers(1, 3), max_size=4, min_size=2)))
        for card in [side[2 * at]] * width
    ]
    lead = game.rules.lead(kinds_of(led))
    plays = [led]
    for _ in range(draw(st.integers(2, 3))):
        play: list[str] = []
        for unit in lead.units:
            play += [draw(st.sampled_from(trumps[start : start + 5]))] * unit.width
        plays.append(play)
    return game, lead, plays


@always
@given(trumped_throws())
def test_trumps_on_a_throw_are_compared_as_brute_force_does(trick: tuple[Game, Lead, list[list[str]]]) -> None:
    game, lead, plays = trick
    for best, play in ((best, play) for best in plays[:-1] for play in plays[1:]):
        expected = game.reference.beats(shapes(lead), GROUPS[lead.group], best, play)
        assert game.rules.beats(lead, kinds_of(best), kinds_of(play)) == expected


@always
@given(tricks(), st.integers(1, 5), st.data())
def test_a_play_that_cannot_win_does_not_change_the_winner(
    trick: tuple[Game, Lead, list[list[str]]], at: int, data: st.DataObject
) -> None:
    game, lead, plays = trick
    group_of = game.rules.order.group_of
    kinds = [kinds_of(play) for play in plays]
    irrelevant = [kind for kind in range(KINDS) if group_of[kind] not in (game.group, TRUMPS)]
    play = [data.draw(st.sampled_from(irrelevant)), *kinds[0][1:]]
    winner = game.rules.winner(lead, kinds)
    at = min(at, len(kinds))
    assert game.rules.winner(lead, [*kinds[:at], play, *kinds[at:]]) == winner + (at <= winner)
    assert game.rules.winning_unit(lead, play) is None


@always
@given(tricks())
def test_the_winning_unit_has_the_shape_of_the_largest_unit_led(trick: tuple[Game, Lead, list[list[str]]]) -> None:
    game, lead, plays = trick
    kinds = [kinds_of(play) for play in plays]
    winner = game.rules.winner(lead, kinds)
    unit = game.rules.winning_unit(lead, kinds[winner])
    assert unit is not None
    assert not Counter(unit) - Counter(kinds[winner])
    assert len(unit) == len(lead.units[0].cards)
    quad = game.reference.options["quad_beats_tractor"] and len(set(unit)) == 1
    assert quad or sorted(Counter(unit).values()) == sorted(Counter(lead.units[0].cards).values())


@always
@given(games(throw_test="units", throw_same_count=False), st.data())
def test_a_throw_fails_where_a_hand_holds_a_higher_unit(game: Game, data: st.DataObject) -> None:
    lead = game.rules.lead(kinds_of(data.draw(cards(game, 2, 7))))
    if lead.kind != "throw":
        return
    hands = [data.draw(cards(game, 0, 8)) for _ in range(3)]
    reference = game.reference
    beatable = [
        unit
        for unit in lead.units
        if any(
            reference.key(place) > reference.key(set(names_of(unit.cards)))
            for hand in hands
            for place in reference.places(Counter(hand), (unit.width, unit.length))
        )
    ]
    throw = game.rules.throw(lead, [counts_of(kinds_of(hand)) for hand in hands])
    assert throw.ok == (not beatable)
    failure, penalty = reference.options["throw_failure"], reference.options["throw_penalty"]
    if throw.ok:
        assert throw == (True, (), 0, False, 0)
    elif failure in ("end_round", "penalty_levels"):
        assert throw == (False, (), 0, True, 2 if failure == "penalty_levels" else 0)
    else:
        if failure == "lowest_card":
            levels = [game.rules.order.level_of[kind] for kind in lead.cards]
            assert [game.rules.order.level_of[kind] for kind in throw.forced] == [min(levels)]
        else:
            assert throw.forced in [unit.cards for unit in beatable]
            smaller = [unit for unit in beatable if (unit.length > 1, unit.width, unit.length) < _rung(throw.forced)]
            assert not smaller
        times = {"none": 0, "flat": 1, "per_unit": len(beatable)}
        times["per_card"] = sum(len(unit.cards) for unit in beatable)
        times["per_withdrawn"] = lead.size - len(throw.forced)
        assert throw.penalty == 10 * times[penalty]


def _rung(forced: tuple[int, ...]) -> tuple[bool, int, int]:
    counts = Counter(forced)
    return len(counts) > 1, len(forced) // len(counts), len(counts)


@always
@given(games(throw_test="cards", throw_same_count=False, throw_failure="lowest_card"), st.data())
def test_under_the_test_of_cards_any_higher_card_fails_a_throw(game: Game, data: st.DataObject) -> None:
    lead = game.rules.lead(kinds_of(data.draw(cards(game, 2, 7))))
    hand = kinds_of(data.draw(cards(game, 0, 8)))
    level_of = game.rules.order.level_of
    lowest = min(level_of[kind] for kind in lead.cards)
    throw = game.rules.throw(lead, [counts_of(hand)])
    assert throw.ok == (max((level_of[kind] for kind in hand), default=-1) <= lowest)
    if game.reference.options["throw_penalty"] == "per_card" and not throw.ok:
        assert throw.penalty == 10 * sum(level_of[kind] < max(level_of[k] for k in hand) for kind in lead.cards)


@always
@given(games(), st.data())
def test_every_lead_that_is_listed_can_be_led_and_none_is_missing(game: Game, data: st.DataObject) -> None:
    hand = data.draw(cards(game, 1, 7)) + data.draw(st.lists(st.sampled_from(["3S", "3H", "3D", "3C"]), max_size=2))
    counts = counts_of(kinds_of(hand))
    plays, complete = game.rules.plays(counts, None, limit=10_000, budget=1_000_000)
    assert complete
    assert len(plays) == len(set(plays))

    def valid(play: tuple[str, ...]) -> bool:
        try:
            game.rules.lead(kinds_of(play))
        except IllegalPlay:
            return False
        return True

    every = {play for size in range(1, len(hand) + 1) for play in game.reference.all_plays(hand, size) if valid(play)}
    assert {tuple(sorted(names_of(play))) for play in plays} == every
    kinds = [game.rules.lead(play).kind for play in plays]
    assert kinds == sorted(kinds, key=lambda kind: kind == "throw")
    assert game.rules.example(counts, None) in plays


@always
@given(games(), st.data(), st.integers(0, 999).map(Random))
def test_a_random_lead_is_one_of_the_units(game: Game, data: st.DataObject, random: Random) -> None:
    counts = counts_of(kinds_of(data.draw(cards(game, 1, 5))))
    units = {
        play
        for play in game.rules.plays(counts, None, limit=10_000, budget=1_000_000)[0]
        if game.rules.lead(play).kind != "throw"
    }
    drawn = {tuple(sorted(game.rules.random_play(counts, None, random))) for _ in range(40 * len(units))}
    assert drawn == units


@always
@given(situations(most_led=8, most_held=16), st.integers(1, 6))
def test_a_list_of_plays_keeps_to_its_limit_and_says_so(situation: tuple[Game, Lead, list[str]], limit: int) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    plays, complete = game.rules.plays(counts, lead, limit=limit)
    assert 1 <= len(plays) <= limit
    every, all_of_them = game.rules.plays(counts, lead, limit=limit + 1)
    if all_of_them or len(every) > limit:
        assert complete == (len(every) <= limit)
    for play in plays:
        game.rules.follow(lead, counts, play)

    # However short the search, there is a play.
    (play, *_), complete = game.rules.plays(counts, lead, limit=limit, budget=0)
    assert not complete
    game.rules.follow(lead, counts, play)


def test_hands_are_sorted_trumps_first_and_high_to_low() -> None:
    order = trick_rules(Trump("8", "H"), {name: values[0] for name, values in OPTIONS.items()}).order
    hand = kinds_of(["2S", "AS", "8S", "8D", "8H", "2H", "BJ", "LJ", "KC", "3D", "3D", "AH"])
    assert names_of(order.sort_hand(counts_of(hand))) == [
        *("BJ", "LJ", "8H", "8S", "8D", "AH", "2H"),
        *("AS", "2S", "3D", "3D", "KC"),
    ]


@pytest.mark.parametrize(
    ("led", "units", "rule"),
    [
        ([], None, "no_cards"),
        (["3S", "3H"], None, "one_suit"),
        (["3S", "8S"], None, "one_suit"),
        (["3S", "3S", "4S"], [["3S", "3S"]], "units_not_cards"),
        (["3S", "3S"], [["3S", "3S"], []], "no_unit"),
        (["3S", "4S"], [["3S", "4S"]], "no_unit"),
        (["3S", "3S", "4S"], None, "throw_same_count"),
    ],
)
def test_a_refused_lead_names_its_rule(led: list[str], units: list[list[str]] | None, rule: str) -> None:
    options = {name: values[0] for name, values in OPTIONS.items()} | {"throw_same_count": True}
    rules = trick_rules(Trump("8", "D"), options)
    with pytest.raises(IllegalPlay) as refusal:
        rules.lead(kinds_of(led), units and [kinds_of(unit) for unit in units])
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    ("hand", "play", "rule"),
    [
        (["9S", "9S", "TS", "TS"], ["9S"], "card_count"),
        (["9S", "9S", "TS", "3C", "4C"], ["9S", "9S", "3C", "4C"], "follow_suit"),
        (["9S", "9S", "TS", "TS", "KS", "KS"], ["9S", "9S", "KS", "KS"], "follow_tractors"),
        (["9S", "9S", "JS", "JS", "KS", "KS"], ["9S", "JS", "KS", "KS"], "follow_tuples"),
    ],
)
def test_a_refused_follow_names_its_rule_and_shows_a_way(hand: list[str], play: list[str], rule: str) -> None:
    options = {name: values[0] for name, values in OPTIONS.items()} | {"follow_tractors": True, "follow_smaller": True}
    rules = trick_rules(Trump("8", "H"), options)
    lead, counts = rules.lead(kinds_of(["4S", "4S", "5S", "5S"])), counts_of(kinds_of(hand))
    with pytest.raises(IllegalPlay) as refusal:
        rules.follow(lead, counts, kinds_of(play))
    assert refusal.value.rule == rule
    assert refusal.value.required == rules.required(lead, counts)
    rules.follow(lead, counts, kinds_of(refusal.value.example or []))


def test_equal_rules_are_one_object() -> None:
    options = {name: values[0] for name, values in OPTIONS.items()}
    assert trick_rules(Trump("8", "H"), options) is trick_rules(Trump("8", "H"), dict(options))
    assert KIND["8H"] in kinds_in(counts_of(trick_rules(Trump("8", "H"), options).order.groups[TRUMPS]))


def rules_with(**options: Any) -> TrickRules:
    """Rules with hearts and eights as trumps."""
    return trick_rules(Trump("8", "H"), {name: values[0] for name, values in OPTIONS.items()} | options)


def test_tractors_of_equal_ranks_are_compared_from_the_top() -> None:
    rules = rules_with(equal_rank_tractors="yes")
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "6S", "6S"]))
    alike = kinds_of(["8C", "8C", "8D", "8D", "8S", "8S"])
    spread = kinds_of(["AH", "AH", "8C", "8C", "8H", "8H"])
    assert rules.winner(lead, [lead.cards, alike, spread]) == 2
    assert rules.winner(lead, [lead.cards, spread, alike]) == 1


def test_a_tractor_takes_of_equal_kinds_the_one_with_fewest_cards_to_spare() -> None:
    lead = rules_with().lead(kinds_of(["AH", "AH", "8C", "8C", "8C", "8S", "8S"]))
    assert [names_of(unit.cards) for unit in lead.units] == [["8S", "8S", "AH", "AH"], ["8C", "8C", "8C"]]
    lead = rules_with().lead(kinds_of(["AH", "AH", "8C", "8C", "8S", "8S", "8S"]))
    assert [names_of(unit.cards) for unit in lead.units] == [["8C", "8C", "AH", "AH"], ["8S", "8S", "8S"]]


def test_a_quad_is_answered_by_two_pairs_before_odd_cards() -> None:
    rules = rules_with(follow_smaller=True)
    lead = rules.lead(kinds_of(["4S"] * 4))
    hand = counts_of(kinds_of(["9S", "9S", "JS", "JS", "KS", "AS"]))
    assert [unit["width"] for unit in rules.required(lead, hand)["required"]] == [2, 2]
    hand = counts_of(kinds_of(["9S", "9S", "9S", "JS", "JS", "KS", "AS"]))
    assert [unit["width"] for unit in rules.required(lead, hand)["required"]] == [3]


def test_without_answers_in_narrower_tuples_a_long_tractor_asks_for_its_own_length_or_for_tuples() -> None:
    rules = rules_with(follow_tractors=True)
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "6S", "6S"]))
    hand = counts_of(kinds_of(["9S", "9S", "TS", "TS", "QS", "QS", "AS", "AS"]))
    assert rules.required(lead, hand)["required"] == [{"kind": "tuple", "width": 2, "length": 1}] * 3
    hand = counts_of(kinds_of(["9S", "9S", "TS", "TS", "JS", "JS", "AS", "AS"]))
    assert rules.required(lead, hand)["required"] == [{"kind": "tractor", "width": 2, "length": 3}]


def test_a_tuple_that_is_answered_asks_for_no_part_of_a_tractor_any_more() -> None:
    rules = rules_with(follow_tractors=True, follow_smaller=True)
    lead = rules.lead(kinds_of(["4S", "4S", "4S", "5S", "5S", "5S"]))
    hand = counts_of(kinds_of(["KS", "KS", "KS", "9S", "9S", "TS", "TS", "2S"]))
    required = rules.required(lead, hand)["required"]
    assert [(unit["width"], unit["length"]) for unit in required] == [(3, 1), (2, 1)]


def test_all_units_are_compared_with_the_highest_reading_even_if_equal_kinds_give_several() -> None:
    rules = rules_with(trump_throw_compare="all_units")
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "AS", "AS", "AS", "QS", "QS", "TS"]))
    assert [len(unit.cards) for unit in lead.units] == [4, 3, 2, 1]
    # The tractor with the eights of clubs leaves three eights of spades, a higher triple than the fives.
    best = kinds_of(["AH", "AH", "8C", "8C", "8S", "8S", "8S", "5H", "5H", "5H"])
    higher = kinds_of(["8H", "8H", "LJ", "LJ", "BJ", "BJ", "BJ", "6H", "6H", "7H"])
    assert rules.winner(lead, [lead.cards, best, higher]) == 2
