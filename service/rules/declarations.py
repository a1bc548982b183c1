"""Making trumps: declaring, reinforcing, overcalling, defending, and what happens when nobody does (`rules.md` §4.1).

What is shown is a list of dicts `{"seat", "cards": kinds, "as"}` in the order of acceptance; `cards` is the whole set
that then lies on the table, and the last one stands. Whether a seat holds the cards is not asked here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.errors import IllegalDeclaration
from service.rules.cards import BJ, CARDS, KIND, LJ, POINTS, RANKS, SUITS, Counts, names_of
from service.rules.levels import rank_of_level
from service.rules.trumps import TRUMPS, Trump, order_of

Shown = Mapping[str, Any]

#: Suits from low to high where pairs of different suits overcall each other (001 §6.2).
CHAO_SUITS: Final = "DCHS"


@dataclass(frozen=True)
class DeclareContext:
    """What the rules of declaring need to know of a table.

    Attributes:
        options: effective options.
        decks: decks in use.
        ranks: per seat the trump ranks it may declare with; empty: it may not, or its level has no trump rank.
        first_round: whether the declarer of a rotation is still to be found.
        declarer: the seat that takes the kitty whoever declares, or None.
        levels: per seat.
        active: per seat; all true but with `active_passive`.
        teams: the team of each seat where teams are fixed.
    """

    options: Mapping[str, Any]
    decks: int
    ranks: tuple[frozenset[str], ...]
    first_round: bool
    declarer: int | None
    levels: tuple[str, ...]
    active: tuple[bool, ...]
    teams: tuple[int, ...] | None


def ranks_to_declare(
    options: Mapping[str, Any], levels: Sequence[str], active: Sequence[bool], round_level: str
) -> tuple[frozenset[str], ...]:
    """Return for each seat the ranks it may declare with: the field `ranks` of a context.

    `round_level` matters with `declare_rank` `round_level` only: the level of the side or player fixed before the
    round, in the first round the start level (001 §3.5.1, §3.6.1).
    """
    how = options["declare_rank"]
    if how == "own_level":  # 000 l.61, l.267: with active_passive only active players make trumps
        ranks = [rank_of_level(level) if is_active else None for level, is_active in zip(levels, active, strict=True)]
        return tuple(frozenset(rank or "") for rank in ranks)
    if how == "round_level":
        shared = frozenset(rank_of_level(round_level) or "")
    else:  # any_active_level, 000 l.301
        held = (rank_of_level(level) for level, is_active in zip(levels, active, strict=True) if is_active)
        shared = frozenset(rank for rank in held if rank)
    return (shared,) * len(levels)


def standing(shown: Sequence[Shown]) -> Shown | None:
    """Return the declaration that stands, or None."""
    return shown[-1] if shown else None


def overcalled_seat(shown: Sequence[Shown]) -> int | None:
    """Return the seat that may defend while the moment is open: the one whose declaration was just overcalled."""
    if len(shown) < 2 or shown[-1]["as"] != "overcall":
        return None
    seat: int = shown[-2]["seat"]
    return seat if seat != shown[-1]["seat"] else None


def judge(
    context: DeclareContext,
    shown: Sequence[Shown],
    seat: int,
    cards: Sequence[int],
    *,
    may_defend: bool,
    meant: str | None = None,
) -> str:
    """Return what showing these cards is: `declare`, `reinforce`, `overcall` or `defend`.

    `cards` is the whole set that would lie on the table, in a reinforcement the added ones included; `may_defend`
    tells whether the moment for an immediate defence is open, `meant` what the player calls it, if it was said.

    Raises:
        IllegalDeclaration: the cards do not make, change or defend trumps now, or not in the way meant.
    """
    _check_cards(context, seat, cards)
    last = standing(shown)
    if last is None:
        meaning = "declare"
    elif last["seat"] == seat:
        meaning = _judge_own(context, last, cards)
    elif may_defend and _defends(context, shown, seat, cards):
        meaning = "defend"
    else:
        meaning = _judge_overcall(context, last, seat, cards)
    if meant not in (None, meaning):
        raise IllegalDeclaration("meant_otherwise", required={"as": meaning})
    return meaning


def _check_cards(context: DeclareContext, seat: int, cards: Sequence[int]) -> None:
    """Check what any declaration needs: identical cards, of the right rank or jokers."""
    if not cards or min(cards) != max(cards):
        raise IllegalDeclaration("identical_cards")
    ranks = context.ranks[seat]
    if not ranks:
        raise IllegalDeclaration("may_not_declare")
    if cards[0] < LJ:
        if CARDS[cards[0]][0] not in ranks:
            raise IllegalDeclaration("rank_to_declare", required={"ranks": _ascending(ranks)})
        return
    options = context.options
    if options["joker_declaration"] == "none":
        raise IllegalDeclaration("jokers_do_not_declare", required={"ranks": _ascending(ranks)})
    if cards[0] == LJ and not options["little_joker_declaration"]:
        raise IllegalDeclaration("little_jokers_do_not_declare")
    if len(cards) < 2:
        raise IllegalDeclaration("joker_pair", required={"cards": 2})
    if options["declare_rank"] == "any_active_level" and not context.active[seat]:
        # Jokers name no rank: the trump rank is the level of whoever shows them.
        raise IllegalDeclaration("may_not_declare")


def _ascending(ranks: frozenset[str]) -> list[str]:
    return sorted(ranks, key=RANKS.index)


def _judge_own(context: DeclareContext, last: Shown, cards: Sequence[int]) -> str:
    """Judge what the trump maker shows again: more of the same, or another suit (000 l.77; 001 §3.5.5; 003 l.48)."""
    if cards[0] == last["cards"][0]:
        if len(cards) <= len(last["cards"]):
            raise IllegalDeclaration("add_identical_cards", required={"cards": len(last["cards"]) + 1})
        if not context.options["reinforce"]:
            raise IllegalDeclaration("no_reinforcing")
        return "reinforce"
    if not context.options["self_overcall"]:
        raise IllegalDeclaration("no_self_overcall")
    _check_higher(context, last, cards)
    return "overcall"


def _defends(context: DeclareContext, shown: Sequence[Shown], seat: int, cards: Sequence[int]) -> bool:
    """Tell whether the overcalled seat adds as many identical cards as it was overcalled with (000 l.63-68)."""
    if context.options["defence"] != "immediate" or overcalled_seat(shown) != seat:
        return False
    mine, theirs = shown[-2]["cards"], shown[-1]["cards"]
    if cards[0] != mine[0] or len(cards) != len(theirs) or len(cards) <= len(mine):
        return False
    if _joker(theirs) > _joker(cards):  # 001 §3.5.5: late reinforcement cannot prevent an overcall by jokers
        raise IllegalDeclaration("jokers_hold", required={"cards": len(theirs) + 1})
    return True


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
    """Check that more cards are shown, or with `longer_or_jokers` as many but little jokers, or big ones over those."""
    theirs = last["cards"]
    jokers = context.options["overcall"] == "longer_or_jokers"
    if len(cards) > len(theirs) or (jokers and len(cards) == len(theirs) and _joker(cards) > _joker(theirs)):
        return
    raise IllegalDeclaration("overcall_higher", required={"cards": len(theirs) + 1}, standing=names_of(theirs))


def trump_maker(context: DeclareContext, shown: Sequence[Shown]) -> tuple[int, Trump] | None:
    """Return who has made trumps and what they are, or None if nobody declared.

    It is who stands, but with `any_active_level` the next active seat at the level shown (000 l.301).
    """
    last = standing(shown)
    if last is None:
        return None
    seat: int = last["seat"]
    card = CARDS[last["cards"][0]]
    if last["cards"][0] >= LJ:
        own = context.options["declare_rank"] == "any_active_level"
        rank = rank_of_level(context.levels[seat]) if own else min(context.ranks[seat])
        return seat, Trump(rank, None)
    trump = Trump(card[0], card[1])
    if context.options["declare_rank"] == "any_active_level":
        seats = len(context.levels)
        around = ((seat + step) % seats for step in range(seats))
        seat = next(at for at in around if context.active[at] and rank_of_level(context.levels[at]) == trump.rank)
    return seat, trump


def outcome(context: DeclareContext, shown: Sequence[Shown]) -> tuple[int, Trump] | None:
    """Return at the end of the deal who takes the kitty and what is trumps, or None if nobody declared.

    Who takes the kitty is the declarer fixed before the round, in the first round of a rotation the last or the first
    to show (`first_declarer`; 001 §3.5.5; 004 l.17), else the trump maker.
    """
    made = trump_maker(context, shown)
    if made is None:
        return None
    maker, trump = made
    if context.declarer is not None:
        return context.declarer, trump
    if context.first_round and context.options["first_declarer"] == "first":
        return shown[0]["seat"], trump
    return maker, trump


def possible(
    context: DeclareContext, shown: Sequence[Shown], seat: int, hand: Counts, *, may_defend: bool
) -> list[list[int]]:
    """Return every set that the seat could show now out of its hand, shorter ones first, each accepted by `judge`."""
    kinds = [KIND[rank + suit] for rank in _ascending(context.ranks[seat]) for suit in SUITS] + [LJ, BJ]
    sets = []
    for kind in kinds:
        for number in range(1, hand[kind] + 1):
            cards = [kind] * number
            try:
                judge(context, shown, seat, cards, may_defend=may_defend)
            except IllegalDeclaration:
                continue
            sets.append(cards)
    return sorted(sets, key=len)


def flip_kitty(rank: str, kitty: Sequence[int]) -> tuple[str | None, int]:
    """Return the suit that the kitty gives, turned card by card, and how many cards are turned (001 §3.5.5).

    `rank` is the trump rank, `kitty` the kinds in the order turned. The suit is None if they are all jokers, which no
    seed thinks of.
    """
    for at, kind in enumerate(kitty):
        if CARDS[kind][0] == rank and kind < LJ:
            return CARDS[kind][1], at + 1
    suited = [kind for kind in kitty if kind < LJ]
    highest = max(suited, key=lambda kind: RANKS.index(CARDS[kind][0]), default=None)  # max takes the first of equals
    return (None if highest is None else CARDS[highest][1]), len(kitty)


def cut(shuffler: int, rank: str, players: int) -> int | None:
    """Return who draws first after a card of this rank was cut: counted from the shuffler as 1 (001 §3.5.3).

    None: an ace or a joker (`LJ`, `BJ`) was cut, and another card is.
    """
    if rank == "A" or rank not in RANKS:
        return None
    return (shuffler + RANKS.index(rank) + 1) % players


def may_redeal(options: Mapping[str, Any], trump: Trump | None, hand: Counts) -> bool:
    """Tell whether a hand may ask for a new deal (003 l.62; 001 §3.5.7): any one condition of `misdeal` is enough.

    Without trumps so far (`trump` None) nobody can be said to hold none.
    """
    asked = options["misdeal"]
    points = sum(count * POINTS[kind] for kind, count in enumerate(hand))
    if points == 0 and asked.get("no_points"):
        return True
    if points < asked.get("points_below", 0):
        return True
    if trump is None or not asked.get("no_trumps"):
        return False
    order = order_of(trump, options["twos_always_trump"])
    return not any(hand[kind] for kind in order.groups[TRUMPS])


def redeal_starter(options: Mapping[str, Any], starter: int, caller: int) -> int:
    """Return who draws first after a misdeal: whoever asked for it, or the same seat as before (003 l.62)."""
    return caller if options["misdeal_starter"] == "caller" else starter


def chao_asked(players: int, *, holder: int, declared_last: int | None, overcalled: bool) -> list[int]:
    """Return who is asked, in this order, whether to overcall for the kitty (001 §6.2).

    `holder` has just buried; `declared_last` declared or overcalled last in the deal, and is passed over as long as
    nobody has `overcalled` for the kitty.
    """
    around = [(holder + step) % players for step in range(1, players)]
    return around if overcalled else [seat for seat in around if seat != declared_last]


def chao_suit(
    options: Mapping[str, Any], rank: str | None, standing_cards: Sequence[int], cards: Sequence[int]
) -> str | None:
    """Return the trump suit that overcalling for the kitty with these cards makes; None: no trump suit (001 §6.2).

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
    """Return the strength of identical cards; the seed has pairs only, longer sets beat them as in the deal."""
    kind = cards[0]
    return len(cards), CHAO_SUITS.index(CARDS[kind][1]) if kind < LJ else len(CHAO_SUITS) + kind - LJ
