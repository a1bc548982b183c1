"""The score of a round: points, kitty, levels gained, next declarer."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from service.common.errors import IllegalPlay
from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game, end_round, go_on_or_end
from service.game.commands.transaction import Transaction
from service.game.events.round_types import LevelChange, LevelsChanged, NextRound, RoundScored
from service.game.state.queries import attackers_points, declarer_of, declarers, filled_calls, round_of
from service.game.state.rules import (
    composition_of,
    has_fixed_teams,
    lead_of,
    options_of,
    reading_of,
    rules_of,
    trump_of,
)
from service.game.state.settings import listed_level
from service.game.state.types import Cards, Side, State, Trick
from service.rules.cards import points_of
from service.rules.rounds.friends import unseen_friends
from service.rules.rounds.kitty import KittyBonus, kitty_bonus
from service.rules.rounds.levels import advance, debts, game_points, hook, next_round, rank_of_level
from service.rules.rounds.scoring import ATTACKERS, DECLARERS, Score, attackers_total, score
from service.rules.tricks.leads import Lead
from service.rules.tricks.trick_rules import TrickRules


class LastTrick(NamedTuple):
    """The last trick: the side that won it, the winning cards, and those that matched the largest unit of the lead."""

    side: Side
    cards: Cards
    unit: tuple[int, ...] | None


class _Result(NamedTuple):
    """The result of a round before levels change.

    `levels_owed`: by seat, for failed throws and false claims of this round.
    """

    reason: Literal["played", "throw_failed"]
    sides: list[Side]
    points: int
    kitty: KittyBonus
    score: Score
    levels_owed: Mapping[int, int]
    last_trick: LastTrick | None = None


def score_played_round(tx: Transaction) -> Milestone | None:
    """Score a round that was played to its last trick."""
    state, table_round = tx.state, tx.round
    trick = table_round["last_trick"]
    if trick is None:
        raise AssertionError("a round has at least one trick")
    sides, rules = _final_sides(state), rules_of(state)
    lead, last = lead_of(rules, trick), _last_trick(rules, trick, sides)
    kitty = kitty_bonus(
        options_of(state),
        lead,
        table_round["discard"] or [],
        last.side,
        table_round["revealed"],
        winning=_winning_play(state, lead, last.cards),
    )
    points = _total(state, sides, attackers_points(state, sides), kitty.bonus)
    owed = _debts(state, sides, table_round.get("owing", ()))
    return _finish(tx, _Result("played", sides, points, kitty, _score(state, sides, points, last.side), owed, last))


def _last_trick(rules: TrickRules, trick: Trick, sides: list[Side]) -> LastTrick:
    winner = trick["winner"]
    cards = next(play["cards"] for play in trick["plays"] if play["seat"] == winner)
    return LastTrick(sides[winner], cards, rules.winning_unit(lead_of(rules, trick), cards))


def _winning_play(state: State, lead: Lead, cards: Cards) -> Lead | None:
    """Return the play that won the last trick, read like a lead, if the kitty bonus depends on it."""
    options = options_of(state)
    if options["kitty_unit_of"] == "lead" and options["kitty_side_suit"] == "full":
        return None
    try:
        return rules_of(state).read_play(cards)
    except IllegalPlay:
        # A play that answers a rainbow may have too few suits to be a lead itself.
        return lead


def score_stopped_round(tx: Transaction) -> Milestone | None:
    """Score a round that ended with a failed throw (docs/rules.md §6.4).

    Under `unplayed_to_others` the cards still held go to the other side. There is no kitty bonus, since the last trick
    is not played.
    """
    state, table_round, options = tx.state, tx.round, options_of(tx.state)
    leader = tx.events[-1]["data"]["seat"]
    sides = _sides_when_stopped(state, leader)
    others = ATTACKERS if sides[leader] == DECLARERS else DECLARERS
    points, gained = attackers_points(state, sides), Score(others, 1)
    owed: Mapping[int, int] = {}
    if options["throw_failure"] == "penalty_levels":
        gained, owed = Score(None, 0), _debts(state, sides, [leader])
    elif options["throw_forfeit"] == "unplayed_to_others":
        if others == ATTACKERS:
            held = (kind for hand in table_round["hands"] for kind, count in enumerate(hand) for _ in range(count))
            points += points_of(held)
        points = _total(state, sides, points, 0)
        gained = _score(state, sides, points)
    kitty = KittyBonus(points_of(table_round["discard"] or []), 0, 0)
    return _finish(tx, _Result("throw_failed", sides, points, kitty, gained, owed))


def _final_sides(state: State) -> list[Side]:
    """Return the sides at the end of a round: players who have not joined the declarer are attackers."""
    return ["declarers" if side == "declarers" else "attackers" for side in round_of(state)["sides"]]


def _sides_when_stopped(state: State, leader: int) -> list[Side]:
    """Return the sides when a throw of `leader` ends the round: holders of called cards are friends too."""
    table_round, sides = round_of(state), _final_sides(state)
    if table_round["calls"] and reading_of(state).holders_are_friends:
        calls = cast("Sequence[dict[str, int]]", table_round["calls"])
        friends = unseen_friends(
            calls,
            filled_calls(table_round),
            table_round["played"],
            table_round["hands"],
            declarer=declarer_of(table_round),
            leader=leader,
            side=declarers(state),
            double_join=options_of(state)["double_join"],
        )
        for friend in friends:
            sides[friend] = "declarers"
    return sides


def _total(state: State, sides: list[Side], tricks: int, kitty_bonus: int) -> int:
    """Return the attackers' points. Throw penalties of friends count for the declarers, since sides are known now."""
    penalties = [(sides[penalty["seat"]], penalty["points"]) for penalty in round_of(state)["penalties"]]
    return attackers_total(tricks, kitty_bonus, penalties, negative=options_of(state)["negative_points"])


def _debts(state: State, sides: list[Side], leaders: Iterable[int]) -> dict[int, int]:
    """Return seat -> levels owed for the failed throws of these leaders."""
    owed: Counter[int] = Counter()
    is_shared = has_fixed_teams(state) and reading_of(state).team_shares_debt
    for leader in leaders:
        side = [seat for seat, each in enumerate(sides) if each == sides[leader]]
        owed.update(debts(leader, side, fixed_teams=is_shared))
    return owed


def _score(state: State, sides: list[Side], points: int, last_trick: Side | None = None) -> Score:
    team_size = None if has_fixed_teams(state) else sides.count("declarers")
    return score(state["ruleset"], options_of(state), composition_of(state), points, team_size, last_trick)


def _finish(tx: Transaction, result: _Result) -> Milestone | None:
    """Emit the result, the levels and the next declarer; end the game if it is won."""
    sides = result.sides
    _book_score(tx, result)
    standings = [_standing_after(tx.state, seat, side, result) for seat, side in enumerate(sides)]
    changes = [standing for standing in standings if standing != _standing(tx.state, standing["seat"])]
    if changes:
        data: LevelsChanged = {"seats": changes}
        tx.emit("levels_changed", data, "server")
    end_round(tx, _next_round(tx.state, sides, result.score.side))
    if "board" in tx.state["settings"]:
        end_game(tx, [seat for seat, side in enumerate(sides) if side == result.score.side], "one_round")
        return None
    winners = [standing["seat"] for standing in standings if standing["won"]]
    if not winners or options_of(tx.state)["after_last"] == "wrap":
        return go_on_or_end(tx)
    end_game(tx, winners, "passed_last_level")
    return None


def _book_score(tx: Transaction, result: _Result) -> None:
    table_round, sides = tx.round, result.sides
    points, levels, side = result.points, result.score.levels, cast("Side | None", result.score.side)
    kitty = result.kitty
    data: RoundScored = {
        "reason": result.reason,
        "points": points,
        "trick_points": attackers_points(tx.state, sides),
        "kitty": {
            "cards": table_round["discard"] or [],
            "points": kitty.points,
            "factor": kitty.factor,
            "bonus": kitty.bonus,
        },
        "penalties": table_round["penalties"],
        "sides": sides,
        "side": side,
        "levels": levels,
        "summary": {
            "points": points,
            "side": side,
            "levels": levels,
            "declarer": table_round["declarer"],
            "declarers": [seat for seat, each in enumerate(sides) if each == DECLARERS],
        },
    }
    tx.emit("round_scored", data, "server")


def _standing(state: State, number: int) -> LevelChange:
    seat = state["seats"][number]
    return {
        "seat": number,
        "from": seat["level"],
        "to": seat["level"],
        "active": seat["active"],
        "attempted": seat["attempted"],
        "penalty": seat["penalty"],
        "won": False,
        "defended": seat.get("defended", []),
        "laps": seat.get("laps", 0),
    }


def _standing_after(state: State, seat: int, side: Side, result: _Result) -> LevelChange:
    """Return the standing of a seat after the round."""
    options, gained, reading = options_of(state), result.score, reading_of(state)
    standing = _standing(state, seat)
    levels = gained.levels if side == gained.side else 0
    if options["active_passive"] and gained.side is not None:
        standing["active"], levels = game_points(standing["active"], side == gained.side, levels)
    climb = advance(
        options,
        standing["from"],
        levels,
        side,
        attempted=standing["attempted"],
        defended=standing["defended"] if reading.defended_counts else (),
        penalty=standing["penalty"] + result.levels_owed.get(seat, 0),
        taken_back=sum(result.sides[taker] == side for taker in round_of(state).get("taken_back", ())),
        sent_back=_sent_back(state, standing["from"], side, result),
        played=_played_level(state),
        fixed_teams=has_fixed_teams(state),
        won=side == gained.side if reading.passive_win_at_level else None,
    )
    listed = listed_level(state)
    if listed is not None:
        # Whoever wins, the next round is played at the next level of the list.
        standing["to"] = listed
        return standing
    standing["to"], standing["won"], standing["penalty"] = climb.level, climb.won, climb.penalty
    standing["attempted"], standing["defended"] = list(climb.attempted), list(climb.defended)
    if not reading.defended_counts:
        standing["defended"] = []
    if options["after_last"] == "wrap":
        standing["laps"] += climb.laps
    return standing


def _played_level(state: State) -> str:
    """Return the level at which the round was played: the declarer's, or the trump rank if it differs.

    It differs in an open new deal, and after an overcall for the kitty by a player with another level.
    """
    level, rank = state["seats"][declarer_of(round_of(state))]["level"], trump_of(state).rank
    return level if rank is None or rank == rank_of_level(level) else rank


def _sent_back(state: State, level: str, side: Side, result: _Result) -> str | None:
    """Return the level to which the last trick sends a declarer who stands at `level`."""
    last = result.last_trick
    if last is None or side != DECLARERS:
        return None
    return hook(
        options_of(state),
        level,
        trump=trump_of(state),
        side=result.score.side,
        winner_side=last.side,
        unit=last.unit,
        winning=last.cards,
        played=_played_level(state),
    )


def _next_round(state: State, sides: list[Side], side: str | None) -> NextRound:
    """Return who declares and who draws first in the next round."""
    table_round = round_of(state)
    following = next_round(
        state["ruleset"],
        options_of(state),
        state["players"],
        declarer=declarer_of(table_round),
        declarers=[seat for seat, each in enumerate(sides) if each == DECLARERS],
        side=side,
        starter=table_round["starter"],
    )
    return {"declarer": following.declarer, "starter": following.starter}
