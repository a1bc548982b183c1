"""Events around the game: seats, settings, chat and votes."""

from collections.abc import Mapping
from typing import Final

from service.game.events import fields as f
from service.game.events.pause_events import without_pause
from service.game.events.rows import Needs, Sets, event
from service.game.events.types import (
    Chat,
    EntropyGiven,
    Event,
    HostChanged,
    PresenceChanged,
    SeatData,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SeatTakenOver,
    SettingsChanged,
    TableClosed,
    TableCreated,
    VoteCast,
    VoteClosed,
    VoteOpened,
)
from service.game.events.updates import change_occupant, change_seat, ready_anew, with_readiness
from service.game.state.occupants import CHOSEN
from service.game.state.rules import NEW_OPTIONS
from service.game.state.settings import bank_ms_of
from service.game.state.table_types import Seat, Vote
from service.game.state.types import SCHEMA, State

#: Most kicked players that a table remembers.
MOST_KICKED: Final = 50
#: Setting -> the first release that understands it.
_SETTINGS: Final[Mapping[str, str]] = dict.fromkeys(
    (
        "board.link",
        "circle",
        "clock.correspondence",
        "clock.correspondence.bank_hours",
        "clock.correspondence.decision_hours",
        "clock.correspondence.gain_hours",
        "clock.correspondence.most_hours",
        "clock.correspondence.weekends_off",
        "clock.on_timeout=remind",
        "clock.untimed",
        "club",
        "deal.next_seed",
        "former_codes",
        "length",
        "length.last_round",
        "length.levels",
        "length.minutes",
        "length.rounds",
        "voice",
    ),
    "0.4",
)


def _settings_under(path: str) -> dict[str, str]:
    """Return part of the data of an event -> release, of an event that holds settings under `path`."""
    return {f"{path}.{part}": release for part, release in _SETTINGS.items()}


def _options_under(path: str) -> dict[str, str]:
    """Return part of the data of an event -> release, of an event that holds options under `path`."""
    return {f"{path}.{part}": release for part, release in NEW_OPTIONS.items()}


@event(
    "The table was created.",
    Needs({"options_need": "0.4", **_settings_under("settings"), **_options_under("options")}),
    table=f.text("Its id."),
    ruleset=f.text("The game that is played."),
    players=f.integer("Number of seats."),
    options=f.mapping("Every option with its effective value."),
    host=f.text("The player who manages the table. Empty: nobody, at a table of quick play."),
    next_commitment=f.text("Hash of the server seed of the first shuffle."),
)
def table_created(_: State, data: TableCreated, event: Event) -> State:
    players = data["players"]
    free: Seat = {
        "occupant": None,
        "autopilot": None,
        "ready": False,
        "presence": "gone",
        "timeouts": 0,
        "bank_ms": bank_ms_of(data["settings"]["clock"]),
        "level": data["options"].get("start_level", "2"),
        "active": True,
        "attempted": [],
        "penalty": 0,
    }
    return {
        "schema": SCHEMA,
        "id": data["table"],
        "created_at": event["at"],
        "ruleset": data["ruleset"],
        "players": players,
        "options": data["options"],
        "settings": data["settings"],
        "host": data["host"],
        "status": "lobby",
        "seats": [free] * players,
        "game": None,
        "next_seed": data["next_seed"],
        "next_commitment": data["next_commitment"],
        "entropy": {},
        "round": None,
        "decision": None,
        "vote": None,
        "answers": [[] for _ in range(players)],
        "version": event["seq"],
    }


#: Fields of occupants that 0.3 does not know.
_OCCUPANT: Final = Needs({f"occupant.{name}": choice.since for name, choice in CHOSEN.items() if choice.since})


@event(
    "A player sat down.",
    _OCCUPANT,
    seat=f.seat(),
    occupant=f.nested("Occupant", "The player."),
)
def seat_taken(state: State, data: SeatTaken, _: Event) -> State:
    seat: Seat = {
        **state["seats"][data["seat"]],
        "occupant": data["occupant"],
        "ready": False,
        "presence": "online",
        "autopilot": None,
        "timeouts": 0,
    }
    return change_occupant(state, data["seat"], seat)


@event(
    "A player left the seat; in a running game an AI takes over.",
    seat=f.seat(),
    reason=f.text(
        "`left`; `kicked`; `replaced`: somebody takes the seat of a player who has gone; `drawn`: seats are drawn at "
        "the start of a game; `moved`. After the last two, the player sits down elsewhere."
    ),
    autopilot=f.text("Level of the AI that takes over, or null.", nullable=True),
)
def seat_left(state: State, data: SeatLeft, _: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "autopilot": data["autopilot"], "presence": "gone"}
    if data["autopilot"]:
        return with_readiness(state, data["seat"], {**seat, "ready": True})
    changed = change_occupant(state, data["seat"], {**seat, "occupant": None, "ready": False})
    if data["reason"] == "kicked" and seat["occupant"] is not None and seat["occupant"]["player"] is not None:
        others = [player for player in state.get("kicked", []) if player != seat["occupant"]["player"]]
        changed["kicked"] = [*others, seat["occupant"]["player"]][-MOST_KICKED:]
    return changed


@event(
    "An AI took a seat.",
    _OCCUPANT,
    seat=f.seat(),
    occupant=f.nested("Occupant", "The AI."),
)
def ai_seated(state: State, data: SeatTaken, _: Event) -> State:
    seat: Seat = {
        **state["seats"][data["seat"]],
        "occupant": data["occupant"],
        "ready": True,
        "presence": "online",
        "autopilot": None,
        "timeouts": 0,
    }
    return change_occupant(state, data["seat"], seat)


@event(
    "A player is ready, or no longer ready.",
    Sets({"seat.ready": "=ready"}),
    seat=f.seat(),
    ready=f.flag("Whether ready."),
)
def seat_ready(state: State, data: SeatReady, _: Event) -> State:
    return with_readiness(state, data["seat"], {**state["seats"][data["seat"]], "ready": data["ready"]})


@event(
    "A player added entropy to the next shuffle.",
    seat=f.seat(),
)
def entropy_given(state: State, data: EntropyGiven, _: Event) -> State:
    return {**state, "entropy": {**state["entropy"], str(data["seat"]): data["entropy"]}}


@event(
    "The host changed the table.",
    Needs({"options_need": "0.4", **_settings_under("changes.settings"), **_options_under("changes.options")}),
    changes=f.mapping(
        "The new values of changed `options` and `settings`. An option that is missing there has its default."
    ),
    options=f.mapping("If options changed: the chosen ones, as in the view.", optional=True),
    join_code=f.text("For players, if settings changed: the join code. It is a new one after a kick.", optional=True),
    watch_code=f.text(
        "For players, if settings changed: the watch code; null: there is none.", nullable=True, optional=True
    ),
)
def settings_changed(state: State, data: SettingsChanged, _: Event) -> State:
    changes = data["changes"]
    changed: State = {**state, **changes}
    if "options" in changes:
        # Players were ready for a game with other options.
        changed["seats"] = ready_anew(state)
    return changed


@event(
    "A player's presence changed.",
    Sets({"seat.presence": "=presence"}),
    seat=f.seat(),
    presence=f.extensible("The new presence.", f.PRESENCE),
)
def presence(state: State, data: PresenceChanged, event: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "presence": data["presence"]}
    if data["presence"] == "away":
        seat["away_since"] = event["at"]
    return change_seat(state, data["seat"], seat)


@event(
    "The table has a new host.",
    Sets({"host": "=host"}),
    host=f.text("The player."),
)
def host_changed(state: State, data: HostChanged, _: Event) -> State:
    return {**state, "host": data["host"]}


@event(
    "The table was closed.",
    "ends_decision",
    Needs(_settings_under("settings")),
    reason=f.extensible("By whom: its host, or an operator of the service.", f.CLOSED_BY),
    practice_seed=f.text("For practice tables: the seed of their shuffles.", optional=True),
)
def table_closed(state: State, data: TableClosed, _: Event) -> State:
    closed = without_pause(state)
    return {**closed, "status": "finished", "decision": None, "vote": None, "settings": data["settings"]}


@event(
    "An AI took over for an absent player.",
    Sets({"seat.autopilot": "=level", "seat.ready": True}),
    seat=f.seat(),
    level=f.text("Level of the AI."),
    reason=f.text("The reason."),
)
def seat_taken_over(state: State, data: SeatTakenOver, _: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "autopilot": data["level"], "ready": True}
    return with_readiness(state, data["seat"], seat)


@event(
    "The player took the seat back.",
    Sets({"seat.autopilot": None, "seat.timeouts": 0, "seat.presence": "online"}),
    seat=f.seat(),
)
def seat_resumed(state: State, data: SeatData, _: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "autopilot": None, "timeouts": 0, "presence": "online"}
    return change_seat(state, data["seat"], seat)


@event(
    "A chat message.",
    seat=f.integer("The sender's seat; null: a spectator.", nullable=True),
    player=f.text("The sender's id. Absent if the viewer may not read the message.", optional=True),
    name=f.text("The sender's name. Absent if the viewer may not read the message.", optional=True),
    text=f.text("The text.", optional=True, nullable=True),
    preset=f.text("The preset, instead of a text.", optional=True, nullable=True),
    muted=f.flag("Present and true if the viewer has muted the sender; name and text are then absent.", optional=True),
)
def chat(state: State, data: Chat, _: Event) -> State:
    chats = list(state.get("chats", (0, 0)))
    chats[data["seat"] is None] += 1
    return {**state, "chats": chats}


@event(
    "A player opened a vote.",
    Needs({"kind=forfeit": "0.4"}),
    id=f.text("Id of the vote.", example="vt_77"),
    kind=f.extensible("What the vote is about.", f.VOTES),
    seat=f.integer("For `replace`: which seat.", nullable=True),
    by_seat=f.integer("The seat that opened it."),
    closes_at=f.time("When it fails if it is still open.", optional=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", optional=True),
)
def vote_opened(state: State, data: VoteOpened, event: Event) -> State:
    vote: Vote = {
        "id": f"vt_{event['seq']}",
        "kind": data["kind"],
        "seat": data["seat"],
        "votes": {str(data["by_seat"]): True},
        "by_seat": data["by_seat"],
    }
    if "closes_at" in data:
        vote["closes_at"] = data["closes_at"]
    return {**state, "vote": vote}


@event(
    "A player voted.",
    vote=f.text("Id of the vote."),
    seat=f.seat(),
    approve=f.flag("For or against."),
)
def vote_cast(state: State, data: VoteCast, _: Event) -> State:
    vote = state["vote"]
    if vote is None:
        raise AssertionError("no vote is open")
    return {**state, "vote": {**vote, "votes": {**vote["votes"], str(data["seat"]): data["approve"]}}}


@event(
    "A vote was decided.",
    Sets({"vote": None}),
    Needs({"kind=forfeit": "0.4"}),
    vote=f.text("Id of the vote."),
    kind=f.text("What it was about."),
    passed=f.flag("Whether it passed."),
)
def vote_closed(state: State, data: VoteClosed, event: Event) -> State:
    changed: State = {**state, "vote": None}
    vote = state["vote"]
    if vote is not None and "by_seat" in vote and not data["passed"]:
        asker: Seat = {**state["seats"][vote["by_seat"]], "vote_lost_at": event["at"]}
        return change_seat(changed, vote["by_seat"], asker)
    return changed
