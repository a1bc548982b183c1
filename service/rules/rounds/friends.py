"""Calling friends, and who turns out to be one (`docs/rules.md` §5.3-5.4).

A call is a dict `{"card": kind, "ordinal": n}`: whoever plays the n-th copy of the card joins the declarer. The ordinal
`OTHER_COPY` stands for 'the other copy': no count can say which that is, since it depends on when the declarer plays
the copy held, so it means the one that anybody but the declarer plays.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from service.errors import IllegalCall
from service.rules.cards import CARDS, POINTS, RANKS, SUITS, Counts
from service.rules.composition import Composition, ranks_of
from service.rules.option import Options
from service.rules.trumps import TRUMPS, Order, Trump, order_of

#: The ordinal of a call for 'the other copy'.
OTHER_COPY: Final = 0

Call = dict[str, int]


def breach(kind: int, order: Order, allowed: str) -> str | None:
    """Return the rule that forbids to call a card, or None; `allowed` is the option `call_cards`."""
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
def calls_possible(cards: Composition, allowed: str) -> int:
    """Return how many calls there are under the trumps that leave the fewest."""

    def under(rank: str, suit: str) -> int:
        order = order_of(Trump(rank, suit), twos_always_trump=True)
        return sum(number for kind, number in enumerate(cards.copies) if not breach(kind, order, allowed))

    return min(under(rank, suit) for rank in ranks_of(cards) or RANKS for suit in SUITS)


def check_calls(
    calls: Sequence[Mapping[str, Any]],
    order: Order,
    cards: Composition,
    options: Options,
    hand: Counts | None,
) -> list[Call]:
    """Return the calls as they are kept: `{"card": kind, "ordinal": n}` each, in their order.

    Each call given is `{"card": kind, "ordinal": n}` or `{"card": kind, "other": True}`; `hand` is the declarer's
    after burying the kitty, and is needed for the latter only.

    Raises:
        IllegalCall: the wrong number of calls, a trump, a copy that is not in the deck, a call made twice, or 'the
            other copy' where that is not played or not exactly one copy is held.
    """
    if len(calls) != cards.calls:
        raise IllegalCall("number_of_calls", required={"calls": cards.calls}, given=len(calls))
    kept: list[Call] = []
    for call in calls:
        kind = call["card"]
        broken = breach(kind, order, options["call_cards"])
        if broken:
            raise IllegalCall(broken, card=CARDS[kind])
        ordinal = _other(options, hand, kind) if call.get("other") else call["ordinal"]
        copies = cards.copies[kind]
        if ordinal > copies or (ordinal < 1 and not call.get("other")):
            raise IllegalCall("call_ordinal", required={"ordinal": copies}, card=CARDS[kind])
        kept.append({"card": kind, "ordinal": ordinal})
    _check_distinct(kept)
    return kept


def _other(options: Options, hand: Counts | None, kind: int) -> int:
    if not options["call_other_copy"]:
        raise IllegalCall("no_other_copy", card=CARDS[kind])
    if hand is None or hand[kind] != 1:
        raise IllegalCall("other_copy_held", required={"held": 1}, card=CARDS[kind])
    return OTHER_COPY


def _check_distinct(calls: Sequence[Call]) -> None:
    """Check that no two calls can be for one copy; 'the other copy' may prove to be the first or the second."""
    seen: dict[int, set[int]] = {}
    for call in calls:
        kind, ordinal = call["card"], call["ordinal"]
        before = seen.setdefault(kind, set())
        if ordinal in before or (before and OTHER_COPY in (*before, ordinal)):
            raise IllegalCall("calls_distinct", card=CARDS[kind])
        before.add(ordinal)


def joins(
    calls: Sequence[Call],
    seen: Sequence[int],
    cards: Sequence[int],
    *,
    by_declarer: bool,
    on_side: bool = False,
    filled: Collection[int] = (),
    double_join: bool = True,
) -> list[int]:
    """Return the indices of the calls that a play fills, ascending.

    `seen` counts what was played in the round before this play (54 counts), `cards` are the kinds played. The declarer
    may fill a call too, and is then nobody's friend; but never one for 'the other copy'. Without `double_join` it
    matters whether the player is `on_side` with the declarer already, and which calls were `filled`.
    """
    if not double_join:
        return _single_join(calls, seen, cards, filled) if not (on_side or by_declarer) else []
    made = []
    for at, call in enumerate(calls):
        kind, ordinal = call["card"], call["ordinal"]
        if ordinal == OTHER_COPY:
            if not by_declarer and kind in cards:
                made.append(at)
        elif seen[kind] < ordinal <= seen[kind] + cards.count(kind):
            made.append(at)
    return made


def _single_join(
    calls: Sequence[Call], seen: Sequence[int], cards: Sequence[int], filled: Collection[int]
) -> list[int]:
    """Return the one open call that a player from outside fills: that of the lowest ordinal which has been reached."""
    reached = [
        (call["ordinal"], at)
        for at, call in enumerate(calls)
        if at not in filled
        and call["card"] in cards
        and call["ordinal"] <= seen[call["card"]] + cards.count(call["card"])
    ]
    return [min(reached)[1]] if reached else []


def unseen_friends(
    calls: Sequence[Call],
    filled: Collection[int],
    seen: Sequence[int],
    hands: Sequence[Sequence[int]],
    *,
    declarer: int,
    leader: int,
) -> set[int]:
    """Return who is on the declarer's side through a call that no play has filled, when a throw ends the round.

    `seen` counts what was played, `hands` are the counts that each seat holds. The holders are taken as if they laid
    the called cards down in turn from `leader` on; of fewer copies than the call asks for, the last one counts. What
    lies in the kitty or with the declarer makes nobody a friend.
    """
    players = len(hands)
    turns = [(leader + step) % players for step in range(players)]
    found = set()
    for at, call in enumerate(calls):
        if at in filled:
            continue
        kind = call["card"]
        holders = [seat for seat in turns if seat != declarer for _ in range(hands[seat][kind])]
        wanted = max(0, call["ordinal"] - seen[kind] - 1)
        if holders:
            found.add(holders[min(wanted, len(holders) - 1)])
    return found
