"""The eight games of `rules.md` §1 as data: players, cards, teams, and the values of their options."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from service.errors import InvalidOption, InvalidRequest
from service.rules import games as table
from service.rules.cards import BJ, KIND, KINDS, LJ, POINTS, names_of
from service.rules.constraints import CONSTRAINTS, Setting, points_per_level, steps_accepted
from service.rules.games import ARMS_LENGTH, SHENGJI_FAMILY
from service.rules.options import OPTIONS


@dataclass(frozen=True)
class Ruleset:
    """One game.

    Attributes:
        seed: number of its rule document.
        players: possible numbers of players.
        teams: `friends` (made anew in every round), `fixed`, or `partners` (Arm's Length).
        names: language -> name.
        last_level: the end of the level ladder.
        last_as_declarers: whether the last level ends the game only when won on the declarer's side.
    """

    id: str
    seed: str
    players: tuple[int, ...]
    teams: str
    names: Mapping[str, str]
    last_level: str = "A"
    last_as_declarers: bool = True

    @property
    def family(self) -> str:
        """The engine that plays it."""
        return "arms_length" if self.id == ARMS_LENGTH else "shengji"

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Option name -> value, before what depends on the number of players is settled."""
        return {name: option.default_for(self.id) for name, option in OPTIONS.items() if _known_in(self.id, name)}


def _known_in(ruleset: str, name: str) -> bool:
    """Tell whether the engine of the ruleset reads the option at all."""
    option = OPTIONS[name]
    return ruleset in SHENGJI_FAMILY or ruleset in option.applies or ruleset in option.but


def _ruleset(ruleset: str, seed: str, players: range, names: tuple[str, str], **more: Any) -> Ruleset:
    english, chinese = names
    named = MappingProxyType({"en": english, "zh-Hans": chinese})
    return Ruleset(ruleset, seed, tuple(players), names=named, **more)


#: id -> ruleset.
RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        each.id: each
        for each in (
            _ruleset(
                table.ZHAOPENGYOU,
                "000",
                range(5, 13),
                ("Looking for Friends", "找朋友"),
                teams="friends",
                last_as_declarers=False,
            ),
            _ruleset(
                table.ZHAOPENGYOU_80,
                "003",
                range(4, 9, 2),
                ("Looking for Friends (80)", "找朋友（八十分）"),
                teams="friends",
                last_as_declarers=False,
            ),
            _ruleset(table.FINDING_FRIENDS, "001", range(4, 13), ("Finding Friends", "升级找朋友"), teams="friends"),
            _ruleset(table.SHENGJI, "001", range(4, 5), ("Sheng Ji", "升级"), teams="fixed"),
            _ruleset(table.SHENGJI_SIX, "001", range(6, 7), ("Sheng Ji for six", "六人升级"), teams="fixed"),
            _ruleset(table.SISHIFEN, "001", range(4, 5), ("Forty Points", "四十分"), teams="fixed"),
            _ruleset(
                table.TRACTOR,
                "004",
                range(4, 5),
                ("Tractor to no-trump", "拖拉机（打无将）"),
                teams="fixed",
                last_level="NT",
            ),
            _ruleset(ARMS_LENGTH, "002", range(4, 5), ("Arm's Length", "一臂之遥"), teams="partners"),
        )
    }
)


@dataclass(frozen=True)
class Composition:
    """The cards of a game and how they are shared out.

    Attributes:
        decks: decks in use; jokers are counted apart.
        removed: kinds taken out of the decks, once each.
        hand: cards for each player.
        kitty: cards of the kitty.
        calls: friends to be called; 0 without friends.
        declarers_max: most players on the declarer's side.
        attackers_min: fewest players against it.
        total: all cards.
        points: card points in all decks; 0 where cards have none.
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


#: players -> decks, big jokers, little jokers (000 l.27-36).
_ZHAOPENGYOU_CARDS: Final = {
    5: (2, 2, 2),
    6: (2, 2, 2),
    7: (2, 0, 0),
    8: (3, 2, 0),
    9: (3, 3, 0),
    10: (3, 0, 0),
    11: (3, 2, 2),
    12: (4, 2, 0),
}
#: players -> cards taken out, of different suits (003 l.14).
_ZHAOPENGYOU_80_REMOVED: Final = {4: ("2S", "3H"), 6: (), 8: ("2S", "3H", "4D", "6C")}


def _cards(ruleset: str, players: int, policy: str) -> tuple[int, int, int]:
    """Return decks, big jokers and little jokers."""
    if ruleset == ARMS_LENGTH:
        return 1, 0, 0
    if ruleset == table.ZHAOPENGYOU:
        decks, big, little = _ZHAOPENGYOU_CARDS[players]
        if policy == "kitty_six":
            return decks, big, 0
        if policy == "all_jokers":
            decks = 3 if players == 7 else decks
            return decks, decks, decks
        return decks, big, little
    decks = {table.SISHIFEN: 1, table.ZHAOPENGYOU_80: {8: 3}.get(players, 2)}.get(ruleset, players // 2)
    return decks, decks, decks


def _kitty(ruleset: str, players: int, total: int, policy: str) -> int:
    """Return the size of the kitty: always what lets the hands be equal."""
    rest = total % players
    if ruleset == ARMS_LENGTH:
        return rest
    if policy == "all_jokers":  # nearest six, the larger on a tie (000 l.263)
        return min((rest, rest + players, rest + 2 * players), key=lambda size: (abs(size - 6), -size))
    while rest < 5:  # the smallest of at least five (001 §6.5; rules.md §1); gives the tables of 000 and 003 too
        rest += players
    return rest


def composition(ruleset: str, players: int, options: Mapping[str, Any]) -> Composition:
    """Return the cards of a game (`rules.md` §1). Of the options only `joker_policy` matters.

    Raises:
        InvalidRequest: no such ruleset, or not for so many players.
    """
    rules = ruleset_of(ruleset, players)
    policy = options.get("joker_policy", "table")
    decks, big, little = _cards(ruleset, players, policy)
    removed = tuple(
        KIND[name] for name in (_ZHAOPENGYOU_80_REMOVED[players] if ruleset == table.ZHAOPENGYOU_80 else ())
    )
    total = 52 * decks + big + little - len(removed)
    kitty = _kitty(ruleset, players, total, policy)
    declarers = players // 2
    return Composition(
        decks=decks,
        big_jokers=big,
        little_jokers=little,
        removed=removed,
        hand=(total - kitty) // players,
        kitty=kitty,
        calls=declarers - 1 if rules.teams == "friends" else 0,
        declarers_max=declarers,
        attackers_min=players - declarers,
        total=total,
        points=sum(POINTS) * decks if rules.family == "shengji" else 0,
    )


def cards_of(ruleset: str, players: int, options: Mapping[str, Any], decks: int | None = None) -> Composition:
    """Return the composition, or one like it of so many full decks where a question names another number.

    Raises as `composition`.
    """
    made = composition(ruleset, players, options)
    if decks in (None, made.decks):
        return made
    return replace(
        made, decks=decks, big_jokers=decks, little_jokers=decks, removed=(), total=54 * decks, points=100 * decks
    )


def deck_of(cards: Composition) -> list[int]:
    """Return all cards of a game as kinds in ascending order."""
    copies = [cards.decks] * KINDS
    copies[LJ], copies[BJ] = cards.little_jokers, cards.big_jokers
    for kind in cards.removed:
        copies[kind] -= 1
    return [kind for kind, count in enumerate(copies) for _ in range(count)]


def ruleset_of(ruleset: object, players: object = None) -> Ruleset:
    """Return a ruleset by its id; with `players`, one that is played by so many.

    Raises:
        InvalidRequest: reason `no_such_ruleset` or `not_for_so_many`.
    """
    if not isinstance(ruleset, str) or ruleset not in RULESETS:
        raise InvalidRequest(reason="no_such_ruleset", accepted=list(RULESETS))
    rules = RULESETS[ruleset]
    if players is not None and (type(players) is not int or players not in rules.players):
        raise InvalidRequest(reason="not_for_so_many", field="players", accepted=list(rules.players))
    return rules


def effective_options(
    ruleset: str, players: int, overrides: Mapping[str, Any], decks: int | None = None
) -> dict[str, Any]:
    """Return every option of the ruleset with its effective value.

    Feeding the answer back as `overrides` gives the same answer. With `decks` the question is not about the ruleset's
    own cards but about so many full decks.

    Raises:
        InvalidOption: an unknown option, a value it does not take, or values that make no sense together.
        InvalidRequest: no such ruleset, or not for so many players.
    """
    rules = ruleset_of(ruleset, players)
    for name, value in overrides.items():
        _check_value(rules, name, value)
    options = {name: _own_copy(overrides.get(name, default)) for name, default in rules.defaults.items()}
    if rules.family == "arms_length":
        return options
    cards = cards_of(ruleset, players, options, decks)
    setting = Setting(ruleset, players, cards.decks, cards.big_jokers, cards.little_jokers, options)
    for row in CONSTRAINTS:
        if not row.hits(setting):
            continue
        if row.option not in overrides:
            options[row.option] = row.instead
        elif row.reason is not None:
            _refuse(row.option, options[row.option], _sensible(setting, row.option), row.reason)
    _settle_step(ruleset, cards.decks, options)
    return options


def _own_copy(value: Any) -> Any:
    """Return a value that the caller may keep: defaults are shared, and so is the caller's own input."""
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list) else value


def _check_value(rules: Ruleset, name: str, value: Any) -> None:
    option = OPTIONS.get(name)
    if option is None:
        _refuse(name, value, list(rules.defaults), "no_such_option")
    elif not option.takes(value):
        _refuse(name, value, list(option.values) or option.json_schema(), "no_such_value")
    elif rules.id not in option.applies and value != option.default_for(rules.id):
        _refuse(name, value, [option.default_for(rules.id)], "not_in_this_ruleset")


def _sensible(setting: Setting, name: str) -> list[Any]:
    """Return the values of an option that would make sense with the other options as they are."""
    rows = [row for row in CONSTRAINTS if row.option == name and row.reason]
    fitting = (setting._replace(options={**setting.options, name: value}) for value in OPTIONS[name].values)
    return [each.options[name] for each in fitting if not any(row.hits(each) for row in rows)]


def _settle_step(ruleset: str, decks: int, options: dict[str, Any]) -> None:
    """Fill in the step of the ruleset itself, or check the one asked for (001 §6.1.1)."""
    step = options["points_per_level"]
    if step is None:
        options["points_per_level"] = points_per_level(ruleset, decks)
    elif step not in steps_accepted(decks):
        _refuse("points_per_level", step, steps_accepted(decks), "step_must_reach_threshold")


def _refuse(option: str, value: Any, accepted: Any, reason: str) -> None:
    raise InvalidOption(option=option, value=value, accepted=accepted, reason=reason)


def cards_as_json(cards: Composition, teams: str) -> dict[str, Any]:
    """Return a composition as JSON: the names of a `setup` vector; what a game does not have is left out."""
    answer = asdict(cards)
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
