"""Candidate plays when following: a few legal plays, including cheap ones and all ways to win."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat

from service.common.errors import IllegalPlay
from service.rules.cards import POINTS
from service.rules.tricks.follows import Need
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.units import Line, Shape
from service.rules.trumps import TRUMPS
from workers.ai.evaluation.card_values import CardValues
from workers.ai.knowledge.seat import Knowledge

Play = tuple[int, ...]
#: Kind -> price of giving away one such card.
Prices = Sequence[float]

#: Gain from playing the last card of a side suit while holding trumps to ruff it with.
EMPTY_SUIT = 2.0
#: Discounts on cards to give away first: a called card, if playing it makes this seat a friend, and cards of one suit.
FIRST = 100.0
#: Most follows to a rainbow that are compared.
_RAINBOWS = 40


def candidates(knowledge: Knowledge, lead: Lead, card_values: CardValues, *, widely: bool = False) -> list[Play]:
    """Return legal follows: cheap ones, ones with many points, and all ways to win that differ in strength.

    Args:
        widely: whether a seat that cannot follow suit also considers cheap cards and points of each other suit.
    """
    rules, hand = knowledge.rules, knowledge.hand
    if lead.group == RAINBOW:
        return rules.plays(hand, lead, _RAINBOWS)[0]
    line = rules.lines[lead.group]
    held = rules.order.suit_counts(hand, lead.group)
    suited = sum(held)
    options: Iterable[Play]
    if suited > lead.size:
        options = _in_suit(knowledge, lead, card_values, line, held)
    else:
        suit = tuple(chain.from_iterable(map(repeat, line.kinds, held)))
        others = [0 if rules.order.group_of[kind] == lead.group else count for kind, count in enumerate(hand)]
        usual = list(_prices(knowledge, card_values))
        ways: list[tuple[Sequence[int], Prices]] = [(others, each) for each in usual]
        ways += _joining(knowledge, range(len(others)), others, usual, lead.size - suited)
        ways += [(others, each) for each in _first(usual, rules.order.groups if widely else ())]
        options = [(*suit, *_cheapest(counts, lead.size - suited, each)) for counts, each in ways]
        if not suited and lead.group != TRUMPS:
            options = chain(options, _ruffs(knowledge, lead))
    plays = list(dict.fromkeys(tuple(sorted(play)) for play in options))
    if rules.has_plain_follows:
        return plays
    return [play for play in plays if _may_follow(knowledge, lead, play)] or [rules.example(hand, lead)]


def _in_suit(
    knowledge: Knowledge, lead: Lead, card_values: CardValues, line: Line, held: tuple[int, ...]
) -> Iterator[Play]:
    """Yield follows when the hand holds more cards of the suit led than must be played."""
    needs = knowledge.rules.needs(lead, knowledge.hand) or (Need(()),)
    if len(lead.units) == 1:
        answers = _same_shape(line, held, lead.shapes[0])
        if needs != (Need(()),) and needs[-1].shapes != lead.shapes:
            # The play cannot be a unit of the lead's shape.
            answers = (play for play in answers if _may_follow(knowledge, lead, play))
        yield from answers
        if all(need.shapes == lead.shapes for need in needs) or lead.size == 1:
            return
    usual = list(_prices(knowledge, card_values))
    for counts, prices in (*((held, each) for each in usual), *_joining(knowledge, line.kinds, held, usual, lead.size)):
        for need in needs:
            arranged = arrange(line, counts, need.shapes, lead.size, prices, need.whole)
            if arranged is not None:
                yield arranged


def _may_follow(knowledge: Knowledge, lead: Lead, play: Play) -> bool:
    try:
        knowledge.rules.follow(lead, knowledge.hand, play)
    except IllegalPlay:
        return False
    return True


def _same_shape(line: Line, held: Sequence[int], shape: Shape) -> Iterator[Play]:
    """Yield every unit of a shape that the hand holds."""
    if shape == (1, 1):
        return ((kind,) for kind, count in zip(line.kinds, held, strict=True) if count)
    return (line.unit(shape[0], place).cards for place in line.places(held, shape))


def _prices(knowledge: Knowledge, card_values: CardValues) -> Iterator[Prices]:
    """Yield prices for a trick won by the other side, where points cost, and for one won by ours."""
    hand, order = knowledge.hand, knowledge.order
    keep = [
        card_values.of(kind, count) - card_values.of(kind, count - 1) if count else 0.0
        for kind, count in enumerate(hand)
    ]
    if any(hand[kind] for kind in order.groups[TRUMPS]):
        for group, kinds in enumerate(order.groups):
            if group != TRUMPS and sum([hand[kind] for kind in kinds]) == 1:
                for kind in kinds:
                    keep[kind] -= EMPTY_SUIT
    yield [price + POINTS[kind] for kind, price in enumerate(keep)]
    yield [price - POINTS[kind] for kind, price in enumerate(keep)]


def _joining(
    knowledge: Knowledge, kinds: Sequence[int], held: Sequence[int], usual: Iterable[Prices], size: int
) -> Iterator[tuple[Sequence[int], Prices]]:
    """Yield, for each call that these cards can fill, the cards to choose from, and prices.

    At first the cards include only as many copies as fill the call, since a further one would be wasted.

    Args:
        knowledge: the seat's knowledge.
        kinds: kinds of the cards.
        held: number of each in the hand.
        usual: prices without a call.
        size: number of cards to choose.
    """
    for call in knowledge.races:
        if call.kind not in kinds:
            continue
        at = kinds.index(call.kind)
        copies = call.after + 1
        if held[at] < copies:
            continue
        spared = held[at] - copies
        fewer = [count - spared * (number == at) for number, count in enumerate(held)]
        for counts in (fewer, held) if spared and sum(fewer) >= size else (held,):
            yield from ((counts, prices) for prices in _first(usual, [(call.kind,)]))


def _first(usual: Iterable[Prices], sets: Sequence[Collection[int]]) -> Iterator[Prices]:
    """Yield, for each set, prices with which its kinds are given away first."""
    for prices in usual:
        for kinds in sets:
            yield [price - FIRST if kind in kinds else price for kind, price in enumerate(prices)]


def _cheapest(counts: Sequence[int], number: int, prices: Prices) -> Play:
    """Return the cheapest cards."""
    kinds = sorted((kind for kind, count in enumerate(counts) if count), key=prices.__getitem__)
    cards = list(chain.from_iterable(repeat(kind, counts[kind]) for kind in kinds))
    return tuple(cards[:number])


def arrange(
    line: Line, held: Sequence[int], need: tuple[Shape, ...], size: int, prices: Prices, exact: bool
) -> Play | None:
    """Return the cheapest cards of one suit that contain the needed units, or None if the units do not fit.

    Args:
        line: the suit.
        held: the hand's counts of its kinds.
        need: tuples and tractors that the play must contain, see `service.rules.tricks.follows.needs`.
        size: number of cards to play.
        prices: kind -> price.
        exact: whether a unit must use whole tuples of the hand (`protect_larger`).
    """
    if sum(held) < size:
        return None
    kinds, left, chosen = line.kinds, list(held), []
    for number, shape in enumerate(need):
        width = shape[0]
        places = line.places(left, shape, exact)
        places.sort(key=lambda place: sum([prices[kinds[slot]] for slot in place]))
        for place in places:
            rest = list(left)
            for slot in place:
                rest[slot] -= width
            if line.fit(rest, need[number + 1 :], exact) is not None:
                chosen += [kinds[slot] for slot in place] * width
                left = rest
                break
        else:
            return None
    spare = sorted((slot for slot, count in enumerate(left) if count), key=lambda slot: prices[kinds[slot]])
    chosen += list(chain.from_iterable(repeat(kinds[slot], left[slot]) for slot in spare))[: size - len(chosen)]
    return tuple(chosen) if len(chosen) == size else None


def _ruffs(knowledge: Knowledge, lead: Lead) -> Iterator[Play]:
    """Yield trumps that answer the lead: every unit of its largest shape, plus low cards for a throw."""
    order = knowledge.order
    line = knowledge.rules.lines[TRUMPS]
    held = order.suit_counts(knowledge.hand, TRUMPS)
    units = _same_shape(line, held, lead.shapes[0])
    if len(lead.units) == 1:
        yield from units
        return
    low = [float(level) for level in order.level_of]
    rest, whole = (tuple([shape for shape in shapes if shape != (1, 1)]) for shapes in (lead.shapes[1:], lead.shapes))
    for unit in units:
        used = used_in(unit)
        left = [count - used.get(kind, 0) for kind, count in zip(line.kinds, held, strict=True)]
        others = arrange(line, left, rest, lead.size - len(unit), low, exact=False)
        if others is not None:
            yield unit + others
    # Where each unit is compared (`trump_throw_compare`), all of them must be high.
    play = arrange(line, held, whole, lead.size, [-price for price in low], exact=False)
    if play is not None:
        yield play


def used_in(play: Play) -> dict[int, int]:
    """Return the number of cards of each kind in a play."""
    return dict(Counter(play))
