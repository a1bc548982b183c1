"""The simulation plays by the rules of `service.rules`, and deals only possible hands, including the true ones."""

import random
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp
from typing import Any

import pytest

from harness.ai_table import Table
from harness.options import SIZES, levels_worth, some_options
from service.rules.cards import POINTS, counts_of, kinds_in, kinds_of
from service.rules.options.rulesets import composition
from service.rules.tricks.rainbows import RAINBOW
from tests.support.sorting import by_day
from tests.workers.rounds import FAST, played, plays_asked, situations
from workers.ai import NORMAL, Effort, burial_of, choose
from workers.ai.heuristics.playing import ranked
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.discards import Discards
from workers.ai.search.searching import Simulation, search
from workers.ai.simulation.card_indices import CardIndices
from workers.ai.simulation.hands import Picking, planes_of
from workers.ai.simulation.playout import Playout
from workers.ai.simulation.tables import Weights
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import World

#: Number of random choices counted.
TIMES = 800
GAMES = [size for size in SIZES if size[0] != "arms_length"]


def play_by_rules(playout: Playout, world: World, leader: int, trick: Trick | None) -> int:
    """Play a world to its end, check each step by the rules, and return the number of plays."""
    number = 0
    while True:
        if trick is None:
            trick = playout.led(world, leader, playout.lead(world, leader))
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come, seat = to_come, trick.seat
            cards = playout.follow(world, trick)
            if follows_by_rules(playout, world, trick, cards):
                trick.win(cards, seat)
            playout.remove(world, seat, cards)
            trick.points += sum(playout.points[index] for index in cards)
            trick.seat = (seat + 1) % playout.game.players
            number += 1
        leader = trick.best_seat
        trick = None
        if not world.hand(leader):
            assert not any(world.hand(seat) for seat in range(world.players))
            return number


def follows_by_rules(playout: Playout, world: World, trick: Trick, cards: list[int]) -> bool:
    """Check that a follow is legal, and that the simulation knows whether it wins; return whether it does."""
    rules, indices, seat, lead = playout.rules, playout.game.indices, trick.seat, trick.lead
    kinds = indices.kinds_of(cards)
    rules.follow(lead, indices.counts(world.hand(seat)), kinds)
    wins = rules.beats(lead, indices.kinds_of(trick.best), kinds)
    if lead.size == 1:
        assert playout.beats(trick, cards[0]) == wins
    elif playout.weighs(lead):
        assert (cards[0] == cards[1] and playout.beats(trick, cards[0])) == wins
    assert playout.wins(trick, cards) == wins
    if lead.group != RAINBOW and any(indices.group[index] != lead.group for index in cards):
        assert len(suit_of(indices, world.hand(seat), lead.group)) < len(cards)
    return wins


def suit_of(indices: CardIndices, hand: Iterable[int], group: int) -> list[int]:
    """Return the cards of a suit."""
    return [index for index in hand if indices.group[index] == group]


@pytest.mark.parametrize("seed", by_day(range(6), range(16)))
def test_every_simulated_play_is_legal_under_any_options_and_wins_when_the_rules_say_so(seed: int) -> None:
    chance = random.Random(seed)
    ruleset, players = chance.choice(GAMES)
    options = some_options(ruleset, players, 8, chance) if seed % 4 else {}
    options = levels_worth(ruleset, players, {**options, "deal_pace": "instant"}, chance)
    number = 0
    for _, view in plays_asked(ruleset, players, options, seed):
        if chance.random() < 0.05 or (view["round"]["trick"] is None and chance.random() < 0.2):
            simulation = Simulation(view, Knowledge(view, memory=True), random.Random(seed))
            number += play_by_rules(simulation.playout, simulation.world().copy(), view["my"]["seat"], simulation.trick)
    assert number > 20


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("finding_friends", 6), ("zhaopengyou", 8)])
def test_deals_fit_everything_that_the_seat_has_seen(ruleset: str, players: int) -> None:
    chance = random.Random(3)
    constrained = 0
    for state, view in plays_asked(ruleset, players, FAST, 4):
        if chance.random() > 0.3:
            continue
        knowledge = Knowledge(view, memory=True)
        simulation = Simulation(view, knowledge, chance)
        known = simulation.known
        indices = known.indices
        for _ in range(3):
            deal = simulation.dealer.deal()
            everything = list(counts_of(deal.kitty))
            for seat, hand in enumerate(deal.hands):
                assert len(hand) == known.held[seat]
                counts = indices.counts(hand)
                everything = [a + b for a, b in zip(everything, counts, strict=True)]
                for group in range(5):
                    suit = suit_of(indices, hand, group)
                    if known.voids[seat] >> group & 1:
                        constrained += 1
                        assert not suit
                    most = known.most_alike.get((seat, group), 99)
                    assert all(suit.count(index) <= most for index in suit)
                for kind in known.holds.get(seat, ()):
                    assert counts[kind] >= list(known.holds[seat]).count(kind)
            true = counts_of(state["round"]["discard"])
            for hand in state["round"]["hands"]:
                true = [a + b for a, b in zip(true, hand, strict=True)]
            assert everything == true
            assert indices.counts(deal.hands[known.seat]) == list(known.hand)
    assert constrained > 50


def test_the_true_deal_occurs_when_few_cards_are_hidden() -> None:
    count = looked = 0
    for state, view in plays_asked("shengji", 4, FAST, 2):
        if 1 < len(view["my"]["hand"]) < 4 and view["my"]["discard"]:
            looked += 1
            simulation = Simulation(view, Knowledge(view, memory=True), random.Random(1))
            true = state["round"]["hands"]
            indices = simulation.game.indices
            count += any(
                all(indices.counts(hand) == true[seat] for seat, hand in enumerate(simulation.dealer.deal().hands))
                for _ in range(6_000)
            )
    assert looked
    assert count == looked


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("shengji", 4, {}),
        ("zhaopengyou", 6, {}),
        ("zhaopengyou_80", 4, {}),
        ("finding_friends", 7, {"kitty_factor": "by_lead"}),
        ("shengji", 4, {"kitty_unit_of": "winning_play", "kitty_side_suit": "half"}),
    ],
)
def test_the_last_trick_is_scored_like_the_round(ruleset: str, players: int, options: dict[str, Any]) -> None:
    for deal in range(3):
        decisions = plays_asked(ruleset, players, {**FAST, **options}, deal)
        result = played(ruleset, players, {**FAST, **options}, deal).result
        state, view = next(each for each in decisions[::-1] if each.view["round"]["trick"] is None)
        knowledge = Knowledge(view, memory=True)
        simulation = Simulation(view, knowledge, random.Random(0))
        game, indices = simulation.game, simulation.game.indices
        world = simulation.world()
        world.deal([indices.listed(hand) for hand in state["round"]["hands"]])
        world.bury(state["round"]["discard"])
        world = world.copy()
        world.find_friends(game)
        trick = simulation.playout.led(world, view["my"]["seat"], indices.indices_of(kinds_of(view["my"]["hand"])))
        simulation.playout.finish(world, trick)
        world.taken[trick.best_seat] += trick.points
        attackers = [seat for seat in range(players) if not world.is_open(seat)]
        points = sum(world.taken[seat] for seat in attackers)
        if trick.best_seat in attackers:
            points += game.factor(trick.lead, indices.kinds_of(trick.best)) * world.kitty_points
        assert game.total(world, points) == result["points"]
        assert [seat for seat in range(players) if seat not in attackers] == result["declarers"]


def test_simulated_seats_hurry_to_play_a_called_card() -> None:
    hurried: Counter[str] = Counter()
    for view, simulation, world in situations("zhaopengyou", 6, range(4)):
        playout, trick = simulation.playout, simulation.trick
        indices = simulation.game.indices
        # Who has buried the kitty simulates the others as if they knew it, too.
        buried = [] if simulation.known.buried else indices.indices_of(world.kitty)
        for seat in range(6) if trick is None else [view["my"]["seat"]]:
            allowed = allowed_by(indices, world, trick, seat, raced_by(world, seat, buried))
            if allowed and trick is None:
                assert playout.lead(world, seat)[0] in allowed
                hurried["lead"] += 1
            elif allowed and trick and playout.weighs(trick.lead):
                assert set(playout.follow(world, trick)) & allowed
                hurried["single" if trick.lead.size == 1 else "pair"] += 1
    assert min(hurried[what] for what in ("lead", "single", "pair"))


def test_every_follow_to_a_pair_has_a_called_card_that_others_may_hold() -> None:
    cases: set[tuple[bool, int]] = set()
    for _, simulation, world in situations("zhaopengyou", 6, range(4)):
        trick, game = simulation.trick, simulation.game
        if trick is None or trick.lead.size != 2 or not simulation.playout.weighs(trick.lead):
            continue
        seat = simulation.knowledge.seat
        playout = Playout(game._replace(cards=composition("zhaopengyou", 6, {**game.options, "decks": 3})))
        for index in raced_by(world, seat, game.indices.indices_of(world.kitty)):
            # In suit or void, alone or with other cards, while another hand may hold a third copy.
            own = playout.group[index]
            remaining = sorted([index, *world.remaining()])
            others = [each for each in dict.fromkeys(suit_of(game.indices, remaining, own)) if each != index][:2]
            for cards in ([index] * 2, [index, index, others[0], others[0]], [index, *others]):
                hands = [cards if other == seat else world.hand(other) for other in range(world.players)]
                richer = with_planes(world, [*hands, remaining], playout.depth)
                assert all(index in pair for _, pair, _ in playout.pairs(richer, trick, seat))
                assert index in playout.follow(richer, trick)
                cases.add((own == trick.lead.group, len(cards)))
    assert cases == {(suited, size) for suited in (True, False) for size in (2, 3, 4)}


def with_planes(world: World, hands: Sequence[list[int]], depth: int) -> World:
    """Return a world with these hands and remaining cards, the last of them, in so many planes."""
    store = planes_of(list(hands), depth) + world.store[world.voids :]
    other = World(
        store, world.players, depth, world.taken[:], world.open_declarers, world.calls[:], dict(world.called_counts)
    )
    other.declarers = world.declarers
    return other


def raced_by(world: World, seat: int, buried: Sequence[int]) -> set[int]:
    """Return the called cards with which a seat and, as far as it knows, another one could join the declarer now."""
    first = {
        index for index, ordinal in world.calls if ordinal == world.called_counts[index] + 1 and not world.is_open(seat)
    }
    held = [set(world.hand(other)) for other in range(world.players)]
    return {index for index in first & held[seat] if index in buried or sum(index in hand for hand in held) > 1}


def allowed_by(indices: CardIndices, world: World, trick: Trick | None, seat: int, cards: set[int]) -> set[int]:
    """Return those cards that a seat may lead, or play alone or with any other to a single card or pair."""
    if trick is None or not (suit := suit_of(indices, world.hand(seat), trick.lead.group)):
        return cards
    has_pair = trick.lead.size > 1 and len(set(suit)) < len(suit)
    return set() if has_pair else cards & set(suit)


def test_a_search_is_repeatable_and_does_what_its_effort_allows() -> None:
    effort = Effort(candidates=4, nominate=6, confirm=8, surety=0.5, plays=1_000_000)
    overruled = 0
    for _, view in plays_asked("shengji", 4, FAST, 9):
        if len(view["my"]["hand"]) % 4:
            continue
        knowledge = Knowledge(view, memory=True)
        plays = ranked(knowledge)
        outcomes = [search(Simulation(view, knowledge, random.Random(5)), plays, effort) for _ in range(2)]
        assert outcomes[0] == outcomes[1]
        assert outcomes[0].worlds <= 14
        assert outcomes[0].play in plays[:4]
        overruled += outcomes[0].play != plays[0]
        # A play with an impossible handicap is not chosen.
        assert (
            search(Simulation(view, knowledge, random.Random(5)), plays, effort, [0.0, *[9.0] * len(plays)])[0]
            == plays[0]
        )
    assert overruled


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_cached_situations_do_not_change_simulated_plays(ruleset: str, players: int) -> None:
    playout: Playout | None = None
    compared = 0
    for view, simulation, world in situations(ruleset, players, range(1)):
        playout = playout or simulation.playout
        fresh = Playout(simulation.game, Weights(playout.weights.each))
        trick, seat = simulation.trick, view["my"]["seat"]
        if trick is None:
            assert playout.leads(world, seat) == fresh.leads(world, seat)
        else:
            assert playout.singles(world, trick, seat) == fresh.singles(world, trick, seat)
            if trick.lead.size == 2:
                assert playout.pairs(world, trick, seat) == fresh.pairs(world, trick, seat)
        compared += 1
    assert compared > 20


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_simulated_seats_mostly_play_what_normal_does(ruleset: str, players: int) -> None:
    same = compared = 0
    for view, simulation, world in situations(ruleset, players, range(2)):
        playout, trick = simulation.playout, simulation.trick
        cards = playout.lead(world, view["my"]["seat"]) if trick is None else playout.follow(world, trick)
        same += sorted(cards) == simulation.indices_of(tuple(kinds_of(choose(view, b"x", "normal")["cards"])))
        compared += 1
    assert same > 0.7 * compared


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_random_choices_have_the_probabilities_of_their_scores(ruleset: str, players: int) -> None:
    compared = 0
    for number, (_, view) in enumerate(plays_asked(ruleset, players, FAST, 6)):
        simulation = Simulation(view, Knowledge(view, memory=True), random.Random(number), thorough=True)
        playout, trick, world, seat = simulation.playout, simulation.trick, simulation.world(), view["my"]["seat"]
        if playout.called(world, seat, -1 if trick is None else trick.lead.group) >= 0:
            continue
        if trick is not None and trick.lead.size == 2 and trick.lead.kind == "tuple":
            options = [(worth, cards) for worth, cards, _ in playout.pairs(world, trick, seat)]
        elif number % 4 == 0 and (trick is None or trick.lead.size == 1):
            options = options_of(playout, world, trick, seat)
        else:
            continue
        whole = sum(exp(worth) for worth, _ in options)
        expected: Counter[tuple[int, ...]] = Counter()
        for worth, cards in options:
            expected[tuple(sorted(cards))] += exp(worth) / whole
        chosen: Counter[tuple[int, ...]] = Counter()
        for luck in range(TIMES):
            world.luck = 1009 * luck
            cards = playout.lead(world, seat) if trick is None else playout.follow(world, trick)
            chosen[tuple(sorted(cards))] += 1
        assert set(chosen) <= set(expected)
        for play, chance in expected.items():
            assert chosen[play] / TIMES == pytest.approx(chance, abs=5 * (chance * (1 - chance) / TIMES) ** 0.5 + 0.005)
        compared += len(expected) > 1
    assert compared > 10


def test_with_the_same_luck_the_same_is_chosen_and_steady_seats_need_none() -> None:
    differs = 0
    for number, (_, view) in enumerate(plays_asked("shengji", 4, FAST, 6)):
        if number % 5:
            continue
        knowledge = Knowledge(view, memory=True)
        for thorough in (False, True):
            simulation = Simulation(view, knowledge, random.Random(number), thorough=thorough)
            world, cards = simulation.world(), simulation.indices_of(ranked(knowledge)[0])
            values = []
            for luck in range(8):
                world.luck = 1009 * luck
                values.append(simulation.value(world, cards))
                assert simulation.value(world, cards) == values[-1]
            if thorough:
                differs += len(set(values)) > 1
            else:
                assert len(set(values)) == 1
    assert differs > 5


def test_cards_worth_giving_are_the_lowest_of_each_class() -> None:
    # Cards 2, 4 and 6 have points, 4 and 6 most.
    empty = array("i")
    picking = Picking(2, array("Q"), 0b1010100, 0b1010000, empty, empty)

    def cheap(cards: int, twice: int) -> list[int]:
        return [picking.picked[at] for at in range(picking.cheap(cards, twice))]

    assert cheap(0b1010111, 0b1) == [0, 4, 2, 1]
    assert cheap(0b1010, 0b1010) == [1]
    assert cheap(0b10100, 0b10000) == [2, 4]
    assert cheap(0b100000, 0) == [5]


def options_of(playout: Playout, world: World, trick: Trick | None, seat: int) -> list[tuple[float, list[int]]]:
    """Return leads, or follows to a single card, with their scores."""
    if trick is None:
        return playout.leads(world, seat)
    return [(worth, [card]) for worth, card, _ in playout.singles(world, trick, seat)]


def discards_asked(ruleset: str, players: int, deals: range) -> Iterator[dict[str, Any]]:
    """Yield the views of seats that have to bury cards."""
    for deal in deals:
        table = Table(ruleset, players, FAST, deal)
        discards: list[dict[str, Any]] = []

        def note(_: int, view: dict[str, Any], discards: list[dict[str, Any]] = discards) -> Any:
            if view["decision"]["kind"] == "discard":
                discards.append(view)
            return choose(view, b"x", "normal")

        while not discards:
            table.step(note)
        yield discards[0]


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_buried_points_are_worth_less_than_others(ruleset: str, players: int) -> None:
    poorer = 0
    for view in discards_asked(ruleset, players, range(1, 4)):
        knowledge = Knowledge(view, memory=True)
        discards = Discards(view, knowledge, random.Random(1))
        size = view["decision"]["hints"]["cards"]
        usual = burial_of(view, NORMAL).best()
        rich = sorted(kinds_in(knowledge.hand), key=lambda kind: -POINTS[kind])[:size]
        indices = [discards.game.indices.indices_of(cards) for cards in (usual, rich)]
        worlds = [discards.world() for _ in range(16)]
        values = [sum(discards.value(world, each) for world in worlds) for each in indices]
        assert [discards.value(world, indices[0]) for world in worlds] == [
            discards.value(w, indices[0]) for w in worlds
        ]
        poorer += values[1] < values[0]
    assert poorer == 3


def test_candidates_to_bury_are_parts_of_the_hand_and_the_first_is_the_rules() -> None:
    for view in discards_asked("shengji", 4, range(6)):
        knowledge, burial = Knowledge(view, memory=True), burial_of(view, NORMAL)
        size = view["decision"]["hints"]["cards"]
        candidates = burial.candidates()
        assert candidates[0] == burial.best()
        assert len(candidates) == len(set(candidates)) > 2
        for cards in candidates:
            assert len(cards) == size
            assert all(buried <= held for buried, held in zip(counts_of(cards), knowledge.hand, strict=True))


def waiting(view: dict[str, Any]) -> list[Any]:
    return [call for call in view["round"]["calls"] if call["filled_by"] is None]


def test_following_counts_a_third_more_while_a_call_is_open() -> None:
    view = next(
        view for _, view in plays_asked("zhaopengyou", 6, FAST, 3) if waiting(view) and view["round"]["trick"] is None
    )
    simulation = Simulation(view, Knowledge(view, memory=True), random.Random(1))
    works = []
    for is_open in (False, True):
        world = simulation.world()
        world.call(world.calls if is_open else [])
        hand = world.hand(simulation.knowledge.seat)
        before = simulation.work
        simulation.playout.finish(world, simulation.playout.led(world, simulation.knowledge.seat, hand[:1]))
        works.append(simulation.work - before)
    assert works == [6, 8]
