"""The score of a round: points, the kitty, who gains levels, who declares next."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game, end_round
from service.game.commands.transaction import Transaction
from service.game.events.types import LevelChange, LevelsChanged, NextRound, RoundScored
from service.game.state.queries import attackers_points, declarers, round_of
from service.game.state.rules import composition_of, has_fixed_teams, lead_of, rules_of, trump_of
from service.game.state.types import Side, State, Trick
from service.rules.cards import points_of
from service.rules.rounds.kitty import KittyBonus, kitty_bonus
from service.rules.rounds.levels import advance, game_points, hook, next_round
from service.rules.rounds.scoring import ATTACKERS, DECLARERS, Score, attackers_total, score
from service.rules.tricks.throws import LEADER_OWES, PARTNER_OWES

_NOTHING_OWED: Final[Mapping[int, int]] = {}


class LastTrick(NamedTuple):
    """The side that won the last trick, and the cards with which it answered the largest unit of the lead."""

    side: Side
    unit: tuple[int, ...] | None


class _Result(NamedTuple):
    """What a round comes to, before anybody moves up."""

    reason: Literal["played", "throw_failed"]
    points: int
    kitty: KittyBonus
    score: Score
    levels_owed: Mapping[int, int] = _NOTHING_OWED
    last_trick: LastTrick | None = None


def score_played_round(tx: Transaction) -> Milestone | None:
    """Score a round that was played to its last trick."""
    state, table_round = tx.state, tx.round
    trick = table_round["last_trick"]
    if trick is None:
        raise AssertionError("a round has at least one trick")
    last, rules = _last_trick(state, trick), rules_of(state)
    kitty = kitty_bonus(
        state["options"], lead_of(rules, trick), table_round["discard"] or [], last.side, table_round["revealed"]
    )
    points = attackers_total(attackers_points(state), kitty.bonus, _throw_penalties(state))
    return _finish(tx, _Result("played", points, kitty, _score(state, points), last_trick=last))


def _last_trick(state: State, trick: Trick) -> LastTrick:
    winner, rules = trick["winner"], rules_of(state)
    cards = next(play["cards"] for play in trick["plays"] if play["seat"] == winner)
    return LastTrick(_final_sides(state)[winner], rules.winning_unit(lead_of(rules, trick), cards))


def score_stopped_round(tx: Transaction) -> Milestone | None:
    """Score a round that a failed throw has stopped (docs/rules.md §6.4).

    Under `unplayed_to_others` the cards still held go to the other side. The kitty goes to nobody: its bonus belongs to
    whoever wins the last trick, which is not played.
    """
    state, table_round, options = tx.state, tx.round, tx.state["options"]
    leader = tx.events[-1]["data"]["seat"]
    sides = _final_sides(state)
    others = ATTACKERS if sides[leader] == DECLARERS else DECLARERS
    points, gained, owed = attackers_points(state), Score(others, 1), _NOTHING_OWED
    if options["throw_failure"] == "penalty_levels":
        gained = Score(None, 0)
        owed = {
            seat: LEADER_OWES if seat == leader else PARTNER_OWES
            for seat, side in enumerate(sides)
            if side == sides[leader]
        }
    elif options["throw_forfeit"] == "unplayed_to_others":
        if others == ATTACKERS:
            held = (kind for hand in table_round["hands"] for kind, count in enumerate(hand) for _ in range(count))
            points += points_of(held)
        points = attackers_total(points, 0, _throw_penalties(state))
        gained = _score(state, points)
    kitty = KittyBonus(points_of(table_round["discard"] or []), 0, 0)
    return _finish(tx, _Result("throw_failed", points, kitty, gained, owed))


def _final_sides(state: State) -> list[Side]:
    """Return the sides at the end of a round: whoever has not joined the declarer is an attacker."""
    return ["declarers" if side == "declarers" else "attackers" for side in round_of(state)["sides"]]


def _throw_penalties(state: State) -> list[tuple[str, int]]:
    """Return the points that failed throws cost, by side. Sides are known now, so a friend's go with the declarers."""
    sides = _final_sides(state)
    return [(sides[penalty["seat"]], penalty["points"]) for penalty in round_of(state)["penalties"]]


def _score(state: State, points: int) -> Score:
    team_size = None if has_fixed_teams(state) else len(declarers(state))
    return score(state["ruleset"], state["options"], composition_of(state), points, team_size)


def _finish(tx: Transaction, result: _Result) -> Milestone | None:
    """Book the result, the levels and the next round; end the game if somebody has won it."""
    sides = _final_sides(tx.state)
    _book_score(tx, result, sides)
    standings = [_standing_after(tx.state, seat, side, result) for seat, side in enumerate(sides)]
    changes = [standing for standing in standings if standing != _standing(tx.state, standing["seat"])]
    if changes:
        data: LevelsChanged = {"seats": changes}
        tx.emit("levels_changed", data, "server")
    end_round(tx, _next_round(tx.state, sides, result.score.side))
    winners = [standing["seat"] for standing in standings if standing["won"]]
    if not winners:
        return "round_over"
    end_game(tx, winners, "passed_last_level")
    return None


def _book_score(tx: Transaction, result: _Result, sides: list[Side]) -> None:
    table_round = tx.round
    points, levels, side = result.points, result.score.levels, cast("Side | None", result.score.side)
    kitty = result.kitty
    data: RoundScored = {
        "reason": result.reason,
        "points": points,
        "trick_points": attackers_points(tx.state),
        "kitty": {
            "cards": table_round["discard"],
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
    }


def _standing_after(state: State, seat: int, side: Side, result: _Result) -> LevelChange:
    """Return where a seat stands after the round."""
    options, gained = state["options"], result.score
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
        penalty=standing["penalty"] + result.levels_owed.get(seat, 0),
    )
    standing["to"], standing["won"], standing["penalty"] = climb.level, climb.won, climb.penalty
    standing["attempted"] = list(climb.attempted)
    if result.last_trick is not None and side == DECLARERS:
        sent_back = hook(
            options,
            standing["from"],
            trump=trump_of(state),
            side=gained.side,
            winner_side=result.last_trick.side,
            unit=result.last_trick.unit,
        )
        standing["to"] = sent_back or standing["to"]
    return standing


def _next_round(state: State, sides: list[Side], side: str | None) -> NextRound:
    """Return who declares and who draws first in the next round."""
    table_round = round_of(state)
    declarer = table_round["declarer"]
    if declarer is None:
        raise AssertionError("a round that was scored had a declarer")
    following = next_round(
        state["ruleset"],
        state["options"],
        state["players"],
        declarer=declarer,
        declarers=[seat for seat, each in enumerate(sides) if each == DECLARERS],
        side=side,
        starter=table_round["starter"],
    )
    return {"declarer": following.declarer, "starter": following.starter}
