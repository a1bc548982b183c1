"""The deal.

A timed deal is a function of the clock: one circle of cards is dealt per interval. Any request deals what is due, so
nobody gains by asking more often.
"""

from service.game.commands.milestones import Milestone
from service.game.commands.round import shuffling
from service.game.commands.transaction import Transaction
from service.game.events.round_types import Dealt, Redealt
from service.game.state.clock import circles_in_deal
from service.game.state.rules import options_of
from service.game.state.types import Cards
from service.rules.rounds.redeals import declarer_after_redeal, redeal_starter


def begin(tx: Transaction) -> Milestone | None:
    """Deal all cards, or begin a timed deal."""
    if tx.round["deal"]["pace"] == "timed":
        return "timed_deal_begun"
    return _deal(tx, circles_in_deal(tx.state))


def deal_due(tx: Transaction) -> Milestone | None:
    """Deal all circles that are due by the clock."""
    deal = tx.round["deal"]
    due = (tx.now - deal["from"]) // deal["interval"]
    return _deal(tx, min(due, circles_in_deal(tx.state)))


def _deal(tx: Transaction, circles: int) -> Milestone | None:
    """Deal until the given number of circles is out."""
    table_round, players = tx.round, tx.state["players"]
    deck = table_round["deck"]
    if deck is None:
        raise AssertionError("all cards are out")
    dealt, starter = table_round["deal"]["count"], table_round["starter"]
    until = circles * players
    data: Dealt = {
        "count": until,
        "cards": [deck[dealt + (seat - starter) % players : until : players] for seat in range(players)],
    }
    decision = tx.state["decision"]
    if until == table_round["deal"]["of"]:
        data["phase"] = "declaring"
        if decision is not None:
            # Passes are void, since those who passed have got more cards.
            data["asked"] = decision["seats"]
    tx.emit("dealt", data, "server")
    return "cards_dealt" if tx.round["phase"] == "declaring" else None


def deal_again(tx: Transaction, misdeal: tuple[int, Cards] | None = None) -> Milestone:
    """Shuffle and deal again, after a misdeal (the seat that claims it, and its cards) or if nobody declared."""
    options, table_round = options_of(tx.state), tx.round
    seat, hand = misdeal or (None, None)
    starter, attempt = table_round["starter"], table_round["deal"]["attempt"] + 1
    if seat is not None:
        starter = redeal_starter(options, starter, seat)
    deal = shuffling.new_deal(
        tx.state, table_round["number"], table_round["server_seed"], table_round["entropy"], attempt, starter
    )
    data: Redealt = {
        "reason": "misdeal" if misdeal else "no_declaration",
        "seat": seat,
        "hand": hand,
        "starter": starter,
        # When nobody makes trumps, all players become active again (docs/rules.md §10.5).
        "all_active": not misdeal and options["active_passive"],
        "attempt": attempt,
        "deck": deal["deck"],
        "of": deal["of"],
        "pace": deal["pace"],
        "interval": deal["interval"],
        "ranks": deal["ranks"],
        "twos": deal["twos"],
    }
    if "red_fives" in deal:
        data["red_fives"] = True
    declarer = tx.game["declarer"]
    if not misdeal and declarer is not None and declarer_after_redeal(options, declarer) is None:
        data["declarer"] = None
    tx.emit("redealt", data)
    return "deck_shuffled"
