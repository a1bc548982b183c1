"""Who draws first, what happens if nobody declares, and new deals (`docs/rules.md` §4.1, §4.4, §4.5)."""

from collections.abc import Sequence
from typing import Final

from service.rules.cards import BJ, CARDS, LJ, POINTS, RANKS, Counts
from service.rules.option import Options
from service.rules.trumps import TRUMPS, Trump, ranking

#: Value of `no_declaration` -> the only card of the kitty that is turned up.
_ONLY_CARD: Final = {"first_kitty_card": 0, "fourth_kitty_card": 3}
#: The suits that turned-up jokers name, with `turned_joker` `names_suit`.
_SUIT_OF_JOKER: Final = {LJ: "S", BJ: "H"}


def flip_kitty(options: Options, rank: str, kitty: Sequence[int]) -> tuple[str | None, list[int]]:
    """Return the trump suit found by turning up the kitty, and the cards that are turned (`docs/rules.md` §4.4).

    `rank` is the trump rank; `kitty` has the kinds in the order in which they are turned. The suit is None if a joker
    decides and names none, or if all cards are jokers.
    """
    how = options["no_declaration"]
    if how in _ONLY_CARD:
        kind = kitty[_ONLY_CARD[how]]
        return _suit_of(options, kind), [kind]
    for at, kind in enumerate(kitty):
        if (kind >= LJ and how == "flip_kitty_or_joker") or CARDS[kind][0] == rank:
            return _suit_of(options, kind), list(kitty[: at + 1])
    suited = [kind for kind in kitty if kind < LJ]
    highest = max(suited, key=lambda kind: RANKS.index(CARDS[kind][0]), default=None)  # max takes the first of equals
    return (None if highest is None else CARDS[highest][1]), list(kitty)


def _suit_of(options: Options, kind: int) -> str | None:
    if kind < LJ:
        return CARDS[kind][1]
    return _SUIT_OF_JOKER[kind] if options["turned_joker"] == "names_suit" else None


def declarer_after_redeal(options: Options, declarer: int | None) -> int | None:
    """Return the declarer of a new deal after nobody declared; None: the trump maker of the new deal.

    `declarer` is the declarer known before the round, or None.
    """
    return None if options["no_declaration"] == "redeal_open" else declarer


def cut(shuffler: int, rank: str, players: int) -> int | None:
    """Return who draws first after a card of this rank was cut, counting from the shuffler as 1.

    Return None for an ace or a joker (`LJ`, `BJ`): another card must be cut.
    """
    if rank == "A" or rank not in RANKS:
        return None
    return (shuffler + RANKS.index(rank) + 1) % players


def redeals_left(options: Options, redeals: int) -> bool:
    """Return whether another new deal is allowed after `redeals` of them in this round."""
    return bool(redeals < options["misdeal"].get("most", redeals + 1))


def may_redeal(options: Options, trump: Trump | None, hand: Counts, redeals: int = 0) -> bool:
    """Return whether a hand may ask for a new deal: it meets any condition of `misdeal`.

    As long as there are no trumps (`trump` None), trumps are not counted. `redeals` counts the new deals in this round.
    """
    conditions = options["misdeal"]
    if not redeals_left(options, redeals):
        return False
    points = sum(count * POINTS[kind] for kind, count in enumerate(hand))
    if points == 0 and conditions.get("no_points"):
        return True
    if points < conditions.get("points_below", 0):
        return True
    fewest = max(conditions.get("trumps_below", 0), int(conditions.get("no_trumps", False)))
    if trump is None or not fewest:
        return False
    order = ranking(trump, options)
    return bool(sum(hand[kind] for kind in order.groups[TRUMPS]) < fewest)


def redeal_starter(options: Options, starter: int, caller: int) -> int:
    """Return who draws first after a misdeal: the player who asked for it, or the same seat as before."""
    return caller if options["misdeal_starter"] == "caller" else starter
