"""Plays, claims and tricks, the result of a round, and the end of the game."""

from typing import Final, cast

from service.game.events import fields as f
from service.game.events.pause_events import without_pause
from service.game.events.round_types import (
    Claimed,
    GameEnded,
    GameKept,
    LevelsChanged,
    Played,
    RoundEnded,
    RoundScored,
    ThrowFailed,
    TrickReopened,
    TrickWon,
)
from service.game.events.rows import Like, Needs, event
from service.game.events.types import Event
from service.game.events.updates import change_round, ready_anew, settled
from service.game.state.earlier import packed
from service.game.state.memory import NOTHING, merged
from service.game.state.queries import game_of, last_trick_of, round_of, trick_of
from service.game.state.take_backs import allows_take_backs
from service.game.state.types import Game, NumberedSummary, Play, Round, SettledBy, State, ThrowPenalty, Trick

#: Whether a throw succeeded -> why neither it nor earlier plays can be taken back.
_THROWN: Final[dict[bool, SettledBy]] = {True: "throw_held", False: "throw_failed"}
#: Fields that only a complete trick has.
_OF_COMPLETE: Final = frozenset({"winner", "points"})


def _new_trick(table_round: Round, leader: int) -> Trick:
    last = table_round["last_trick"]
    return {"number": last["number"] + 1 if last else 1, "leader": leader, "plays": [], "winning": leader}


@event(
    "Cards were led or followed with.",
    "ends_decision",
    seat=f.seat(),
    cards=f.cards("The cards."),
    units=f.array(f.cards(""), "For a lead: its units, longest first."),
    throw=f.nested("ThrowOutcome", "For a throw: its outcome.", nullable=True),
    winning=f.integer("The seat that is winning so far."),
    returnable=f.returnable(),
)
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
    cards_played = table_round["played"].copy()
    for kind in cards:
        hand[kind] -= 1
        cards_played[kind] += 1
    changed = table_round.copy()
    changed["hands"] = hands
    changed["played"] = cards_played
    changed["trick"] = trick
    changed["take_back"] = None
    after = state.copy()
    after["round"] = settled(changed, data, _THROWN[throw["ok"]] if throw is not None else "rated")
    after["decision"] = None
    return after


@event(
    "The last trick is no longer complete, since a play of it is taken back. It becomes the trick on the table again, "
    "and `take_back` events follow.",
    seat=f.integer("The seat that had won it.", example=2),
    number=f.integer("Its number."),
    points=f.integer(f"Its points, which the seat loses again; {f.NOT_IN_ARMS}", nullable=True),
    attackers_points=f.attackers_points(),
    last_trick=f.nested("Trick", "The trick before it, which is the view's `last_trick` again.", nullable=True),
    seen=f.nested("Seen", "The view's `round.seen` as it was before the trick was complete."),
)
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


@event(
    "A throw did not hold.",
    seat=f.seat(),
    cards=f.cards("The cards thrown."),
    forced=f.cards("The cards led instead."),
    penalty=f.integer("Points that go to the other side."),
    ends_round=f.flag("Whether that ends the round."),
    levels=f.integer("Levels that its leader owes at the end of the round (`throw_penalty_levels`).", optional=True),
)
def throw_failed(state: State, data: ThrowFailed, _: Event) -> State:
    return {**state, "round": _with_penalty(round_of(state), data)}


@event(
    "A player who was to lead has claimed all remaining tricks.",
    seat=f.seat(),
    ok=f.flag("Whether the claim is right. If so, the open decision is over, and the tricks follow."),
    penalty=f.integer("Points that go to the other side for a wrong claim."),
    levels=f.integer("Levels that the player owes for it at the end of the round.", optional=True),
    returnable=f.returnable(),
)
def claimed(state: State, data: Claimed, _: Event) -> State:
    if data["ok"]:
        return {**state, "decision": None}
    table_round = settled(_with_penalty(round_of(state), data), data, "claim_failed")
    claims = [*table_round.get("claims", []), data["seat"]]
    return {**state, "round": {**table_round, "claims": claims, "take_back": None}}


def _with_penalty(table_round: Round, data: ThrowFailed | Claimed) -> Round:
    if data["penalty"]:
        penalty: ThrowPenalty = {"seat": data["seat"], "points": data["penalty"]}
        table_round = {**table_round, "penalties": [*table_round["penalties"], penalty]}
    if data.get("levels"):
        table_round = {**table_round, "owing": [*table_round.get("owing", []), data["seat"]]}
    return table_round


@event(
    "A trick is complete.",
    seat=f.seat(),
    number=f.integer("Its number."),
    points=f.integer(f"Its points; {f.NOT_IN_ARMS}", nullable=True),
    attackers_points=f.attackers_points(),
    seen=f.nested(
        "Seen",
        "Changes to `round.seen`: seats to add to `voids`, and new values; 0 or an empty list removes a value.",
        optional=True,
    ),
)
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


@event(
    "The result of the round.",
    "ends_decision",
    Like("RoundResult"),
    phase=f.phase("scored"),
)
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


@event(
    "Levels changed.",
    seats=f.array(f.nested("LevelChange"), "The seats that changed."),
)
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


@event(
    "The round is over; its shuffle can be verified now.",
    server_seed=f.text(
        "The server seed, in hexadecimal; empty at a board of an event, which reveals it when it is over."
    ),
    commitment=f.text("Its hash, published before the shuffle."),
    entropy=f.mapping("Seat -> bytes that its player added, in hexadecimal."),
    shuffle_name=f.text("Identifies the table in the shuffle."),
    attempts=f.integer("Number of deals."),
    next=f.nested("NextRound", "What is known about the next round."),
)
def round_ended(state: State, data: RoundEnded, _: Event) -> State:
    following = data["next"]
    game = game_of(state)
    return {**state, "game": {**game, "starter": following["starter"], "declarer": following["declarer"]}}


@event(
    "The game is over.",
    "ends_decision",
    Needs(
        {
            "decided_by": "0.4",
            "game_ends_at": "0.4",
            "reason=forfeited": "0.4",
            "reason=rounds_played": "0.4",
            "reason=time_up": "0.4",
        }
    ),
    winners=f.array(f.integer(""), "Winning seats."),
    reason=f.text("The reason."),
    decided_by=f.decided_by(),
    game_ends_at=f.game_ends_at("null."),
    practice_seed=f.text("For practice tables: the seed of their shuffles.", optional=True),
)
def game_ended(state: State, data: GameEnded, event: Event) -> State:
    game: Game = {
        **game_of(state),
        "winners": data["winners"],
        "ended": data["reason"],
        "ended_at": event["at"],
    }
    if "decided_by" in data:
        game["decided_by"] = data["decided_by"]
    return {
        **without_pause(state),
        "status": "finished",
        "game": game,
        "decision": None,
        "vote": None,
        "seats": ready_anew(state),
    }


@event(
    "The game has been archived.",
    game=f.text("Its id."),
)
def game_kept(state: State, _: GameKept, __: Event) -> State:
    return {**state, "game": {**game_of(state), "kept": True}}
