"""Making trumps: declaring, reinforcing, overcalling and defending (`docs/rules.md` §4.2-4.3).

`shown` is the list of accepted declarations, dicts `{"seat", "cards": kinds, "as"}`; `cards` are all cards that the
seat then shows, including earlier ones, and the last declaration stands. They are laid out: level cards before the
joker beside them. Nothing here checks that a seat holds the cards.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from service.common.errors import IllegalDeclaration
from service.rules.cards import BJ, CARDS, KIND, LJ, RANKS, SUITS, Counts, names_of
from service.rules.option import Options
from service.rules.rounds.levels import rank_of_level
from service.rules.trumps import Trump

Shown = Mapping[str, Any]

#: Value of `suit_order` -> suits from low to high, where options rank them.
_SUITS_ASCENDING: Final = {"clubs_over_diamonds": "DCHS", "diamonds_over_clubs": "CDHS"}
#: Suit -> the joker of its colour: the little one is black, the big one red.
_JOKER_OF_SUIT: Final = {"S": LJ, "C": LJ, "H": BJ, "D": BJ}


@dataclass(frozen=True)
class DeclareContext:
    """The facts about a table on which declarations depend.

    Attributes:
        options: effective options.
        decks: number of decks.
        jokers: numbers of little and of big jokers in the game.
        ranks: for each seat, the ranks it may declare with; empty if it may not declare or its level has no trump rank.
        first_round: whether this is a round in which the declarer of a rotation is chosen.
        declarer: the seat that takes the kitty whoever declares, or None.
        levels: level of each seat.
        active: whether each seat is active; all true without `active_passive`.
        teams: team of each seat; None if teams are not fixed.
    """

    options: Options
    decks: int
    jokers: tuple[int, int]
    ranks: tuple[frozenset[str], ...]
    first_round: bool
    declarer: int | None
    levels: tuple[str, ...]
    active: tuple[bool, ...]
    teams: tuple[int, ...] | None


def ranks_to_declare(
    options: Options, levels: Sequence[str], active: Sequence[bool], round_level: str
) -> tuple[frozenset[str], ...]:
    """Return for each seat the ranks it may declare with: the field `ranks` of a context.

    `round_level` is used only with the option `declare_rank` `round_level`: the level of the declarer known before the
    round; in the first round, the start level.
    """
    how = options["declare_rank"]
    if how == "own_level":  # with active_passive only active players make trumps
        ranks = [rank_of_level(level) if is_active else None for level, is_active in zip(levels, active, strict=True)]
        return tuple(frozenset(rank or "") for rank in ranks)
    if how == "round_level":
        shared = frozenset(rank_of_level(round_level) or "")
    else:  # any_active_level
        held = (rank_of_level(level) for level, is_active in zip(levels, active, strict=True) if is_active)
        shared = frozenset(rank for rank in held if rank)
    return (shared,) * len(levels)


def laid_out(cards: Sequence[int]) -> list[int]:
    """Return cards in the order of a declaration: level cards before the joker beside them."""
    return sorted(cards)


def size_of(cards: Sequence[int]) -> int:
    """Return the number of identical cards of a declaration, without the joker beside them."""
    return cards.count(cards[0])


def jokers_beside(options: Options, kind: int) -> tuple[int, ...]:
    """Return the kinds of joker that may lie beside cards of a kind; one must, if there are any."""
    how = options["joker_beside"]
    if kind >= LJ or how == "none":
        return ()
    return (LJ, BJ) if how == "any" else (_JOKER_OF_SUIT[CARDS[kind][1]],)


def suits_ascending(options: Options) -> str:
    """Return the suits from low to high, where options rank them."""
    return _SUITS_ASCENDING[options["suit_order"]]


def _follows_first(context: DeclareContext, declarations: Sequence[Shown]) -> bool:
    """Return whether the first declaration has settled rank and declarer, and only the suit can be overcalled."""
    return bool(declarations) and context.options["overcall_rank"] == "first"


def _ranks(context: DeclareContext, declarations: Sequence[Shown], seat: int) -> frozenset[str]:
    """Return the ranks that a seat may show now."""
    first = _follows_first(context, declarations) and context.active[seat]
    return context.ranks[declarations[0]["seat"] if first else seat]


def standing(declarations: Sequence[Shown]) -> Shown | None:
    """Return the declaration that stands, or None."""
    return declarations[-1] if declarations else None


def overcalled_seat(declarations: Sequence[Shown]) -> int | None:
    """Return the seat whose declaration was just overcalled by another seat, or None."""
    if len(declarations) < 2 or declarations[-1]["as"] != "overcall":
        return None
    seat: int = declarations[-2]["seat"]
    return seat if seat != declarations[-1]["seat"] else None


def judge(
    context: DeclareContext,
    declarations: Sequence[Shown],
    seat: int,
    cards: Sequence[int],
    *,
    may_defend: bool,
    meant: str | None = None,
    after_kitty: bool = False,
) -> str:
    """Return what showing these cards means: `declare`, `reinforce`, `overcall` or `defend`.

    Args:
        context: the table.
        declarations: the declarations so far.
        seat: who shows the cards.
        cards: all cards that the seat would then show, laid out; in a reinforcement, those shown before and those
            added.
        may_defend: whether an immediate defence is possible now.
        meant: what the player says it means, if anything.
        after_kitty: whether the cards are shown after a discard (`docs/rules.md` §5.2).

    Raises:
        IllegalDeclaration: the cards cannot be shown now, or their meaning is not `meant`.
    """
    options = context.options
    if after_kitty and not (options["chao_di"] and options["chao_di_rule"] == "overcall"):
        raise IllegalDeclaration("no_kitty_overcalls")
    _check_cards(context, declarations, seat, cards)
    last = standing(declarations)
    if last is None:
        if cards[0] >= LJ and not options["jokers_open"]:
            raise IllegalDeclaration("jokers_do_not_open", required={"ranks": _ascending(context.ranks[seat])})
        meaning = "declare"
    elif last["seat"] == seat:
        meaning = _judge_own(context, last, cards)
    elif _defends(context, declarations, seat, cards, may_defend=may_defend):
        meaning = "defend"
    else:
        meaning = _judge_overcall(context, last, seat, cards)
    if meant not in (None, meaning):
        raise IllegalDeclaration("meant_otherwise", required={"as": meaning})
    return meaning


def _check_cards(context: DeclareContext, declarations: Sequence[Shown], seat: int, cards: Sequence[int]) -> None:
    """Check what any declaration needs: identical cards, of the right rank or jokers, and the joker beside them."""
    options = context.options
    beside = cards[size_of(cards) :] if cards else ()
    may_be_beside = jokers_beside(options, cards[0]) if cards else ()
    if not cards or (beside and (not may_be_beside or beside[0] < LJ)):
        raise IllegalDeclaration("identical_cards")
    ranks = _ranks(context, declarations, seat)
    if not ranks:
        raise IllegalDeclaration("may_not_declare")
    if cards[0] >= LJ:
        _check_jokers(context, seat, cards, ranks)
        return
    if CARDS[cards[0]][0] not in ranks:
        raise IllegalDeclaration("rank_to_declare", required={"ranks": _ascending(ranks)})
    if may_be_beside and (len(beside) != 1 or beside[0] not in may_be_beside):
        raise IllegalDeclaration("joker_beside", required={"jokers": names_of(may_be_beside)})


def _check_jokers(context: DeclareContext, seat: int, cards: Sequence[int], ranks: frozenset[str]) -> None:
    """Check what a declaration with jokers needs; `ranks` are those with which the seat may declare."""
    options = context.options
    if options["joker_declaration"] == "none":
        raise IllegalDeclaration("jokers_do_not_declare", required={"ranks": _ascending(ranks)})
    if cards[0] == LJ and not options["little_joker_declaration"]:
        raise IllegalDeclaration("little_jokers_do_not_declare")
    least = _least_jokers(context, cards[0])
    if len(cards) < least:
        raise IllegalDeclaration("joker_pair", required={"cards": least})
    if options["declare_rank"] == "any_active_level" and not context.active[seat]:
        # Jokers have no rank: the trump rank is the level of the player who shows them.
        raise IllegalDeclaration("may_not_declare")


def _least_jokers(context: DeclareContext, kind: int) -> int:
    """Return how many jokers of a kind it takes to declare them."""
    in_game = context.jokers[kind - LJ]
    how = context.options["joker_declaration"]
    if how == "all_decks" or (how == "all_but_one_big" and kind == LJ):
        return max(1, in_game)
    return {"pair": 2, "single": 1}.get(how, max(1, in_game - 1))


def _ascending(ranks: frozenset[str]) -> list[str]:
    return sorted(ranks, key=RANKS.index)


def _judge_own(context: DeclareContext, last: Shown, cards: Sequence[int]) -> str:
    """Return the meaning of cards that the trump maker shows: more of the same, or another suit."""
    if cards[0] == last["cards"][0]:
        if size_of(cards) <= size_of(last["cards"]):
            raise IllegalDeclaration("add_identical_cards", required={"cards": size_of(last["cards"]) + 1})
        if not context.options["reinforce"]:
            raise IllegalDeclaration("no_reinforcing")
        return "reinforce"
    if not context.options["self_overcall"]:
        raise IllegalDeclaration("no_self_overcall")
    _check_higher(context, last, cards)
    return "overcall"


def _defends(
    context: DeclareContext, declarations: Sequence[Shown], seat: int, cards: Sequence[int], *, may_defend: bool
) -> bool:
    """Return whether these cards defend the seat's earlier declaration, with as many cards as now stand."""
    mine = _defensible(context, declarations, seat, may_defend=may_defend)
    theirs = declarations[-1]["cards"]
    if mine is None or cards[0] != mine[0] or not size_of(mine) < size_of(cards) == size_of(theirs):
        return False
    if _joker(theirs) > _joker(cards):
        raise IllegalDeclaration("jokers_hold", required={"cards": size_of(theirs) + 1})
    return True


def _defensible(
    context: DeclareContext, declarations: Sequence[Shown], seat: int, *, may_defend: bool
) -> Sequence[int] | None:
    """Return the cards of the earlier declaration that a seat may defend now, or None."""
    how = context.options["defence"]
    if how == "immediate":
        return declarations[-2]["cards"] if may_defend and overcalled_seat(declarations) == seat else None
    if how == "any_time":
        return next((each["cards"] for each in reversed(declarations) if each["seat"] == seat), None)
    return None


def defender(context: DeclareContext, declarations: Sequence[Shown]) -> int | None:
    """Return the seat that must be asked for an immediate defence, or None.

    A seat is asked if a defence is possible with the copies in the game, whatever the seat holds; otherwise the
    question itself would reveal something about the hand. There is no defence against an overcall of equal length, of
    higher jokers, or of more cards than there are copies.
    """
    if context.options["defence"] != "immediate" or overcalled_seat(declarations) is None:
        return None
    mine, theirs = declarations[-2]["cards"], declarations[-1]["cards"]
    copies = context.decks if mine[0] < LJ else context.jokers[mine[0] - LJ]
    if size_of(mine) < size_of(theirs) <= copies and _joker(theirs) <= _joker(mine):
        return overcalled_seat(declarations)
    return None


def _judge_overcall(context: DeclareContext, last: Shown, seat: int, cards: Sequence[int]) -> str:
    options = context.options
    if options["overcall"] == "none":
        raise IllegalDeclaration("no_overcalling")
    teams = context.teams
    if options["overcall_by"] == "other_team" and teams is not None and teams[seat] == teams[last["seat"]]:
        raise IllegalDeclaration("other_team_overcalls")
    _check_higher(context, last, cards)
    return "overcall"


def _joker(cards: Sequence[int]) -> int:
    """Return 0 for cards of a rank, 1 for little and 2 for big jokers."""
    return max(0, cards[0] - LJ + 1)


def _check_higher(context: DeclareContext, last: Shown, cards: Sequence[int]) -> None:
    """Check that the cards are higher than those that stand, according to the option `overcall`."""
    theirs, height, options = last["cards"], _HEIGHTS[context.options["overcall"]], context.options
    if height(options, cards) <= height(options, theirs):
        raise IllegalDeclaration("overcall_higher", required={"cards": size_of(theirs) + 1}, standing=names_of(theirs))


def _suit_height(options: Options, cards: Sequence[int]) -> int:
    """Return the height of the suit of two or more rank cards; 0 for a single one, whose suit does not count."""
    return suits_ascending(options).index(CARDS[cards[0]][1]) if cards[0] < LJ and size_of(cards) > 1 else 0


#: Value of `overcall` -> sort key of declarations. With `none`, nothing is compared.
_HEIGHTS: Final[Mapping[str, Callable[[Options, Sequence[int]], tuple[int, ...]]]] = {
    "longer": lambda _, cards: (size_of(cards),),
    "longer_or_jokers": lambda _, cards: (size_of(cards), _joker(cards)),
    "longer_or_suit": lambda options, cards: (size_of(cards), _joker(cards), _suit_height(options, cards)),
    "jokers_first": lambda _, cards: (min(1, _joker(cards)), size_of(cards), _joker(cards)),
}


def trump_maker(context: DeclareContext, declarations: Sequence[Shown]) -> tuple[int, Trump] | None:
    """Return the trump maker and the trump, or None if nobody declared.

    The trump maker is the seat whose declaration stands; with `any_active_level` the first seat from there on that is
    active and at the level shown.
    """
    last = standing(declarations)
    if last is None:
        return None
    seat: int = last["seat"]
    card = CARDS[last["cards"][0]]
    if last["cards"][0] >= LJ:
        own = context.options["declare_rank"] == "any_active_level"
        rank = rank_of_level(context.levels[seat]) if own else min(_ranks(context, declarations, seat))
        return seat, Trump(rank, None)
    trump = Trump(card[0], card[1])
    if context.options["declare_rank"] == "any_active_level":
        seats = len(context.levels)
        around = ((seat + step) % seats for step in range(seats))
        seat = next(at for at in around if context.active[at] and rank_of_level(context.levels[at]) == trump.rank)
    return seat, trump


def outcome(context: DeclareContext, declarations: Sequence[Shown]) -> tuple[int, Trump] | None:
    """Return who takes the kitty after the deal, and the trump; None if nobody declared.

    The declarer known before the round takes the kitty. In the first round of a rotation it is the first or the last to
    declare (`first_declarer`), otherwise the trump maker, or with `overcall_rank` `first` the first to declare.
    """
    maker_and_trump = trump_maker(context, declarations)
    if maker_and_trump is None:
        return None
    maker, trump = maker_and_trump
    if context.declarer is not None:
        return context.declarer, trump
    is_first = context.first_round and context.options["first_declarer"] == "first"
    if is_first or _follows_first(context, declarations):
        return declarations[0]["seat"], trump
    return maker, trump


def possible(
    context: DeclareContext, declarations: Sequence[Shown], seat: int, hand: Counts, *, may_defend: bool
) -> list[list[int]]:
    """Return every set of cards in its hand that the seat may show now, shorter ones first."""
    sets = list(_possible(context, declarations, seat, hand, may_defend=may_defend))
    sets.reverse()
    sets.sort(key=len)
    return sets


def can_show(context: DeclareContext, declarations: Sequence[Shown], seat: int, hand: Counts) -> bool:
    """Return whether there is any set of cards that the seat may show now, other than in defence."""
    return next(_possible(context, declarations, seat, hand, may_defend=False), None) is not None


def _possible(
    context: DeclareContext, declarations: Sequence[Shown], seat: int, hand: Counts, *, may_defend: bool
) -> Iterator[list[int]]:
    """Yield what `possible` returns, high and long sets first: these beat what stands, if any do."""
    kinds = [KIND[rank + suit] for rank in _ascending(_ranks(context, declarations, seat)) for suit in SUITS] + [LJ, BJ]
    for kind in reversed(kinds):
        jokers = [[joker] for joker in jokers_beside(context.options, kind) if hand[joker]]
        for number, beside in product(range(hand[kind], 0, -1), jokers or [[]]):
            cards = [kind] * number + beside
            try:
                judge(context, declarations, seat, cards, may_defend=may_defend)
            except IllegalDeclaration:
                continue
            yield cards
