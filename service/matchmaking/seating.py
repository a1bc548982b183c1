"""Seating the people of a match: a table without a host, AI players on the remaining seats, everybody ready."""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Final

from service.common.errors import Refusal
from service.game.ids import id_from
from service.game.state.occupants import occupant_of
from service.game.state.queries import seat_of
from service.game.state.table_types import TableSpec
from service.game.state.types import State
from service.people.errors import Apart
from service.store.matchmaking.tickets import Kind, Match
from service.store.port import PlayerStore
from service.tables import Tables
from service.tables.ports import Admit

#: The clock of games that take days.
DAYS: Final = "days"
#: Name of a clock -> its differences from the default.
CLOCKS: Final[Mapping[str, Mapping[str, object]]] = {
    "fast": {"play_ms": 15_000, "discard_ms": 60_000, "call_ms": 30_000},
    "normal": {},
    "slow": {"play_ms": 60_000, "discard_ms": 120_000},
    DAYS: {"correspondence": {"decision_hours": 24}},
}


def spec_of(match: Match) -> TableSpec:
    """Return the settings of the table of a match."""
    spec = spec_of_kind(match["kind"])
    if "seed" in match:
        spec["seed"] = match["seed"]
    return spec


def spec_of_kind(kind: Kind) -> TableSpec:
    """Return the settings of a table for a kind of game."""
    spec: TableSpec = {
        "ruleset": kind["ruleset"],
        "players": kind["players"],
        "clock": dict(CLOCKS[kind["clock"]]),
    }
    return spec if kind["preset"] is None else {**spec, "preset": kind["preset"]}


def seat(match: Match, tables: Tables, players: PlayerStore, admit: Admit, now: int) -> tuple[str, list[str]]:
    """Open the table of a match, seat everybody and start the game; return its id, and the players who sit there.

    Idempotent; may be called again after a crash, also by another process.

    Args:
        match: the match with its seats.
        tables: use cases of tables.
        players: the store of players, some of whom may have been deleted.
        admit: refuses a game between people of whom one has blocked the other meanwhile.
        now: ms since the epoch.
    """
    name = id_from("tb_", sha256(match["id"].encode()).digest())
    state = tables.create({"id": ""}, spec_of(match), name).state
    table, records = state["id"], {}
    for player in match["seats"]:
        if player is not None and (record := players.get(player)) is not None:
            records[player] = record
    # The first attempt works unless a player has left or been blocked meanwhile; an AI takes such a seat.
    for number in range(len(match["seats"]) + 1):
        if state["status"] != "lobby":
            break
        for place, player in enumerate(match["seats"]):
            record = records.get(player) if player is not None and number == 0 else None
            if state["seats"][place]["occupant"] is None:
                command: dict[str, object] = {"type": "seat_ai", "player": "", "level": match["ai_level"]}
                if record is not None:
                    code = state["settings"]["join_code"]
                    command = {"type": "sit", **occupant_of(record), "join_code": code}
                state = _attempt(tables, state, {**command, "seat": place}, admit)
        for player in records:
            state = _attempt(tables, state, {"type": "ready", "player": player, "ready": True}, admit)
    seated = [player for player in records if seat_of(state, player) is not None]
    for player in seated:
        players.add_table(player, table, now)
    return table, seated


def _attempt(tables: Tables, state: State, command: Mapping[str, object], admit: Admit) -> State:
    """Return the table after a command, which another process may have carried out before."""
    try:
        return tables.act(state["id"], command, admit).state
    except Apart as apart:
        with suppress(Refusal):
            return tables.act(state["id"], {"type": "leave", "player": apart.player}).state
    except Refusal:
        pass
    return state
