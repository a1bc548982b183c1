"""Who may talk to whom at a table, and the messages by which their browsers find each other.

Only the people who sit at a table of a circle may talk, where the circle wants it: then its games do not count for
ratings. Blocks and mutes cut it: whom a player has blocked or muted is not among those the player talks to, and no
message passes in either direction. Nobody learns by that who has blocked whom.
"""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from service.common.errors import InvalidRequest
from service.common.fastjson import dumps
from service.game.errors import NotYourSeat
from service.game.state.families import family_of
from service.game.state.queries import circle_of, counts_for_ratings, is_board, seat_of
from service.game.state.types import State
from service.people.people import People
from service.store.players.signals import SignalStore
from service.store.port import Player
from service.voice.errors import NoVoice
from service.voice.turn import Access, TurnServer

#: What is sent: `hello` by who begins to talk, to all; the two halves of a connection; `bye`.
SIGNALS: Final = ("hello", "offer", "answer", "bye")
#: Most characters of one half of a connection: one line of sound takes about 3,000.
LONGEST_SDP: Final = 8_000


class Signal(TypedDict):
    """A message to one player (`to`, an id) and one of their pages (`to_session`), or to all at the table."""

    kind: Literal["hello", "offer", "answer", "bye"]
    session: str
    to: NotRequired[str]
    to_session: NotRequired[str]
    sdp: NotRequired[str]


class Partner(NamedTuple):
    """Somebody to talk to."""

    seat: int
    player: str


class Terms(NamedTuple):
    """What a browser needs to talk at a table."""

    access: Access
    partners: list[Partner]


class Voice:
    """See the module.

    Args:
        server: the TURN server; None: nobody talks anywhere.
        signals: passes messages on.
        people: who has blocked and muted whom.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, server: TurnServer | None, signals: SignalStore, people: People, now: Callable[[], int]) -> None:
        self._server: Final = server
        self._signals: Final = signals
        self._people: Final = people
        self._now: Final = now

    def room(self, state: State, player: Player) -> Terms:
        """Return access to the TURN server, and whom a player may talk to: without those whom the player does not want.

        Raises:
            NotYourSeat: the player does not sit there.
            NoVoice: see `_server_for`.
        """
        server, others = self._server_for(state, player["id"]), _others(state, player["id"])
        blocked = self._people.store.blocked([(player["id"], other.player) for other in others]) if others else set()
        silenced = {other for _, other in blocked} | set(player.get("muted", ()))
        partners = [other for other in others if other.player not in silenced]
        return Terms(server.access(player["id"], self._now()), partners)

    def send(self, state: State, player: Player, signal: Signal) -> None:
        """Pass a message on, to whoever of those addressed may hear the player. Nobody is told who did not get it.

        Raises:
            NotYourSeat, NoVoice: see `room`.
            InvalidRequest: fields are missing, or do not go together.
        """
        self._server_for(state, player["id"])
        _check(signal)
        to = signal.get("to")
        others = [other.player for other in _others(state, player["id"]) if to in (None, other.player)]
        apart = self._people.apart(player["id"], others)
        message = {"table": state["id"], "player": player["id"], "to_session": None, "sdp": None, **signal}
        message.pop("to", None)
        for other, record in self._people.store.records(others).items():
            if other not in apart and player["id"] not in record.get("muted", ()):
                self._signals.send(other, dumps(message).decode())

    def _server_for(self, state: State, player: str) -> TurnServer:
        """Return the TURN server for a player at a table.

        Raises:
            NotYourSeat: the player does not sit there.
            NoVoice: reason `voice_off`: the service has none; `voice_unwanted`: nobody talks at this table.
        """
        if seat_of(state, player) is None:
            raise NotYourSeat
        if self._server is None:
            raise NoVoice(reason="voice_off")
        if not may_talk(state):
            raise NoVoice(reason="voice_unwanted")
        return self._server


def may_talk(state: State) -> bool:
    """Return whether people talk at a table: never where a game counts for ratings or for an event."""
    is_wanted = bool(state["settings"].get("voice")) and circle_of(state) is not None
    is_casual = not counts_for_ratings(state) and not is_board(state)
    return is_wanted and is_casual and not family_of(state).silent and not state["settings"]["closed"]


def _others(state: State, player: str) -> list[Partner]:
    seats = ((number, seat["occupant"]) for number, seat in enumerate(state["seats"]))
    return [
        Partner(number, occupant["player"])
        for number, occupant in seats
        if occupant is not None and occupant["player"] not in (None, player) and occupant["kind"] == "human"
    ]


def _check(signal: Signal) -> None:
    wanted = {"to", "to_session", "sdp"} if signal["kind"] in ("offer", "answer") else set()
    sent = {name for name in ("to", "to_session", "sdp") if name in signal}
    if wanted != sent:
        raise InvalidRequest(reason="signal_fields")
