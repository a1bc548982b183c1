"""Keeping the view of a table up to date with events only. Other clients may copy this.

    view = GET /v1/tables/{table}
    for event in the stream, or in GET …/events?after={view.version}:
        view = fold(view, event)

Start again from a fresh view after a `reset`, after sitting down or leaving (the response has one), and without a seat
when `settings.spectators` changes. No rules of the game are needed, since each event has its consequences.
docs/contract.md §4 lists the parts of a view that are not in events. What a type of event needs no code for stands in
`openapi.yaml` (`x-ends-decision`, `x-sets`) and, made of that, in `shengji_client.events`.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

from shengji_client.events import ENDS_DECISION, SETS

Json = dict[str, Any]
Viewed = TypeVar("Viewed", bound=Mapping[str, Any])

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
#: Number of rounds whose results a view shows.
RESULTS: Final = 3


def fold(before: Viewed, event: Mapping[str, Any]) -> Viewed:
    """Return the view after an event with the seq `before["version"] + 1`."""
    view = json.loads(json.dumps(before)) | {"version": event["seq"]}  # a deep copy
    kind, data = event["type"], event["data"]
    if kind in ENDS_DECISION:
        view["decision"] = None
    for path, value in SETS.get(kind, {}).items():
        _set(view, data, path, value)
    if kind in SEATS:
        _change_seat(view, data["seat"], SEATS[kind](data))
        if "occupant" in SEATS[kind](data):
            _note_occupant(view, view["seats"][data["seat"]])
    if kind in CHANGES:
        CHANGES[kind](view, data, dict(event))
    if "back" in event:
        view["seats"][event["back"]]["timeouts"] = 0
    _apply_what_many_events_bring(view, data)
    return cast("Viewed", view)


def _apply_what_many_events_bring(view: Json, data: Json) -> None:
    """Apply the fields with the same meaning in all events."""
    if "phase" in data:
        view["phase"] = data["phase"]
    for seat, side in enumerate(data.get("sides") or ()):
        view["seats"][seat]["side"] = side
    if "attackers_points" in data:
        view["round"]["attackers_points"] = data["attackers_points"]
    if "trump" in data and "my" in view:
        view["my"]["sorted_by"] |= data["trump"]
        _sort_hand(view)
    if "asked" in data:
        _ask(view, data["asked"])
    if "game_ends_at" in data:
        view["game"]["ends_at"] = data["game_ends_at"]
    if "returnable" in data:
        view["round"]["returnable"] = data["returnable"]
    if "hints" in data and view["decision"] is not None:
        view["decision"]["hints"] = data["hints"]


def _set(view: Json, data: Json, path: str, value: Any) -> None:
    """Change the value at a path, as `SETS` says."""
    value = data[value[1:]] if isinstance(value, str) and value.startswith("=") else value
    *parts, name = path.split(".")
    if parts == ["seat"]:
        _change_seat(view, data["seat"], {name: value})
        return
    part = view
    for step in parts:
        part = part[step]
    part[name] = value


def _change_seat(view: Json, seat: int, changes: Json) -> None:
    view["seats"][seat] |= changes
    if "ready" in changes and view["decision"] is not None and view["decision"]["kind"] == "ready":
        _ask(view, [seat["seat"] for seat in view["seats"] if not seat["ready"]])


def _note_occupant(view: Json, seat: Json) -> None:
    """Note the first round of a new occupant."""
    seat.pop("since", None)
    if view["status"] == "playing" and seat["occupant"] is not None:
        seat["since"] = view["game"]["round"] + 1


# --- helpers -----------------------------------------------------------------------------------------------------


def _pick(data: Json, *names: str) -> Json:
    return {name: data[name] for name in names}


def _is_mine(view: Json, seat: int) -> bool:
    return "my" in view and view["my"]["seat"] == seat


def _is_ai(seat: Json) -> bool:
    return bool(seat["autopilot"] or (seat["occupant"] and seat["occupant"]["kind"] == "ai"))


def _place_of(card: str, by: Json) -> tuple[int, int, int]:
    """Return the sort key of a card in a hand: trumps first, then the suits, each from high to low."""
    if card in ("BJ", "LJ"):
        return ("BJ", "LJ").index(card), 0, 0
    rank, suit = card[0], card[1]
    if by.get("red_fives") and card in ("5H", "5D"):
        return -1, card == "5D", 0
    if rank == by["rank"]:
        return 2, suit != by["suit"], SUITS.index(suit)
    if rank == "2" and by["twos"]:
        return 3, suit != by["suit"], SUITS.index(suit)
    return 4 if suit == by["suit"] else 5, SUITS.index(suit), -RANKS.index(rank)


def _sort_hand(view: Json) -> None:
    by = view["my"]["sorted_by"]
    view["my"]["hand"].sort(key=lambda card: _place_of(card, by))


def _move_cards(view: Json, data: Json, count: int) -> None:
    """Add cards to a hand or remove them. Of other hands, only the number is known unless hands are open."""
    view["seats"][data["seat"]]["hand_count"] += count
    if "hands" in view:
        view["hands"][data["seat"]] = _counted(view["hands"][data["seat"]], data["cards"], 1 if count > 0 else -1)
    if _is_mine(view, data["seat"]):
        if count > 0:
            view["my"]["hand"] += data["cards"]
            _sort_hand(view)
        else:
            for card in data["cards"]:
                view["my"]["hand"].remove(card)


def _counted(counts: Json, cards: list[str], step: int) -> Json:
    """Return counts of cards, changed by `step` (1 or -1) for each of these."""
    changed = dict(counts)
    for card in cards:
        changed[card] = changed.get(card, 0) + step
    return {card: count for card, count in changed.items() if count}


def _count_played(view: Json, cards: list[str], step: int) -> None:
    view["round"]["played"] = _counted(view["round"]["played"], cards, step)


def _ask(view: Json, seats: list[int] | None) -> None:
    """Note the seats that the open decision still asks; None: it is over."""
    view["decision"] = None if seats is None or view["decision"] is None else {**view["decision"], "seats": seats}


def _ready_anew(view: Json) -> None:
    """Make all seats unready except those of AI players."""
    for seat in view["seats"]:
        seat["ready"] = _is_ai(seat)


def _reset(part: Json, **values: Any) -> None:
    """Set fields to their initial values; those that do not apply to the game stay null."""
    part |= {name: value for name, value in values.items() if part[name] is not None}


def _clear_hands(view: Json) -> None:
    if "hands" in view:
        view["hands"] = [{} for _ in view["hands"]]


def _clear_seats(view: Json) -> None:
    for seat in view["seats"]:
        _reset(seat, side="unknown", hand_count=0, tricks=0, points=0)
    _clear_hands(view)
    if "my" in view:
        view["my"] |= {"hand": [], "discard": None}
        view["my"]["sorted_by"] |= {"rank": None, "suit": None}
        view["my"].pop("road", None)


# --- seats, settings, votes, decisions ---------------------------------------------------------------------------


def _sits(data: Json) -> Json:
    ready = data["occupant"]["kind"] == "ai"
    return {"occupant": data["occupant"], "presence": "online", "autopilot": None, "timeouts": 0, "ready": ready}


def _leaves(autopilot: str | None) -> Json:
    left: Json = {"presence": "gone", "autopilot": autopilot, "ready": autopilot is not None}
    return left if autopilot else {**left, "occupant": None}


#: Type of event -> changes of its seat.
SEATS: Final[dict[str, Callable[[Json], Json]]] = {
    "seat_taken": _sits,
    "ai_seated": _sits,
    "seat_left": lambda data: _leaves(data["autopilot"]),
}


def _settings_changed(view: Json, data: Json, _: Json) -> None:
    changes = data["changes"]
    if "settings" in changes:
        view["settings"] = {name: value for name, value in changes["settings"].items() if name != "clock"}
        view["clock"] = changes["settings"]["clock"]
    if "join_code" in data:
        view["join_code"] = data["join_code"]
    if data.get("watch_code"):
        view["watch_code"] = data["watch_code"]
    elif "watch_code" in data:
        view.pop("watch_code", None)
    if "options" in changes:
        view["options"] = data["options"]
        view["direction"] = changes["options"].get("direction", view["direction"])
        if "my" in view:
            by = view["my"]["sorted_by"]
            by["twos"] = changes["options"].get("twos_always_trump", False)
            by.pop("red_fives", None)
            if changes["options"].get("red_fives"):
                by["red_fives"] = True
            _sort_hand(view)
        _ready_anew(view)


def _over(view: Json, data: Json, _: Json) -> None:
    practice = view["practice"] and {**view["practice"], "seed": data["practice_seed"]}
    view |= {"status": "finished", "vote": None, "pause": None, "practice": practice}
    if view["round"] is not None:
        view["round"]["returnable"] = 0


def _table_closed(view: Json, data: Json, event: Json) -> None:
    _over(view, data, event)
    view["closed"] = _pick(data, "reason")
    for code in ("join_code", "watch_code"):
        view.pop(code, None)


def _vote(view: Json, data: Json, event: Json) -> None:
    if event["type"] == "vote_opened":
        votes = {str(data["by_seat"]): True}
        view["vote"] = {**_pick(data, "id", "kind", "seat", "closes_at", "remaining_ms"), "votes": votes}
    else:
        view["vote"]["votes"][str(data["seat"])] = data["approve"]


def _decision_opened(view: Json, data: Json, event: Json) -> None:
    decision = _pick(data, "id", "kind", "seats", "deadline_at", "on_timeout")
    view["decision"] = {**decision, "opened_seq": event["seq"], "remaining_ms": data["remaining_ms"]}


def _interrupted(view: Json, data: Json, _: Json) -> None:
    if "deadline_at" in data:
        view["decision"] |= _pick(data, "deadline_at", "remaining_ms")
    if "closes_at" in data:
        view["vote"]["closes_at"] = data["closes_at"]
    if "pause_until" in data:
        view["pause"]["until"] = data["pause_until"]


def _deadline_moved(view: Json, data: Json, _: Json) -> None:
    view["decision"] |= _pick(data, "deadline_at", "remaining_ms")
    view["decision"].pop("away", None)
    if data["away"]:
        view["decision"]["away"] = data["away"]


def _decision_timed_out(view: Json, data: Json, _: Json) -> None:
    for seat in (view["seats"][number] for number in data["seats"]):
        if not _is_ai(seat):
            seat["timeouts"] += 1
            seat["presence"] = "away"
            if len(data["seats"]) == 1:
                seat["bank_ms"] = 0
    if data["action"] == "pause" and view["decision"] is not None:
        view["decision"]["deadline_at"] = None


# --- the game ----------------------------------------------------------------------------------------------------


def _game_started(view: Json, data: Json, _: Json) -> None:
    practice = view["practice"] and {**view["practice"], "seed": None}
    view |= {"status": "playing", "phase": None, "round": None, "practice": practice}
    view["game"] = {
        "id": data["game"],
        "round": data.get("rounds_before", 0),
        "results": [],
        "winners": None,
        "ended": None,
        "scores": data["scores"],
    }
    for seat in view["seats"]:
        seat |= {"level": data["level"], "bank_ms": view["clock"]["bank_ms"], "ready": False, "timeouts": 0}
        _reset(seat, active=True, penalty=0)
        seat.pop("laps", None)
        seat.pop("since", None)
    view["settings"].pop("start_levels", None)
    _clear_seats(view)


def _round_opened(view: Json, data: Json, _: Json) -> None:
    kitty = {"count": data["kitty"], "seat": None, "cards": data.get("kitty_cards") or None, "revealed": False}
    view["game"]["round"] = data["number"]
    view["next_commitment"] = data["next_commitment"]
    view["round"] = {
        **_pick(
            data, "number", "starter", "level", "commitment", "declarer", "declarations", "passes", "calls", "roads"
        ),
        "dealt": {"count": 0, "of": data["of"]},
        "kitty": None if data["kitty"] is None else kitty,
        **dict.fromkeys(("trump", "trick", "last_trick", "take_back", "result")),
        "returnable": 0,
        "played": {},
        "seen": {},
    }
    _clear_seats(view)
    if "my" in view:
        view["my"]["sorted_by"] = data["sorted_by"]


def _redealt(view: Json, data: Json, _: Json) -> None:
    view["round"] |= {"starter": data["starter"], "dealt": {"count": 0, "of": data["of"]}}
    view["round"] |= {"declarations": [], "passes": [], "declarer": data.get("declarer", view["round"]["declarer"])}
    view["round"]["kitty"] |= {"count": data["kitty"], "cards": data.get("kitty_cards") or None}
    _clear_hands(view)
    for seat in view["seats"]:
        seat |= {"hand_count": 0, "active": seat["active"] or data["all_active"]}
    if "my" in view:
        view["my"] |= {"hand": [], "sorted_by": data["sorted_by"]}


def _dealt(view: Json, data: Json, _: Json) -> None:
    view["round"]["dealt"]["count"] = data["count"]
    for seat in view["seats"]:
        seat["hand_count"] = data["count"] // view["players"]
    if "my" in view:
        view["my"]["hand"] += data["cards"]
        _sort_hand(view)
    if "hands" in view:
        pairs = zip(view["hands"], data["hands"], strict=True)
        view["hands"] = [_counted(hand, cards, 1) for hand, cards in pairs]
    if "phase" in data:
        _reset(view["round"], passes=[])


def _declared(view: Json, data: Json, _: Json) -> None:
    view["round"]["declarations"].append(_pick(data, "seat", "cards", "as"))
    view["round"]["passes"] = [data["seat"]]
    view["decision"]["deadline_at"] = data["deadline_at"]


def _passed(view: Json, data: Json, _: Json) -> None:
    if data["kind"] == "declare":
        others = [seat for seat in view["round"]["passes"] if seat != data["seat"]]
        view["round"]["passes"] = [*others, data["seat"]]


def _kitty_taken(view: Json, data: Json, _: Json) -> None:
    view["round"]["kitty"] |= {"count": 0, "seat": data["seat"], "cards": None}
    if "my" in view:
        view["my"]["discard"] = None
    _move_cards(view, data, data["count"])


def _discarded(view: Json, data: Json, _: Json) -> None:
    view["round"]["kitty"]["count"] = data["count"]
    if "hands" in view:
        view["round"]["kitty"]["cards"] = data["cards"] or None
    _move_cards(view, data, -data["count"])
    if _is_mine(view, data["seat"]):
        view["my"]["discard"] = data["cards"]


def _kitty_overcalled(view: Json, data: Json, _: Json) -> None:
    view["round"]["trump"] = data["trump"]
    if "as" in data:
        view["round"]["declarations"].append(_pick(data, "seat", "cards", "as"))
    if data.get("as") != "reinforce":
        view["decision"] = None


def _friend_joined(view: Json, data: Json, _: Json) -> None:
    view["round"]["calls"][data["call"]]["filled_by"] = data["seat"]
    view["seats"][data["seat"]]["points"] -= data["points_lost"]


def _roads(view: Json, data: Json, event: Json) -> None:
    roads = view["round"]["roads"]
    if event["type"] == "roads_set":
        roads["set"] |= data["roads"]
        return
    roads["stated"] = [seat for seat in roads["stated"] if seat not in data["seats"]]
    if "my" in view and view["my"]["seat"] in data["seats"]:
        view["my"]["road"] = None


def _road_stated(view: Json, data: Json, _: Json) -> None:
    roads = view["round"]["roads"]
    roads["stated"] = sorted({*roads["stated"], data["seat"]})
    if _is_mine(view, data["seat"]):
        view["my"]["road"] = data["road"]
        view["decision"].pop("hints", None)
    _ask(view, [seat for seat in view["decision"]["seats"] if seat != data["seat"]] or None)


def _played(view: Json, data: Json, _: Json) -> None:
    table_round, seat = view["round"], data["seat"]
    if table_round["trick"] is None:
        number = table_round["last_trick"]["number"] + 1 if table_round["last_trick"] else 1
        table_round["trick"] = {"number": number, "leader": seat, "plays": []}
    play = _pick(data, "seat", "cards", "units", "throw") if data["units"] else _pick(data, "seat", "cards")
    table_round["trick"]["plays"].append(play)
    table_round["trick"]["winning"] = data["winning"]
    table_round["take_back"] = None
    _count_played(view, data["cards"], 1)
    _move_cards(view, data, -len(data["cards"]))


def _take_back(view: Json, data: Json, _: Json) -> None:
    table_round, stage = view["round"], data["stage"]
    if stage == "accepted":
        table_round["take_back"]["accepted"].append(data["by_seat"])
    else:
        table_round["take_back"] = {"seat": data["seat"], "accepted": []} if stage == "asked" else None
    if stage == "done":
        view["decision"] = None
        table_round["trick"]["plays"].pop()
        table_round["trick"]["winning"] = data["winning"]
        if not table_round["trick"]["plays"]:
            table_round["trick"] = None
        _count_played(view, data["cards"], -1)
        _move_cards(view, data, len(data["cards"]))


def _trick_reopened(view: Json, data: Json, _: Json) -> None:
    seat = view["seats"][data["seat"]]
    seat["tricks"] -= 1
    if data["points"] is not None:
        seat["points"] -= data["points"]
    trick = _pick(view["round"]["last_trick"], "number", "leader", "plays", "winning")
    view["round"] |= {"trick": trick, "last_trick": data["last_trick"], "seen": data["seen"]}


def _trick_won(view: Json, data: Json, _: Json) -> None:
    seat = view["seats"][data["seat"]]
    seat["tricks"] += 1
    if data["points"] is not None:
        seat["points"] += data["points"]
    last = {**view["round"]["trick"], "winner": data["seat"], "points": data["points"]}
    view["round"] |= {"trick": None, "last_trick": last}
    _remember(view["round"], data.get("seen", {}))


def _remember(table_round: Json, data: Json) -> None:
    """Add what a trick revealed about the hands: new void seats and values; 0 and empty lists remove entries."""
    sets = {part: dict(table_round["seen"].get(part, {})) for part in ("voids", "most", "holds")}
    for suit, seats in data.get("voids", {}).items():
        sets["voids"][suit] = [*sets["voids"].get(suit, []), *seats]
    for suit in {**sets["most"], **data.get("most", {})}:
        void = sets["voids"].get(suit, [])
        known = sets["most"].get(suit, {}) | data.get("most", {}).get(suit, {})
        sets["most"][suit] = {seat: number for seat, number in known.items() if number and int(seat) not in void}
    sets["holds"] |= data.get("holds", {})
    nonempty = {part: {name: value for name, value in known.items() if value} for part, known in sets.items()}
    table_round["seen"] = {part: known for part, known in nonempty.items() if known}


def _round_scored(view: Json, data: Json, _: Json) -> None:
    result = {name: value for name, value in data.items() if name != "phase"}
    view["round"] |= {"result": result, "trick": None, "seen": {}, "attackers_points": data["trick_points"]}
    view["round"]["returnable"] = 0
    kitty = view["round"]["kitty"]
    if kitty is not None and kitty["seat"] is not None:
        kitty["cards"] = data["kitty"]["cards"]
    results = [*view["game"]["results"], {"round": view["round"]["number"], **data["summary"]}]
    view["game"] |= {"results": results[-RESULTS:], "scores": data.get("scores", view["game"]["scores"])}
    _ready_anew(view)


def _levels_changed(view: Json, data: Json, _: Json) -> None:
    for change in data["seats"]:
        seat = view["seats"][change["seat"]]
        seat |= {"level": change["to"], **_pick(change, "active", "penalty")}
        if "laps" in change:
            seat["laps"] = change["laps"]


def _game_ended(view: Json, data: Json, event: Json) -> None:
    decided = {name: data[name] for name in ("decided_by",) if name in data}
    view["game"] |= {"winners": data["winners"], "ended": data["reason"], **decided}
    _over(view, data, event)
    _ready_anew(view)


#: Type of event -> its other changes. Unknown types, which a newer service may have, change nothing.
CHANGES: Final[dict[str, Callable[[Json, Json, Json], None]]] = {
    "friends_called": lambda view, data, _: view["round"].update(
        calls=[{**call, "filled_by": None} for call in data["calls"]]
    ),
    "claimed": lambda view, data, _: (
        view.update(decision=None)
        if data["ok"]
        else view["round"].update(take_back=None, claims=[*view["round"].get("claims", []), data["seat"]])
    ),
    "game_paused": lambda view, data, _: view.update(pause=dict(data)),
    **dict.fromkeys(("vote_opened", "vote_cast"), _vote),
    **dict.fromkeys(("roads_asked", "roads_set"), _roads),
    **{
        change.__name__[1:]: change
        for change in (
            _settings_changed, _decision_opened, _decision_timed_out, _deadline_moved, _interrupted, _game_started,
            _round_opened, _redealt, _dealt, _declared, _passed, _kitty_taken, _discarded, _kitty_overcalled,
            _friend_joined, _road_stated, _played, _take_back, _trick_reopened, _trick_won, _round_scored,
            _levels_changed, _game_ended, _table_closed,
        )
    },
}  # fmt: skip
