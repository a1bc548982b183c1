"""Overcalling for the kitty after a discard (`docs/rules.md` §5.2)."""

from collections.abc import Sequence

from service.errors import IllegalDeclaration
from service.rules.cards import CARDS, LJ, names_of
from service.rules.option import Options
from service.rules.rounds.declarations import SUITS_ASCENDING


def chao_asked(players: int, *, holder: int, declared_last: int | None, overcalled: bool) -> list[int]:
    """Return who is asked, in this order, whether to overcall for the kitty.

    `holder` has just buried; `declared_last` declared or overcalled last in the deal, and is passed over as long as
    nobody has `overcalled` for the kitty.
    """
    around = [(holder + step) % players for step in range(1, players)]
    return around if overcalled else [seat for seat in around if seat != declared_last]


def chao_suit(options: Options, rank: str | None, standing_cards: Sequence[int], cards: Sequence[int]) -> str | None:
    """Return the trump suit that overcalling for the kitty with these cards makes; None: no trump suit.

    `rank` is the trump rank of the round; `standing_cards` what was shown last, in the deal or for the kitty, or
    nothing if nobody declared.

    Raises:
        IllegalDeclaration: the cards are no pair (or longer) of jokers or of the trump rank, or not higher.
    """
    if not options["chao_di"]:
        raise IllegalDeclaration("no_kitty_overcalls")
    if len(cards) < 2 or min(cards) != max(cards):
        raise IllegalDeclaration("kitty_overcall_pair", required={"cards": 2})
    if cards[0] < LJ and CARDS[cards[0]][0] != rank:
        raise IllegalDeclaration("rank_to_declare", required={"ranks": [rank] if rank else []})
    if len(standing_cards) > 1 and _chao_strength(cards) <= _chao_strength(standing_cards):
        raise IllegalDeclaration("kitty_overcall_higher", standing=names_of(standing_cards))
    return CARDS[cards[0]][1] if cards[0] < LJ else None


def _chao_strength(cards: Sequence[int]) -> tuple[int, int]:
    """Return the strength of identical cards; longer sets beat pairs, as in the deal."""
    kind = cards[0]
    return len(cards), SUITS_ASCENDING.index(CARDS[kind][1]) if kind < LJ else len(SUITS_ASCENDING) + kind - LJ
