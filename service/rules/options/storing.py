"""What is stored of the options of a table, so that an earlier release reads whatever has none of the new ones."""

from typing import Final

from service.rules.composition import composition
from service.rules.games import SHENGJI_FAMILY
from service.rules.option import Options, OwnOptions
from service.rules.options.table import OPTIONS
from service.rules.rounds.scoring import in_steps, threshold

#: The first release that plays a ladder which ends before the ace, and a step that does not divide the threshold.
_FREE_VALUES: Final = "0.4"


def stored(ruleset: str, options: Options) -> OwnOptions:
    """Return the options to store, from which `renewed` makes all of them again.

    An option that release 0.3 does not know is left out at its default, since release 0.3 refuses its name.
    """
    return {name: value for name, value in options.items() if not _is_new_default(ruleset, name, value)}


def _is_new_default(ruleset: str, name: str, value: object) -> bool:
    option = OPTIONS.get(name)
    return option is not None and option.since != "" and value == option.default_for(ruleset)


def needed_by_values(ruleset: str, players: int, options: Options) -> str:
    """Return the first release that plays these values; "" for release 0.3.

    Only of the options whose values are not listed. What listed values and new options need is in
    `service.game.events.needs`.
    """
    if ruleset not in SHENGJI_FAMILY:
        return ""
    ladder = options["level_ladder"]
    ends_early = bool(ladder) and ladder[-1] != "A"
    return _FREE_VALUES if ends_early or _is_uneven(ruleset, players, options) else ""


def _is_uneven(ruleset: str, players: int, options: Options) -> bool:
    """Return whether the threshold is not a multiple of the step."""
    if not in_steps(options):
        return False
    decks = composition(ruleset, players, options).decks
    return bool(threshold(decks, options) % options["points_per_level"])
