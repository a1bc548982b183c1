"""Overcalling for the kitty after a discard (`docs/rules.md` §5.2)."""

from collections.abc import Sequence

from service.common.errors import IllegalDeclaration
from service.rules.cards import BJ, CARDS, KIND, LJ, SUITS, names_of
from service.rules.option import Options
from service.rules.rounds.declarations import size_of, suits_ascending


def chao_asked(players: int, *, holder: int, declared_last: int | None, overcalled: bool) -> list[int]:
    """Return the seats that are asked whether to overcall for the kitty, in this order.

    `holder` has just buried. `declared_last` made the last declaration of the deal, and is not asked until somebody has
    `overcalled` for the kitty.
    """
    around = [(holder + step) % players for step in range(1, players)]
    return around if overcalled else [seat for seat in around if seat != declared_last]


def chao_suit(options: Options, rank: str | None, standing_cards: Sequence[int], cards: Sequence[int]) -> str | None:
    """Return the trump suit after overcalling for the kitty with these cards; None: no trump suit.

    `rank` is the trump rank of the round; `standing_cards` are the cards shown last, in the deal or for the kitty, and
    empty if nobody declared.

    Raises:
        IllegalDeclaration: the cards are not two or more identical jokers or trump-rank cards, or they are not higher.
    """
    if not options["chao_di"]:
        raise IllegalDeclaration("no_kitty_overcalls")
    if len(cards) < 2 or min(cards) != max(cards):
        raise IllegalDeclaration("kitty_overcall_pair", required={"cards": 2})
    if cards[0] < LJ and CARDS[cards[0]][0] != rank:
        raise IllegalDeclaration("rank_to_declare", required={"ranks": [rank] if rank else []})
    if standing_cards and _chao_strength(options, cards) <= _chao_strength(options, standing_cards):
        raise IllegalDeclaration("kitty_overcall_higher", standing=names_of(standing_cards))
    return CARDS[cards[0]][1] if cards[0] < LJ else None


def possible_chao(
    options: Options, rank: str | None, standing_cards: Sequence[int], hand: Sequence[int]
) -> list[list[int]]:
    """Return every set of a hand (kind of card -> number) with which one can overcall, shorter ones first.

    The other arguments are those of `chao_suit`.
    """
    kinds = [KIND[rank + suit] for suit in SUITS] if rank else []
    sets = [[kind] * number for kind in (*kinds, LJ, BJ) for number in range(2, hand[kind] + 1)]
    return sorted((cards for cards in sets if _overcalls(options, rank, standing_cards, cards)), key=len)


def _overcalls(options: Options, rank: str | None, standing_cards: Sequence[int], cards: Sequence[int]) -> bool:
    try:
        chao_suit(options, rank, standing_cards, cards)
    except IllegalDeclaration:
        return False
    return True


def _chao_strength(options: Options, cards: Sequence[int]) -> tuple[int, int]:
    """Return the strength of identical cards: more cards beat fewer, then the suit or joker decides."""
    kind, suits = cards[0], suits_ascending(options)
    return size_of(cards), suits.index(CARDS[kind][1]) if kind < LJ else len(suits) + kind - LJ
