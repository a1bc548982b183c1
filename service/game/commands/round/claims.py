"""Claims of the remaining tricks: checked against all hands, and played out if they hold (decision 144)."""

from service.game.commands.milestones import Milestone
from service.game.commands.round import playing
from service.game.commands.transaction import Transaction
from service.game.errors import WrongPhase
from service.game.events.round_types import Claimed
from service.game.state.queries import round_of, trick_of
from service.game.state.rules import lead_of, options_of, rules_of
from service.game.state.take_backs import allows_take_backs
from service.game.state.types import Options
from service.rules.tricks.claims import cost_of_false_claim


def claim(tx: Transaction, seat: int) -> Milestone | None:
    """Claim all remaining tricks, by the seat that leads next.

    Raises:
        WrongPhase: reason `no_claims`, `claim_when_leading` or `claimed_already`.
    """
    state, table_round = tx.state, round_of(tx.state)
    if not state["settings"].get("claims"):
        raise WrongPhase(action="claim", expected="play", reason="no_claims")
    if table_round["trick"] is not None:
        raise WrongPhase(action="claim", expected="play", reason="claim_when_leading")
    if seat in table_round.get("claims", ()):
        raise WrongPhase(action="claim", expected="play", reason="claimed_already")
    hands = table_round["hands"]
    leads = rules_of(state).certain_leads(hands[seat], hands[:seat] + hands[seat + 1 :])
    data = _claimed(seat, options_of(state), ok=leads is not None)
    if leads is None and allows_take_backs(state):
        # A refused claim reveals something about the hands: nothing before it can be taken back.
        data["returnable"] = 0
    tx.emit("claimed", data)
    if leads is None:
        return None
    tx.by = "server"
    for lead in leads:
        _play_trick(tx, seat, list(lead.cards))
    return "round_played"


def _claimed(seat: int, options: Options, *, ok: bool) -> Claimed:
    """Return the data of the event for a claim."""
    penalty, levels = (0, 0) if ok else cost_of_false_claim(options)
    data: Claimed = {"seat": seat, "ok": ok, "penalty": penalty}
    if levels:
        data["levels"] = levels
    return data


def _play_trick(tx: Transaction, leader: int, cards: list[int]) -> None:
    """Play a trick in which the others follow with their cheapest legal plays."""
    players = tx.state["players"]
    playing.play(tx, leader, cards, [cards])
    for step in range(1, players):
        seat, rules = (leader + step) % players, rules_of(tx.state)
        lead = lead_of(rules, trick_of(tx.round))
        playing.play(tx, seat, list(rules.example(tx.round["hands"][seat], lead)), None)
    playing.complete(tx)
