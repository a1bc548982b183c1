"""The end of a round and of a game: points, the kitty, who gains levels, who declares next."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.game import dealing, playing
from service.game.state import State, attackers_points, composition_of, declarers
from service.game.turn import Turn
from service.rules import arms_length
from service.rules.cards import points_of
from service.rules.kitty import KittyBonus, kitty_bonus
from service.rules.levels import advance, game_points, height, hook, next_round
from service.rules.rulesets import RULESETS
from service.rules.scoring import ATTACKERS, DECLARERS, Score, attackers_total, score
from service.rules.trumps import Trump

#: Rounds of a game of Arm's Length (002 l.22).
ARMS_ROUNDS = 4


class LastTrick(NamedTuple):
    """The side that won the last trick, and the cards with which it answered the largest unit of the lead."""

    side: str
    unit: tuple[int, ...] | None


def score_round(turn: Turn) -> None:
    """Count a round that was played to its last trick."""
    state = turn.state
    table_round = state["round"]
    last = table_round["last_trick"]
    winner_side = DECLARERS if table_round["sides"][last["winner"]] == DECLARERS else ATTACKERS
    rules = playing.rules_of(state)
    lead = playing.lead_of(rules, last)
    bonus = kitty_bonus(state["options"], lead, table_round["discard"], winner_side, table_round["revealed"])
    points = attackers_total(attackers_points(state), bonus.bonus, _penalties(state))
    gained = _score(state, points)
    winning = next(play for play in last["plays"] if play["seat"] == last["winner"])
    last_won = LastTrick(winner_side, rules.winning_unit(lead, winning["cards"]))
    _finish(turn, points, bonus, gained, reason="played", last_won=last_won)


def end_by_throw(turn: Turn, leader: int, levels_owed: int) -> None:
    """End a round in which a failed throw stops the play (000 l.317, l.328-332).

    The cards still held go to the other side under `unplayed_to_others`, the kitty to nobody: its bonus belongs to
    whoever wins the last trick, which is not played.
    """
    state = turn.state
    table_round = state["round"]
    at_fault = DECLARERS if table_round["sides"][leader] == DECLARERS else ATTACKERS
    others = ATTACKERS if at_fault == DECLARERS else DECLARERS
    points = attackers_points(state)
    how = state["options"]["throw_forfeit"]
    owed: dict[int, int] = {}
    if levels_owed:
        gained = Score(None, 0)
        owed = {
            seat: levels_owed if seat == leader else 1
            for seat, side in enumerate(table_round["sides"])
            if (side == DECLARERS) == (at_fault == DECLARERS)
        }
    elif how == "unplayed_to_others":
        if others == ATTACKERS:
            held = (kind for hand in table_round["hands"] for kind, count in enumerate(hand) for _ in range(count))
            points += points_of(held)
        points = attackers_total(points, 0, _penalties(state))
        gained = _score(state, points)
    else:
        gained = Score(others, 1)
    kitty = KittyBonus(points_of(table_round["discard"]), 0, 0)
    _finish(turn, points, kitty, gained, reason="throw_failed", owed=owed)


def leaders(state: State) -> list[int]:
    """Return the seats that are ahead: the highest score, or the highest level (of equal laps and ranks)."""
    if RULESETS[state["ruleset"]].family == "arms_length":
        scores = state["game"]["scores"] or [0, 0]
        return [seat for seat in range(state["players"]) if scores[seat % 2] == max(scores)]
    heights = [height(state["options"], seat["level"]) for seat in state["seats"]]
    return [seat for seat, at in enumerate(heights) if at == max(heights)]


def _penalties(state: State) -> list[tuple[str, int]]:
    """Return the throw penalties by side; sides are known now, so a friend's go with the declarers."""
    sides = state["round"]["sides"]
    return [
        (DECLARERS if sides[made["seat"]] == DECLARERS else ATTACKERS, made["points"])
        for made in state["round"]["penalties"]
    ]


def _score(state: State, points: int) -> Score:
    made = composition_of(state)
    friends = RULESETS[state["ruleset"]].teams == "friends"
    team = len(declarers(state)) if friends else None
    return score(state["ruleset"], state["options"], made, points, team)


def _finish(
    turn: Turn,
    points: int,
    kitty: KittyBonus,
    gained: Score,
    *,
    reason: str,
    owed: Mapping[int, int] | None = None,
    last_won: LastTrick | None = None,
) -> None:
    """Book the result, the levels and the next round; end the game if somebody has won it."""
    state = turn.state
    table_round = state["round"]
    sides = [DECLARERS if side == DECLARERS else ATTACKERS for side in table_round["sides"]]
    everybody = range(state["players"])
    turn.emit(
        "round_scored",
        "server",
        reason=reason,
        points=points,
        trick_points=attackers_points(state),
        kitty={"cards": table_round["discard"], **kitty._asdict()},
        penalties=table_round["penalties"],
        sides=sides,
        side=gained.side,
        levels=gained.levels,
        summary={
            "points": points,
            "side": gained.side,
            "levels": gained.levels,
            "declarer": table_round["declarer"],
            "declarers": [seat for seat, side in enumerate(sides) if side == DECLARERS],
        },
    )
    after = [_after(turn.state, seat, sides[seat], gained, (owed or {}).get(seat, 0), last_won) for seat in everybody]
    changes = [change for seat, change in enumerate(after) if change != _standing(turn.state, seat)]
    if changes:
        turn.emit("levels_changed", "server", seats=changes)
    following = _next(turn.state, sides, gained.side)
    _reveal(turn, following)
    winners = [change["seat"] for change in after if change["won"]]
    if winners:
        turn.emit("game_ended", "server", winners=winners, reason="passed_last_level")
    else:
        dealing.ask_ready(turn)


def _standing(state: State, seat: int) -> dict[str, Any]:
    place = state["seats"][seat]
    return {
        "seat": seat,
        "from": place["level"],
        "to": place["level"],
        "active": place["active"],
        "attempted": place["attempted"],
        "penalty": place["penalty"],
        "won": False,
    }


def _after(state: State, seat: int, side: str, gained: Score, owed: int, last_won: LastTrick | None) -> dict[str, Any]:
    """Return where a seat stands after the round."""
    options = state["options"]
    change = _standing(state, seat)
    levels = gained.levels if side == gained.side else 0
    if options["active_passive"] and gained.side is not None:
        change["active"], levels = game_points(change["active"], side == gained.side, levels)
    made = advance(
        options,
        change["from"],
        levels,
        side,
        attempted=change["attempted"],
        penalty=change["penalty"] + owed,
    )
    change |= {"to": made.level, "won": made.won, "penalty": made.penalty, "attempted": list(made.attempted)}
    if last_won is not None and side == DECLARERS:
        fixed = state["round"]["trump"]
        trump = Trump(fixed["rank"], fixed["suit"])
        back = hook(
            options,
            change["from"],
            trump=trump,
            side=gained.side,
            winner_side=last_won.side,
            unit=last_won.unit,
        )
        change["to"] = back or change["to"]
    return change


def _next(state: State, sides: list[str], side: str | None) -> dict[str, int | None]:
    """Return who declares and who draws first in the next round."""
    table_round = state["round"]
    following = next_round(
        state["ruleset"],
        state["options"],
        state["players"],
        declarer=table_round["declarer"],
        declarers=[seat for seat, each in enumerate(sides) if each == DECLARERS],
        side=side,
        starter=table_round["starter"],
    )
    return {"declarer": following.declarer, "starter": following.starter}


def _reveal(turn: Turn, following: Mapping[str, int | None]) -> None:
    """Say all that anybody needs to check the shuffle of the round."""
    table_round = turn.state["round"]
    turn.emit(
        "round_ended",
        "server",
        server_seed=table_round["server_seed"],
        commitment=table_round["commitment"],
        entropy=table_round["entropy"],
        shuffle_name=dealing.shuffle_name(turn.state),
        attempts=table_round["deal"]["attempt"] + 1,
        next=following,
    )


def score_arms(turn: Turn) -> None:
    """Count a round of Arm's Length (002 l.17)."""
    state = turn.state
    table_round = state["round"]
    roads = {int(seat): road for seat, road in table_round["roads"]["set"].items()}
    tricks = table_round["tricks"]
    scores = []
    for side in (0, 1):
        taken = {roads[seat]: tricks[seat] for seat in (side, side + 2)}
        scores.append(arms_length.score(taken["high"], taken["low"]))
    before = state["game"]["scores"] or [0, 0]
    totals = [old + new for old, new in zip(before, scores, strict=True)]
    turn.emit(
        "round_scored",
        "server",
        reason="played",
        points=0,
        trick_points=0,
        kitty=None,
        penalties=[],
        sides=table_round["sides"],
        side=None,
        levels=0,
        scores=totals,
        summary={"scores": scores, "roads": table_round["roads"]["set"], "tricks": tricks},
    )
    _reveal(turn, {"declarer": None, "starter": (table_round["starter"] + 1) % 4})
    if turn.state["game"]["round"] == ARMS_ROUNDS:
        best = max(totals)
        winners = [seat for seat in range(4) if totals[seat % 2] == best]
        turn.emit("game_ended", "server", winners=winners, reason="four_rounds")
    else:
        dealing.ask_ready(turn)
