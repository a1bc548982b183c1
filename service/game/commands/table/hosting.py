"""Commands of the host: change settings, close the table."""

from collections.abc import Mapping
from typing import cast

from service.game.commands.creation import changed_clock, check_pace, with_start_levels, with_watch_code
from service.game.commands.lengths import with_length
from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game
from service.game.commands.table.readiness import ask_others_anew
from service.game.commands.table.seats import check_host, check_no_round
from service.game.commands.table.votes import may_end_alone, may_vote_to_end
from service.game.commands.transaction import Transaction
from service.game.commands.types import ChangeSettings, Close
from service.game.errors import GameRunning, VersionMismatch
from service.game.events.types import SettingsChanged, SettingsChanges, TableClosed
from service.game.state.queries import has_keeper, is_between_rounds, seat_of
from service.game.state.rules import options_of
from service.game.state.settings import BETWEEN_ROUNDS, PUBLIC_SETTINGS, correspondence_of
from service.game.state.table_types import Settings
from service.game.state.types import State
from service.rules.options.rulesets import effective_options, renewed
from service.rules.options.selection import chosen
from service.rules.options.storing import needed_by_values, stored


def change_settings(tx: Transaction, command: ChangeSettings) -> Milestone | None:
    """Change settings or options, given the version the host has seen; between rounds only some settings.

    If everything is as requested already, any version is accepted: it may be a retry after a lost response.
    """
    check_host(tx.state, command["player"])
    check_no_round(tx.state, "settings")
    changes = _changes(tx, command)
    if not changes:
        return None
    if is_between_rounds(tx.state):
        _check_may_change(tx.state, changes)
    expected, actual = command["version"], tx.state["version"]
    if expected is not None and expected != actual:
        raise VersionMismatch(expected=expected, actual=actual)
    data: SettingsChanged = {"changes": changes}
    if "options" in changes:
        table = tx.state["ruleset"], tx.state["players"]
        options = renewed(tx.state["ruleset"], changes["options"])
        data["chosen"] = chosen(*table, options)
        if needed := needed_by_values(*table, options):
            data["options_need"] = needed
    changed = _changed_settings(tx.state, changes)
    tx.emit("settings_changed", data)
    # Being ready implies consent to open hands, so ask again when they are introduced or shown sooner.
    opens_hands = tx.state["settings"]["spectators"] == "open" and changed & {"spectators", "spectator_delay_ms"}
    asks_anew = opens_hands or changed & {"clock", "length", "start_levels"}
    return ask_others_anew(tx, command["player"]) if asks_anew else None


def _changed_settings(state: State, changes: SettingsChanges) -> set[str]:
    before: Mapping[str, object] = state["settings"]
    after: Mapping[str, object] = changes.get("settings", state["settings"])
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def _check_may_change(state: State, changes: SettingsChanges) -> None:
    """Check that the running game allows these changes.

    Raises:
        GameRunning: reason `setting_in_game`.
    """
    fixed = _changed_settings(state, changes) - {*BETWEEN_ROUNDS}
    if "options" in changes:
        fixed.add("options")
    clock = changes.get("settings", state["settings"])["clock"]
    if ("correspondence" in clock) != (correspondence_of(state) is not None):
        # Who sat down for a game of days is not asked to answer within seconds.
        fixed.add("clock.correspondence")
    if (clock["on_timeout"] == "remind") != (state["settings"]["clock"]["on_timeout"] == "remind"):
        # It decides whether the game counts for ratings.
        fixed.add("clock.on_timeout")
    if fixed:
        raise GameRunning(reason="setting_in_game", settings=sorted(fixed), accepted=list(BETWEEN_ROUNDS))


def _changes(tx: Transaction, command: ChangeSettings) -> SettingsChanges:
    """Return the requested changes that differ from the current table."""
    state, wanted = tx.state, command["changes"]
    changes: SettingsChanges = {}
    options = options_of(state)
    if "options" in wanted:
        options = effective_options(state["ruleset"], state["players"], wanted["options"])
        if options != options_of(state):
            changes["options"] = stored(state["ruleset"], options)
    settings: Settings = {**state["settings"]}
    if "clock" in wanted:
        settings["clock"] = changed_clock(settings["clock"], wanted["clock"])
    others: Mapping[str, object] = {name: value for name, value in wanted.items() if name in PUBLIC_SETTINGS}
    settings = cast("Settings", {**settings, **others})
    if has_keeper(state):
        # Whoever says who may come says who may look, too.
        settings["visibility"] = "private"
    check_pace(options, settings["clock"])
    settings = with_start_levels(state["ruleset"], state["players"], options, settings)
    settings = with_length(state["ruleset"], options, settings)
    if settings != state["settings"]:
        changes["settings"] = with_watch_code(settings, tx.random_bytes)
    return changes


def close(tx: Transaction, command: Close) -> None:
    """Close the table. During a game only an operator may, or a host who may end it without a vote."""
    state, by_operator = tx.state, command.get("by_operator", False)
    mine = seat_of(state, command["player"])
    if not by_operator:
        check_host(state, command["player"])
    if state["status"] == "playing" and not by_operator and not may_end_alone(tx, mine):
        raise GameRunning(reason="vote_to_end" if may_vote_to_end(tx, mine) else "vote_one_side")
    if state["settings"]["closed"]:
        return
    if state["status"] == "playing":
        end_game(tx, [], "abandoned")
    data: TableClosed = {"settings": {**state["settings"], "closed": True}}
    if by_operator:
        data["settings"]["closed_by"] = "operator"
    tx.emit("table_closed", data)
