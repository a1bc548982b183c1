"""Sets of cards as the bits of a number: bit `index` for each index of a card (`card_indices`).

Compiled modules use instructions of the processor instead; see `bits.pxd`.
"""


def one(card: int) -> int:
    """Return the set with only this card."""
    return 1 << card


def low(cards: int) -> int:
    """Return the lowest card of a set, which must not be empty."""
    return (cards & -cards).bit_length() - 1


def high(cards: int) -> int:
    """Return the highest card of a set, which must not be empty."""
    return cards.bit_length() - 1


def count(cards: int) -> int:
    """Return the number of cards of a set."""
    return cards.bit_count()
