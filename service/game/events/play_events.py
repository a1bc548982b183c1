"""What the events of the play and of the end of a round mean."""

from typing import Any

from service.game.events.changes import Changes, asked_anew, cards_moved, in_round, with_member
from service.game.state.types import Event, State


def friends_called(state: State, event: Event) -> Changes:
    calls = [{**call, "filled_by": None} for call in event["data"]["calls"]]
    return {**in_round(state, calls=calls), "decision": None}


def friend_joined(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    calls = with_member(table_round["calls"], data["call"], filled_by=data["seat"])
    sides = list(table_round["sides"])
    points = list(table_round["points"])
    sides[data["seat"]] = "declarers"
    points[data["seat"]] -= data["points_lost"]
    if all(call["filled_by"] is not None for call in calls):
        sides = ["attackers" if side == "unknown" else side for side in sides]
    return in_round(state, calls=calls, sides=sides, points=points, plain_play=False)


def road_stated(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    roads = table_round["roads"]
    stated = {**roads["stated"], str(data["seat"]): data["road"]}
    decision = state["decision"]
    left = [seat for seat in decision["seats"] if seat != data["seat"]]
    return {
        **in_round(state, roads={**roads, "stated": stated}),
        "decision": {**decision, "seats": left} if left else None,
    }


def roads_asked(state: State, event: Event) -> Changes:
    """The partners of these sides are to state their roads (again)."""
    data = event["data"]
    roads = state["round"]["roads"] or {"stated": {}, "clashes": [0, 0], "set": {}}
    stated = {seat: road for seat, road in roads["stated"].items() if int(seat) not in data["seats"]}
    roads = {**roads, "stated": stated, "clashes": data["clashes"]}
    return {**in_round(state, roads=roads, phase="roads"), "decision": None}


def roads_set(state: State, event: Event) -> Changes:
    roads = state["round"]["roads"]
    return in_round(state, roads={**roads, "set": {**roads["set"], **event["data"]["roads"]}})


def trump_established(state: State, event: Event) -> Changes:
    return in_round(state, trump=event["data"]["trump"], plain_play=False)


def _trick_opened(state: State, data: dict[str, Any]) -> dict[str, Any]:
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
    trick = table_round["trick"] or _trick_opened(state, data)
    throw = data["throw"]
    play = {"seat": seat, "cards": cards, "units": data["units"], "throw": throw, "was_winning": trick["winning"]}
    hands = table_round["hands"].copy()
    hand = hands[seat] = hands[seat].copy()
    seen = table_round["played"].copy()
    for kind in cards:
        hand[kind] -= 1
        seen[kind] += 1
    changes = in_round(
        state,
        hands=hands,
        played=seen,
        trick={**trick, "plays": [*trick["plays"], play], "winning": data["winning"]},
        # May be taken back until something else happens: a throw has shown whether others can beat it.
        plain_play=throw is None,
        take_back=None,
    )
    changes["decision"] = None
    return changes


def take_back(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    stage = data["stage"]
    if stage == "asked":
        return in_round(state, take_back={"seat": data["seat"], "accepted": []})
    if stage == "accepted":
        asked = table_round["take_back"]
        return in_round(state, take_back={**asked, "accepted": [*asked["accepted"], data["by_seat"]]})
    if stage == "refused":
        return in_round(state, take_back=None)
    trick = table_round["trick"]
    plays = trick["plays"][:-1]
    seen = list(table_round["played"])
    for kind in data["cards"]:
        seen[kind] -= 1
    before = {**trick, "plays": plays, "winning": trick["plays"][-1]["was_winning"]} if plays else None
    hands = cards_moved(table_round["hands"], data["seat"], data["cards"], 1)
    changes = in_round(state, hands=hands, played=seen, trick=before, take_back=None, plain_play=False)
    return {**changes, "decision": None}


def throw_failed(state: State, event: Event) -> Changes:
    data = event["data"]
    if not data["penalty"]:
        return {}
    penalties = [*state["round"]["penalties"], {"seat": data["seat"], "points": data["penalty"]}]
    return in_round(state, penalties=penalties)


def trick_won(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    points = list(table_round["points"])
    tricks = list(table_round["tricks"])
    points[data["seat"]] += data["points"]
    tricks[data["seat"]] += 1
    last = {**table_round["trick"], "winner": data["seat"], "points": data["points"]}
    return in_round(state, points=points, tricks=tricks, trick=None, last_trick=last)


def round_scored(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = {**state["round"], "phase": "scored", "result": data, "sides": data["sides"], "trick": None}
    game = state["game"]
    result = {"round": table_round["number"], **data["summary"]}
    return {
        "round": table_round,
        "game": {**game, "results": [*game["results"], result], "scores": data.get("scores", game["scores"])},
        "seats": asked_anew(state),
        "decision": None,
    }


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
    game = {**state["game"], "winners": data["winners"], "ended": data["reason"], "ended_at": event["at"]}
    return {"status": "finished", "game": game, "decision": None, "vote": None, "seats": asked_anew(state)}


def game_kept(state: State, _: Event) -> Changes:
    return {"game": {**state["game"], "kept": True}}


#: The events of this module; each function carries the name of its event.
EVENTS = (
    friends_called,
    friend_joined,
    road_stated,
    roads_asked,
    roads_set,
    trump_established,
    played,
    take_back,
    throw_failed,
    trick_won,
    round_scored,
    levels_changed,
    round_ended,
    game_ended,
    game_kept,
)
