"""Parsing the body of a question to the rule oracle, which may be any JSON.

Every reader raises `InvalidRequest` with `reason`, `field` and what is accepted; the texts are in
`service.texts.round_rules`. Sizes are limited, so that an invalid question is refused cheaply.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn, TypeVar

from service.common.errors import InvalidRequest
from service.rules.cards import KIND, RANKS, SUITS, absent_from
from service.rules.composition import Composition, cards_of, deck_of
from service.rules.games import ruleset_of
from service.rules.options.rulesets import effective_options
from service.rules.trumps import Trump

MOST_DECKS: Final = 24
#: More cards than any hand has, even with the kitty.
MOST_CARDS: Final = 160
#: More entries than any list of a round: events, tricks, hands, plays.
MOST_ENTRIES: Final = 200
#: More points and levels than any round can bring; with a doubling kitty factor, 655,480 and 16,385 are possible.
MOST_POINTS: Final = 10_000_000
MOST_LEVELS: Final = 20_000

T = TypeVar("T")


def refuse(reason: str, field: str, **params: object) -> NoReturn:
    """Raise the refusal of a field."""
    raise InvalidRequest(reason=reason, field=field, **params)


class Fields:
    """An object in a question, with typed access to its fields.

    Attributes:
        players: number of seats.
        decks: number of decks.
    """

    def __init__(self, fields: Mapping[str, object], path: str, players: int, decks: int) -> None:
        self._fields = fields
        self._path = path
        self.players = players
        self.decks = decks

    def __contains__(self, field: str) -> bool:
        return field in self._fields

    @property
    def fields(self) -> Mapping[str, object]:
        """The fields as received."""
        return self._fields

    def place(self, field: str) -> str:
        """Return the path of a field in the question."""
        return self._path + field

    def value(self, field: str) -> object:
        """Return a field as received; it is required."""
        if field not in self._fields:
            refuse("missing", self.place(field))
        return self._fields[field]

    def integer(self, field: str, least: int, most: int) -> int:
        """Return an integer from `least` to `most`."""
        value = self.value(field)
        if type(value) is not int or not least <= value <= most:
            refuse("number", self.place(field), min=least, max=most)
        return value

    def flag(self, field: str) -> bool:
        """Return a boolean; false if left out."""
        value = self._fields.get(field, False)
        if type(value) is not bool:
            refuse("not_true_or_false", self.place(field))
        return value

    def choice(self, field: str, accepted: Sequence[T]) -> T:
        """Return one of the accepted values."""
        value = self.value(field)
        for each in accepted:
            if value == each and type(value) is type(each):
                return each
        refuse("choice", self.place(field), accepted=list(accepted))

    def seat(self, field: str) -> int:
        """Return a seat."""
        return self.integer(field, 0, self.players - 1)

    def listed(self, field: str, least: int = 0, most: int = MOST_ENTRIES) -> list[object]:
        """Return a list with a number of entries from `least` to `most`."""
        value = self.value(field)
        if not isinstance(value, list) or not least <= len(value) <= most:
            refuse("list", self.place(field), min=least, max=most)
        return value

    def inner(self, field: str) -> "Fields":
        """Return an object in this one."""
        return self._inner(self.value(field), self.place(field))

    def inner_list(self, field: str, least: int = 0, most: int = MOST_ENTRIES) -> list["Fields"]:
        """Return a list of objects in this one."""
        listed = self.listed(field, least, most)
        return [self._inner(value, f"{self._path}{field}/{at}") for at, value in enumerate(listed)]

    def _inner(self, value: object, path: str) -> "Fields":
        if not isinstance(value, dict):
            refuse("not_an_object", path)
        return Fields(value, path + "/", self.players, self.decks)

    def each(self, field: str, read: Callable[["Fields", str], T], least: int = 0, most: int = MOST_ENTRIES) -> list[T]:
        """Return a list whose entries are read by `read`: `read(entries, "0")` reads the first."""
        listed = self.listed(field, least, most)
        named = {str(at): value for at, value in enumerate(listed)}
        entries = Fields(named, f"{self._path}{field}/", self.players, self.decks)
        return [read(entries, name) for name in named]

    def card(self, field: str) -> int:
        """Return the kind of one card."""
        name = self.value(field)
        if not isinstance(name, str) or name not in KIND:
            refuse("no_such_card", self.place(field), card=name if isinstance(name, str) else repr(name)[:40])
        return KIND[name]

    def cards(self, field: str, least: int = 1, most: int = MOST_CARDS) -> list[int]:
        """Return cards as kinds, with no more copies of a card than decks."""
        kinds = self.each(field, Fields.card, least, most)
        self.check_copies(kinds, field)
        return kinds

    def plays(self, field: str, least: int = 1, most: int = MOST_ENTRIES) -> list[list[int]]:
        """Return lists of cards, all of the same length."""
        plays = self.each(field, Fields.cards, least, most)
        if len({len(play) for play in plays}) > 1:
            refuse("unequal_plays", self.place(field))
        return plays

    def check_copies(self, kinds: Sequence[int], field: str) -> None:
        """Refuse more copies of a card than there are decks."""
        for kind in set(kinds):
            if kinds.count(kind) > self.decks:
                refuse("more_copies_than_decks", self.place(field), decks=self.decks)

    def trump(self, field: str = "trump") -> Trump:
        """Return trump rank and suit."""
        trump = self.inner(field)
        rank = trump.choice("rank", (*RANKS, None))
        return Trump(rank, trump.choice("suit", (*SUITS, None)))


class Question(Fields):
    """The body of a question.

    Attributes:
        ruleset: id.
        players: number of players; may be left out if the ruleset has only one.
        decks: 1 to `MOST_DECKS`; the ruleset's number if left out.
        options: effective options.
        cards_in_game: the composition with these decks.
        absent: kinds that the game does not have.
    """

    def __init__(self, ruleset: str, body: Mapping[str, object]) -> None:
        rules = ruleset_of(ruleset)
        super().__init__(body, "", 0, 0)
        self.ruleset = rules.id
        only = len(rules.players) == 1 and "players" not in self
        self.players = rules.players[0] if only else self.choice("players", rules.players)
        overrides = body.get("options", {})
        if not isinstance(overrides, dict):
            refuse("not_an_object", "options")
        decks = self.integer("decks", 1, MOST_DECKS) if "decks" in self else None
        self.options = effective_options(rules.id, self.players, overrides, decks)
        self.cards_in_game: Composition = cards_of(rules.id, self.players, self.options, decks)
        self.decks = self.cards_in_game.decks
        self.absent = absent_from(deck_of(self.cards_in_game))
