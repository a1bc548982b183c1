"""What the host changes: the settings of a table, and its end."""

from typing import cast

from service.game.commands.creation import with_watch_code
from service.game.commands.round.ending import end_game
from service.game.commands.table.seats import check_between_games, check_host
from service.game.commands.table.votes import may_end_alone, may_vote_to_end
from service.game.commands.transaction import Transaction
from service.game.commands.types import ChangeSettings, Plain
from service.game.errors import GameRunning, VersionMismatch
from service.game.events.types import SeatReady, SettingsChanged, SettingsChanges, TableClosed
from service.game.state.queries import seat_of, starters
from service.game.state.rules import options_of
from service.game.state.settings import PUBLIC_SETTINGS
from service.game.state.table_types import Clock, Settings
from service.rules.options.rulesets import effective_options
from service.rules.options.selection import chosen


def change_settings(tx: Transaction, command: ChangeSettings) -> None:
    """Change settings or options before the start or between games, as the table was at a version.

    What is so already needs no change, whatever version is named: this may be a retry after a lost answer.
    """
    check_host(tx.state, command["player"])
    check_between_games(tx.state)
    changes = _changes(tx, command)
    if not changes:
        return
    expected, actual = command["version"], tx.state["version"]
    if expected is not None and expected != actual:
        raise VersionMismatch(expected=expected, actual=actual)
    data: SettingsChanged = {"changes": changes}
    if "options" in changes:
        data["chosen"] = chosen(tx.state["ruleset"], tx.state["players"], changes["options"])
    has_new_clock = "settings" in changes and changes["settings"]["clock"] != tx.state["settings"]["clock"]
    tx.emit("settings_changed", data)
    if has_new_clock:
        _ask_anew(tx, command["player"])


def _ask_anew(tx: Transaction, host: str) -> None:
    """Let the others be ready anew: they were ready for a game with another clock."""
    for seat in starters(tx.state):
        occupant = tx.state["seats"][seat]["occupant"]
        if tx.state["seats"][seat]["ready"] and occupant is not None and occupant["player"] != host:
            data: SeatReady = {"seat": seat, "ready": False}
            tx.emit("seat_ready", data, "server")


def _changes(tx: Transaction, command: ChangeSettings) -> SettingsChanges:
    """Return what differs from the table as it is."""
    state, wanted = tx.state, command["changes"]
    changes: SettingsChanges = {}
    if "options" in wanted:
        options = effective_options(state["ruleset"], state["players"], wanted["options"])
        if options != options_of(state):
            changes["options"] = options
    settings: Settings = {**state["settings"]}
    if "clock" in wanted:
        settings["clock"] = cast("Clock", {**settings["clock"], **wanted["clock"]})
    settings = cast("Settings", {**settings, **{name: wanted[name] for name in PUBLIC_SETTINGS if name in wanted}})
    if settings != state["settings"]:
        changes["settings"] = with_watch_code(settings, tx.random_bytes)
    return changes


def close(tx: Transaction, command: Plain) -> None:
    """Close the table; a running game is not closed over the heads of other people."""
    state = tx.state
    check_host(state, command["player"])
    mine = seat_of(state, command["player"])
    if state["status"] == "playing" and not may_end_alone(tx, mine):
        raise GameRunning(reason="vote_to_end" if may_vote_to_end(tx, mine) else "vote_one_side")
    if state["settings"]["closed"]:
        return
    if state["status"] == "playing":
        end_game(tx, [], "abandoned")
    data: TableClosed = {"settings": {**state["settings"], "closed": True}}
    tx.emit("table_closed", data)
