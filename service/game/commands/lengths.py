"""What the host may choose as the length of games."""

from collections.abc import Mapping

from service.common.errors import InvalidRequest
from service.game.state.settings import without
from service.game.state.table_types import Settings
from service.game.state.types import Options
from service.rules.options.rulesets import RULESETS
from service.rules.rounds.levels import check_level


def with_length(ruleset: str, options: Options, settings: Settings) -> Settings:
    """Return settings with `length` checked, and removed if it says nothing: games are then whole ones.

    Raises:
        InvalidRequest: reason `rounds_or_levels`, `last_round_needs_minutes`, `no_levels`, `level_not_on_ladder` or
            `levels_are_listed`.
    """
    length: Mapping[str, object] = settings.get("length", {})
    if not length:
        return without(settings, "length")
    if "rounds" in length and "levels" in length:
        raise InvalidRequest(reason="rounds_or_levels", field="length.rounds")
    if "last_round" in length and "minutes" not in length:
        raise InvalidRequest(reason="last_round_needs_minutes", field="length.last_round")
    if "levels" in length:
        if RULESETS[ruleset].family == "arms_length":
            raise InvalidRequest(reason="no_levels", field="length.levels")
        if "start_levels" in settings:
            raise InvalidRequest(reason="levels_are_listed", field="start_levels")
        for level in settings["length"]["levels"]:
            check_level(options, level, "length.levels")
    return settings
