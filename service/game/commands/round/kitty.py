"""The kitty: taking and burying it, and overcalling for it (chao di)."""

from collections.abc import Sequence
from typing import cast

from service.common.errors import IllegalDiscard
from service.game.commands.milestones import Milestone
from service.game.commands.transaction import Transaction
from service.game.errors import NotYourTurn
from service.game.events.round_types import Discarded, KittyOvercalled, KittyShown, Passed, SeatCards
from service.game.state.overcalls import may_defend_the_kitty, not_shown_by_others, possible_overcalls
from service.game.state.queries import decision_of, declarer_of, overcalls_of, round_of
from service.game.state.rules import can_declare, composition_of, declare_context, options_of
from service.game.state.types import Declaration, DeclarationMeaning, StandingOvercall, State
from service.rules.rounds.chao_di import chao_asked, chao_suit
from service.rules.rounds.declarations import judge, laid_out, trump_maker


def give_to_declarer(tx: Transaction) -> Milestone | None:
    """Give the kitty to the declarer, who must bury as many cards. It may be empty (`kitty_size` 0)."""
    if not composition_of(tx.state).kitty:
        return "kitty_settled"
    if options_of(tx.state)["kitty_shown"]:
        data: KittyShown = {"cards": tx.round["kitty"]}
        tx.emit("kitty_shown", data, "server")
    _give(tx, declarer_of(tx.round))
    return None


def give_to_overcaller(tx: Transaction) -> None:
    """Give the buried kitty to the seat that has overcalled for it."""
    standing = overcalls_of(tx.round)["standing"]
    if standing is None:
        raise AssertionError("somebody has overcalled")
    _give(tx, standing["seat"])


def _give(tx: Transaction, seat: int) -> None:
    data: SeatCards = {"seat": seat, "cards": tx.round["kitty"] or tx.round["discard"] or []}
    tx.emit("kitty_taken", data, "server")
    tx.open_decision("discard", [seat])


def discard(tx: Transaction, seat: int, cards: Sequence[int], *, reveal: bool) -> Milestone:
    """Bury the kitty; with `kitty_reveal` only the declarer may show it (docs/rules.md §5.1)."""
    state, table_round = tx.state, tx.round
    size = composition_of(state).kitty
    if len(cards) != size:
        raise IllegalDiscard("kitty_size", required={"cards": size}, given=len(cards))
    if reveal and not options_of(state)["kitty_reveal"]:
        raise IllegalDiscard("kitty_is_not_shown")
    if reveal and seat != table_round["declarer"]:
        raise IllegalDiscard("declarer_shows_kitty")
    overcalls = table_round["overcalls"]
    if options_of(state)["chao_di"] and overcalls is None:
        declarations = table_round["shown"]
        overcalls = {"standing": declarations[-1] if declarations else None, "asked": [], "first": True}
    data: Discarded = {"seat": seat, "cards": list(cards), "overcalls": overcalls}
    tx.emit("discarded", data)
    if reveal:
        revealed: SeatCards = {"seat": seat, "cards": list(cards)}
        tx.emit("kitty_revealed", revealed)
    return "kitty_buried"


# --- overcalling for the kitty (docs/rules.md §5.2) --------------------------------------------------------------


def ask_for_overcall(tx: Transaction) -> Milestone | None:
    """Ask the next seat whether it overcalls for the kitty, if any is left to ask."""
    table_round = tx.round
    if table_round["overcalls"] is None or table_round["revealed"]:
        return "kitty_settled"
    if _by_rules_of_the_deal(tx.state) and not can_declare(tx.state):
        return "kitty_settled"
    waiting = _waiting(tx.state)
    # Judge by public information only (decision 57).
    if not any(_could_overcall(tx.state, seat) for seat in waiting):
        return "kitty_settled"
    tx.open_decision("overcall-kitty", waiting[:1])
    return None


def _waiting(state: State) -> list[int]:
    """Return the seats not yet asked since the kitty was buried, in the order of asking."""
    table_round = round_of(state)
    holder, overcalls = table_round["kitty_seat"], overcalls_of(table_round)
    if holder is None:
        raise AssertionError("somebody has buried the kitty")
    standing = overcalls["standing"]
    seats = chao_asked(
        state["players"],
        holder=holder,
        declared_last=standing["seat"] if standing else None,
        overcalled=not overcalls["first"],
    )
    return [seat for seat in seats if seat not in overcalls["asked"]]


def _could_overcall(state: State, seat: int) -> bool:
    """Tell whether a seat could overcall if it held all cards that the others have not shown."""
    standing = overcalls_of(round_of(state))["standing"]
    bids: list[Declaration | StandingOvercall] = [*round_of(state)["shown"], *([standing] if standing else [])]
    return bool(possible_overcalls(state, seat, not_shown_by_others(state, bids, seat)))


def _by_rules_of_the_deal(state: State) -> bool:
    return bool(options_of(state)["chao_di_rule"] == "overcall")


def may_reinforce(state: State, seat: int) -> bool:
    """Return whether a seat may add to its shown cards although another one is asked."""
    decision, table_round = state["decision"], state["round"]
    if decision is None or table_round is None or decision["kind"] != "overcall-kitty":
        return False
    declarations = table_round["shown"]
    return _by_rules_of_the_deal(state) and bool(declarations) and declarations[-1]["seat"] == seat


def overcall(tx: Transaction, seat: int, cards: Sequence[int]) -> Milestone | None:
    """Show a higher set, change trumps and take the kitty; or reinforce the standing set."""
    if _by_rules_of_the_deal(tx.state):
        return _overcall_as_in_the_deal(tx, seat, cards)
    standing = overcalls_of(tx.round)["standing"]
    trump = tx.round["trump"]
    rank = trump["rank"] if trump else None
    suit = chao_suit(options_of(tx.state), rank, standing["cards"] if standing else [], cards)
    data: KittyOvercalled = {"seat": seat, "cards": list(cards), "trump": {"rank": rank, "suit": suit}}
    tx.emit("kitty_overcalled", data)
    return "kitty_overcalled"


def _overcall_as_in_the_deal(tx: Transaction, seat: int, cards: Sequence[int]) -> Milestone | None:
    context, declarations, cards = declare_context(tx.state), tx.round["shown"], laid_out(cards)
    may_defend = may_defend_the_kitty(tx.state)
    meaning = cast(
        "DeclarationMeaning", judge(context, declarations, seat, cards, may_defend=may_defend, after_kitty=True)
    )
    seats = decision_of(tx.state)["seats"]
    if meaning != "reinforce" and seat not in seats:
        raise NotYourTurn(seats=seats)
    declaration: Declaration = {"seat": seat, "cards": cards, "as": meaning}
    maker = trump_maker(context, [*declarations, declaration])
    if maker is None:
        raise AssertionError("something has just been shown")
    trump = maker[1]
    data: KittyOvercalled = {**declaration, "trump": {"rank": trump.rank, "suit": trump.suit}}
    tx.emit("kitty_overcalled", data)
    if meaning != "reinforce":
        return "kitty_overcalled"
    return None if any(_could_overcall(tx.state, each) for each in _waiting(tx.state)) else "kitty_settled"


def pass_overcall(tx: Transaction, seat: int) -> Milestone:
    """Decline to overcall for the kitty."""
    data: Passed = {"seat": seat, "kind": "overcall-kitty", "asked": None}
    tx.emit("passed", data)
    return "kitty_buried"
