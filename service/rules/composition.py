"""The cards of a game, and the sizes of hands and kitty (`docs/rules.md` §3.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import islice
from operator import mul
from typing import Final, NamedTuple

from service.rules.cards import BJ, KIND, LJ, POINTS, RANKS, SUITS, Counts, kinds_in, kinds_of, names_of
from service.rules.games import ARMS_LENGTH, RULESETS, SISHIFEN, ZHAOPENGYOU, ZHAOPENGYOU_80, ruleset_of
from service.rules.option import Options

#: Fewest cards in a hand.
LEAST_HAND: Final = 3
#: Smallest default kitty.
_LEAST_KITTY: Final = 5


@dataclass(frozen=True)
class Composition:
    """The cards of a game, and the sizes of hands and kitty.

    Attributes:
        decks: number of decks, not counting jokers.
        big_jokers, little_jokers: number of each.
        removed: kinds removed so that the rest can be dealt evenly, one entry per card.
        hand: number of cards in each hand.
        kitty: number of cards in the kitty.
        calls: number of friends to call; 0 in games without friends.
        declarers_max: most players on the declarer's side.
        attackers_min: fewest players on the other side.
        total: number of all cards.
        points: points of all cards; 0 in Arm's Length.
        copies: kind -> number of copies.
    """

    decks: int
    big_jokers: int
    little_jokers: int
    removed: tuple[int, ...]
    hand: int
    kitty: int
    calls: int
    declarers_max: int
    attackers_min: int
    total: int
    points: int
    copies: tuple[int, ...]


#: Players -> decks, big jokers, little jokers. Published for up to twelve players; the other rows have a kitty of six.
_ZHAOPENGYOU_CARDS: Final = {
    5: (2, 2, 2),
    6: (2, 2, 2),
    7: (2, 0, 0),
    8: (3, 2, 0),
    9: (3, 3, 0),
    10: (3, 0, 0),
    11: (3, 2, 2),
    12: (4, 2, 0),
    13: (4, 3, 3),
    14: (4, 4, 4),
    15: (4, 4, 4),
    16: (4, 3, 3),
}
#: Players -> cards removed, of different suits.
_ZHAOPENGYOU_80_REMOVED: Final = {4: ("2S", "3H"), 6: (), 8: ("2S", "3H", "4D", "6C")}
#: Order of suits in which cards are removed for the option `kitty_size`.
_TAKEN_SUITS: Final = "CDHS"


class _Choices(NamedTuple):
    """The options of a table that determine its cards; hashable, for use as a cache key."""

    joker_policy: str
    decks: int | None
    special: tuple[tuple[str, bool, bool], ...]
    kitty_size: int | None
    calls: int | None
    start_level: str


def _choices(options: Options) -> _Choices:
    special = tuple(
        (deck.get("from", RANKS[0]), deck.get("little_joker", True), deck.get("big_joker", True))
        for deck in options.get("special_decks", ())
    )
    return _Choices(
        options.get("joker_policy", "table"),
        options.get("decks"),
        special,
        options.get("kitty_size"),
        options.get("friend_calls"),
        options.get("start_level", RANKS[0]),
    )


def _own_cards(ruleset: str, players: int, policy: str) -> tuple[int, int, int]:
    """Return the ruleset's default numbers of decks, big jokers and little jokers."""
    if ruleset == ARMS_LENGTH:
        return 1, 0, 0
    if ruleset == ZHAOPENGYOU:
        decks, big, little = _ZHAOPENGYOU_CARDS[players]
        if policy == "kitty_six":
            return decks, big, 0
        if policy == "all_jokers":
            decks = 3 if players == 7 else decks
            return decks, decks, decks
        return decks, big, little
    decks = {SISHIFEN: 1, ZHAOPENGYOU_80: {8: 3}.get(players, 2)}.get(ruleset, players // 2)
    return decks, decks, decks


def _all_cards(ruleset: str, players: int, chosen: _Choices) -> tuple[int, Counts, list[int]]:
    """Return the number of decks, the copies of each kind, and the kinds that the ruleset removes."""
    own, big, little = _own_cards(ruleset, players, chosen.joker_policy)
    decks = own if chosen.decks is None else chosen.decks
    if chosen.decks is None and not chosen.special:
        removed = kinds_of(_ZHAOPENGYOU_80_REMOVED[players]) if ruleset == ZHAOPENGYOU_80 else []
        copies = _full(decks, big, little)
        for kind in removed:
            copies[kind] -= 1
        return decks, copies, removed
    copies = _full(decks, decks, decks)
    for lowest, has_little, has_big in chosen.special:
        for rank in RANKS[: RANKS.index(lowest)]:
            for suit in SUITS:
                copies[KIND[rank + suit]] -= 1
        copies[LJ] -= not has_little
        copies[BJ] -= not has_big
    return decks, copies, []


def _full(decks: int, big: int, little: int) -> Counts:
    copies = [decks] * len(POINTS)
    copies[LJ], copies[BJ] = little, big
    return copies


def _own_kitty(ruleset: str, players: int, total: int, policy: str) -> int:
    """Return the default size of the kitty, which lets the rest be dealt evenly."""
    rest = total % players
    if ruleset == ARMS_LENGTH:
        return rest
    if policy == "all_jokers":  # nearest to six; the larger on a tie
        return min((rest, rest + players, rest + 2 * players), key=lambda size: (abs(size - 6), -size))
    while rest < _LEAST_KITTY:
        rest += players
    return rest


def _taken_out(copies: Sequence[int], start: str) -> Iterator[int]:
    """Yield the cards that may be removed for the option `kitty_size`, in the order of removal."""
    for rank in RANKS:
        kinds = [KIND[rank + suit] for suit in _TAKEN_SUITS]
        if rank == start or POINTS[kinds[0]]:
            continue
        for round_of_suits in range(max(copies[kind] for kind in kinds)):
            yield from (kind for kind in kinds if copies[kind] > round_of_suits)


def composition(ruleset: str, players: int, options: Options) -> Composition:
    """Return the cards of a game.

    They depend on the options of the phase `cards`, `friend_calls` and `start_level`; options left out have the
    ruleset's default. `effective_options` checks that the result is playable.

    Raises:
        InvalidRequest: no such ruleset, or not for this number of players.
    """
    ruleset_of(ruleset, players)
    return _compose(ruleset, players, _choices(options))


@lru_cache(maxsize=256)
def _compose(ruleset: str, players: int, chosen: _Choices) -> Composition:
    rules = RULESETS[ruleset]
    decks, copies, removed = _all_cards(ruleset, players, chosen)
    kitty = chosen.kitty_size
    if kitty is None:
        kitty = _own_kitty(ruleset, players, sum(copies), chosen.joker_policy)
    else:
        surplus = max(0, sum(copies) - kitty) % players
        taken = list(islice(_taken_out(copies, chosen.start_level), surplus))
        for kind in taken:
            copies[kind] -= 1
        removed = [*removed, *taken]
    friends = rules.teams == "friends"
    declarers = chosen.calls + 1 if friends and chosen.calls is not None else players // 2
    total = sum(copies)
    return Composition(
        decks=decks,
        big_jokers=copies[BJ],
        little_jokers=copies[LJ],
        removed=tuple(removed),
        hand=(total - kitty) // players,
        kitty=kitty,
        calls=declarers - 1 if friends else 0,
        declarers_max=declarers,
        attackers_min=players - declarers,
        total=total,
        points=sum(map(mul, copies, POINTS)) if rules.family == "shengji" else 0,
        copies=tuple(copies),
    )


def cards_of(ruleset: str, players: int, options: Options, decks: int | None = None) -> Composition:
    """Return the composition, or `decks` full decks if the ruleset has another number.

    Raises the same as `composition`.
    """
    cards = composition(ruleset, players, options)
    if decks is None or decks == cards.decks:
        return cards
    return replace(
        cards,
        decks=decks,
        big_jokers=decks,
        little_jokers=decks,
        removed=(),
        total=54 * decks,
        points=100 * decks,
        copies=tuple(_full(decks, decks, decks)),
    )


def deck_of(cards: Composition) -> list[int]:
    """Return all cards of a game as kinds in ascending order."""
    return kinds_in(cards.copies)


@lru_cache(maxsize=256)
def ranks_of(cards: Composition) -> str:
    """Return the ranks that are in at least one deck, ascending."""
    return "".join(rank for rank in RANKS if any(cards.copies[KIND[rank + suit]] for suit in SUITS))


def cards_as_json(cards: Composition, teams: str) -> dict[str, object]:
    """Return a composition as JSON, with the fields of a `setup` vector; fields that do not apply are left out."""
    answer = asdict(cards)
    del answer["copies"]
    removed = names_of(answer.pop("removed"))
    if teams != "friends":
        for name in ("calls", "declarers_max", "attackers_min"):
            del answer[name]
    if not answer["points"]:
        del answer["points"]
    if removed:
        answer |= {
            "removed": removed,
            "removed_count": len(removed),
            "removed_ranks": sorted(name[0] for name in removed),
        }
    return answer
