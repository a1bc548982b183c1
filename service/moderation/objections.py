"""Objections: what players say of plays of AI players that were silly, for those who improve AI players."""

from collections.abc import Callable, Sequence
from typing import Final

from service.common.errors import InvalidRequest
from service.game.commands.ai_moves import seed_for
from service.game.commands.decide import decide_for_ai
from service.game.errors import NotFound
from service.game.ids import table_of_game
from service.game.records.by_record import no_random_bytes
from service.game.records.decisions import Taken, decisions_of
from service.game.records.record import GameLog
from service.game.state.levels import TAKEOVER_LEVEL
from service.game.state.queries import ai_level, game_of
from service.game.views.ai_view import without_people
from service.rules.versions import FIRST
from service.store.moderation.objections import Objection, ObjectionStore
from service.store.port import PlayerStore
from service.tables.archive import people_in

#: Parts of an action that an objection stores.
_OF_ACTION: Final = ("type", "cards", "calls", "road")
#: Actions in which other cards could have been chosen.
_WITH_CARDS: Final = ("play", "discard")


class Objections:
    """See the module.

    Args:
        store: stores them.
        players: tells which players still exist.
        release: that of this service, which plays.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, store: ObjectionStore, players: PlayerStore, release: str, now: Callable[[], int]) -> None:
        self._store: Final = store
        self._players: Final = players
        self._release: Final = release
        self._now: Final = now

    def object(self, player: str, log: GameLog, number: int, seq: int, cards: Sequence[str] | None) -> Objection:
        """Store what a player says of a play in a round that the player may see; return it.

        Args:
            log: the game.
            number: number of the round.
            seq: that of the event of the play.
            cards: what the player would have played; None: the player does not say.

        Raises:
            NotFound: there is no such round, or no decision with this number in it.
            NotFinished: the round is still being played.
            InvalidRequest: the player did not play in this game, or the play is that of a person.
            Refusal: `cards` could not have been played.
        """
        taken = _decision(log, number, seq)
        if player not in people_in(log):
            raise InvalidRequest(reason="not_played_in")
        if taken.action["by"] != "ai":
            raise InvalidRequest(reason="not_by_ai")
        objection = _objection(number, taken, self._release, self._now())
        if cards is not None:
            _check_possible(taken, cards)
            objection["instead"] = list(cards)
        self._store.put(player, objection)
        if self._players.get(player) is None:
            # Erased meanwhile, perhaps before this was stored.
            self._store.erase(player)
        return objection

    def withdraw(self, player: str, game: str, number: int, seq: int) -> None:
        """Forget what a player has said of a play."""
        self._store.remove(player, game, number, seq)

    def of_player(self, player: str) -> list[Objection]:
        """Return what a player has objected to, the newest first."""
        return self._store.of_player(player)

    def newest(self, start: int, limit: int) -> list[Objection]:
        """Return what all players have objected to, the newest first: at most `limit`, from number `start` on."""
        return self._store.newest(start, limit)


def _decision(log: GameLog, number: int, seq: int) -> Taken:
    for taken in decisions_of(log, number):
        if taken.action["seq"] == seq:
            return taken
    raise NotFound(what="decision", round=number, seq=seq)


def _objection(number: int, taken: Taken, release: str, now: int) -> Objection:
    action, before, game = taken.action, taken.before, game_of(taken.before)
    return {
        "at": now,
        "game": game["id"],
        "table": table_of_game(game["id"]),
        "round": number,
        "seq": action["seq"],
        "seat": action["seat"],
        "level": ai_level(before, action["seat"]) or TAKEOVER_LEVEL,
        "release": release,
        "rules": game.get("rules", FIRST),
        "action": {name: value for name, value in action.items() if name in _OF_ACTION},
        "reason": action.get("reason"),
        "view": without_people(taken.view()),
        "seed": seed_for(before, action["seat"]).hex(),
    }


def _check_possible(taken: Taken, cards: Sequence[str]) -> None:
    """Check that other cards could have been played.

    Raises:
        InvalidRequest: no cards were chosen, or the same ones.
        Refusal: the rules do not allow them.
    """
    action = taken.action
    if action["type"] not in _WITH_CARDS:
        raise InvalidRequest(reason="no_other_cards", field="cards")
    if sorted(action["cards"]) == sorted(cards):
        raise InvalidRequest(reason="same_cards", field="cards")
    decide_for_ai(taken.before, action["seat"], {"type": action["type"], "cards": [*cards]}, taken.at, no_random_bytes)
