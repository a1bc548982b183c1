"""Questions about a table of Arm's Length (docs/rules.md §11)."""

from service.game.state.actions import PlayRequirements
from service.game.state.families.verdict import Verdict
from service.game.state.families.verdict import verdict as judged
from service.game.state.queries import game_of, round_of
from service.game.state.rules import trump_of
from service.game.state.types import Cards, State
from service.rules.cards import CARDS, RANKS, kinds_in
from service.rules.rounds import arms_length
from service.rules.trumps import Trump


def display_trump(state: State, _: int) -> Trump:
    """Return the trumps by which a hand is sorted."""
    return trump_of(state)


def trick_so_far(state: State) -> tuple[str | None, Cards]:
    """Return the trump suit and the cards on the table, in order of play."""
    trick = round_of(state)["trick"]
    return trump_of(state).suit, [play["cards"][0] for play in trick["plays"]] if trick else []


def _legal(state: State, seat: int) -> Cards:
    return arms_length.legal(*trick_so_far(state), round_of(state)["hands"][seat])


def example_play(state: State, seat: int) -> Cards:
    """Return the lowest card that the seat may play."""
    return [min(_legal(state, seat), key=lambda kind: kind % len(RANKS))]


def legal_plays(state: State, seat: int, limit: int) -> tuple[list[Cards], bool]:
    """Return legal plays of the seat, at most `limit`, and whether these are all."""
    kinds = _legal(state, seat)
    return [[kind] for kind in kinds[:limit]], len(kinds) <= limit


def requirements(state: State, seat: int) -> PlayRequirements | None:
    """Return what the seat's follow must contain, or None when it leads."""
    _, played = trick_so_far(state)
    if not played:
        return None
    led = CARDS[played[0]][1]
    holds = any(CARDS[kind][1] == led for kind in kinds_in(round_of(state)["hands"][seat]))
    return {"cards": 1, "must_follow": led if holds else None, "required": []}


def verdict(state: State) -> Verdict:
    """Return who has won a game that its length has ended: the side with the higher score."""
    one, other = game_of(state)["scores"] or [0, 0]
    return judged([(0, 2), (1, 3)], {"score": [one, other, one, other]})


def leaders(state: State) -> list[int]:
    """Return the seats of the side with the higher score."""
    scores = game_of(state)["scores"] or [0, 0]
    return [seat for seat in range(state["players"]) if scores[seat % 2] == max(scores)]
