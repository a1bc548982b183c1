"""Arm's Length (002): the roads, and a play of single cards in which trumps are made by a discard."""

from collections.abc import Sequence

from service.errors import IllegalPlay
from service.game.commands import scoring
from service.game.commands.transaction import Turn
from service.rules import arms_length
from service.rules.cards import CARDS


def ask_roads(turn: Turn) -> None:
    """Ask all four players which road they take."""
    _ask_again(turn, [0, 1, 2, 3], [0, 0])


def _ask_again(turn: Turn, seats: list[int], clashes: list[int]) -> None:
    turn.emit("roads_asked", "server", seats=seats, clashes=clashes)
    turn.open_decision("road", seats)


def state_road(turn: Turn, seat: int, road: str) -> None:
    """State a road: high, low or either. It stays hidden until both partners have stated."""
    arms_length.check_road(road)
    asked = turn.state["decision"]["seats"]
    turn.emit("road_stated", seat=seat, road=road)
    if turn.state["decision"] is None or not asked:
        _settle(turn)


def _settle(turn: Turn) -> None:
    """Fix the roads of the sides whose partners agree; ask those again who clash."""
    state = turn.state
    roads = state["round"]["roads"]
    leader = state["round"]["starter"]
    clashes = list(roads["clashes"])
    fixed: dict[str, str] = {}
    again: list[int] = []
    for side in (0, 1):
        partners = (side, side + 2)
        if str(side) in roads["set"]:
            continue
        # 'Nearer the dealer's left' is nearer the seat that leads first.
        near, far = sorted(partners, key=lambda seat: (seat - leader) % 4)
        high = arms_length.resolve([roads["stated"][str(seat)] for seat in (near, far)], clashes[side])
        if high is None:
            clashes[side] += 1
            again += partners
        else:
            fixed |= {str(near): ("high", "low")[high], str(far): ("low", "high")[high]}
    if fixed:
        turn.emit("roads_set", "server", roads=fixed)
    if again:
        _ask_again(turn, sorted(again), clashes)
    else:
        turn.open_decision("play", [leader])


def play(turn: Turn, seat: int, cards: Sequence[int]) -> None:
    """Play a card: follow and beat what has been played if possible (002 l.11-15)."""
    table_round = turn.state["round"]
    trick = table_round["trick"]
    trump = table_round["trump"]["suit"] if table_round["trump"] else None
    before = [made["cards"][0] for made in trick["plays"]] if trick else []
    if len(cards) != 1:
        raise IllegalPlay("card_count", required={"cards": 1}, given=len(cards))
    arms_length.check(trump, before, table_round["hands"][seat], cards[0])
    leader = trick["leader"] if trick else seat
    winner, made = arms_length.winner(trump, [*before, cards[0]])
    turn.emit(
        "played",
        seat=seat,
        cards=list(cards),
        units=[list(cards)],
        throw=None,
        winning=(leader + winner) % 4,
    )
    if made != trump:
        turn.emit("trump_established", "server", trump={"rank": None, "suit": made}, seat=seat, card=CARDS[cards[0]])
    trick = turn.state["round"]["trick"]
    if len(trick["plays"]) < 4:
        turn.open_decision("play", [(seat + 1) % 4])
        return
    turn.emit("trick_won", "server", seat=trick["winning"], number=trick["number"], points=0)
    if any(turn.state["round"]["hands"][trick["winning"]]):
        turn.open_decision("play", [trick["winning"]])
    else:
        scoring.score_arms(turn)
