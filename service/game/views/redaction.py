"""What a viewer may see of an event; the other half of the one redactor (`service.game.views.view`).

It works by allow-list: of each type of event, the fields that its row names (`service.game.events.rows`), or what a
function here shows. Every viewer gets the same events with the same `seq`; hidden cards become a count, so that there
are no gaps to learn from (docs/contract.md).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from service.game.events.catalogue import ROWS
from service.game.events.fields import To
from service.game.events.round_types import (
    Dealt,
    Declared,
    FriendJoined,
    FriendsCalled,
    GameStarted,
    LevelChange,
    LevelsChanged,
    NewDeal,
    RoundScored,
    TrickReopened,
)
from service.game.events.rows import Row
from service.game.events.types import (
    Chat,
    DeadlineMoved,
    DecisionOpened,
    Event,
    SettingsChanged,
    TableClosed,
    TableCreated,
)
from service.game.state.interruptions import Moved
from service.game.state.types import Phase
from service.game.views.absent import blank, phase_view
from service.game.views.fields import (
    NO_ROADS,
    away_view,
    call_view,
    closed_view,
    codes_of,
    fields,
    result_view,
    sorted_by,
    timestamp,
    trick_view,
)
from service.game.views.types import OPEN, EventView, Viewer
from service.rules.cards import names_of
from service.rules.options.rulesets import renewed

#: Fields of an event as shown.
Shown: TypeAlias = dict[str, Any]
#: Shows the data of an event (`service.game.events.types`) to a viewer.
Redactor = Callable[[Any, Viewer], Shown]


def _by_fields(row: Row) -> Redactor:
    """Show the fields that a row names, to those who may see them, and nothing else."""
    names = tuple(name for name, field in row.fields.items() if field.to == "all")
    constant = {name: field.value for name, field in row.fields.items() if field.value is not None}
    counts = {name: field.count_of for name, field in row.fields.items() if field.count_of}
    own = {name: field.to for name, field in row.fields.items() if field.to != "all"}
    if not (constant or counts or own):
        return lambda data, _: fields(data, names)

    def redact_fields(data: Any, viewer: Viewer) -> Shown:
        visible = fields(data, names) | {name: len(data[counted]) for name, counted in counts.items()}
        visible |= fields(data, [name for name, to in own.items() if _sees(viewer, data["seat"], to)])
        return visible | constant

    return redact_fields


def _sees(viewer: Viewer, seat: int, to: To) -> bool:
    return viewer == seat or (viewer == OPEN and to == "seat and open")


def _table_created(data: TableCreated, _: Viewer) -> Shown:
    """Show all options, by their current names."""
    visible = fields(data, ("table", "ruleset", "players", "host", "next_commitment"))
    return visible | {"options": renewed(data["ruleset"], data["options"])}


def _in(phase: Phase, redactor: Redactor, **new: object) -> Redactor:
    """Also show the phase that begins with the event, and its first fields, as in the view."""
    return lambda data, viewer: {**redactor(data, viewer), "phase": phase, **new}


def _dealt(data: Dealt, viewer: Viewer) -> Shown:
    visible: Shown = fields(data, ("count", "phase", "asked"))
    if isinstance(viewer, int):
        visible["cards"] = names_of(data["cards"][viewer])
    elif viewer == OPEN:
        visible["hands"] = [names_of(cards) for cards in data["cards"]]
    return visible


def _deal(*names: str) -> Redactor:
    """Show these fields of a deal, its numbers, and the trumps by which the viewer's hand is sorted for now.

    `OPEN` also sees the cards of the kitty.
    """

    def deal(data: NewDeal, viewer: Viewer) -> Shown:
        visible = fields(data, (*names, "of", "pace"))
        visible["kitty"] = len(data["deck"]) - data["of"]
        visible["interval_ms"] = data["interval"]
        if viewer == OPEN:
            visible["kitty_cards"] = names_of(data["deck"][data["of"] :])
        if isinstance(viewer, int) and "ranks" in data:
            visible["sorted_by"] = sorted_by(
                data["ranks"][viewer], None, twos=data["twos"], red_fives=data.get("red_fives", False)
            )
        return visible

    return deal


def _game_started(data: GameStarted, _: Viewer) -> Shown:
    return {**fields(data, ("game", "level", "starter", "rounds_before", "game_ends_at")), "scores": [0, 0]}


def _declared(data: Declared, _: Viewer) -> Shown:
    visible = fields(data, ("seat", "cards", "as", "trump", "defence", "asked"))
    return visible | {"deadline_at": timestamp(data["deadline"])}


def _friends_called(data: FriendsCalled, _: Viewer) -> Shown:
    return {"seat": data["seat"], "calls": [call_view(call) for call in data["calls"]]}


def _friend_joined(data: FriendJoined, _: Viewer) -> Shown:
    names = ("seat", "call", "friend", "points_lost", "sides", "attackers_points", "returnable")
    return {**fields(data, names), **call_view(data)}


def _trick_reopened(data: TrickReopened, _: Viewer) -> Shown:
    last = data["last_trick"]
    visible = fields(data, ("seat", "number", "points", "attackers_points", "seen"))
    return {**visible, "last_trick": None if last is None else trick_view(last)}


def _round_scored(data: RoundScored, _: Viewer) -> Shown:
    return {**result_view(data), "phase": "scored"}


def _levels_changed(data: LevelsChanged, _: Viewer) -> Shown:
    names = ("seat", "from", "to", "active", "attempted", "penalty", "won")
    return {"seats": [fields(change, (*names, *_counted(change))) for change in data["seats"]]}


def _counted(change: LevelChange) -> list[str]:
    """Return the names of fields that most games never have."""
    return [name for name in ("defended", "laps") if change.get(name)]


def _decision_opened(data: DecisionOpened, _: Viewer) -> Shown:
    visible: Shown = {
        "kind": data["kind"],
        "seats": data.get("asked", data["seats"]),
        "on_timeout": data["on_timeout"],
        "deadline_at": timestamp(data["deadline"]),
    }
    if "phase" in data:
        visible["phase"] = data["phase"]
    return visible


def _interrupted(data: Moved, _: Viewer) -> Shown:
    visible = fields(data, ("ms", "closes_at", "pause_until", "game_ends_at"))
    return visible | {"deadline_at": timestamp(data["deadline"])} if "deadline" in data else visible


def _deadline_moved(data: DeadlineMoved, _: Viewer) -> Shown:
    """Show the deadline and holidays. When else the clock stands still would tell when somebody sleeps."""
    away = away_view(data["away"])
    return {**fields(data, ("by_seat",)), "deadline_at": timestamp(data["deadline"]), "away": away}


def _settings_changed(data: SettingsChanged, viewer: Viewer) -> Shown:
    """Show the codes to players: the join code changes after a kick, and the watch code comes and goes."""
    visible = fields(data, ("changes",))
    settings = data["changes"].get("settings")
    if isinstance(viewer, int) and settings is not None:
        visible |= {"watch_code": None, **codes_of(settings)}
    return visible | fields({"options": data["chosen"]}, ("options",)) if "chosen" in data else visible


def _table_closed(data: TableClosed, _: Viewer) -> Shown:
    """Show the reason, and the seed of a practice table, since nothing is left to play."""
    settings = data["settings"]
    visible: Shown = {**(closed_view(settings) or {})}
    is_told = settings["seed"] is not None and "board" not in settings
    return {**visible, "practice_seed": settings["seed"]} if is_told else visible


def _chat(data: Chat, viewer: Viewer) -> Shown:
    """Show chat to players or to spectators; others, and those who muted the author, see only that there is some."""
    if data.get("muted"):
        return fields(data, ("seat", "muted"))
    apart = (data["seat"] is not None) != isinstance(viewer, int)
    return fields(data, ("seat",) if apart else ("seat", "player", "name", "text", "preset"))


#: Type -> shows an event whose data must be worked on; the others are shown as their fields say.
_BY_HAND: Final[Mapping[str, Redactor]] = {
    "table_created": _table_created,
    "settings_changed": _settings_changed,
    "table_closed": _table_closed,
    "chat": _chat,
    "decision_opened": _decision_opened,
    "interrupted": _interrupted,
    "deadline_moved": _deadline_moved,
    "game_started": _game_started,
    "round_opened": _in(
        "dealing",
        _deal("number", "starter", "declarer", "level", "commitment", "entropy", "next_commitment"),
        declarations=[],
        passes=[],
        calls=[],
        roads=NO_ROADS,
        attackers_points=0,
    ),
    "redealt": _in("dealing", _deal("reason", "seat", "starter", "declarer", "all_active", "hand")),
    "dealt": _dealt,
    "declared": _declared,
    "friends_called": _friends_called,
    "friend_joined": _friend_joined,
    "trick_reopened": _trick_reopened,
    "round_scored": _round_scored,
    "levels_changed": _levels_changed,
}

#: Type -> shows an event of the type.
_REDACTORS: Final[dict[str, Redactor]] = {name: _BY_HAND.get(name) or _by_fields(row) for name, row in ROWS.items()}


#: Events that open a decision or vote, which is named after them.
_NAMED_BY_SEQ: Final = {"decision_opened": "dc", "vote_opened": "vt"}


def redact(event: Event, viewer: Viewer, ruleset: str) -> EventView:
    """Return an event of this game as the viewer may see it."""
    visible = _REDACTORS[event["type"]](event["data"], viewer)
    blank(ruleset, event["type"], visible)
    if visible.get("last_trick"):
        blank(ruleset, "trick", visible["last_trick"])
    if event["type"] == "levels_changed":
        for change in visible["seats"]:
            blank(ruleset, "level_change", change)
    if "phase" in visible:
        visible["phase"] = phase_view(ruleset, visible["phase"])
    if event["type"] in _NAMED_BY_SEQ:
        visible["id"] = f"{_NAMED_BY_SEQ[event['type']]}_{event['seq']}"
    if "deadline_at" in visible:
        deadline = event["data"]["deadline"]
        visible["remaining_ms"] = None if deadline is None else deadline - event["at"]
    elif "closes_at" in visible:
        visible["remaining_ms"] = event["data"]["closes_at"] - event["at"]
    elif "until" in visible:
        visible["remaining_ms"] = event["data"]["until"] - event["at"]
    event_view: EventView = {
        "seq": event["seq"],
        "type": event["type"],
        "at": timestamp(event["at"]),
        # The event was written when the previous round, if any, was still the table's round.
        "round": visible["number"] if event["type"] == "round_opened" else event["round"],
        "by": event["by"],
        "data": visible,
    }
    if "back" in event:
        event_view["back"] = event["back"]
    return event_view
