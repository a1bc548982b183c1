"""evolve(state, event) -> state: what each event means.

An event is a fact, so nothing here can refuse and nothing here decides. The state that comes out shares everything
that did not change with the one that went in, which stays as it was. Folding the log of a table from its first event
gives its state; there is no other way in which a table changes.
"""

from collections.abc import Callable, Iterable
from typing import Any

from service.game.state import SCHEMA, Event, State

Changes = dict[str, Any]

#: How many answered actions a seat may repeat and still be told what came of them.
REMEMBERED_ANSWERS = 8

#: Decision kind -> the phase that it belongs to. Declaring goes on in the phases of dealing and of declaring.
_PHASE_OF = {"discard": "kitty", "overcall-kitty": "kitty", "call": "calling", "road": "roads", "play": "playing"}


def _with(items: list[Any], at: int, **changes: Any) -> list[Any]:
    """Return `items` with some fields of one member changed."""
    changed = list(items)
    changed[at] = {**changed[at], **changes}
    return changed


def _seat(state: State, at: int, **changes: Any) -> Changes:
    return {"seats": _with(state["seats"], at, **changes)}


def _round(state: State, **changes: Any) -> Changes:
    return {"round": {**state["round"], **changes}}


# --- the table ---------------------------------------------------------------------------------------------------


def table_created(_: State, event: Event) -> Changes:
    data = event["data"]
    players = data["players"]
    free = {
        "occupant": None,
        "autopilot": None,
        "ready": False,
        "presence": "gone",
        "timeouts": 0,
        "bank_ms": data["settings"]["clock"]["bank_ms"],
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
    }


def seat_taken(state: State, event: Event) -> Changes:
    data = event["data"]
    return _seat(
        state, data["seat"], occupant=data["occupant"], ready=False, presence="online", autopilot=None, timeouts=0
    )


def seat_left(state: State, event: Event) -> Changes:
    data = event["data"]
    if data["autopilot"]:
        return _seat(state, data["seat"], autopilot=data["autopilot"], presence="gone", ready=True)
    return _seat(state, data["seat"], occupant=None, ready=False, presence="gone")


def ai_seated(state: State, event: Event) -> Changes:
    data = event["data"]
    return _seat(
        state, data["seat"], occupant=data["occupant"], ready=True, presence="online", autopilot=None, timeouts=0
    )


def seat_ready(state: State, event: Event) -> Changes:
    data = event["data"]
    changes = _seat(state, data["seat"], ready=data["ready"])
    decision = state["decision"]
    if decision is not None and decision["kind"] == "ready":
        waiting = [seat for seat, place in enumerate(changes["seats"]) if not place["ready"]]
        changes["decision"] = {**decision, "seats": waiting}
    return changes


def entropy_given(state: State, event: Event) -> Changes:
    data = event["data"]
    return {"entropy": {**state["entropy"], str(data["seat"]): data["entropy"]}}


def settings_changed(_: State, event: Event) -> Changes:
    return dict(event["data"]["changes"])


def presence(state: State, event: Event) -> Changes:
    data = event["data"]
    return _seat(state, data["seat"], presence=data["presence"])


def host_changed(_: State, event: Event) -> Changes:
    return {"host": event["data"]["host"]}


def table_closed(_: State, event: Event) -> Changes:
    return {"status": "finished", "decision": None, "settings": event["data"]["settings"]}


def seat_taken_over(state: State, event: Event) -> Changes:
    data = event["data"]
    return _seat(state, data["seat"], autopilot=data["level"], ready=True)


def seat_resumed(state: State, event: Event) -> Changes:
    return _seat(state, event["data"]["seat"], autopilot=None, timeouts=0, presence="online")


def chat(_: State, __: Event) -> Changes:
    return {}


def vote_opened(_: State, event: Event) -> Changes:
    data = event["data"]
    votes = {str(data["by_seat"]): True}
    return {"vote": {"id": f"vt_{event['seq']}", "kind": data["kind"], "seat": data["seat"], "votes": votes}}


def vote_cast(state: State, event: Event) -> Changes:
    data = event["data"]
    vote = state["vote"]
    return {"vote": {**vote, "votes": {**vote["votes"], str(data["seat"]): data["approve"]}}}


def vote_closed(_: State, __: Event) -> Changes:
    return {"vote": None}


def bank_used(state: State, event: Event) -> Changes:
    data = event["data"]
    return _seat(state, data["seat"], bank_ms=data["bank_ms"])


# --- decisions ---------------------------------------------------------------------------------------------------


def decision_opened(state: State, event: Event) -> Changes:
    data = event["data"]
    changes: Changes = {
        "decision": {
            "id": f"dc_{event['seq']}",
            "kind": data["kind"],
            "seats": data["seats"],
            "opened_seq": event["seq"],
            "opened_at": event["at"],
            "deadline": data["deadline"],
            "on_timeout": data["on_timeout"],
        }
    }
    phase = _PHASE_OF.get(data["kind"])
    if phase is not None and state["round"]["phase"] != phase:
        changes |= _round(state, phase=phase)
    return changes


def decision_timed_out(state: State, event: Event) -> Changes:
    data = event["data"]
    seats = list(state["seats"])
    for seat in data["seats"]:
        seats[seat] = {**seats[seat], "timeouts": seats[seat]["timeouts"] + 1, "presence": "away", "bank_ms": 0}
    changes: Changes = {"seats": seats}
    if data["action"] == "pause":
        changes["decision"] = {**state["decision"], "deadline": None}
    return changes


# --- a game and its rounds ---------------------------------------------------------------------------------------


def game_started(state: State, event: Event) -> Changes:
    data = event["data"]
    seats = [
        {**seat, "level": data["level"], "active": True, "attempted": [], "penalty": 0, "ready": False, "timeouts": 0}
        for seat in state["seats"]
    ]
    return {
        "status": "playing",
        "seats": seats,
        "decision": None,
        "round": None,
        "game": {
            "id": data["game"],
            "round": 0,
            "starter": data["starter"],
            "declarer": None,
            "results": [],
            "winners": None,
            "ended": None,
            "scores": None,
        },
    }


def round_opened(state: State, event: Event) -> Changes:
    data = event["data"]
    players = state["players"]
    return {
        "game": {**state["game"], "round": data["number"], "starter": data["starter"], "declarer": data["declarer"]},
        "next_seed": data["next_seed"],
        "next_commitment": data["next_commitment"],
        "entropy": {},
        "decision": None,
        "round": {
            "number": data["number"],
            "phase": "dealing",
            "starter": data["starter"],
            "level": data["level"],
            "commitment": data["commitment"],
            "server_seed": data["server_seed"],
            "entropy": data["entropy"],
            "shown": [],
            "passes": [],
            "defence": None,
            "trump": None,
            "declarer": data["declarer"],
            "kitty_seat": None,
            "discard": None,
            "revealed": False,
            "overcalls": None,
            "calls": [],
            "played": [0] * 54,
            "sides": data["sides"],
            "points": [0] * players,
            "tricks": [0] * players,
            "penalties": [],
            "trick": None,
            "last_trick": None,
            "plain_play": False,
            "take_back": None,
            "roads": None,
            "result": None,
            **_new_deal(players, data, event["at"]),
        },
    }


def _new_deal(players: int, data: dict[str, Any], at: int) -> Changes:
    return {
        "deck": data["deck"],
        "kitty": data["deck"][data["of"] :],
        "hands": [[0] * 54] * players,
        "deal": {
            "attempt": data["attempt"],
            "pace": data["pace"],
            "interval": data["interval"],
            "count": 0,
            "of": data["of"],
            "from": at,
            "paused_at": None,
        },
    }


def redealt(state: State, event: Event) -> Changes:
    data = event["data"]
    changes = _round(
        state,
        phase="dealing",
        starter=data["starter"],
        shown=[],
        passes=[],
        defence=None,
        **_new_deal(state["players"], data, event["at"]),
    )
    if data["all_active"]:
        changes["seats"] = [{**seat, "active": True} for seat in state["seats"]]
    return {**changes, "decision": None}


def dealt(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    hands = []
    for hand, cards in zip(table_round["hands"], data["cards"], strict=True):
        fuller = list(hand)
        for kind in cards:
            fuller[kind] += 1
        hands.append(fuller)
    deal = {**table_round["deal"], "count": data["count"]}
    if data["count"] < deal["of"]:
        return _round(state, hands=hands, deal=deal)
    # The deck is out; what is left of it lies in the kitty.
    return _round(state, hands=hands, deal=deal, deck=None, phase="declaring", passes=[])


def declared(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    shown = [*table_round["shown"], {"seat": data["seat"], "cards": data["cards"], "as": data["as"]}]
    deal = _pause(table_round, data, event["at"])
    changes = _round(state, shown=shown, passes=[data["seat"]], defence=data["defence"], deal=deal)
    changes["decision"] = _answered(state, data)
    return changes


def passed(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    changes: Changes = {"decision": None}
    if data["kind"] == "declare":
        changes = _round(state, passes=[*table_round["passes"], data["seat"]])
        if len(state["decision"]["seats"]) == 1:
            changes["decision"] = None
    if data["kind"] == "defend":
        changes |= _round(state, defence=None, deal=_pause(table_round, {"defence": None}, event["at"]))
    if data["kind"] == "overcall-kitty":
        overcalls = table_round["overcalls"]
        changes |= _round(state, overcalls={**overcalls, "asked": [*overcalls["asked"], data["seat"]]})
    return changes


def _pause(table_round: dict[str, Any], data: dict[str, Any], at: int) -> dict[str, Any]:
    """Stop the deal while somebody may defend a declaration at once, and let it go on afterwards."""
    deal: dict[str, Any] = table_round["deal"]
    if data["defence"] is not None and deal["paused_at"] is None:
        return {**deal, "paused_at": at}
    if data["defence"] is None and deal["paused_at"] is not None:
        return {**deal, "paused_at": None, "from": deal["from"] + at - deal["paused_at"]}
    return deal


def _answered(state: State, data: dict[str, Any]) -> dict[str, Any] | None:
    """After a declaration: a window shared by all stays open, with time to answer it; a question to one is over."""
    decision = state["decision"]
    if decision["kind"] == "declare" and len(decision["seats"]) > 1 and data["defence"] is None:
        return {**decision, "deadline": data["deadline"]}
    return None


def declaration_closed(_: State, __: Event) -> Changes:
    return {"decision": None}


def kitty_flipped(_: State, __: Event) -> Changes:
    return {}


def trump_fixed(state: State, event: Event) -> Changes:
    data = event["data"]
    changes: Changes = {"sides": data["sides"], "declarer": data["declarer"], "defence": None}
    return {
        **_round(state, trump=data["trump"], phase="kitty", **changes),
        "game": {**state["game"], "declarer": data["declarer"]},
        "decision": None,
    }


def _cards_moved(hands: list[list[int]], seat: int, cards: Iterable[int], step: int) -> list[list[int]]:
    changed = list(hands)
    hand = list(changed[seat])
    for kind in cards:
        hand[kind] += step
    changed[seat] = hand
    return changed


def kitty_taken(state: State, event: Event) -> Changes:
    data = event["data"]
    hands = _cards_moved(state["round"]["hands"], data["seat"], data["cards"], 1)
    return _round(state, hands=hands, kitty=[], kitty_seat=data["seat"], discard=None, phase="kitty")


def discarded(state: State, event: Event) -> Changes:
    data = event["data"]
    hands = _cards_moved(state["round"]["hands"], data["seat"], data["cards"], -1)
    return {**_round(state, hands=hands, discard=data["cards"], overcalls=data["overcalls"]), "decision": None}


def kitty_revealed(state: State, _: Event) -> Changes:
    return _round(state, revealed=True)


def kitty_overcalled(state: State, event: Event) -> Changes:
    data = event["data"]
    overcalls = {"standing": {"seat": data["seat"], "cards": data["cards"]}, "asked": [], "first": False}
    return {**_round(state, trump=data["trump"], overcalls=overcalls), "decision": None}


def friends_called(state: State, event: Event) -> Changes:
    calls = [{**call, "filled_by": None} for call in event["data"]["calls"]]
    return {**_round(state, calls=calls), "decision": None}


def friend_joined(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    calls = _with(table_round["calls"], data["call"], filled_by=data["seat"])
    sides = list(table_round["sides"])
    points = list(table_round["points"])
    sides[data["seat"]] = "declarers"
    points[data["seat"]] -= data["points_lost"]
    if all(call["filled_by"] is not None for call in calls):
        sides = ["attackers" if side == "unknown" else side for side in sides]
    return _round(state, calls=calls, sides=sides, points=points, plain_play=False)


def road_stated(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    roads = table_round["roads"]
    stated = {**roads["stated"], str(data["seat"]): data["road"]}
    decision = state["decision"]
    left = [seat for seat in decision["seats"] if seat != data["seat"]]
    return {
        **_round(state, roads={**roads, "stated": stated}),
        "decision": {**decision, "seats": left} if left else None,
    }


def roads_asked(state: State, event: Event) -> Changes:
    """The partners of these sides are to state their roads (again)."""
    data = event["data"]
    roads = state["round"]["roads"] or {"stated": {}, "clashes": [0, 0], "set": {}}
    stated = {seat: road for seat, road in roads["stated"].items() if int(seat) not in data["seats"]}
    roads = {**roads, "stated": stated, "clashes": data["clashes"]}
    return {**_round(state, roads=roads, phase="roads"), "decision": None}


def roads_set(state: State, event: Event) -> Changes:
    roads = state["round"]["roads"]
    return {**_round(state, roads={**roads, "set": {**roads["set"], **event["data"]["roads"]}})}


def trump_established(state: State, event: Event) -> Changes:
    return _round(state, trump=event["data"]["trump"])


def trick_opened(state: State, data: dict[str, Any]) -> dict[str, Any]:
    """Return the new trick for a lead."""
    table_round = state["round"]
    last = table_round["last_trick"]
    return {
        "number": last["number"] + 1 if last else 1,
        "leader": data["seat"],
        "plays": [],
        "winning": data["seat"],
    }


def played(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    cards = data["cards"]
    seat = data["seat"]
    trick = table_round["trick"] or trick_opened(state, data)
    play = {
        "seat": seat,
        "cards": cards,
        "units": data["units"],
        "throw": data["throw"],
        "was_winning": trick["winning"],
    }
    hands = list(table_round["hands"])
    hand = hands[seat] = list(hands[seat])
    seen = list(table_round["played"])
    throw = data["throw"]
    for kind in cards:
        hand[kind] -= 1
        seen[kind] += 1
    return {
        "round": {
            **table_round,
            "phase": "playing",
            "hands": hands,
            "played": seen,
            "trick": {**trick, "plays": [*trick["plays"], play], "winning": data["winning"]},
            # May be taken back until something else happens: a throw has shown whether others can beat it.
            "plain_play": throw is None,
            "take_back": None,
        },
        "decision": None,
    }


def take_back(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    stage = data["stage"]
    if stage == "asked":
        return _round(state, take_back={"seat": data["seat"], "accepted": []})
    if stage == "accepted":
        asked = table_round["take_back"]
        return _round(state, take_back={**asked, "accepted": [*asked["accepted"], data["by_seat"]]})
    if stage == "refused":
        return _round(state, take_back=None)
    trick = table_round["trick"]
    plays = trick["plays"][:-1]
    seen = list(table_round["played"])
    for kind in data["cards"]:
        seen[kind] -= 1
    before = {**trick, "plays": plays, "winning": trick["plays"][-1]["was_winning"]} if plays else None
    hands = _cards_moved(table_round["hands"], data["seat"], data["cards"], 1)
    changes = _round(state, hands=hands, played=seen, trick=before, take_back=None, plain_play=False)
    return {**changes, "decision": None}


def throw_failed(state: State, event: Event) -> Changes:
    data = event["data"]
    if not data["penalty"]:
        return {}
    penalties = [*state["round"]["penalties"], {"seat": data["seat"], "points": data["penalty"]}]
    return _round(state, penalties=penalties)


def trick_won(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    points = list(table_round["points"])
    tricks = list(table_round["tricks"])
    points[data["seat"]] += data["points"]
    tricks[data["seat"]] += 1
    last = {**table_round["trick"], "winner": data["seat"], "points": data["points"]}
    return _round(state, points=points, tricks=tricks, trick=None, last_trick=last)


def round_scored(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = {**state["round"], "phase": "scored", "result": data, "sides": data["sides"], "trick": None}
    game = state["game"]
    result = {"round": table_round["number"], **data["summary"]}
    seats = [{**seat, "ready": seat["autopilot"] is not None or _is_ai(seat)} for seat in state["seats"]]
    return {
        "round": table_round,
        "game": {**game, "results": [*game["results"], result], "scores": data.get("scores", game["scores"])},
        "seats": seats,
        "decision": None,
    }


def _is_ai(seat: dict[str, Any]) -> bool:
    occupant = seat["occupant"]
    return bool(occupant and occupant["kind"] == "ai")


def levels_changed(state: State, event: Event) -> Changes:
    seats = list(state["seats"])
    for change in event["data"]["seats"]:
        seat = change["seat"]
        seats[seat] = {
            **seats[seat],
            "level": change["to"],
            "active": change["active"],
            "attempted": change["attempted"],
            "penalty": change["penalty"],
        }
    return {"seats": seats}


def round_ended(state: State, event: Event) -> Changes:
    data = event["data"]
    return {"game": {**state["game"], "starter": data["next"]["starter"], "declarer": data["next"]["declarer"]}}


def game_ended(state: State, event: Event) -> Changes:
    data = event["data"]
    game = {**state["game"], "winners": data["winners"], "ended": data["reason"]}
    return {"status": "finished", "game": game, "decision": None, "vote": None}


_EVOLVE: dict[str, Callable[[State, Event], Changes]] = {
    function.__name__: function
    for function in (
        table_created, seat_taken, seat_left, ai_seated, seat_ready, entropy_given, settings_changed, presence,
        host_changed, table_closed, seat_taken_over, seat_resumed, chat, vote_opened, vote_cast, vote_closed, bank_used, decision_opened, decision_timed_out,
        game_started, round_opened, redealt, dealt, declared, passed, declaration_closed, kitty_flipped, trump_fixed,
        kitty_taken, discarded, kitty_revealed, kitty_overcalled, friends_called, friend_joined, road_stated,
        roads_asked, roads_set, trump_established, played, take_back, throw_failed, trick_won, round_scored, levels_changed,
        round_ended, game_ended,
    )
}  # fmt: skip

#: Every type of event there is.
EVENT_TYPES = frozenset(_EVOLVE)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event. `state` is `{}` before the first one."""
    changed = state.copy()
    changed.update(_EVOLVE[event["type"]](state, event))
    changed["version"] = event["seq"]
    if "answers" in event:
        _remember(changed, event)
    return changed


def _remember(changed: State, event: Event) -> None:
    """Keep what the action answered, so that a retry is known; whoever answers is not away."""
    seat, decision, digest = event["answers"]
    kept = [*changed["answers"][seat], [decision, digest, event["tx"]]][-REMEMBERED_ANSWERS:]
    changed["answers"] = [*changed["answers"][:seat], kept, *changed["answers"][seat + 1 :]]
    if changed["seats"][seat]["timeouts"]:
        changed["seats"] = _with(changed["seats"], seat, timeouts=0)


def fold(events: Iterable[Event]) -> State:
    """Return the state that a whole log tells."""
    state: State = {}
    for event in events:
        state = evolve(state, event)
    return state
