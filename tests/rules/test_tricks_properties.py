"""The rules of tricks compared with brute force, and their general properties."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from service.common.errors import IllegalPlay
from service.rules.cards import KINDS, POINTS, counts_of, kinds_of, names_of
from service.rules.tricks.leads import Lead
from service.rules.tricks.units import Unit
from service.rules.trumps import TRUMPS
from tests.rules.agreement import check_test
from tests.rules.trick_cases import (
    GROUPS,
    Game,
    cards,
    games,
    legal,
    shapes,
    situations,
    tight_fits,
    tricks,
    trumped_throws,
)


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


def fits(game: Game, cards: Counter[str], units: list[tuple[int, int]]) -> bool:
    """Brute force: do the units fit into the cards in any way?"""
    if not units:
        return True
    width = units[0][0]
    return any(
        fits(game, cards - Counter(dict.fromkeys(place, width)), units[1:])
        for place in game.reference.places(cards, units[0])
    )


@given(tight_fits())
def test_units_fit_exactly_if_brute_force_fits_them(case: tuple[Game, list[int], list[tuple[int, int]]]) -> None:
    game, counts, units = case
    line = game.rules.lines[game.group]
    cards = Counter({name: count for name, count in zip(names_of(line.kinds), counts, strict=True) if count})
    placed = line.fit(counts, tuple(units))
    assert (placed is not None) == fits(game, cards, sorted(units, reverse=True))
    if placed is not None:
        assert sorted((width, len(place)) for width, place in placed) == sorted(units)
        used: Counter[int] = Counter()
        for width, place in placed:
            assert line.is_unit(width, place)
            used.update(dict.fromkeys(place, width))
        assert all(used[slot] <= counts[slot] for slot in used)


@given(tight_fits(most_units=4), st.integers(0, 99).map(Random))
def test_answers_to_throws_of_several_units_are_judged_as_brute_force_does(
    case: tuple[Game, list[int], list[tuple[int, int]]], random: Random
) -> None:
    game, counts, units = case
    kinds = game.rules.order.groups[game.group]
    hand = [kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]
    units = sorted(units, key=lambda unit: (unit[0] * unit[1], unit[0]), reverse=True)
    # Only the shape of the lead matters.
    lead = Lead(game.group, sum(w * n for w, n in units), "throw", tuple(Unit(w, n, (0,) * (w * n)) for w, n in units))
    hand += [random.choice(kinds) for _ in range(max(lead.size + 2 - len(hand), 0))]
    held = counts_of(hand)
    suit = GROUPS[game.group]
    legal_plays = [game.rules.random_play(held, lead, random), game.rules.example(held, lead)]
    for play in [*legal_plays, *(random.sample(hand, lead.size) for _ in range(4))]:
        expected = game.reference.legal(units, suit, names_of(hand), names_of(play))
        assert legal(game.rules, lead, held, list(play)) == expected
        assert expected or play not in legal_plays


@given(situations(most_led=14, most_held=20), st.integers(0, 999).map(Random))
def test_a_legal_follow_always_exists(situation: tuple[Game, Lead, list[str]], random: Random) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    for play in (game.rules.example(counts, lead), game.rules.random_play(counts, lead, random)):
        assert not Counter(play) - Counter(kinds_of(hand))
        game.rules.follow(lead, counts, play)


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


@given(situations(), st.integers(0, 999).map(Random))
def test_random_follows_reach_every_legal_play(situation: tuple[Game, Lead, list[str]], random: Random) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    plays, _ = game.rules.plays(counts, lead, limit=4)
    if len(plays) == 4:
        return
    drawn = {tuple(sorted(game.rules.random_play(counts, lead, random))) for _ in range(60 * len(plays))}
    assert drawn == set(plays)


@given(situations(most_led=8, most_held=14))
def test_requirements_are_held_and_sufficient(situation: tuple[Game, Lead, list[str]]) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    required = game.rules.required(lead, counts)
    held = game.rules.order.suit_counts(counts, game.group)
    assert required["cards"] == lead.size
    assert required["must_follow"] == (GROUPS[game.group] if sum(held) else None)
    cards = sum(unit["width"] * unit["length"] for unit in required["required"])
    assert cards <= min(lead.size, sum(held))
    assert sum(held) > lead.size > 1 or required["required"] == []
    assert all(
        (unit["kind"] == "tractor") == (unit["length"] > 1) and unit["width"] > 1 for unit in required["required"]
    )


@given(situations(), st.lists(st.sampled_from(range(KINDS)), max_size=6))
def test_cards_outside_the_suit_do_not_matter_if_the_suit_suffices(
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


@given(games(throw_same_count=False), st.data())
def test_a_lead_is_read_longest_unit_first(game: Game, data: st.DataObject) -> None:
    led = data.draw(cards(game, 1, 10))
    lead = game.rules.lead(kinds_of(led))
    expected = game.reference.read(led)
    assert shapes(lead) == [shape for shape, _ in expected]
    keys = [game.reference.key(set(names_of(unit.cards))) for unit in lead.units]
    assert keys == [game.reference.key(place) for _, place in expected]
    assert sorted(lead.cards) == sorted(kinds_of(led))


@given(games(throw_same_count=False), st.data())
def test_the_leader_may_name_the_units_of_a_lead(game: Game, data: st.DataObject) -> None:
    led = data.draw(cards(game, 1, 8))
    namings: list[list[str]] = []
    left = Counter(led)
    while left.total():
        places = [
            (width, place)
            for width in range(1, 4)
            for length in range(1, 4 if width > 1 else 2)
            for place in game.reference.places(left, (width, length))
        ]
        width, place = data.draw(st.sampled_from(places))
        namings.append([card for card in place for _ in range(width)])
        left -= Counter(namings[-1])
    lead = game.rules.lead(kinds_of(led), [kinds_of(unit) for unit in namings])
    assert sorted(sorted(unit.cards) for unit in lead.units) == sorted(sorted(kinds_of(unit)) for unit in namings)
    order = [(len(unit.cards), unit.width) for unit in lead.units]
    assert order == sorted(order, reverse=True)


@given(games(), st.data())
def test_a_leader_can_name_only_units(game: Game, data: st.DataObject) -> None:
    unit = data.draw(cards(game, 2, 6))
    counts = Counter(unit)
    is_unit = len(set(counts.values())) == 1 and (
        len(counts) == 1
        or (min(counts.values()) > 1 and game.reference.is_tractor(tuple(counts), min(counts.values())))
    )
    try:
        lead = game.rules.lead(kinds_of(unit), [kinds_of(unit)])
    except IllegalPlay as refusal:
        broken = refusal.rule
    else:
        broken = None
        assert len(lead.units) == 1
    assert broken == (None if is_unit else "no_unit")


@given(tricks())
def test_the_winner_is_the_one_that_brute_force_finds(trick: tuple[Game, Lead, list[list[str]]]) -> None:
    game, lead, plays = trick
    note(f"{game.reference.options} {plays}")
    best = 0
    for number in range(1, len(plays)):
        if game.reference.beats(shapes(lead), GROUPS[game.group], plays[best], plays[number]):
            best = number
    assert game.rules.winner(lead, [kinds_of(play) for play in plays]) == best


@given(trumped_throws())
def test_trumps_on_a_throw_are_compared_as_brute_force_does(trick: tuple[Game, Lead, list[list[str]]]) -> None:
    game, lead, plays = trick
    for best, play in ((best, play) for best in plays[:-1] for play in plays[1:]):
        expected = game.reference.beats(shapes(lead), GROUPS[lead.group], best, play)
        assert game.rules.beats(lead, kinds_of(best), kinds_of(play)) == expected


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


@given(tricks())
def test_the_winning_unit_has_the_shape_of_the_largest_unit_led(trick: tuple[Game, Lead, list[list[str]]]) -> None:
    game, lead, plays = trick
    kinds = [kinds_of(play) for play in plays]
    winner = game.rules.winner(lead, kinds)
    unit = game.rules.winning_unit(lead, kinds[winner])
    assert unit is not None
    assert not Counter(unit) - Counter(kinds[winner])
    if game.reference.is_bomb(plays[winner]):
        assert unit == tuple(kinds[winner])
        return
    assert len(unit) == len(lead.units[0].cards)
    identical = len(unit) > 3 and len(set(unit)) == 1
    assert identical or sorted(Counter(unit).values()) == sorted(Counter(lead.units[0].cards).values())


@given(games(throw_same_count=False), st.data())
def test_a_throw_succeeds_or_fails_as_brute_force_says(game: Game, data: st.DataObject) -> None:
    lead = game.rules.lead(kinds_of(data.draw(cards(game, 2, 7))))
    trumps = tuple(names_of(game.rules.order.groups[TRUMPS][:5]))
    hands = [data.draw(st.one_of(cards(game, 0, 8), cards(game, 0, 8, trumps))) for _ in range(3)]
    if lead.kind == "throw":
        check_test(game.rules, game.reference, lead, hands)


@given(games(proven_throws=True, throw_failure="beaten_unit", throw_same_count=False), st.data())
def test_a_throw_is_proven_if_the_unseen_cards_in_one_hand_could_not_beat_it(game: Game, data: st.DataObject) -> None:
    led, hand = kinds_of(data.draw(cards(game, 2, 6))), data.draw(cards(game, 0, 8))
    lead = game.rules.lead(led)
    assert game.rules.throw(lead, [counts_of(kinds_of(hand))]).ok
    if lead.kind != "throw":
        return
    units = [((unit.width, unit.length), tuple(dict.fromkeys(names_of(unit.cards)))) for unit in lead.units]
    beaten = game.reference.beaten_by(units, GROUPS[game.group], hand)
    unseen = counts_of(kinds_of(hand))
    if not beaten:
        assert game.rules.lead(led, None, unseen) == lead
        return
    with pytest.raises(IllegalPlay) as refusal:
        game.rules.lead(led, None, unseen)
    assert refusal.value.rule == "proven_throws"


@given(st.one_of(games(), games(throws="none"), games(throws="side_suits")), st.data())
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


@given(situations(most_led=8, most_held=16), st.integers(1, 6))
def test_a_list_of_plays_respects_its_limit_and_says_so(situation: tuple[Game, Lead, list[str]], limit: int) -> None:
    game, lead, hand = situation
    counts = counts_of(kinds_of(hand))
    plays, complete = game.rules.plays(counts, lead, limit=limit)
    assert 1 <= len(plays) <= limit
    every, all_of_them = game.rules.plays(counts, lead, limit=limit + 1)
    if all_of_them or len(every) > limit:
        assert complete == (len(every) <= limit)
    for play in plays:
        game.rules.follow(lead, counts, play)

    # Even the shortest search finds a play.
    (play, *_), complete = game.rules.plays(counts, lead, limit=limit, budget=0)
    assert not complete
    game.rules.follow(lead, counts, play)
