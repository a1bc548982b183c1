"""Refusals of a table that concern seats, phases and permissions. Those about rules are in `service.common.errors`."""

from collections.abc import Mapping

from service.common.errors import Refusal


class NotFound(Refusal):
    """There is no such thing, or the player may not know of it. `params`: `what`."""

    code = "not-found"


class NotYourSeat(Refusal):
    """The player has no seat at this table."""

    code = "not-your-seat"


class NameHeld(Refusal):
    """An operator has chosen this name. `params`: `until` (when it may be changed)."""

    code = "name-held"


class NotHost(Refusal):
    """Only the host may do this."""

    code = "not-host"


class PrivateTable(Refusal):
    """Entering a private table takes its join code, and watching it its watch code. `params`: `reason`."""

    code = "private-table"


class NoSpectators(Refusal):
    """Nobody may watch a running game of this table, or a board of an event. `params`: `reason`."""

    code = "no-spectators"


class StaleDecision(Refusal):
    """The action names a decision that is not the open one.

    `decision_id` is the decision named; `decision` is the open one as the seat sees it at `now` (ms), or None.
    """

    code = "stale-decision"

    def __init__(self, decision_id: str, decision: Mapping[str, object] | None, now: int) -> None:
        super().__init__(decision_id=decision_id, open=decision["id"] if decision else None)
        self.decision = decision
        self.now = now


class NotYourTurn(Refusal):
    """The open decision waits for other seats. `params`: `seats`."""

    code = "not-your-turn"


class WrongPhase(Refusal):
    """The table does not wait for this kind of action.

    `params`: `action`, `expected` (kind of decision or None), and in some cases `reason`.
    """

    code = "wrong-phase"


class IdempotencyKeyReused(Refusal):
    """The key was used before with another body."""

    code = "idempotency-key-reused"


class SeatTaken(Refusal):
    """The seat is taken. `params`: `seat`, and `reason` if the player who asks sits there."""

    code = "seat-taken"


class TableFull(Refusal):
    """There is no free seat."""

    code = "table-full"


class AlreadySeated(Refusal):
    """The player sits on another seat of this table. `params`: `seat`."""

    code = "already-seated"


class GameRunning(Refusal):
    """This can be done only before the game or between games."""

    code = "game-running"


class HintsOff(Refusal):
    """This table gives no hints now. `params`: `hints` (its setting)."""

    code = "hints-off"


class NotFinished(Refusal):
    """This can be seen only after the end. `params`: `what`."""

    code = "not-finished"


class VersionMismatch(Refusal):
    """The table has changed since the version that the request names. `params`: `expected`, `actual`."""

    code = "version-mismatch"
