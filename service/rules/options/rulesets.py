"""The effective options of a table: checks what was asked for, and fills in defaults that fit."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NoReturn

from service.common.errors import InvalidOption
from service.rules.cards import RANKS
from service.rules.composition import (
    LEAST_HAND,
    Composition,
    cards_as_json,
    cards_of,
    composition,
    deck_of,
    ranks_of,
)
from service.rules.games import RULESETS, SHENGJI_FAMILY, Ruleset, ruleset_of
from service.rules.option import Option, Options, OwnOptions
from service.rules.options.constraints import CONSTRAINTS, Constraint, Setting, points_per_level, steps_accepted
from service.rules.options.round_options import MOST_DECKS_PER_PLAYER
from service.rules.options.table import OPTIONS
from service.rules.rounds.friends import calls_possible
from service.rules.rounds.scoring import points_to_win

__all__ = [
    "RULESETS",
    "Composition",
    "Ruleset",
    "cards_as_json",
    "cards_of",
    "composition",
    "deck_of",
    "defaults",
    "effective_options",
    "renamed",
    "renewed",
    "ruleset_of",
]

#: Options that determine the cards. If hands get too small, the refusal names the first one that is set and can help.
_CARD_OPTIONS: Final = ("kitty_size", "decks", "special_decks")


def defaults(rules: Ruleset) -> OwnOptions:
    """Return option name -> the ruleset's default, before filling in those that depend on the number of players."""
    return dict(_defaults(rules.id))


@cache
def _defaults(ruleset: str) -> OwnOptions:
    return {name: option.default_for(ruleset) for name, option in OPTIONS.items() if _known_in(ruleset, option)}


def _known_in(ruleset: str, option: Option) -> bool:
    """Return whether the option has any effect in the ruleset."""
    return ruleset in SHENGJI_FAMILY or ruleset in option.applies or ruleset in option.but


#: Names and values of options before version 0.2.0 -> current ones.
_RENAMED: Final[Mapping[str, str]] = {"end_round": "throw_forfeit"}
_REVALUED: Final[Mapping[str, tuple[tuple[object, object], ...]]] = {
    "equal_rank_tractors": (("no", "apart"), ("yes", "adjacent")),
    "kitty_factor": (("by_lead_2^n", "by_lead_power"),),
    "follow_smaller": ((False, "never"), (True, "always")),
}


def renewed(ruleset: str, options: Options) -> OwnOptions:
    """Convert the options of a game stored by an earlier version: current names, defaults for options added since."""
    return {**defaults(ruleset_of(ruleset)), **renamed(options)}


def renamed(options: Options) -> OwnOptions:
    """Return options of an earlier version with the names and values of this one."""
    named = {_RENAMED.get(name, name): value for name, value in options.items()}
    for name, values in _REVALUED.items():
        if name in named:
            old = named[name]
            named[name] = next((new for was, new in values if was == old and type(was) is type(old)), old)
    return named


def effective_options(ruleset: str, players: int, overrides: Options, decks: int | None = None) -> OwnOptions:
    """Return every option of the ruleset with its effective value.

    Passing the result as `overrides` gives the same result. If `decks` is given, the cards are that many full decks
    instead of the ruleset's.

    Raises:
        InvalidOption: an unknown option, a value that it cannot have, or values that make no sense together.
        InvalidRequest: no such ruleset, or not for this number of players.
    """
    rules = ruleset_of(ruleset, players)
    for name, value in overrides.items():
        _check_value(rules, name, value)
    options = defaults(rules)
    options.update((name, value) for name, value in overrides.items() if name in options)
    for name, value in options.items():
        if isinstance(value, (dict, list)):
            options[name] = _own_copy(value)
    if rules.family == "arms_length":
        return options
    _check_cards(rules, players, options)
    _settle_start(rules, players, options, overrides)
    cards = cards_of(ruleset, players, options, decks)
    jokers = (cards.big_jokers, cards.little_jokers)
    setting = Setting(ruleset, players, cards.decks, *jokers, options, ranks_of(cards), cards.calls)
    for row in CONSTRAINTS:
        if row.hits(setting):
            _settle(row, setting, overrides)
    if setting.ranks != RANKS and not options["level_ladder"]:
        options["level_ladder"] = list(setting.ranks)
    _settle_step(ruleset, cards, options)
    _check_calls(players, cards, options)
    return options


def _own_copy(value: object) -> object:
    """Return a copy of a value, since defaults and the caller's input must not be changed through the result."""
    if isinstance(value, dict):
        return dict(value)
    return [_own_copy(each) for each in value] if isinstance(value, list) else value


def _check_value(rules: Ruleset, name: str, value: object) -> None:
    option = OPTIONS.get(name)
    if option is None:
        refuse(name, value, list(defaults(rules)), "no_such_option")
    elif not option.takes(value):
        refuse(name, value, option.json_schema() if option.schema else list(option.values), "no_such_value")
    elif rules.id not in option.applies and value != option.default_for(rules.id):
        refuse(name, value, [option.default_for(rules.id)], "not_in_this_ruleset")


def _check_cards(rules: Ruleset, players: int, options: OwnOptions) -> None:
    """Refuse decks and kitties that cannot be played with."""
    cards = composition(rules.id, players, options)
    if options["decks"] is not None and options["decks"] > MOST_DECKS_PER_PLAYER * players:
        accepted = [None, *range(1, MOST_DECKS_PER_PLAYER * players + 1)]
        refuse("decks", options["decks"], accepted, "too_many_decks")
    if len(options["special_decks"]) > cards.decks:
        refuse("special_decks", options["special_decks"], {"maxItems": cards.decks}, "more_entries_than_decks")
    if cards.hand < LEAST_HAND or cards.total < cards.kitty:
        needing = [name for name in _CARD_OPTIONS if options[name] not in (None, [])]
        fitting = [(name, _values(name, options, lambda with_it: _deals(rules, players, with_it))) for name in needing]
        name, values = next((each for each in fitting if each[1]), fitting[0])
        refuse(name, options[name], values, "hands_too_small")


def _deals(rules: Ruleset, players: int, options: Options) -> bool:
    return composition(rules.id, players, options).hand >= LEAST_HAND


def _values(name: str, options: Options, fits: Callable[[OwnOptions], bool]) -> list[object]:
    """Return the listed values of an option that fit; if none are listed, the default if it fits."""
    values = OPTIONS[name].values or (OPTIONS[name].default,)
    return [value for value in values if fits({**options, name: value})]


def _settle_start(rules: Ruleset, players: int, options: OwnOptions, overrides: Options) -> None:
    """Set the first level to the lowest one, unless another was asked for."""
    if "start_level" not in overrides:
        ranks = ranks_of(composition(rules.id, players, {**options, "kitty_size": None}))
        options["start_level"] = (options["level_ladder"] or ranks)[0]


def _settle(row: Constraint, setting: Setting, overrides: Options) -> None:
    """Replace a default, or refuse a value that was asked for."""
    options = setting.options
    if row.option not in overrides:
        options[row.option] = _own_copy(row.instead)
    elif row.reason is not None:
        refuse(row.option, options[row.option], lambda: _sensible(setting, row.option), row.reason)


def _sensible(setting: Setting, name: str) -> list[object]:
    """Return the values of an option that make sense with the other options."""
    rows = [row for row in CONSTRAINTS if row.option == name and row.reason]

    def fits(options: OwnOptions) -> bool:
        with_it = setting._replace(options=options)
        return not any(row.hits(with_it) for row in rows)

    return _values(name, setting.options, fits)


def _settle_step(ruleset: str, cards: Composition, options: OwnOptions) -> None:
    """Fill in the ruleset's default step, and check that the attackers can win (`docs/rules.md` §9)."""
    if not options["active_passive"]:
        step = options["points_per_level"]
        if step is None:
            options["points_per_level"] = points_per_level(ruleset, cards.decks)
        elif options["steps_to_win"] is None and step not in steps_accepted(cards.decks):
            refuse("points_per_level", step, [None, *steps_accepted(cards.decks)], "step_must_reach_threshold")
    if points_to_win(ruleset, cards.decks, options) > cards.points:
        _refuse_threshold(ruleset, cards, options)


def _refuse_threshold(ruleset: str, cards: Composition, options: OwnOptions) -> NoReturn:
    if options["steps_to_win"] is None:
        refuse("special_decks", options["special_decks"], [[]], "not_enough_points")
    name = "steps_to_win"
    fitting = _values(name, options, lambda with_it: points_to_win(ruleset, cards.decks, with_it) <= cards.points)
    refuse(name, options[name], fitting, "not_enough_points")


def _check_calls(players: int, cards: Composition, options: OwnOptions) -> None:
    """Refuse more calls than there can be friends, or than there are cards to call under some trump."""
    wanted = options["friend_calls"]
    if wanted is not None and wanted > players - 2:
        refuse("friend_calls", wanted, [None, *range(players - 1)], "too_many_calls")
    if cards.calls > calls_possible(cards, options["call_cards"], red_fives=options["red_fives"]):
        name = "friend_calls" if wanted is not None else "special_decks"
        refuse(name, options[name], [0] if wanted is not None else [[]], "too_few_cards_to_call")


def refuse(option: str, value: object, accepted: object, reason: str) -> NoReturn:
    """Raise the refusal of an option; `accepted` is what it could be, or a function that finds it."""
    raise InvalidOption(option=option, value=value, accepted=accepted, reason=reason)
