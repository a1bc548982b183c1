"""Calling friends, and who turns out to be one (`docs/rules.md` §5.3-5.4).

A call is a dict `{"card": kind, "ordinal": n}`: the player of the n-th copy of the card joins the declarer. The ordinal
`OTHER_COPY` means 'the other copy', the one that is not the declarer's. Its number is unknown at the call: it depends
on which of the two is played first.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from service.common.errors import IllegalCall
from service.rules.cards import CARDS, LJ, POINTS, RANKS, SUITS, Counts
from service.rules.composition import Composition
from service.rules.option import Options
from service.rules.trumps import TRUMPS, Order, Trump, order_of

#: The ordinal of a call for 'the other copy'.
OTHER_COPY: Final = 0

Call = dict[str, int]


def breach(kind: int, order: Order, allowed: str) -> str | None:
    """Return the rule that forbids calling a card, or None; `allowed` is the option `call_cards`."""
    rank, aces_are_trumps = CARDS[kind][0], order.trump.rank == "A"
    rule = None
    if allowed == "any":
        return rule
    if order.group_of[kind] == TRUMPS:
        rule = "call_no_trumps"
    elif allowed == "no_highest" and rank == ("K" if aces_are_trumps else "A"):
        rule = "call_no_highest"
    elif allowed == "no_points" and POINTS[kind] and not (aces_are_trumps and rank == "K"):
        rule = "call_no_points"
    return rule


@lru_cache(maxsize=256)
def calls_possible(cards: Composition, allowed: str, *, red_fives: bool) -> int:
    """Return the number of possible calls under the trump that leaves the fewest."""

    def under(rank: str, suit: str) -> int:
        order = order_of(Trump(rank, suit), twos_always_trump=True, red_fives=red_fives)
        return sum(number for kind, number in enumerate(cards.copies) if not breach(kind, order, allowed))

    return min(under(rank, suit) for rank in RANKS for suit in SUITS)


def check_calls(
    calls: Sequence[Mapping[str, Any]],
    order: Order,
    cards: Composition,
    options: Options,
    hand: Counts | None,
) -> list[Call]:
    """Check calls, and return them in the form in which they are stored: `{"card": kind, "ordinal": n}`.

    The calls to check are `{"card": kind, "ordinal": n}` or `{"card": kind, "other": True}`. `hand` is the declarer's
    hand after burying the kitty; it is needed only for `other`.

    Raises:
        IllegalCall: the wrong number of calls, a card that may not be called, a copy that the game does not have, the
            same call twice, or 'the other copy' if the option is off or the declarer does not hold exactly one copy.
    """
    if len(calls) != cards.calls:
        raise IllegalCall("number_of_calls", required={"calls": cards.calls}, given=len(calls))
    checked: list[Call] = []
    for call in calls:
        kind = call["card"]
        broken = breach(kind, order, options["call_cards"])
        if broken:
            raise IllegalCall(broken, card=CARDS[kind])
        ordinal = _other(options, hand, kind) if call.get("other") else call["ordinal"]
        copies = cards.copies[kind]
        if ordinal > copies or (ordinal < 1 and not call.get("other")):
            raise IllegalCall("call_ordinal", required={"ordinal": copies}, card=CARDS[kind])
        checked.append({"card": kind, "ordinal": ordinal})
    _check_distinct(checked)
    return checked


def called_by_showing(options: Options, cards: Sequence[int]) -> list[Call]:
    """Return the calls that the declarer makes by having declared with these cards; empty: none.

    With `friend_by` `shown_card` a single level card, with or without a joker beside it, calls its other copy.
    """
    if options["friend_by"] != "shown_card" or not cards or cards[0] >= LJ or cards.count(cards[0]) > 1:
        return []
    return [{"card": cards[0], "ordinal": OTHER_COPY}]


def _other(options: Options, hand: Counts | None, kind: int) -> int:
    if not options["call_other_copy"]:
        raise IllegalCall("no_other_copy", card=CARDS[kind])
    if hand is None or hand[kind] != 1:
        raise IllegalCall("other_copy_held", required={"held": 1}, card=CARDS[kind])
    return OTHER_COPY


def _check_distinct(calls: Sequence[Call]) -> None:
    """Check that no two calls can name the same copy; 'the other copy' may turn out to be any copy."""
    copies_of: dict[int, set[int]] = {}
    for call in calls:
        kind, ordinal = call["card"], call["ordinal"]
        before = copies_of.setdefault(kind, set())
        if ordinal in before or (before and OTHER_COPY in (*before, ordinal)):
            raise IllegalCall("calls_distinct", card=CARDS[kind])
        before.add(ordinal)


def joins(
    calls: Sequence[Call],
    counts: Sequence[int],
    cards: Sequence[int],
    *,
    by_declarer: bool,
    on_side: bool = False,
    filled: Collection[int] = (),
    double_join: bool = True,
) -> list[int]:
    """Return the indices of the calls that a play fills, ascending.

    `counts` are the cards played earlier in the round (54 counts), `cards` are the kinds played. The declarer may fill
    a call too, which then brings no friend, but never a call for 'the other copy'. Without `double_join`, the calls
    filled depend on whether the player is already `on_side` with the declarer, and on the calls `filled` so far.
    """
    if not double_join:
        return _single_join(calls, counts, cards, filled) if not (on_side or by_declarer) else []
    joined = []
    for at, call in enumerate(calls):
        kind, ordinal = call["card"], call["ordinal"]
        if ordinal == OTHER_COPY:
            if not by_declarer and kind in cards:
                joined.append(at)
        elif counts[kind] < ordinal <= counts[kind] + cards.count(kind):
            joined.append(at)
    return joined


def _single_join(
    calls: Sequence[Call], counts: Sequence[int], cards: Sequence[int], filled: Collection[int]
) -> list[int]:
    """Return the open call that a player outside the declarer's side fills: the lowest ordinal reached, if any."""
    reached = [
        (call["ordinal"], at)
        for at, call in enumerate(calls)
        if at not in filled
        and call["card"] in cards
        and call["ordinal"] <= counts[call["card"]] + cards.count(call["card"])
    ]
    return [min(reached)[1]] if reached else []


def unseen_friends(
    calls: Sequence[Call],
    filled: Collection[int],
    counts: Sequence[int],
    hands: Sequence[Sequence[int]],
    *,
    declarer: int,
    leader: int,
    side: Collection[int] = (),
    double_join: bool = True,
) -> set[int]:
    """Return the friends that nobody knows yet when a throw ends the round: the holders of called cards not played.

    `counts` counts the cards played; `hands` are the counts of each seat. Copies are counted as if the players showed
    them in turn from `leader` on; if too few are left, the last one counts. Copies in the kitty or in the declarer's
    hand bring no friend. Without `double_join`, neither do those of players on the declarer's `side` or of friends
    found for an earlier call.
    """
    players = len(hands)
    turns = [(leader + step) % players for step in range(players)]
    friends: set[int] = set()
    for at, call in enumerate(calls):
        if at in filled:
            continue
        kind = call["card"]
        holders = [seat for seat in turns if seat != declarer for _ in range(hands[seat][kind])]
        wanted = max(0, call["ordinal"] - counts[kind] - 1)
        able = [(copy, seat) for copy, seat in enumerate(holders) if double_join or seat not in {*side, *friends}]
        reached = [seat for copy, seat in able if copy >= wanted] or [seat for _, seat in able[-1:]]
        friends.update(reached[:1])
    return friends
