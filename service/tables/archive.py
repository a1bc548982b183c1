"""The archive of finished games: their logs, and the lists of their players."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, Final

from service.game.events.evolve import evolve
from service.game.records.record import GameLog
from service.game.records.sittings import sittings_of
from service.game.state.queries import game_of
from service.game.state.types import State
from service.store.players.inbox import DELETED_NAME
from service.store.players.past_games import PastGame, PastGameStore, Position
from service.store.port import ArchivedGame, ArchiveStore, PlayerStore
from service.tables.past_games import past_game

#: How long an imported game is stored.
_IMPORTED_MS: Final = 30 * 24 * 3_600_000

#: A seat, with its occupant.
Seat = Mapping[str, Any]


class Archive:
    """See the module.

    Args:
        logs: stores the logs.
        past_games: stores the lists.
        players: tells which players still exist.
    """

    def __init__(self, logs: ArchiveStore, past_games: PastGameStore, players: PlayerStore) -> None:
        self._archive: Final = logs
        self._past_games: Final = past_games
        self._players: Final = players

    def log(self, game: str) -> GameLog | None:
        """Return the log of a game, or None if it is not archived."""
        archived = self._archive.load_archive(game)
        return None if archived is None else GameLog(archived["base"], archived["events"])

    def add_imported(self, log: GameLog, keep: Callable[[int], None]) -> State:
        """Archive a game that was played elsewhere, and list it; return its table at the end.

        Args:
            keep: called with the number of bytes before they are stored; may refuse them.
        """
        state = reduce(evolve, log.events, log.base)
        archived: ArchivedGame = {"base": log.base, "events": log.events}
        keep(self._archive.size(archived))
        self._archive.archive(game_of(state)["id"], archived, _IMPORTED_MS)
        self._past_games.add(past_game(state), _IMPORTED_MS)
        return state

    def games_of(self, player: str, start: Position | None) -> Iterator[PastGame]:
        """Yield the games that a player has finished, the latest first, from a position in the list on."""
        return self._past_games.newest_first(player, start)

    def existing(self, seats: Iterable[Seat]) -> set[str]:
        """Return which players of some seats have not deleted their accounts. One round trip."""
        return self._players.existing(players_in(seats))


def players_in(seats: Iterable[Seat]) -> set[str]:
    """Return the players of some seats."""
    return {occupant["player"] for seat in seats if (occupant := seat["occupant"]) and occupant["player"]}


def people_in(log: GameLog) -> set[str]:
    """Return all players who have sat in a game so far."""
    return players_in({"occupant": sitting.occupant} for sitting in sittings_of(reduce(evolve, log.events, log.base)))


def without_deleted(seats: Iterable[Seat], existing: Container[str]) -> list[Seat]:
    """Return seats without the ids, names and faces of deleted players."""
    return [
        {
            **seat,
            "occupant": {"kind": occupant["kind"], "player": None, "name": DELETED_NAME, "level": occupant["level"]},
        }
        if (occupant := seat["occupant"]) and occupant["player"] and occupant["player"] not in existing
        else {**seat}
        for seat in seats
    ]
