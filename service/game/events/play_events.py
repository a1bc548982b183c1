"""Events from the first lead to the end of the game."""

from typing import Final, cast

from service.game.events.pause_events import without_pause
from service.game.events.round_types import (
    Claimed,
    FriendJoined,
    FriendsCalled,
    GameEnded,
    GameKept,
    LevelsChanged,
    Played,
    Returnable,
    RoadsAsked,
    RoadsSet,
    RoadStated,
    RoundEnded,
    RoundScored,
    TakeBack,
    ThrowFailed,
    TrickReopened,
    TrickWon,
    TrumpEstablished,
)
from service.game.events.types import Event
from service.game.events.updates import change_round, move_cards, ready_anew
from service.game.state.earlier import packed
from service.game.state.memory import NOTHING, merged
from service.game.state.queries import decision_of, game_of, last_trick_of, round_of, sides_after_joining, trick_of
from service.game.state.take_backs import allows_take_backs
from service.game.state.types import (
    NumberedSummary,
    OpenCall,
    Play,
    Roads,
    Round,
    SettledBy,
    State,
    TakeBackRequest,
    ThrowPenalty,
    Trick,
)

#: Whether a throw succeeded -> why neither it nor earlier plays can be taken back.
_THROWN: Final[dict[bool, SettledBy]] = {True: "throw_held", False: "throw_failed"}
#: Fields that only a complete trick has.
_OF_COMPLETE: Final = frozenset({"winner", "points"})


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
    changed: Round = {**table_round, "calls": calls, "sides": sides, "points": points}
    return {**state, "round": _settled(changed, data, "friend_joined")}


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
    changed: Round = {**round_of(state), "trump": data["trump"]}
    return {**state, "round": _settled(changed, data, "trumps_made")}


def _new_trick(table_round: Round, leader: int) -> Trick:
    last = table_round["last_trick"]
    return {"number": last["number"] + 1 if last else 1, "leader": leader, "plays": [], "winning": leader}


def _settled(table_round: Round, data: Returnable, by: SettledBy) -> Round:
    """Return a round with the number of plays that may still be taken back; if none, `by` is the reason."""
    if "returnable" not in data:
        return table_round
    changed = table_round.copy()
    changed["returnable"] = data["returnable"]
    if not data["returnable"]:
        changed["settled_by"] = by
    return changed


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
    changed["take_back"] = None
    after = state.copy()
    after["round"] = _settled(changed, data, _THROWN[throw["ok"]] if throw is not None else "rated")
    after["decision"] = None
    return after


def take_back(state: State, data: TakeBack, event: Event) -> State:
    table_round = round_of(state)
    stage = data["stage"]
    if stage == "asked":
        asked: TakeBackRequest = {"seat": data["seat"], "accepted": [], "asked_at": event["at"]}
        return {**state, "round": {**table_round, "take_back": asked}}
    request = table_round["take_back"]
    if stage == "accepted" and request is not None:
        accepted = [*request["accepted"], data["by_seat"]]
        return {**state, "round": {**table_round, "take_back": {**request, "accepted": accepted}}}
    if stage == "done":
        table_round = _without_last_play(table_round, data)
        return {**state, "round": table_round, "decision": None}
    if stage == "charged":
        charged = [*table_round.get("taken_back", []), data["seat"]]
        return {**state, "round": {**table_round, "taken_back": charged}}
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
        "returnable": data.get("returnable", 0),
    }


def trick_reopened(state: State, data: TrickReopened, _: Event) -> State:
    table_round = round_of(state)
    trick = cast(
        "Trick", {name: value for name, value in last_trick_of(table_round).items() if name not in _OF_COMPLETE}
    )
    points, tricks = list(table_round["points"]), list(table_round["tricks"])
    points[data["seat"]] -= data["points"]
    tricks[data["seat"]] -= 1
    changed: Round = {
        **table_round,
        "points": points,
        "tricks": tricks,
        "trick": trick,
        "last_trick": data["last_trick"],
        "earlier": table_round.get("earlier", [])[:-1],
        "memory": data["seen"],
    }
    del changed["before"]
    if not changed["earlier"]:
        del changed["earlier"]
    if data["last_trick"] is None:
        del changed["memory"]
    return change_round(state, changed)


def throw_failed(state: State, data: ThrowFailed, _: Event) -> State:
    return {**state, "round": _with_penalty(round_of(state), data)}


def claimed(state: State, data: Claimed, _: Event) -> State:
    if data["ok"]:
        return {**state, "decision": None}
    table_round = _settled(_with_penalty(round_of(state), data), data, "claim_failed")
    claims = [*table_round.get("claims", []), data["seat"]]
    return {**state, "round": {**table_round, "claims": claims, "take_back": None}}


def _with_penalty(table_round: Round, data: ThrowFailed | Claimed) -> Round:
    if data["penalty"]:
        penalty: ThrowPenalty = {"seat": data["seat"], "points": data["penalty"]}
        table_round = {**table_round, "penalties": [*table_round["penalties"], penalty]}
    if data.get("levels"):
        table_round = {**table_round, "owing": [*table_round.get("owing", []), data["seat"]]}
    return table_round


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
    memory = table_round.get("memory", NOTHING)
    changed["memory"] = merged(memory, data.get("seen", {}))
    if allows_take_backs(state):
        changed["before"] = {"last_trick": before, "memory": memory}
    return change_round(state, changed)


def round_scored(state: State, data: RoundScored, _: Event) -> State:
    table_round = round_of(state)
    game = game_of(state)
    summary: NumberedSummary = {"round": table_round["number"], **data["summary"]}
    return {
        **state,
        "round": {
            **table_round,
            "phase": "scored",
            "result": data,
            "sides": data["sides"],
            "trick": None,
            "returnable": 0,
        },
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
    changed: State = {**state, "seats": seats}
    game = game_of(state)
    if game["round"] == 0 and len({seat["level"] for seat in seats}) > 1:
        changed["game"] = {**game, "uneven": True}
    return changed


def round_ended(state: State, data: RoundEnded, _: Event) -> State:
    following = data["next"]
    game = game_of(state)
    return {**state, "game": {**game, "starter": following["starter"], "declarer": following["declarer"]}}


def game_ended(state: State, data: GameEnded, event: Event) -> State:
    return {
        **without_pause(state),
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
    trick_reopened,
    throw_failed,
    claimed,
    trick_won,
    round_scored,
    levels_changed,
    round_ended,
    game_ended,
    game_kept,
)
