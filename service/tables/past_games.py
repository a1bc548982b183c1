"""Entries in the lists of past games: made when a game is archived, or rebuilt from the records."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final, NamedTuple, cast

from service.game.events.evolve import evolve
from service.game.events.types import Event
from service.game.records.record import changes_in
from service.game.records.sittings import sittings_of
from service.game.state.queries import game_of, is_practice, seated_at_start
from service.game.state.types import State
from service.game.views.absent import blank
from service.store.players.past_games import PastGame, PastGameStore, Played
from service.store.port import ArchiveStore, StoreCorrupt, StoreTooNew
from service.tables.parts import is_rated, parts_of, winners_of

#: Number of records between two reports of progress.
_REPORT_EVERY: Final = 1_000


def past_game(state: State, events: Iterable[Event] = ()) -> PastGame:
    """Return the entry for the finished game of a table.

    Args:
        events: those of the game.
    """
    game, settings = game_of(state), state["settings"]
    entry: dict[str, object] = {
        "game": game["id"],
        "table": state["id"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "ended_at": game["ended_at"],
        "ended": game["ended"],
        "rounds": len(game["results"]),
        "winners": game["winners"],
        "levels": [seat["level"] for seat in state["seats"]],
        "scores": game["scores"] or [0, 0],
        "rated": is_rated(state, events),
        "practice": is_practice(state),
        "watchable": settings["visibility"] == "public" and settings["spectators"] != "off",
        "seats": [{"seat": number, "occupant": occupant} for number, occupant in enumerate(seated_at_start(state))],
        "parts": _parts(state),
    }
    if settings.get("imported"):
        # No registered player sat there: the game is listed for the player who imported it.
        entry |= {"imported": True, "parts": {state["host"]: {"seat": 0, "result": None}}}
    if "decided_by" in game:
        entry["decided_by"] = game["decided_by"]
    changes = changes_in(state)
    if changes:
        entry["changes"] = changes
    blank(state["ruleset"], "past_game", entry)
    return cast("PastGame", entry)


def _parts(state: State) -> dict[str, Played]:
    winners = winners_of(state)
    first: dict[str | None, int] = {}
    for sitting in sorted(sittings_of(state), key=lambda each: each.first):
        first.setdefault(sitting.occupant["player"], sitting.seat)
    parts: dict[str, Played] = {}
    for player, part in parts_of(state).items():
        seat = first[player]
        lost = bool(winners) and seat not in winners
        parts[player] = {"seat": seat, "result": "won" if part.won else "lost" if lost else None}
    return parts


class Relisted(NamedTuple):
    """Counts of what `relist` did.

    Attributes:
        listed: number of records whose games are now listed.
        unreadable: ids of games whose records cannot be read.
        forgotten: number of lists deleted because their player no longer exists.
    """

    listed: int
    unreadable: list[str]
    forgotten: int


def relist(archive: ArchiveStore, past_games: PastGameStore, report: Callable[[int], None]) -> Relisted:
    """Put the games of all records on the lists of their players. Idempotent; safe while games end.

    Args:
        report: called after every 1,000 records with the number listed so far.
    """
    listed, unreadable = 0, []
    for game, ttl_ms in archive.archived():
        try:
            record = archive.load_archive(game)
            # None: the record has expired since the scan.
            if record is not None:
                events = record["events"]
                past_games.add(past_game(reduce(evolve, events, record["base"]), events), ttl_ms)
                listed += 1
        except (StoreCorrupt, StoreTooNew):
            unreadable.append(game)
        if listed and listed % _REPORT_EVERY == 0:
            report(listed)
    return Relisted(listed, unreadable, past_games.forget_erased())
