"""The likelihood of deals given the plays of others."""

import random
from typing import Any

import pytest

from service.rules.rounds.friends import OTHER_COPY, joins
from tests.workers.rounds import FAST, plays_asked
from workers.ai.deals.likelihood import Likelihood
from workers.ai.deals.past import tricks_of
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.searching import Simulation
from workers.ai.simulation.hands import planes_of
from workers.ai.simulation.world import Call, World

GAMES = [
    ("shengji", 4, {}),
    ("tractor", 4, {}),
    ("zhaopengyou", 6, {}),
    ("zhaopengyou", 8, {"rainbow": 4}),
    ("zhaopengyou", 8, {"double_join": False}),
]


def simulation_of(view: dict[str, Any], *, thorough: bool = False) -> Simulation:
    return Simulation(view, Knowledge(view, memory=True), random.Random(1), thorough=thorough)


def likelihood_of(view: dict[str, Any], simulation: Simulation) -> Likelihood:
    return Likelihood(view, simulation.playout, simulation.world().remaining())


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES, ids=str)
def test_it_reconstructs_each_decision_as_its_seat_saw_it(ruleset: str, players: int, options: dict[str, Any]) -> None:
    """Seen from the end of a round, tricks, voids, remaining cards, calls and friends are those at the decision."""
    then: list[tuple[int, Simulation, list[Any]]] = []
    last: dict[str, Any] = {}
    kitty: list[int] = []
    for state, view in plays_asked(ruleset, players, {**FAST, **options}, 5):
        then.append((view["my"]["seat"], simulation_of(view), state["round"]["hands"]))
        last, kitty = view, state["round"]["discard"]
    now = simulation_of(last)
    me, indices = last["my"]["seat"], now.game.indices
    # The burier knows that the kitty is not among the remaining cards.
    buried = [] if now.known.buried else kitty
    moments = [iter(list(moments_of_seat)[::-1]) for moments_of_seat in likelihood_of(last, now)._moments]
    compared = 0
    for seat, simulation, hands in then[:-1]:
        if seat == me:
            continue
        moment = next(moments[seat])
        compared += 1
        world, trick, truth = moment.world, simulation.trick, simulation.world()
        left = [sum(copies) + buried.count(kind) for kind, copies in enumerate(zip(*hands, strict=True))]
        assert world.remaining() == indices.listed(left)
        assert world.open_declarers == truth.open_declarers
        assert sorted(world.calls) == sorted(truth.calls)
        others = ~(1 << seat)
        assert [voids & others for voids in world.store[world.voids :]] == [
            voids & others for voids in truth.store[truth.voids :]
        ]
        if trick is None:
            assert moment.trick is None
        else:
            assert moment.trick is not None
            for name in ("best", "best_seat", "points", "seat", "to_come", "size"):
                assert getattr(moment.trick, name) == getattr(trick, name), name
            assert moment.trick.lead.group == trick.lead.group
    assert compared > 30


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES, ids=str)
def test_the_true_deal_explains_the_plays_better_than_others(
    ruleset: str, players: int, options: dict[str, Any]
) -> None:
    chance = random.Random(2)
    better = compared = 0
    for state, view in plays_asked(ruleset, players, {**FAST, **options}, 6):
        if chance.random() < 0.8 or len(tricks_of(view)) < 5:
            continue
        simulation = simulation_of(view)
        likelihood = likelihood_of(view, simulation)
        indices, depth = simulation.game.indices, simulation.game.depth
        true = likelihood.of(planes_of([indices.listed(hand) for hand in state["round"]["hands"]], depth))
        others = [likelihood.of(planes_of(simulation.dealer.deal().hands, depth)) for _ in range(8)]
        better += sum(true > other for other in others)
        compared += len(others)
    assert compared > 30
    assert better > 0.65 * compared


def test_only_the_hands_of_others_matter() -> None:
    state, view = next(each for each in plays_asked("shengji", 4, FAST, 7) if len(tricks_of(each.view)) > 12)
    simulation = simulation_of(view)
    likelihood = likelihood_of(view, simulation)
    hands = [simulation.game.indices.listed(hand) for hand in state["round"]["hands"]]
    before = likelihood.of(planes_of(hands, simulation.game.depth))
    hands[view["my"]["seat"]] = []
    planes = planes_of(hands, simulation.game.depth)
    assert likelihood.of(planes) == before == likelihood_of(view, simulation).of(planes)


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_deals_that_explain_the_plays_are_more_frequent(ruleset: str, players: int) -> None:
    gains = []
    for number, (_, view) in enumerate(plays_asked(ruleset, players, FAST, 8)):
        if number % 4 or len(tricks_of(view)) < 5:
            continue
        plain, picked = simulation_of(view), simulation_of(view, thorough=True)
        likelihood = likelihood_of(view, plain)
        gains.append(
            sum(likelihood.of(picked.world().store) - likelihood.of(plain.world().store) for _ in range(6)) / 6
        )
    assert len(gains) > 8
    assert sum(gains) / len(gains) > 2.0


def test_a_forced_lead_carries_no_information() -> None:
    view = next(view for _, view in plays_asked("shengji", 4, FAST, 9) if len(tricks_of(view)) > 8)
    simulation = simulation_of(view)
    free = [{**trick, "forced": False} for trick in view["round"]["earlier_tricks"]]
    number = next(at for at, trick in enumerate(free) if trick["leader"] != view["my"]["seat"])
    forced = [{**trick, "forced": at == number} for at, trick in enumerate(free)]
    evidence = [
        likelihood_of({**view, "round": {**view["round"], "earlier_tricks": tricks}}, simulation).telling
        for tricks in (free, forced)
    ]
    assert evidence[1] == evidence[0] - 1


def test_it_is_not_used_without_all_tricks() -> None:
    """Views of the API have only the last two tricks, and rounds that began under an earlier version lack some."""
    seat_view = next(seat_view for _, seat_view in plays_asked("shengji", 4, FAST, 9) if len(tricks_of(seat_view)) > 8)
    plain = {**seat_view, "round": {key: value for key, value in seat_view["round"].items() if key != "earlier_tricks"}}
    some = {**seat_view, "round": {**seat_view["round"], "earlier_tricks": seat_view["round"]["earlier_tricks"][1:]}}
    for view in (plain, some):
        simulation = simulation_of(view, thorough=True)
        assert simulation._likelihood is None
        simulation.world()
    assert len(tricks_of(plain)) in {1, 2}
    assert simulation_of(seat_view, thorough=True)._likelihood is not None


@pytest.mark.parametrize("double_join", [True, False])
def test_calls_of_a_simulated_round_are_filled_by_the_rules(*, double_join: bool) -> None:
    chance = random.Random(3)
    view = next(view for _, view in plays_asked("zhaopengyou", 6, FAST, 5))
    game = simulation_of(view).game
    game = game._replace(options={**game.options, "double_join": double_join})
    joined = 0
    for _ in range(300):
        indices = chance.sample(range(54), 2)
        ordinals = chance.choice([(1, 2), (2, 3), (1, 3), (OTHER_COPY,), (2,)])
        named = [Call(index, ordinal) for index in indices for ordinal in ordinals]
        store = planes_of([[]] * 7, game.depth)
        world = World(store, 6, game.depth, [], 1 << game.declarer, named[:], {})
        calls = [{"card": game.indices.kind[call.card], "ordinal": call.ordinal} for call in named]
        sides, played, filled = [seat == game.declarer for seat in range(6)], [0] * 54, set[int]()
        for _ in range(8):
            seat, index, copies = chance.randrange(6), chance.choice(indices), chance.choice([1, 1, 2])
            cards, by_declarer = [game.indices.kind[index]] * copies, seat == game.declarer
            joiners = joins(
                calls,
                played,
                cards,
                by_declarer=by_declarer,
                on_side=sides[seat],
                filled=filled,
                double_join=double_join,
            )
            new = set(joiners) - filled
            filled |= new
            sides[seat] = sides[seat] or bool(new)
            played[cards[0]] += copies
            world.called_played(game, seat, index, copies)
            assert sorted(world.calls) == sorted(call for at, call in enumerate(named) if at not in filled)
            assert [world.is_open(seat) for seat in range(6)] == sides
            joined += len(new)
    assert joined > 300
