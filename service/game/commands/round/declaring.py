"""Making trumps: declaring, overcalling, defending, misdeals, and what happens when nobody declares.

During a timed deal all seats share one window, which stays open for `declare_ms` after the last card. After an instant
deal the seats are asked in turn, until all have passed since the last declaration.
"""

from collections.abc import Sequence
from typing import Final, cast

from service.common.errors import IllegalDeclaration
from service.game.commands.milestones import Milestone
from service.game.commands.round.dealing import deal_again
from service.game.commands.round.shuffling import draw_lot
from service.game.commands.transaction import Transaction
from service.game.events.round_types import Declared, KittyFlipped, Passed, TrumpFixed
from service.game.events.types import NoData
from service.game.state.clock import deal_ends_at
from service.game.state.overcalls import jokers_alone, may_ask_for_a_new_deal, not_shown_by_others, undeclared
from service.game.state.queries import ai_level, decision_of, round_of, seats_asked
from service.game.state.rules import (
    composition_of,
    declare_context,
    has_fixed_teams,
    level_rank,
    options_of,
)
from service.game.state.settings import limit_ms
from service.game.state.types import Declaration, DeclarationMeaning, Side, State, TrumpSource
from service.rules.cards import SUITS, kinds_in
from service.rules.options.constraints import may_ask_redeal
from service.rules.rounds.declarations import can_show, defender, judge, laid_out, outcome, trump_maker
from service.rules.rounds.redeals import flip_kitty, redeals_left
from service.rules.trumps import Trump

#: Values of `no_declaration` that lead to a new deal.
_NEW_DEALS: Final = ("redeal", "redeal_open")
#: Interval between two circles of cards once all players have passed, or nobody can declare any more (ms).
HURRIED_MS: Final = 50


def open_window(tx: Transaction) -> None:
    """Open the window shared during a timed deal and for `declare_ms` after it, if anybody can declare."""
    if _may_be_answered(tx.state, tx.round["shown"]):
        _open_window(tx)


def _open_window(tx: Transaction) -> None:
    deadline = max(tx.now, deal_ends_at(tx.state)) + limit_ms(tx.state["settings"]["clock"], "declare")
    tx.open_decision("declare", list(range(tx.state["players"])), deadline, passed=tx.round["passes"])


def begin(tx: Transaction) -> Milestone | None:
    """Ask for declarations once all cards are dealt; in a timed deal the window is open already."""
    if not _may_be_answered(tx.state, tx.round["shown"]):
        return "declaring_over"
    if tx.round["deal"]["pace"] == "instant":
        return _ask_next(tx, tx.round["starter"])
    return None


def _may_be_answered(state: State, declarations: Sequence[Declaration]) -> bool:
    """Return whether public information allows any seat to do anything but pass after these declarations.

    A seat counts if it could show something with all cards that the others have not shown.
    """
    options, redeals = options_of(state), round_of(state)["deal"]["attempt"]
    if may_ask_redeal(options) and redeals_left(options, redeals):
        return True
    context = declare_context(state)
    return any(
        can_show(context, declarations, seat, not_shown_by_others(state, declarations, seat))
        for seat in range(state["players"])
    )


def _ask_next(tx: Transaction, first: int) -> Milestone | None:
    """Ask the next seat, from `first` on, that has not passed since the last declaration."""
    players = tx.state["players"]
    for seat in ((first + step) % players for step in range(players)):
        if seat not in tx.round["passes"]:
            tx.open_decision("declare", [seat])
            return None
    return "declaring_over"


def _go_on(tx: Transaction, seat: int, *, may_be_answered: bool) -> Milestone | None:
    """Go on after a declaration, or a declined defence, has ended the decision."""
    if may_be_answered:
        return _ask_on(tx, seat)
    return "declaring_over" if tx.round["phase"] == "declaring" else None


def _ask_on(tx: Transaction, seat: int) -> Milestone | None:
    """Ask all seats again in a timed deal, or the next seat after an instant one."""
    if tx.round["deal"]["pace"] == "timed":
        _open_window(tx)
        return None
    return _ask_next(tx, seat + 1)


# --- answers -----------------------------------------------------------------------------------------------------


def declare(tx: Transaction, seat: int, cards: Sequence[int]) -> Milestone | None:
    """Show cards to declare, reinforce, overcall or defend; the rules determine which."""
    state, table_round, decision = tx.state, tx.round, decision_of(tx.state)
    defending = decision["kind"] == "defend"
    declarations, cards = table_round["shown"], laid_out(cards)
    context = declare_context(state)
    meaning = cast("DeclarationMeaning", judge(context, declarations, seat, cards, may_defend=defending))
    if defending and meaning != "defend":
        raise IllegalDeclaration("only_defence_now")
    declaration: Declaration = {"seat": seat, "cards": cards, "as": meaning}
    defending_seat = defender(context, [*declarations, declaration])
    deadline = decision["deadline"]
    if deadline is not None and table_round["phase"] == "declaring" and len(decision["seats"]) > 1:
        deadline = tx.now + limit_ms(state["settings"]["clock"], "declare")
    may_be_answered = defending_seat is None and _may_be_answered(state, [*declarations, declaration])
    shared = len(decision["seats"]) > 1 and may_be_answered
    maker = trump_maker(context, [*declarations, declaration])
    if maker is None:
        raise AssertionError("something has just been shown")
    trump = maker[1]
    data: Declared = {
        "seat": seat,
        "cards": declaration["cards"],
        "as": meaning,
        "defence": defending_seat,
        "deadline": deadline,
        "asked": [each for each in decision["seats"] if each != seat] if shared else None,
        "trump": {"rank": trump.rank, "suit": trump.suit},
    }
    if _may_hurry(tx) and defending_seat is None and not may_be_answered:
        data["interval"] = HURRIED_MS
    tx.emit("declared", data)
    if defending_seat is not None:
        tx.open_decision("defend", [defending_seat])
        return None
    return None if tx.state["decision"] else _go_on(tx, seat, may_be_answered=may_be_answered)


def pass_declaring(tx: Transaction, seat: int, interval: int | None = None) -> Milestone | None:
    """Pass, or decline to defend.

    A pass during a timed deal means that the seat need not watch the cards come. Once all players have passed, the
    other circles come every `HURRIED_MS`; AI seats still decide after each.

    Args:
        interval: the new interval if a record names one (ms).
    """
    decision = decision_of(tx.state)
    defending = decision["kind"] == "defend"
    # Emit it even if an AI has passed for the seat: the player gets a result, which a retry must find.
    data: Passed = {
        "seat": seat,
        "kind": "defend" if defending else "declare",
        "asked": [each for each in seats_asked(tx.state, decision) if each != seat]
        if len(decision["seats"]) > 1
        else None,
    }
    if _may_hurry(tx):
        settled = defending and not _may_be_answered(tx.state, tx.round["shown"])
        if settled or interval is not None or _need_not_watch(tx, seat):
            data["interval"] = interval or HURRIED_MS
    tx.emit("passed", data)
    if tx.state["decision"] is None:
        # A pass does not change whether anybody can answer the cards shown.
        if not defending:
            return _ask_on(tx, seat)
        declarations = tx.round["shown"]
        return _go_on(tx, declarations[-1]["seat"], may_be_answered=_may_be_answered(tx.state, declarations))
    all_have_passed = len(tx.round["passes"]) == tx.state["players"]
    return "declaring_over" if tx.round["phase"] == "declaring" and all_have_passed else None


def _may_hurry(tx: Transaction) -> bool:
    return tx.round["phase"] == "dealing" and tx.round["deal"]["interval"] > HURRIED_MS


def _need_not_watch(tx: Transaction, seat: int) -> bool:
    """Return whether all players have passed, with the pass of this seat.

    A record does not say who was a player, so there the pass itself names the new interval.
    """
    if tx.by != "player" or decision_of(tx.state)["kind"] == "defend":
        return False
    players = {each for each in range(tx.state["players"]) if ai_level(tx.state, each) is None}
    return players <= {seat, *tx.round["passes"]}


def redeal(tx: Transaction, seat: int) -> Milestone:
    """Claim a misdeal with the hand dealt to the seat (docs/rules.md §4.5)."""
    if not may_ask_for_a_new_deal(tx.state, seat):
        raise IllegalDeclaration("no_misdeal", required=options_of(tx.state)["misdeal"])
    return deal_again(tx, (seat, kinds_in(tx.round["hands"][seat])))


# --- the end -----------------------------------------------------------------------------------------------------


def close(tx: Transaction) -> Milestone:
    """End declaring: fix trumps and declarer."""
    tx.emit("declaration_closed", NoData(), "server")
    result = outcome(declare_context(tx.state), tx.round["shown"])
    if result is None:
        return _nobody_declared(tx)
    declarer, trump = result
    return _fix_trump(tx, declarer, trump, "declared")


def _nobody_declared(tx: Transaction) -> Milestone:
    """Apply the option `no_declaration` (docs/rules.md §4.4)."""
    state, table_round = tx.state, tx.round
    declarer = undeclared(state)
    rank = level_rank(state, declarer)
    how = options_of(state)["no_declaration"]
    if how in _NEW_DEALS and not jokers_alone(state):
        return deal_again(tx)
    if rank is None:
        return _fix_trump(tx, declarer, Trump(None, None), "level")
    if how == "no_trump":
        return _fix_trump(tx, declarer, Trump(rank, None), "no_trump")
    if how != "random_suit":
        suit, turned = flip_kitty(options_of(state), rank, table_round["kitty"])
        data: KittyFlipped = {"cards": turned, "suit": suit}
        tx.emit("kitty_flipped", data, "server")
        return _fix_trump(tx, declarer, Trump(rank, suit), "kitty")
    seed, entropy = table_round["server_seed"], table_round["entropy"]
    lot = draw_lot(state, table_round["number"], seed, entropy, f"suit:{table_round['deal']['attempt']}", 4)
    return _fix_trump(tx, declarer, Trump(rank, SUITS[lot]), "random")


def _fix_trump(tx: Transaction, declarer: int, trump: Trump, how: TrumpSource) -> Milestone:
    """Fix trumps, declarer, and the sides as far as they are known."""
    fixed_teams = has_fixed_teams(tx.state)
    others: Side = "unknown" if composition_of(tx.state).calls else "attackers"
    players = tx.state["players"]
    step = 2 if fixed_teams else players
    sides: list[Side] = ["declarers" if (seat - declarer) % step == 0 else others for seat in range(players)]
    data: TrumpFixed = {
        "trump": {"rank": trump.rank, "suit": trump.suit},
        "declarer": declarer,
        "sides": sides,
        "how": how,
    }
    tx.emit("trump_fixed", data, "server")
    return "trump_fixed"
