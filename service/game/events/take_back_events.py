"""Taking plays back."""

from service.game.events import fields as f
from service.game.events.round_types import TakeBack
from service.game.events.rows import Needs, event
from service.game.events.types import Event
from service.game.events.updates import move_cards
from service.game.state.queries import round_of, trick_of
from service.game.state.types import Round, State, TakeBackRequest


@event(
    "A take-back was asked for, answered or carried out. There is one `done` for each play that goes back, last one "
    "first; `charged`: the side of `seat` loses a level for it at the end of the round.",
    Needs({"stage=charged": "0.4"}),
    seat=f.integer(
        "The seat that asks; `done`: the seat whose play goes back; `charged`: the seat that asked.", example=2
    ),
    stage=f.extensible("The stage of the request.", ("asked", "accepted", "refused", "done", "charged")),
    by_seat=f.integer("The seat that accepted or refused.", optional=True),
    cards=f.cards("The cards that returned to the hand.", optional=True),
    winning=f.integer("`done`: the seat that is winning now; null: the table is empty.", optional=True, nullable=True),
    returnable=f.returnable(),
)
def take_back(state: State, data: TakeBack, event: Event) -> State:
    table_round = round_of(state)
    stage = data["stage"]
    if stage == "asked":
        question: TakeBackRequest = {"seat": data["seat"], "accepted": [], "asked_at": event["at"]}
        return {**state, "round": {**table_round, "take_back": question}}
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
    cards_played = list(table_round["played"])
    for kind in data["cards"]:
        cards_played[kind] -= 1
    return {
        **table_round,
        "hands": move_cards(table_round["hands"], data["seat"], data["cards"], 1),
        "played": cards_played,
        "trick": {**trick, "plays": plays, "winning": last["was_winning"]} if plays else None,
        "take_back": None,
        "returnable": data.get("returnable", 0),
    }
