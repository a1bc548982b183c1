"""What the events from the start of a round to the buried kitty mean."""

from typing import Any

from service.game.events.changes import Changes, cards_moved, in_round
from service.game.state.types import Event, State


def game_started(state: State, event: Event) -> Changes:
    data = event["data"]
    fresh = {
        "level": data["level"],
        "active": True,
        "attempted": [],
        "penalty": 0,
        "ready": False,
        "timeouts": 0,
        "bank_ms": state["settings"]["clock"]["bank_ms"],
    }
    seats = [{**seat, **fresh} for seat in state["seats"]]
    return {
        "status": "playing",
        "seats": seats,
        "decision": None,
        "round": None,
        "game": {
            "id": data["game"],
            "number": data["number"],
            "started_seq": event["seq"],
            "round": 0,
            "starter": data["starter"],
            "declarer": None,
            "results": [],
            "winners": None,
            "ended": None,
            "ended_at": None,
            "kept": False,
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
    changes = in_round(
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
        return in_round(state, hands=hands, deal=deal)
    # The deck is out; what is left of it lies in the kitty.
    return in_round(state, hands=hands, deal=deal, deck=None, phase="declaring", passes=[])


def declared(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    shown = [*table_round["shown"], {"seat": data["seat"], "cards": data["cards"], "as": data["as"]}]
    deal = _pause(table_round, data, event["at"])
    changes = in_round(state, shown=shown, passes=[data["seat"]], defence=data["defence"], deal=deal)
    changes["decision"] = _answered(state, data)
    return changes


def passed(state: State, event: Event) -> Changes:
    data = event["data"]
    table_round = state["round"]
    changes: Changes = {"decision": None}
    if data["kind"] == "declare":
        others = [seat for seat in table_round["passes"] if seat != data["seat"]]
        changes = in_round(state, passes=[*others, data["seat"]])
        if len(state["decision"]["seats"]) == 1:
            changes["decision"] = None
    if data["kind"] == "defend":
        changes |= in_round(state, defence=None, deal=_pause(table_round, {"defence": None}, event["at"]))
    if data["kind"] == "overcall-kitty":
        overcalls = table_round["overcalls"]
        changes |= in_round(state, overcalls={**overcalls, "asked": [*overcalls["asked"], data["seat"]]})
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
        **in_round(state, trump=data["trump"], phase="kitty", **changes),
        "game": {**state["game"], "declarer": data["declarer"]},
        "decision": None,
    }


def kitty_taken(state: State, event: Event) -> Changes:
    data = event["data"]
    hands = cards_moved(state["round"]["hands"], data["seat"], data["cards"], 1)
    return in_round(state, hands=hands, kitty=[], kitty_seat=data["seat"], discard=None, phase="kitty")


def discarded(state: State, event: Event) -> Changes:
    data = event["data"]
    hands = cards_moved(state["round"]["hands"], data["seat"], data["cards"], -1)
    return {**in_round(state, hands=hands, discard=data["cards"], overcalls=data["overcalls"]), "decision": None}


def kitty_revealed(state: State, _: Event) -> Changes:
    return in_round(state, revealed=True)


def kitty_overcalled(state: State, event: Event) -> Changes:
    data = event["data"]
    overcalls = {"standing": {"seat": data["seat"], "cards": data["cards"]}, "asked": [], "first": False}
    return {**in_round(state, trump=data["trump"], overcalls=overcalls), "decision": None}


#: The events of this module; each function carries the name of its event.
EVENTS = (
    game_started,
    round_opened,
    redealt,
    dealt,
    declared,
    passed,
    declaration_closed,
    kitty_flipped,
    trump_fixed,
    kitty_taken,
    discarded,
    kitty_revealed,
    kitty_overcalled,
)
