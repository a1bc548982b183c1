"""All vectors of declarations, kitty, friends, scores and levels, run on the functions used by the game."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.common.errors import IllegalCall, IllegalDeclaration, IllegalPlay
from service.rules.cards import CARDS, KIND, KINDS, POINTS, counts_of, kinds_of, points_of
from service.rules.composition import Composition, cards_as_json, composition
from service.rules.games import RULESETS
from service.rules.options.rulesets import effective_options
from service.rules.rounds import arms_length
from service.rules.rounds.chao_di import chao_asked, chao_suit
from service.rules.rounds.declarations import (
    DeclareContext,
    judge,
    laid_out,
    outcome,
    ranks_to_declare,
    suits_ascending,
    trump_maker,
)
from service.rules.rounds.friends import called_by_showing, check_calls, joins
from service.rules.rounds.kitty import kitty_bonus
from service.rules.rounds.levels import advance, game_points, hook, next_round
from service.rules.rounds.redeals import cut, flip_kitty, may_redeal, redeal_starter
from service.rules.rounds.scoring import attackers_total, score
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump, ranking
from tests.rules.vectors import Case, cases, parametrised


def options_of(case: Case) -> dict[str, Any]:
    return effective_options(case["ruleset"], case["players"], case["options"])


def trump_of(value: Mapping[str, str | None]) -> Trump:
    return Trump(value["rank"], value["suit"])


@parametrised(["setup"])
def test_a_game_has_the_cards_of_its_source(case: Case) -> None:
    composed = composition(case["ruleset"], case["players"], options_of(case))
    answer = cards_as_json(composed, RULESETS[case["ruleset"]].teams)
    assert {name: answer[name] for name in case["expect"]} == case["expect"]
    assert composed.decks == case["decks"]


@parametrised(["card_points"])
def test_a_card_counts_its_points(case: Case) -> None:
    assert POINTS[KIND[case["card"]]] == case["expect"]["points"]


def context_of(case: Case) -> DeclareContext:
    options = options_of(case)
    players = case["players"]
    cards = composition(case["ruleset"], players, options)
    levels = case.get("levels", [case.get("level")] * players)
    active = case.get("active", [True] * players)
    fixed = RULESETS[case["ruleset"]].teams == "fixed"
    return DeclareContext(
        options=options,
        decks=case["decks"],
        jokers=(cards.little_jokers, cards.big_jokers),
        ranks=ranks_to_declare(options, levels, active, case.get("level", levels[0])),
        first_round=True,
        declarer=None,
        levels=tuple(levels),
        active=tuple(active),
        teams=tuple(seat % 2 for seat in range(players)) if fixed else None,
    )


@parametrised(["declare"])
def test_declarations_are_judged_one_after_the_other(case: Case) -> None:
    context = context_of(case)
    declarations: list[dict[str, Any]] = []
    moment = False
    accepted = []
    for event in case["events"]:
        if "wait" in event:
            moment = False
            accepted.append(True)
            continue
        cards = laid_out(kinds_of(event["cards"]))
        try:
            meaning = judge(
                context,
                declarations,
                event["seat"],
                cards,
                may_defend=moment,
                meant=event["as"],
                after_kitty=event.get("after_kitty", False),
            )
        except IllegalDeclaration:
            accepted.append(False)
            continue
        declarations.append({"seat": event["seat"], "cards": cards, "as": meaning})
        moment = meaning == "overcall"
        accepted.append(True)
    assert accepted == [answer["accepted"] for answer in case["expect"]]
    maker = trump_maker(context, declarations)
    if maker is None:
        assert case["final"] is None
        assert case["then"] == (context.options["no_declaration"] if any(context.ranks) else "no_trump_rank")
    else:
        seat, trump = maker
        assert {"seat": seat, "suit": trump.suit, "rank": trump.rank} == case["final"]
        assert outcome(context, declarations) == (case.get("declarer", outcome(context, declarations)[0]), trump)


@parametrised(["flip_kitty"])
def test_the_kitty_is_turned_for_a_suit(case: Case) -> None:
    suit, turned = flip_kitty(options_of(case), case["rank"], kinds_of(case["kitty"]))
    assert {"suit": suit, "turned": len(turned)} == case["expect"]


@parametrised(["chao_di"], [case for case in cases() if "chao_di_rule" not in case["options"]])
def test_pairs_overcall_for_the_kitty(case: Case) -> None:
    options, holder = options_of(case), case["declarer"]
    last = case["declaration"]["seat"]
    standing = laid_out(kinds_of(case["declaration"]["cards"]))
    suit = CARDS[standing[0]][1]
    waiting = chao_asked(case["players"], holder=holder, declared_last=last, overcalled=False)
    seats, accepted = waiting[:1], []
    for event in case["events"]:
        in_turn = event["seat"] == waiting[0]
        if in_turn and "cards" in event:
            try:
                suit = chao_suit(options, case["level"], standing, kinds_of(event["cards"]))
            except IllegalDeclaration:
                in_turn = False
            else:
                standing, holder = kinds_of(event["cards"]), event["seat"]
                waiting = chao_asked(case["players"], holder=holder, declared_last=last, overcalled=True)
                seats += waiting[:1]
        elif in_turn:
            waiting = waiting[1:]
            seats += waiting[:1]
        accepted.append(in_turn)
    assert accepted == [answer["accepted"] for answer in case["expect"]]
    assert {"suit": suit, "kitty": holder} == case["final"]
    assert seats == case.get("asked", seats)


@parametrised(["chao_order"])
def test_pairs_for_the_kitty_are_ordered_by_suit(case: Case) -> None:
    options = options_of(case)
    pairs = [kinds_of(pair) for pair in case["descending"]]
    single = [KIND[case["level"] + suits_ascending(options)[-1]]]
    for at, higher in enumerate(pairs):
        chao_suit(options, case["level"], single, higher)
        for lower in pairs[at:]:
            with pytest.raises(IllegalDeclaration):
                chao_suit(options, case["level"], higher, lower)
        for lower in pairs[at + 1 :]:
            chao_suit(options, case["level"], lower, higher)
    assert case["over_single"] is True


@parametrised(["misdeal"])
def test_a_poor_hand_may_ask_for_a_new_deal(case: Case) -> None:
    options, hand = options_of(case), counts_of(kinds_of(case["hand"]))
    assert may_redeal(options, trump_of(case["trump"]), hand, case.get("redeals", 0)) is case["expect"]["may_ask"]
    if "caller" in case:
        assert redeal_starter(options, case["starter"], case["caller"]) == case["expect"]["starter"]


@parametrised(["cut"])
def test_the_cut_card_counts_out_who_draws_first(case: Case) -> None:
    assert cut(case["shuffler"], case["rank"], case["players"]) == case["expect"]["first"]


def cards_of(case: Case) -> Composition:
    return composition(case["ruleset"], case["players"], options_of(case))


def calls_of(case: Case) -> list[dict[str, Any]]:
    return [{**call, "card": KIND[call["card"]]} for call in case["calls"]]


def checked_calls(case: Case) -> list[dict[str, int]]:
    options = options_of(case)
    by_showing = called_by_showing(options, laid_out(kinds_of(case.get("shown", []))))
    if by_showing:
        return by_showing
    order = ranking(trump_of(case["trump"]), options)
    hand = counts_of(kinds_of(case["hand"])) if "hand" in case else None
    return check_calls(calls_of(case), order, cards_of(case), options, hand)


@parametrised(["call"])
def test_cards_may_be_called_for_friends(case: Case) -> None:
    if case["expect"]["valid"]:
        assert len(checked_calls(case)) == len(case["calls"])
    else:
        with pytest.raises(IllegalCall):
            checked_calls(case)


@parametrised(["friends"])
def test_friends_join_with_the_called_copy(case: Case) -> None:
    rules = trick_rules(trump_of(case["trump"]), options_of(case), frozenset())
    players, declarer, calls = case["players"], case["declarer"], checked_calls(case)
    counts, joined, team, points = [0] * KINDS, [], {declarer}, [0] * players
    for number, trick in enumerate(case["tricks"]):
        plays = [kinds_of(play) for play in trick["plays"]]
        for step, cards in enumerate(plays):
            seat = (trick["leader"] + step) % players
            for call in joins(
                calls,
                counts,
                cards,
                by_declarer=seat == declarer,
                on_side=seat in team,
                filled=[each["call"] for each in joined],
                double_join=options_of(case)["double_join"],
            ):
                joined.append({"trick": number, "seat": seat, "call": call})
                team.add(seat)
            for kind in cards:
                counts[kind] += 1
        winner = (trick["leader"] + rules.winner(rules.lead(plays[0]), plays)) % players
        points[winner] += sum(map(points_of, plays))
    assert {
        "joins": joined,
        "declarers": sorted(team),
        "missing": cards_of(case).declarers_max - len(team),
        "attackers_points": sum(points[seat] for seat in range(players) if seat not in team),
    } == {**case["expect"], "declarers": sorted(case["expect"]["declarers"])}


@parametrised(["kitty"])
def test_the_kitty_counts_for_attackers_who_win_the_last_trick(case: Case) -> None:
    options = options_of(case)
    rules, last = trick_rules(trump_of(case["trump"]), options, frozenset()), case["last_trick"]
    won = rules.read_play(kinds_of(last.get("winning", last["lead"])))
    lead, kitty, answer = rules.lead(kinds_of(last["lead"])), kinds_of(case["kitty"]), case.get("revealed", False)
    bonus = kitty_bonus(options, lead, kitty, last["winner_side"], answer, winning=won)
    assert bonus._asdict() == case["expect"]


@parametrised(["score"])
def test_points_make_levels(case: Case) -> None:
    gain = score(
        case["ruleset"],
        options_of(case),
        cards_of(case),
        case["points"],
        case.get("team_size"),
        case.get("last_trick_side"),
    )
    assert gain._asdict() == case["expect"]


@parametrised(["total"])
def test_penalties_move_points_between_the_sides(case: Case) -> None:
    penalties = [(penalty["by"], penalty["points"]) for penalty in case["penalties"]]
    assert attackers_total(case["tricks"], case["kitty_bonus"], penalties) == case["expect"]["points"]


@parametrised(["levels"])
def test_levels_are_gained(case: Case) -> None:
    after = advance(
        options_of(case),
        case["level"],
        case["gained"],
        case["role"],
        attempted=case.get("attempted", ()),
        defended=case.get("defended", ()),
        penalty=case.get("penalty", 0),
        taken_back=case.get("taken_back", 0),
        sent_back=sent_back(case, case["level"]) if case["role"] == "declarers" else None,
        played=case.get("played_level"),
        fixed_teams=RULESETS[case["ruleset"]].teams == "fixed",
    )._asdict()
    assert {name: after[name] for name in case["expect"]} == case["expect"]


@parametrised(["round"])
def test_a_round_moves_everybody_on_the_side_that_gained(case: Case) -> None:
    options = options_of(case)
    gain = score(case["ruleset"], options, cards_of(case), case["points"], len(case["declarers"]))
    levels = []
    for seat, level in enumerate(case["levels"]):
        role = "declarers" if seat in case["declarers"] else "attackers"
        levels.append(advance(options, level, gain.levels if gain.side == role else 0, role).level)
    assert {"side": gain.side, "gained": gain.levels, "levels": levels} == case["expect"]


@parametrised(["active_passive"])
def test_winners_become_active_before_they_climb(case: Case) -> None:
    options = options_of(case)
    standing = [(each["level"], each["active"]) for each in case["start"]]
    for played in case["rounds"]:
        if "no_declaration" in played:
            standing = [(level, True) for level, _ in standing]
        else:
            for seat, (level, was_active) in enumerate(standing):
                active, gained = game_points(was_active, seat in played["winners"], played["game_points"])
                standing[seat] = advance(options, level, gained, "attackers").level, active
        assert [{"level": level, "active": active} for level, active in standing] == played["expect"]


@parametrised(["next"])
def test_the_result_determines_the_next_declarer(case: Case) -> None:
    after = next_round(
        case["ruleset"],
        options_of(case),
        case["players"],
        declarer=case["declarer"],
        declarers=case["declarers"],
        side=case["side"],
        starter=case.get("starter", 0),
    )._asdict()
    assert {name: after[name] for name in case["expect"]} == case["expect"]


def sent_back(case: Case, level: str) -> str | None:
    """Return the level to which the last trick of the case sends a declarer, or None."""
    if "last_trick" not in case:
        return None
    options, trump, last = options_of(case), trump_of(case["trump"]), case["last_trick"]
    rules, winning = trick_rules(trump, options, frozenset()), kinds_of(last["winning"])
    return hook(
        options,
        level,
        trump=trump,
        side=score(case["ruleset"], options, cards_of(case), case["points"], None).side,
        winner_side=last["winner_side"],
        unit=rules.winning_unit(rules.lead(kinds_of(last["lead"])), winning),
        winning=winning,
        played=case.get("played_level"),
    )


@parametrised(["hook"])
def test_the_last_trick_may_send_declarers_back(case: Case) -> None:
    level = sent_back(case, case["trump"]["rank"])
    assert (level is not None) is case["expect"]["sent_back"]
    assert level == case["expect"].get("level")


@parametrised(["arms_follow"])
def test_a_player_is_forced_to_follow_and_to_win(case: Case) -> None:
    trick, hand = kinds_of(case["trick"]), counts_of(kinds_of(case["hand"]))
    legal = arms_length.legal(case["trump"], trick, hand)
    assert sorted(legal) == sorted(kind for play in case["legal"] for kind in kinds_of(play))
    for play in case["legal"]:
        arms_length.check(case["trump"], trick, hand, KIND[play[0]])
    for play in case["illegal"]:
        with pytest.raises(IllegalPlay):
            arms_length.check(case["trump"], trick, hand, KIND[play[0]])


@parametrised(["arms_trick"])
def test_the_best_card_wins_and_a_discard_makes_trumps(case: Case) -> None:
    winner, trump = arms_length.winner(case["trump"], kinds_of(case["plays"]))
    assert {"winner": winner, "trump": trump} == case["expect"]


@parametrised(["arms_score"])
def test_a_partnership_scores_by_the_difference_of_its_roads(case: Case) -> None:
    assert arms_length.score(case["high"], case["low"]) == case["expect"]["score"]


@parametrised(["arms_game"])
def test_four_rounds_make_a_game(case: Case) -> None:
    scores = [[arms_length.score(**side) for side in played["sides"]] for played in case["rounds"]]
    totals = [sum(side) for side in zip(*scores, strict=True)]
    assert {"scores": scores, "totals": totals, "winner": totals.index(max(totals))} == case["expect"]
