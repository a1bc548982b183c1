"""Events from the first lead to the end of the game."""

from service.game.events.round_types import (
    FriendJoined,
    FriendsCalled,
    GameEnded,
    GameKept,
    LevelsChanged,
    Played,
    RoadsAsked,
    RoadsSet,
    RoadStated,
    RoundEnded,
    RoundScored,
    TakeBack,
    ThrowFailed,
    TrickWon,
    TrumpEstablished,
)
from service.game.events.types import Event
from service.game.events.updates import change_round, move_cards, ready_anew
from service.game.state.earlier import packed
from service.game.state.memory import NOTHING, merged
from service.game.state.queries import decision_of, game_of, round_of, sides_after_joining, trick_of
from service.game.state.types import NumberedSummary, OpenCall, Play, Roads, Round, State, ThrowPenalty, Trick


def friends_called(state: State, data: FriendsCalled, _: Event) -> State:
    calls: list[OpenCall] = [{**call, "filled_by": None} for call in data["calls"]]
    return {**state, "round": {**round_of(state), "calls": calls}, "decision": None}


def friend_joined(state: State, data: FriendJoined, _: Event) -> State:
    table_round = round_of(state)
    calls = list(table_round["calls"])
    calls[data["call"]] = {**calls[data["call"]], "filled_by": data["seat"]}
    sides = sides_after_joining(table_round, data["call"], data["seat"])
    points = list(table_round["points"])
    points[data["seat"]] -= data["points_lost"]
    changed: Round = {**table_round, "calls": calls, "sides": sides, "points": points, "plain_play": False}
    return {**state, "round": changed}


def _roads_of(table_round: Round) -> Roads:
    return table_round["roads"] or {"stated": {}, "clashes": [0, 0], "set": {}}


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


def roads_asked(state: State, data: RoadsAsked, _: Event) -> State:
    table_round = round_of(state)
    roads = _roads_of(table_round)
    stated = {seat: road for seat, road in roads["stated"].items() if int(seat) not in data["seats"]}
    roads = {**roads, "stated": stated, "clashes": data["clashes"]}
    return {**state, "round": {**table_round, "roads": roads, "phase": "roads"}, "decision": None}


def roads_set(state: State, data: RoadsSet, _: Event) -> State:
    table_round = round_of(state)
    roads = _roads_of(table_round)
    return {**state, "round": {**table_round, "roads": {**roads, "set": {**roads["set"], **data["roads"]}}}}


def trump_established(state: State, data: TrumpEstablished, _: Event) -> State:
    return {**state, "round": {**round_of(state), "trump": data["trump"], "plain_play": False}}


def _new_trick(table_round: Round, leader: int) -> Trick:
    last = table_round["last_trick"]
    return {"number": last["number"] + 1 if last else 1, "leader": leader, "plays": [], "winning": leader}


def played(state: State, data: Played, _: Event) -> State:
    table_round = round_of(state)
    cards, seat, throw = data["cards"], data["seat"], data["throw"]
    before = table_round["trick"] or _new_trick(table_round, seat)
    play: Play = {
        "seat": seat,
        "cards": cards,
        "units": data["units"],
        "throw": throw,
        "was_winning": before["winning"],
    }
    trick = before.copy()
    trick["plays"] = [*before["plays"], play]
    trick["winning"] = data["winning"]
    hands = table_round["hands"].copy()
    hand = hands[seat] = hands[seat].copy()
    seen = table_round["played"].copy()
    for kind in cards:
        hand[kind] -= 1
        seen[kind] += 1
    changed = table_round.copy()
    changed["hands"] = hands
    changed["played"] = seen
    changed["trick"] = trick
    # A throw cannot be taken back: it has shown whether others can beat it.
    changed["plain_play"] = throw is None
    changed["take_back"] = None
    after = state.copy()
    after["round"] = changed
    after["decision"] = None
    return after


def take_back(state: State, data: TakeBack, _: Event) -> State:
    table_round = round_of(state)
    stage = data["stage"]
    if stage == "asked":
        return {**state, "round": {**table_round, "take_back": {"seat": data["seat"], "accepted": []}}}
    request = table_round["take_back"]
    if stage == "accepted" and request is not None:
        accepted = [*request["accepted"], data["by_seat"]]
        return {**state, "round": {**table_round, "take_back": {**request, "accepted": accepted}}}
    if stage == "done":
        table_round = _without_last_play(table_round, data)
        return {**state, "round": table_round, "decision": None}
    return {**state, "round": {**table_round, "take_back": None}}


def _without_last_play(table_round: Round, data: TakeBack) -> Round:
    trick = trick_of(table_round)
    *plays, last = trick["plays"]
    seen = list(table_round["played"])
    for kind in data["cards"]:
        seen[kind] -= 1
    return {
        **table_round,
        "hands": move_cards(table_round["hands"], data["seat"], data["cards"], 1),
        "played": seen,
        "trick": {**trick, "plays": plays, "winning": last["was_winning"]} if plays else None,
        "take_back": None,
        "plain_play": False,
    }


def throw_failed(state: State, data: ThrowFailed, _: Event) -> State:
    table_round = round_of(state)
    if data["penalty"]:
        penalty: ThrowPenalty = {"seat": data["seat"], "points": data["penalty"]}
        table_round = {**table_round, "penalties": [*table_round["penalties"], penalty]}
    if data.get("levels"):
        table_round = {**table_round, "owing": [*table_round.get("owing", []), data["seat"]]}
    return {**state, "round": table_round}


def trick_won(state: State, data: TrickWon, _: Event) -> State:
    table_round = round_of(state)
    trick = trick_of(table_round)
    points = list(table_round["points"])
    tricks = list(table_round["tricks"])
    points[data["seat"]] += data["points"]
    tricks[data["seat"]] += 1
    last: Trick = {**trick, "winner": data["seat"], "points": data["points"]}
    changed = table_round.copy()
    changed["points"] = points
    changed["tricks"] = tricks
    changed["trick"] = None
    changed["last_trick"] = last
    before = table_round["last_trick"]
    if before is not None:
        changed["earlier"] = [*table_round.get("earlier", ()), packed(before)]
    changed["memory"] = merged(table_round.get("memory", NOTHING), data.get("seen", {}))
    return change_round(state, changed)


def round_scored(state: State, data: RoundScored, _: Event) -> State:
    table_round = round_of(state)
    game = game_of(state)
    summary: NumberedSummary = {"round": table_round["number"], **data["summary"]}
    return {
        **state,
        "round": {**table_round, "phase": "scored", "result": data, "sides": data["sides"], "trick": None},
        "game": {**game, "results": [*game["results"], summary], "scores": data.get("scores", game["scores"])},
        "seats": ready_anew(state),
        "decision": None,
    }


def levels_changed(state: State, data: LevelsChanged, _: Event) -> State:
    seats = list(state["seats"])
    for change in data["seats"]:
        seats[change["seat"]] = {
            **seats[change["seat"]],
            "level": change["to"],
            "active": change["active"],
            "attempted": change["attempted"],
            "penalty": change["penalty"],
        }
        if "defended" in change:
            seats[change["seat"]]["defended"] = change["defended"]
        if "laps" in change:
            seats[change["seat"]]["laps"] = change["laps"]
    return {**state, "seats": seats}


def round_ended(state: State, data: RoundEnded, _: Event) -> State:
    following = data["next"]
    game = game_of(state)
    return {**state, "game": {**game, "starter": following["starter"], "declarer": following["declarer"]}}


def game_ended(state: State, data: GameEnded, event: Event) -> State:
    return {
        **state,
        "status": "finished",
        "game": {
            **game_of(state),
            "winners": data["winners"],
            "ended": data["reason"],
            "ended_at": event["at"],
        },
        "decision": None,
        "vote": None,
        "seats": ready_anew(state),
    }


def game_kept(state: State, _: GameKept, __: Event) -> State:
    return {**state, "game": {**game_of(state), "kept": True}}


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
