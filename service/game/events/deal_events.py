"""Events from the start of a game to the buried kitty."""

from typing import cast

from service.game.events.round_types import (
    Dealt,
    Declared,
    Discarded,
    GameStarted,
    KittyFlipped,
    KittyOvercalled,
    KittyShown,
    NewDeal,
    Paced,
    Passed,
    Redealt,
    RoundOpened,
    SeatCards,
    TrumpFixed,
)
from service.game.events.types import Event, NoData
from service.game.events.updates import move_cards
from service.game.state.queries import decision_of, game_of, overcalls_of, round_of
from service.game.state.settings import without
from service.game.state.table_types import Decision, Seat
from service.game.state.types import Deal, Game, Round, StandingOvercall, State


def game_started(state: State, data: GameStarted, event: Event) -> State:
    bank_ms = state["settings"]["clock"]["bank_ms"]
    seats: list[Seat] = [
        {
            **_for_new_game(seat),
            "level": data["level"],
            "active": True,
            "attempted": [],
            "penalty": 0,
            "ready": False,
            "timeouts": 0,
            "bank_ms": bank_ms,
        }
        for seat in state["seats"]
    ]
    # Start levels apply to this game only; `levels_changed` follows.
    settings = without(state["settings"], "start_levels")
    game: Game = {
        "id": data["game"],
        "number": data["number"],
        "started_seq": event["seq"],
        "round": data.get("rounds_before", 0),
        "starter": data["starter"],
        "declarer": data.get("declarer"),
        "results": [],
        "winners": None,
        "ended": None,
        "ended_at": None,
        "kept": False,
        "scores": None,
    }
    if "rules" in data:
        game["rules"] = data["rules"]
    return {
        **state,
        "status": "playing",
        "settings": settings,
        "seats": seats,
        "decision": None,
        "round": None,
        "game": game,
    }


def _for_new_game(seat: Seat) -> Seat:
    """Return a seat without the fields that are absent at the start of a game."""
    kept = {name: value for name, value in seat.items() if name not in {"defended", "laps", "since"}}
    return cast("Seat", kept)


def round_opened(state: State, data: RoundOpened, event: Event) -> State:
    players = state["players"]
    opened: State = {
        **state,
        "game": {
            **game_of(state),
            "round": data["number"],
            "starter": data["starter"],
            "declarer": data["declarer"],
        },
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
            "take_back": None,
            "roads": None,
            "result": None,
            "deck": data["deck"],
            "kitty": data["deck"][data["of"] :],
            "hands": [[0] * 54] * players,
            "deal": _new_deal(data, event["at"]),
            "opened_seq": event["seq"],
        },
    }
    if "commands" in state:
        opened["commands"] = {}
    return opened


def _new_deal(data: NewDeal, at: int) -> Deal:
    return {
        "attempt": data["attempt"],
        "pace": data["pace"],
        "interval": data["interval"],
        "count": 0,
        "of": data["of"],
        "from": at,
        "paused_at": None,
    }


def redealt(state: State, data: Redealt, event: Event) -> State:
    table_round: Round = {
        **round_of(state),
        "phase": "dealing",
        "starter": data["starter"],
        "shown": [],
        "passes": [],
        "defence": None,
        "deck": data["deck"],
        "kitty": data["deck"][data["of"] :],
        "hands": [[0] * 54] * state["players"],
        "deal": _new_deal(data, event["at"]),
    }
    changed: State = {**state, "round": table_round, "decision": None}
    if "declarer" in data:
        changed["round"] = {**table_round, "open": True, "declarer": data["declarer"]}
        changed["game"] = {**game_of(state), "declarer": data["declarer"]}
    if data["all_active"]:
        changed["seats"] = [{**seat, "active": True} for seat in state["seats"]]
    return changed


def dealt(state: State, data: Dealt, _: Event) -> State:
    table_round = round_of(state)
    hands = []
    for hand, cards in zip(table_round["hands"], data["cards"], strict=True):
        fuller = list(hand)
        for kind in cards:
            fuller[kind] += 1
        hands.append(fuller)
    deal: Deal = {**table_round["deal"], "count": data["count"]}
    changed: Round = {**table_round, "hands": hands, "deal": deal}
    if data["count"] == deal["of"]:
        # The rest of the deck is the kitty.
        changed["deck"] = None
        changed["phase"] = "declaring"
        changed["passes"] = []
    return {**state, "round": changed}


def declared(state: State, data: Declared, event: Event) -> State:
    table_round = round_of(state)
    deal = _with_pause(table_round["deal"], data["defence"], event["at"])
    changed: Round = {
        **table_round,
        "shown": [*table_round["shown"], {"seat": data["seat"], "cards": data["cards"], "as": data["as"]}],
        "passes": [data["seat"]],
        "defence": data["defence"],
        "deal": _at_pace(deal, state["players"], data, event["at"]),
    }
    return {**state, "round": changed, "decision": _after_declaration(decision_of(state), data)}


def passed(state: State, data: Passed, event: Event) -> State:
    table_round = round_of(state)
    decision = state["decision"]
    if data["kind"] == "declare":
        others = [seat for seat in table_round["passes"] if seat != data["seat"]]
        alone = len(decision_of(state)["seats"]) == 1
        deal = _at_pace(table_round["deal"], state["players"], data, event["at"])
        changed: Round = {**table_round, "passes": [*others, data["seat"]], "deal": deal}
        return {**state, "round": changed, "decision": None if alone else decision}
    if data["kind"] == "defend":
        deal = _with_pause(table_round["deal"], None, event["at"])
        deal = _at_pace(deal, state["players"], data, event["at"])
        return {**state, "round": {**table_round, "defence": None, "deal": deal}, "decision": None}
    overcalls = overcalls_of(table_round)
    overcalls = {**overcalls, "asked": [*overcalls["asked"], data["seat"]]}
    return {**state, "round": {**table_round, "overcalls": overcalls}, "decision": None}


def _at_pace(deal: Deal, players: int, data: Paced, at: int) -> Deal:
    """Deal more quickly, if an event says so: the next circle comes an interval from now."""
    interval = data.get("interval", deal["interval"])
    if interval >= deal["interval"]:
        return deal
    return {**deal, "interval": interval, "from": at - interval * (deal["count"] // players)}


def _with_pause(deal: Deal, defence: int | None, at: int) -> Deal:
    """Pause the deal while a seat may defend its declaration, and resume it afterwards."""
    paused_at = deal["paused_at"]
    if defence is not None and paused_at is None:
        return {**deal, "paused_at": at}
    if defence is None and paused_at is not None:
        return {**deal, "paused_at": None, "from": deal["from"] + at - paused_at}
    return deal


def _after_declaration(decision: Decision, data: Declared) -> Decision | None:
    """Return the decision that stays open: a shared window, extended so that the declaration can be answered."""
    # Events of the earliest releases have no `asked`.
    goes_on = data["defence"] is None and data.get("asked", []) is not None
    if decision["kind"] == "declare" and len(decision["seats"]) > 1 and goes_on:
        return {**decision, "deadline": data["deadline"]}
    return None


def declaration_closed(state: State, _: NoData, __: Event) -> State:
    return {**state, "decision": None}


def kitty_flipped(state: State, _: KittyFlipped, __: Event) -> State:
    return {**state}


def trump_fixed(state: State, data: TrumpFixed, _: Event) -> State:
    table_round: Round = {
        **round_of(state),
        "trump": data["trump"],
        "phase": "kitty",
        "sides": data["sides"],
        "declarer": data["declarer"],
        "defence": None,
    }
    game = game_of(state)
    return {**state, "round": table_round, "game": {**game, "declarer": data["declarer"]}, "decision": None}


def kitty_shown(state: State, data: KittyShown, _: Event) -> State:
    return {**state, "round": {**round_of(state), "kitty_shown": data["cards"]}}


def kitty_taken(state: State, data: SeatCards, _: Event) -> State:
    table_round = round_of(state)
    changed: Round = {
        **table_round,
        "hands": move_cards(table_round["hands"], data["seat"], data["cards"], 1),
        "kitty": [],
        "kitty_seat": data["seat"],
        "discard": None,
        "phase": "kitty",
    }
    return {**state, "round": changed}


def discarded(state: State, data: Discarded, _: Event) -> State:
    table_round = round_of(state)
    changed: Round = {
        **table_round,
        "hands": move_cards(table_round["hands"], data["seat"], data["cards"], -1),
        "discard": data["cards"],
        "overcalls": data["overcalls"],
    }
    return {**state, "round": changed, "decision": None}


def kitty_revealed(state: State, _: SeatCards, __: Event) -> State:
    return {**state, "round": {**round_of(state), "revealed": True}}


def kitty_overcalled(state: State, data: KittyOvercalled, _: Event) -> State:
    table_round, standing = round_of(state), StandingOvercall(seat=data["seat"], cards=data["cards"])
    changed: Round = {
        **table_round,
        "trump": data["trump"],
        "overcalls": {"standing": standing, "asked": [], "first": False},
    }
    if "as" in data:
        changed["shown"] = [*table_round["shown"], {"seat": data["seat"], "cards": data["cards"], "as": data["as"]}]
        if data["as"] == "reinforce":
            # The kitty stays where it is, and the open decision stays open.
            changed["overcalls"] = {**overcalls_of(table_round), "standing": standing}
            return {**state, "round": changed}
    return {**state, "round": changed, "decision": None}


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
    kitty_shown,
    kitty_taken,
    discarded,
    kitty_revealed,
    kitty_overcalled,
)
