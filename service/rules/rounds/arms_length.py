"""Arm's Length (`docs/rules.md` §11): players must beat the best card if they can; the first discard makes trumps.

Hands are counts and cards are kinds, as in the other games. A trick is a list of cards in order of play. The trump suit
is a letter, or None until the first discard by a void player.
"""

from collections.abc import Sequence
from typing import Final

from service.common.errors import IllegalPlay, InvalidRequest
from service.rules.cards import CARDS, RANKS, SUITS, Counts, names_of

ROADS: Final = ("high", "low", "either")
#: Clashes after which the partner nearer the dealer's left takes the high road.
CLASHES: Final = 2

_SIZE: Final = len(RANKS)


def _suit(kind: int) -> int:
    return kind // _SIZE


def winner(trump: str | None, plays: Sequence[int]) -> tuple[int, str | None]:
    """Return the index of the best card so far, and the trump suit after these plays.

    `trump` is the trump suit before the trick. The discard that makes its suit trumps is a trump itself.
    """
    led = _suit(plays[0])
    trumps = None if trump is None else SUITS.index(trump)
    best = 0
    for at, kind in enumerate(plays):
        suit = _suit(kind)
        if suit != led and trumps is None:
            trumps = suit
        top = _suit(plays[best])
        if suit == top:
            best = at if kind > plays[best] else best
        elif suit == trumps:
            best = at
    return best, None if trumps is None else SUITS[trumps]


def legal(trump: str | None, trick: Sequence[int], hand: Counts) -> list[int]:
    """Return the kinds that may be played, ascending.

    A player must follow suit, and beat the best card so far if possible, unless a trump is winning the trick. A void
    player must play a trump higher than any so far if possible, otherwise any card.
    """
    held = [kind for kind, count in enumerate(hand) if count]
    if not trick:
        return held
    best, trump = winner(trump, trick)
    top, led = trick[best], _suit(trick[0])
    following = [kind for kind in held if _suit(kind) == led]
    if following:
        higher = [kind for kind in following if kind > top] if _suit(top) == led else []
        return higher or following
    if trump is None:
        return held
    trumps = [kind for kind in held if SUITS[_suit(kind)] == trump]
    if SUITS[_suit(top)] == trump:
        trumps = [kind for kind in trumps if kind > top]
    return trumps or held


def check(trump: str | None, trick: Sequence[int], hand: Counts, kind: int) -> None:
    """Refuse a card that the hand holds but may not play.

    Raises:
        IllegalPlay: rule `arms_follow_suit`, `arms_beat` or `arms_trump`, with the legal cards and one as example.
    """
    allowed = legal(trump, trick, hand)
    if kind in allowed:
        return
    led = _suit(trick[0])
    rule = "arms_beat" if _suit(kind) == led else "arms_follow_suit"
    if _suit(allowed[0]) != led:
        rule = "arms_trump"
    required = {"cards": names_of(allowed), "suit": CARDS[allowed[0]][1]}
    raise IllegalPlay(rule, required=required, example=names_of(allowed[:1]))


def score(high: int, low: int) -> int:
    """Return a team's points from the tricks of its high and its low player."""
    return 0 if high < low else 10 * (high - low) + high


def check_road(road: object) -> None:
    """Check that a value is a road.

    Raises:
        InvalidRequest: reason `no_such_road`.
    """
    if road not in ROADS:
        raise InvalidRequest(reason="no_such_road", field="road", accepted=list(ROADS))


def resolve(stated: Sequence[str], clashes: int) -> int | None:
    """Return which of two partners takes the high road, 0 or 1; None if they clash and must be asked again.

    `stated` has the partners' roads, first that of the partner nearer the dealer's left. This partner takes the high
    road if both state `either`, and if this is the last clash allowed after `clashes` earlier ones.
    """
    near, far = stated
    if near == far:
        return None if near != "either" and clashes + 1 < CLASHES else 0
    return 1 if near == "low" or far == "high" else 0
