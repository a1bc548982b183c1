"""What a host can choose: for each option, the values that go together with the options chosen so far."""

from service.common.errors import InvalidOption
from service.rules.composition import cards_of
from service.rules.games import ruleset_of
from service.rules.option import Option, Options, OwnOptions
from service.rules.options.constraints import steps_accepted
from service.rules.options.rulesets import defaults, effective_options
from service.rules.options.table import OPTIONS


def selection(ruleset: str, players: int, overrides: Options) -> list[dict[str, object]]:
    """Return a dict for each option that can be changed in this ruleset.

    `name`; `value`: the effective value; `values`: those that can be chosen while the other options stay as they are
    (None: any value of the option's schema); `pointless`: whether there is only one such value.

    Raises the same as `effective_options`.
    """
    rules = ruleset_of(ruleset, players)
    options = effective_options(ruleset, players, overrides)
    decks = cards_of(ruleset, players, options).decks if rules.family == "shengji" else 1
    selected = []
    for name in defaults(rules):
        option = OPTIONS[name]
        if ruleset in option.applies:
            values = _open(ruleset, players, overrides, option, decks)
            pointless = values is not None and len(values) < 2
            selected.append({"name": name, "value": options[name], "values": values, "pointless": pointless})
    return selected


def _open(ruleset: str, players: int, overrides: Options, option: Option, decks: int) -> list[object] | None:
    listed: tuple[object, ...] = option.values
    if option.name == "points_per_level":
        listed = (None, *steps_accepted(decks))
    if not listed:
        return None
    return [value for value in listed if _accepted(ruleset, players, {**overrides, option.name: value})]


def _accepted(ruleset: str, players: int, overrides: Options) -> bool:
    try:
        effective_options(ruleset, players, overrides)
    except InvalidOption:
        return False
    return True


def chosen(ruleset: str, players: int, options: Options) -> OwnOptions:
    """Return the overrides that give these effective options.

    They are the options that differ from the ruleset's defaults, and those at their default that the other choices
    would change. If an earlier version accepted a value that is now refused, all options are returned.
    """
    own = effective_options(ruleset, players, {})
    changed = {name: value for name, value in options.items() if value != own.get(name)}
    while True:
        try:
            settled = effective_options(ruleset, players, changed)
        except InvalidOption:
            return dict(options)
        missing = {name: value for name, value in options.items() if value != settled.get(name)}
        if not missing:
            return changed
        changed |= missing
