"""Calling friends, and who turns out to be one (`rules.md` §4.2; 000 l.94-112; 001 §6.5; 003 l.68-84).

A call is a dict `{"card": kind, "ordinal": n}`: whoever plays the n-th copy of the card joins the declarer. The ordinal
`OTHER_COPY` stands for 'the other copy' (000 l.304): no count can say which that is, since it depends on when the
declarer plays the copy held, so it means the one that anybody but the declarer plays.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.errors import IllegalCall
from service.rules.cards import CARDS, Counts
from service.rules.rulesets import Composition
from service.rules.trumps import TRUMPS, Order

#: The ordinal of a call for 'the other copy'.
OTHER_COPY: Final = 0

Call = dict[str, int]


def check_calls(
    calls: Sequence[Mapping[str, Any]],
    order: Order,
    cards: Composition,
    options: Mapping[str, Any],
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
        if order.group_of[kind] == TRUMPS:
            raise IllegalCall("call_no_trumps", card=CARDS[kind])
        ordinal = _other(options, hand, kind) if call.get("other") else call["ordinal"]
        copies = cards.decks - cards.removed.count(kind)
        if ordinal > copies or (ordinal < 1 and not call.get("other")):
            raise IllegalCall("call_ordinal", required={"ordinal": copies}, card=CARDS[kind])
        kept.append({"card": kind, "ordinal": ordinal})
    _check_distinct(kept)
    return kept


def _other(options: Mapping[str, Any], hand: Counts | None, kind: int) -> int:
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


def joins(calls: Sequence[Call], seen: Sequence[int], cards: Sequence[int], *, by_declarer: bool) -> list[int]:
    """Return the indices of the calls that a play fills, ascending.

    `seen` counts what was played in the round before this play (54 counts), `cards` are the kinds played. The declarer
    may fill a call too, and is then nobody's friend; but never one for 'the other copy'.
    """
    filled = []
    for at, call in enumerate(calls):
        kind, ordinal = call["card"], call["ordinal"]
        if ordinal == OTHER_COPY:
            if not by_declarer and kind in cards:
                filled.append(at)
        elif seen[kind] < ordinal <= seen[kind] + cards.count(kind):
            filled.append(at)
    return filled
