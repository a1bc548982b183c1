"""Events from the start of a game until trumps are fixed."""

from typing import cast

from service.game.events import fields as f
from service.game.events.round_types import (
    Dealt,
    Declared,
    GameStarted,
    KittyFlipped,
    NewDeal,
    Paced,
    Passed,
    Redealt,
    RoundOpened,
    TrumpFixed,
)
from service.game.events.rows import Needs, Sets, event
from service.game.events.types import Event, NoData
from service.game.events.updates import with_deadline
from service.game.state.queries import decision_of, game_of, overcalls_of, round_of
from service.game.state.settings import bank_ms_of, without
from service.game.state.table_types import Decision, Seat
from service.game.state.types import Deal, Game, Round, State


@event(
    "A game started.",
    "ends_decision",
    Needs({"game_ends_at": "0.4"}),
    game=f.text("Its id."),
    level=f.text(f"The level at which all seats start; {f.NOT_IN_ARMS}", nullable=True),
    starter=f.integer("The seat that draws first."),
    scores=f.array(f.integer(""), f"Arm's Length: the totals, 0 each; {f.ARMS_ONLY}", nullable=True),
    game_ends_at=f.game_ends_at("when they are over."),
    rounds_before=f.integer(
        "If a deal is repeated: number of rounds played in its game before it; left out: 0.", optional=True
    ),
)
def game_started(state: State, data: GameStarted, event: Event) -> State:
    bank_ms = bank_ms_of(state["settings"]["clock"])
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
    if "game_ends_at" in data:
        game["time"] = {"since": event["at"], "left_ms": data["game_ends_at"] - event["at"]}
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
    fields = {name: value for name, value in seat.items() if name not in {"defended", "laps", "since"}}
    return cast("Seat", fields)


@event(
    "A round started: the cards were shuffled.",
    "ends_decision",
    number=f.integer("Number of the round."),
    starter=f.integer("The seat that draws first."),
    declarer=f.integer(f"The declarer, if known before the deal; {f.NOT_IN_ARMS}", nullable=True),
    level=f.text(f"The level it is played at; {f.NOT_IN_ARMS}", nullable=True),
    commitment=f.text("Hash of the server seed of this shuffle."),
    entropy=f.mapping("Seat -> bytes that its player added, in hexadecimal."),
    next_commitment=f.text("Hash of the server seed of the next shuffle."),
    declarations=f.array(f.nested("Declaration"), f"None yet; {f.NOT_IN_ARMS}", nullable=True),
    passes=f.array(f.integer(""), f"None yet; {f.NOT_IN_ARMS}", nullable=True),
    calls=f.array(f.nested("StandingCall"), f"None yet; {f.FRIENDS_ONLY}", nullable=True),
    roads=f.nested("Roads", f"Arm's Length: none yet; {f.ARMS_ONLY}", nullable=True),
    attackers_points=f.integer(f"0; {f.NOT_IN_ARMS}", nullable=True),
    **f.deal(f.integer(f"Cards in the kitty; {f.NOT_IN_ARMS}", nullable=True)),
)
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


@event(
    "The cards were shuffled again.",
    "ends_decision",
    reason=f.text("`misdeal` or `no_declaration`."),
    seat=f.integer("The seat that claimed a misdeal.", nullable=True),
    starter=f.integer("The seat that draws first."),
    declarer=f.integer("null: whoever makes trumps this time; left out: as before.", optional=True, nullable=True),
    all_active=f.flag(f"Whether all players are active again; {f.FRIENDS_ONLY}", nullable=True),
    hand=f.cards("The hand that proves the misdeal.", nullable=True),
    **f.deal(f.integer("Cards in the kitty.")),
)
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


@event(
    "Cards were dealt, the same number to every seat.",
    "changes_hints",
    count=f.integer("Cards dealt so far, to all seats; each has the same number of them."),
    cards=f.cards("The viewer's own.", optional=True),
    hands=f.array(f.cards(""), "For spectators who see all hands: the cards of each seat.", optional=True),
    phase=f.phase(),
    asked=f.seats_asked("With the last card: the seats that the open decision asks now. Earlier passes are void."),
    hints=f.sets(),
)
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


@event(
    "Cards were shown to declare trumps.",
    "changes_hints",
    seat=f.seat(),
    cards=f.cards("The whole set that now lies on the table."),
    trump=f.nested("Trump", "The trumps, if it stands.", optional=True),
    defence=f.integer("The seat that may defend now, or null.", nullable=True),
    asked=f.seats_asked("The seats that the open decision asks now; null: it is over. Earlier passes are void."),
    hints=f.sets(),
    deadline_at=f.time("The new end of declaring.", nullable=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", nullable=True),
    **{"as": f.choice("What it was.", "declare", "reinforce", "overcall", "defend")},
)
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
    return {**state, "round": changed, "decision": _after_declaration(decision_of(state), data, event["at"])}


@event(
    "A player passed.",
    seat=f.seat(),
    kind=f.text("Kind of the decision."),
    asked=f.seats_asked("The seats that the open decision still asks; null: it is over."),
)
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


def _after_declaration(decision: Decision, data: Declared, at: int) -> Decision | None:
    """Return the decision that stays open: a shared window, extended so that the declaration can be answered."""
    # Events of the earliest releases have no `asked`.
    goes_on = data["defence"] is None and data.get("asked", []) is not None
    if decision["kind"] == "declare" and len(decision["seats"]) > 1 and goes_on:
        return with_deadline(decision, data["deadline"], at)
    return None


@event(
    "Declaring is over.",
    "ends_decision",
)
def declaration_closed(state: State, _: NoData, __: Event) -> State:
    return {**state, "decision": None}


@event(
    "Cards of the kitty were turned up to fix trumps.",
    suit=f.text("The trump suit."),
    cards=f.cards("The cards turned up, in order."),
)
def kitty_flipped(state: State, _: KittyFlipped, __: Event) -> State:
    return {**state}


@event(
    "Trumps and declarer are fixed.",
    Sets({"round.trump": "=trump", "round.declarer": "=declarer"}),
    "ends_decision",
    trump=f.nested("Trump", "The trumps."),
    declarer=f.integer("The declarer, who takes the kitty."),
    sides=f.array(f.text(""), "The side of each seat, as far as it is public."),
    phase=f.phase("kitty"),
    how=f.text("How: `declared`, `kitty`, `random`, `level` or `no_trump`."),
)
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
