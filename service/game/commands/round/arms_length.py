"""Arm's Length (docs/rules.md §11): roads, tricks of single cards in which a discard makes trumps, and the score."""

from collections.abc import Sequence
from typing import Final

from service.common.errors import IllegalPlay
from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game, end_round, go_on_or_end
from service.game.commands.round.playing import end_trick
from service.game.commands.transaction import Transaction
from service.game.events.round_types import (
    Played,
    RoadsAsked,
    RoadsSet,
    RoadStated,
    RoundScored,
    TrumpEstablished,
)
from service.game.state.families.arms_length import leaders, trick_so_far
from service.game.state.queries import trick_of
from service.game.state.settings import length_of
from service.game.state.take_backs import returnable_after
from service.game.state.types import Roads
from service.rules.cards import CARDS
from service.rules.rounds import arms_length

#: Rounds of a game.
ROUNDS: Final = 4


def _roads(tx: Transaction) -> Roads:
    roads = tx.round["roads"]
    if roads is None:
        raise AssertionError("the roads come before the play")
    return roads


# --- roads -------------------------------------------------------------------------------------------------------


def ask_roads(tx: Transaction) -> None:
    """Ask all four players which road they take."""
    _ask(tx, [0, 1, 2, 3], [0, 0])


def _ask(tx: Transaction, seats: list[int], clashes: list[int]) -> None:
    data: RoadsAsked = {"seats": seats, "clashes": clashes}
    tx.emit("roads_asked", data, "server")
    tx.open_decision("road", seats)


def state_road(tx: Transaction, seat: int, road: str) -> Milestone | None:
    """State a road: high, low or either. It stays hidden until both partners have stated theirs."""
    arms_length.check_road(road)
    data: RoadStated = {"seat": seat, "road": road}
    tx.emit("road_stated", data)
    return "roads_stated" if tx.state["decision"] is None else None


def settle_roads(tx: Transaction) -> None:
    """Fix the roads of partners who agree; ask the others again. Once all are fixed, the first to draw leads."""
    roads, leader = _roads(tx), tx.round["starter"]
    clashes = list(roads["clashes"])
    fixed: dict[str, str] = {}
    again: list[int] = []
    for side in (0, 1):
        if str(side) in roads["set"]:
            continue
        # 'Nearer the dealer's left' is nearer the seat that leads first.
        near, far = sorted((side, side + 2), key=lambda seat: (seat - leader) % 4)
        high = arms_length.resolve([roads["stated"][str(seat)] for seat in (near, far)], clashes[side])
        if high is None:
            clashes[side] += 1
            again += (side, side + 2)
        else:
            fixed |= {str(near): ("high", "low")[high], str(far): ("low", "high")[high]}
    if fixed:
        data: RoadsSet = {"roads": fixed}
        tx.emit("roads_set", data, "server")
    if again:
        _ask(tx, sorted(again), clashes)
    else:
        tx.open_decision("play", [leader])


# --- play --------------------------------------------------------------------------------------------------------


def play(tx: Transaction, seat: int, cards: Sequence[int]) -> Milestone:
    """Play a card. It must follow suit, and beat the best card so far if possible."""
    trick = tx.round["trick"]
    trump, played = trick_so_far(tx.state)
    if len(cards) != 1:
        raise IllegalPlay("card_count", required={"cards": 1}, given=len(cards))
    arms_length.check(trump, played, tx.round["hands"][seat], cards[0])
    best, trump_after = arms_length.winner(trump, [*played, cards[0]])
    leader = trick["leader"] if trick else seat
    data: Played = {
        "seat": seat,
        "cards": list(cards),
        "units": [list(cards)],
        "throw": None,
        "winning": (leader + best) % 4,
    }
    returnable = returnable_after(tx.state, seat, None)
    if returnable is not None:
        data["returnable"] = returnable
    tx.emit("played", data)
    if trump_after != trump:
        established: TrumpEstablished = {
            "trump": {"rank": None, "suit": trump_after},
            "seat": seat,
            "card": CARDS[cards[0]],
        }
        if returnable is not None:
            established["returnable"] = 0
        tx.emit("trump_established", established, "server")
    return "cards_played"


def go_on(tx: Transaction) -> Milestone | None:
    """Ask the next seat to follow, or complete the trick. Card points do not count."""
    trick = trick_of(tx.round)
    if len(trick["plays"]) < 4:
        tx.open_decision("play", [(trick["plays"][-1]["seat"] + 1) % 4])
        return None
    return end_trick(tx, points=0, attackers=0)


# --- score -------------------------------------------------------------------------------------------------------


def score_round(tx: Transaction) -> Milestone | None:
    """Score a round, and end the game after the last one."""
    table_round = tx.round
    roads, tricks = _roads(tx)["set"], table_round["tricks"]
    scores = []
    for side in (0, 1):
        taken = {roads[str(seat)]: tricks[seat] for seat in (side, side + 2)}
        scores.append(arms_length.score(taken["high"], taken["low"]))
    before = tx.game["scores"] or [0, 0]
    data: RoundScored = {
        "reason": "played",
        "points": 0,
        "trick_points": 0,
        "kitty": None,
        "penalties": [],
        "sides": table_round["sides"],
        "side": None,
        "levels": 0,
        "scores": [old + new for old, new in zip(before, scores, strict=True)],
        "summary": {"scores": scores, "roads": roads, "tricks": tricks},
    }
    tx.emit("round_scored", data, "server")
    end_round(tx, {"declarer": None, "starter": (table_round["starter"] + 1) % 4})
    if "board" in tx.state["settings"]:
        end_game(tx, leaders(tx.state), "one_round")
        return None
    if not length_of(tx.state) and tx.game["round"] >= ROUNDS:
        end_game(tx, leaders(tx.state), "four_rounds")
        return None
    return go_on_or_end(tx)
