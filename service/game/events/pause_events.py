"""Events of time: pauses, during which nothing is due and nobody is asked, and the time bank."""

from service.game.events import fields as f
from service.game.events.rows import Needs, Sets, event
from service.game.events.types import BankUsed, Event, GamePaused, GameResumed
from service.game.events.updates import change_seat
from service.game.state.queries import game_of
from service.game.state.settings import game_left_ms
from service.game.state.table_types import Pause, Seat
from service.game.state.types import Round, State


@event(
    "The game is paused: the open decision is closed, no time runs, and no cards are dealt.",
    "ends_decision",
    Needs({"reason": "0.4", "game_ends_at": "0.4"}),
    by_seat=f.integer("The seat that asked for it, or was waited for."),
    until=f.time("When the game resumes at the latest; `absent`: until then at least the table is kept."),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then."),
    reason=f.pause_reason(),
    game_ends_at=f.game_ends_at("null, since they stand still."),
)
def game_paused(state: State, data: GamePaused, event: Event) -> State:
    at = event["at"]
    pause: Pause = {"by_seat": data["by_seat"], "since": at, "until": data["until"], "decision": state["decision"]}
    if "reason" in data:
        pause["reason"] = data["reason"]
    changed: State = {**state, "pause": pause, "decision": None}
    game = game_of(state)
    if "time" in game:
        changed["game"] = {**game, "time": {"since": at, "left_ms": game_left_ms(state, at) or 0}}
    table_round = state["round"]
    if table_round is not None and table_round["deal"]["paused_at"] is None:
        changed["round"] = {**table_round, "deal": {**table_round["deal"], "paused_at": at}}
    return changed


@event(
    "The game goes on. The decision that was open before the pause is opened again, with the time that was left.",
    Sets({"pause": None}),
    Needs({"game_ends_at": "0.4"}),
    by_seat=f.integer("The seat that ended the pause; null: its time was up.", nullable=True),
    paused_ms=f.integer("How long it has lasted."),
    game_ends_at=f.game_ends_at("when they are over now."),
)
def game_resumed(state: State, _: GameResumed, event: Event) -> State:
    changed, at = without_pause(state), event["at"]
    pause, game = state["pause"], game_of(state)
    if "time" in game:
        game = changed["game"] = {**game, "time": {**game["time"], "since": at}}
    if "reason" not in pause:
        counted = max(0, at - pause["since"] - pause.get("longer_ms", 0))
        changed["game"] = {**game, "paused_ms": game.get("paused_ms", 0) + counted}
        changed["seats"] = [_later(seat, pause["since"], at) for seat in state["seats"]]
    if state["round"] is not None:
        changed["round"] = _asking_on(_dealing_on(state["round"], at), at - pause["since"])
    return changed


def _later(seat: Seat, since: int, at: int) -> Seat:
    """Return the seat without counting the pause as absence."""
    if "away_since" not in seat:
        return seat
    return {**seat, "away_since": seat["away_since"] + at - max(since, seat["away_since"])}


def _dealing_on(table_round: Round, at: int) -> Round:
    """Resume the deal, unless it waits for a defence."""
    deal = table_round["deal"]
    if deal["paused_at"] is None or table_round["defence"] is not None:
        return table_round
    return {**table_round, "deal": {**deal, "paused_at": None, "from": deal["from"] + at - deal["paused_at"]}}


def _asking_on(table_round: Round, paused_ms: int) -> Round:
    """Do not count the pause against the time that AI players wait for answers to a take-back."""
    request = table_round["take_back"]
    if request is None or "asked_at" not in request:
        return table_round
    return {**table_round, "take_back": {**request, "asked_at": request["asked_at"] + paused_ms}}


def without_pause(state: State) -> State:
    """Return the state of a game that is not paused."""
    changed = state.copy()
    changed.pop("pause", None)
    return changed


@event(
    "A late action used the time bank; by correspondence, every action may.",
    Sets({"seat.bank_ms": "=bank_ms"}),
    seat=f.seat(),
    bank_ms=f.integer("What is left of it."),
)
def bank_used(state: State, data: BankUsed, _: Event) -> State:
    return change_seat(state, data["seat"], {**state["seats"][data["seat"]], "bank_ms": data["bank_ms"]})
