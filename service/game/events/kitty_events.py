"""What happens to the kitty."""

from service.game.events import fields as f
from service.game.events.round_types import Discarded, KittyOvercalled, KittyShown, SeatCards
from service.game.events.rows import Sets, event
from service.game.events.types import Event
from service.game.events.updates import move_cards
from service.game.state.queries import overcalls_of, round_of
from service.game.state.types import Round, StandingOvercall, State


@event(
    "All players see the kitty before the declarer takes it (option `kitty_shown`).",
    Sets({"round.kitty.shown": "=cards"}),
    cards=f.cards("The cards in it."),
)
def kitty_shown(state: State, data: KittyShown, _: Event) -> State:
    return {**state, "round": {**round_of(state), "kitty_shown": data["cards"]}}


@event(
    "A player took the kitty.",
    seat=f.seat(),
    phase=f.phase("kitty"),
    count=f.number_of("cards", "Number of cards."),
    cards=f.cards("The cards: only for that player, and for spectators who see all hands.", to="seat and open"),
)
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


@event(
    "A player buried the kitty.",
    "ends_decision",
    seat=f.seat(),
    count=f.number_of("cards", "Number of cards."),
    cards=f.cards("The cards: only for that player, and for spectators who see all hands.", to="seat and open"),
)
def discarded(state: State, data: Discarded, _: Event) -> State:
    table_round = round_of(state)
    changed: Round = {
        **table_round,
        "hands": move_cards(table_round["hands"], data["seat"], data["cards"], -1),
        "discard": data["cards"],
        "overcalls": data["overcalls"],
    }
    return {**state, "round": changed, "decision": None}


@event(
    "The declarer revealed the buried cards.",
    Sets({"round.kitty.cards": "=cards", "round.kitty.revealed": True}),
    seat=f.seat(),
    cards=f.cards("The buried cards."),
)
def kitty_revealed(state: State, _: SeatCards, __: Event) -> State:
    return {**state, "round": {**round_of(state), "revealed": True}}


@event(
    "A player overcalled for the kitty.",
    "changes_hints",
    seat=f.seat(),
    cards=f.cards("The cards shown."),
    trump=f.nested("Trump", "The new trumps."),
    hints=f.sets(),
    meaning=f.choice(
        "With the option `chao_di_rule` `overcall`: what it is. A reinforcement does not take the kitty.",
        "declare",
        "overcall",
        "defend",
        "reinforce",
        data_key="as",
        optional=True,
    ),
)
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
