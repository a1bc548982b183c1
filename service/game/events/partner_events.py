"""Who plays with whom: friends, and the roads of Arm's Length."""

from service.game.events import fields as f
from service.game.events.round_types import (
    FriendJoined,
    FriendsCalled,
    RoadsAsked,
    RoadsSet,
    RoadStated,
    TrumpEstablished,
)
from service.game.events.rows import Sets, event
from service.game.events.types import Event
from service.game.events.updates import settled
from service.game.state.queries import decision_of, round_of, sides_after_joining
from service.game.state.types import OpenCall, Roads, Round, State


@event(
    "The declarer called cards for friends.",
    "ends_decision",
    seat=f.seat(),
    calls=f.array(f.nested("CalledCard"), "The cards."),
)
def friends_called(state: State, data: FriendsCalled, _: Event) -> State:
    calls: list[OpenCall] = [{**call, "filled_by": None} for call in data["calls"]]
    return {**state, "round": {**round_of(state), "calls": calls}, "decision": None}


@event(
    "A called card was played.",
    seat=f.seat(),
    call=f.integer("Index of the call."),
    card=f.card("The card."),
    ordinal=f.integer("Which copy.", optional=True),
    other=f.flag("`true`: the copy that the declarer did not hold.", optional=True),
    friend=f.flag("Whether its player is now a friend; not if the declarer played it."),
    points_lost=f.integer("Points of the player's own tricks, which no longer count for the player."),
    sides=f.array(f.text(""), "The side of each seat, as far as it is public now.", optional=True),
    attackers_points=f.attackers_points(),
    returnable=f.returnable(),
)
def friend_joined(state: State, data: FriendJoined, _: Event) -> State:
    table_round = round_of(state)
    calls = list(table_round["calls"])
    calls[data["call"]] = {**calls[data["call"]], "filled_by": data["seat"]}
    sides = sides_after_joining(table_round, data["call"], data["seat"])
    points = list(table_round["points"])
    points[data["seat"]] -= data["points_lost"]
    changed: Round = {**table_round, "calls": calls, "sides": sides, "points": points}
    return {**state, "round": settled(changed, data, "friend_joined")}


def _roads_of(table_round: Round) -> Roads:
    return table_round["roads"] or {"stated": {}, "clashes": [0, 0], "set": {}}


@event(
    "Arm's Length: a player stated a road.",
    seat=f.seat(),
    road=f.text("The road: only for that player.", optional=True, to="seat"),
)
def road_stated(state: State, data: RoadStated, _: Event) -> State:
    table_round = round_of(state)
    roads = _roads_of(table_round)
    decision = decision_of(state)
    left = [seat for seat in decision["seats"] if seat != data["seat"]]
    roads = {**roads, "stated": {**roads["stated"], str(data["seat"]): data["road"]}}
    return {
        **state,
        "round": {**table_round, "roads": roads},
        "decision": {**decision, "seats": left} if left else None,
    }


@event(
    "Arm's Length: players must state a road.",
    "ends_decision",
    seats=f.array(f.integer(""), "The seats."),
    clashes=f.array(f.integer(""), "How often the partners of each side have clashed."),
    phase=f.phase("roads"),
)
def roads_asked(state: State, data: RoadsAsked, _: Event) -> State:
    table_round = round_of(state)
    roads = _roads_of(table_round)
    stated = {seat: road for seat, road in roads["stated"].items() if int(seat) not in data["seats"]}
    roads = {**roads, "stated": stated, "clashes": data["clashes"]}
    return {**state, "round": {**table_round, "roads": roads, "phase": "roads"}, "decision": None}


@event(
    "Arm's Length: partners have agreed.",
    roads=f.mapping("Seat -> road.", f.text("")),
)
def roads_set(state: State, data: RoadsSet, _: Event) -> State:
    table_round = round_of(state)
    roads = _roads_of(table_round)
    return {**state, "round": {**table_round, "roads": {**roads, "set": {**roads["set"], **data["roads"]}}}}


@event(
    "Arm's Length: a discard established trumps.",
    Sets({"round.trump": "=trump"}),
    trump=f.nested("Trump", "The trumps."),
    seat=f.seat(),
    card=f.card("The card."),
    returnable=f.returnable(),
)
def trump_established(state: State, data: TrumpEstablished, _: Event) -> State:
    changed: Round = {**round_of(state), "trump": data["trump"]}
    return {**state, "round": settled(changed, data, "trumps_made")}
