"""Tricks: leading, throwing, following."""

from collections.abc import Sequence

from service.game.commands.milestones import Milestone
from service.game.commands.round import friends
from service.game.commands.transaction import Transaction
from service.game.events.round_types import Played, ThrowFailed, TrickWon
from service.game.state.memory import news
from service.game.state.queries import attackers_points, declarer_of, round_of, trick_of
from service.game.state.rules import lead_of, options_of, rules_of, unseen_by
from service.game.state.take_backs import returnable_after
from service.game.state.types import Hand, ThrowOutcome, Trick
from service.rules.cards import POINTS
from service.rules.tricks.leads import Lead
from service.rules.tricks.throws import LEADER_OWES
from service.rules.tricks.trick_rules import TrickRules


def ask_first_lead(tx: Transaction) -> None:
    """Ask the declarer to lead to the first trick."""
    tx.open_decision("play", [declarer_of(tx.round)])


def ask_winner(tx: Transaction) -> Milestone | None:
    """Ask the winner of the last trick to lead to the next, if there are cards left."""
    table_round = round_of(tx.state)
    last = table_round["last_trick"]
    winner = last["winner"] if last else None
    if winner is None or not any(table_round["hands"][winner]):
        return "round_played"
    tx.open_decision("play", [winner])
    return None


def play(tx: Transaction, seat: int, cards: list[int], units: Sequence[Sequence[int]] | None) -> Milestone | None:
    """Lead or follow with cards that the seat holds."""
    state = tx.state
    table_round, rules = round_of(state), rules_of(state)
    trick = table_round["trick"]
    if trick is None:
        lead, throw = _lead(tx, rules, seat, rules.lead(cards, units, unseen_by(state, seat)))
        if lead is None:
            return "round_stopped"
        data: Played = {
            "seat": seat,
            "cards": list(lead.cards),
            "units": [list(unit.cards) for unit in lead.units],
            "throw": throw,
            "winning": seat,
        }
    else:
        data = _follow(rules, trick, table_round["hands"], seat, cards)
    returnable = returnable_after(state, seat, data["throw"])
    if returnable is not None:
        data["returnable"] = returnable
    tx.emit("played", data)
    if table_round["calls"]:
        friends.join(tx, seat, data["cards"], table_round["played"])
    return "cards_played"


def _lead(tx: Transaction, rules: TrickRules, seat: int, lead: Lead) -> tuple[Lead | None, ThrowOutcome | None]:
    """Return the cards led, and the outcome of a throw. If it fails, other cards are led, or none if the round ends."""
    if lead.kind != "throw":
        return lead, None
    players, hands = tx.state["players"], tx.round["hands"]
    test = rules.throw(lead, [hands[(seat + step) % players] for step in range(1, players)])
    cards, forced = list(lead.cards), list(test.forced)
    outcome: ThrowOutcome = {"ok": test.ok, "cards": cards, "forced": forced, "penalty": test.penalty}
    if test.ok:
        return lead, outcome
    data: ThrowFailed = {
        "seat": seat,
        "cards": cards,
        "units": [list(unit.cards) for unit in lead.units],
        "forced": forced,
        "penalty": test.penalty,
        "ends_round": test.ends_round,
    }
    if options_of(tx.state)["throw_penalty_levels"]:
        data["levels"] = LEADER_OWES
    tx.emit("throw_failed", data)
    return None if test.ends_round else rules.lead(test.forced), outcome


def _follow(rules: TrickRules, trick: Trick, hands: list[Hand], seat: int, cards: list[int]) -> Played:
    lead, winning = lead_of(rules, trick), trick["winning"]
    rules.follow(lead, hands[seat], cards)
    best = trick["plays"][(winning - trick["leader"]) % len(hands)]["cards"]
    if rules.beats(lead, best, cards):
        winning = seat
    return {"seat": seat, "cards": cards, "units": [], "throw": None, "winning": winning}


def go_on(tx: Transaction) -> Milestone | None:
    """Ask the next seat to follow, or complete the trick."""
    players, plays = tx.state["players"], trick_of(tx.round)["plays"]
    if len(plays) == players:
        return complete(tx)
    tx.open_decision("play", [(plays[-1]["seat"] + 1) % players])
    return None


def complete(tx: Transaction) -> Milestone:
    """Complete the trick: every seat has played."""
    state = tx.state
    table_round, trick = round_of(state), trick_of(tx.round)
    plays = trick["plays"]
    points = sum([POINTS[kind] for play in plays for kind in play["cards"]])
    gain = points if table_round["sides"][trick["winning"]] != "declarers" else 0
    return end_trick(tx, points, attackers_points(state) + gain)


def end_trick(tx: Transaction, points: int, attackers: int) -> Milestone:
    """Give the trick to whoever is winning it, with what it adds to the memory of the round."""
    trick = trick_of(tx.round)
    data: TrickWon = {
        "seat": trick["winning"],
        "number": trick["number"],
        "points": points,
        "attackers_points": attackers,
    }
    revealed = news(tx.state)
    if revealed:
        data["seen"] = revealed
    tx.emit("trick_won", data, "server")
    return "trick_won"
