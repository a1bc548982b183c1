"""The kitty: taking and burying it, and overcalling for it (chao di)."""

from collections.abc import Sequence

from service.errors import IllegalDiscard
from service.game.commands.milestones import Milestone
from service.game.commands.transaction import Transaction
from service.game.events.types import Discarded, KittyOvercalled, Passed, SeatCards
from service.game.state.rules import composition_of
from service.game.state.types import Overcalls
from service.rules.rounds.chao_di import chao_asked, chao_suit


def give_to_declarer(tx: Transaction) -> None:
    """Give the kitty to the declarer, who is then to bury as many cards."""
    declarer = tx.round["declarer"]
    if declarer is None:
        raise AssertionError("the declarer is fixed with the trumps")
    _give(tx, declarer)


def give_to_overcaller(tx: Transaction) -> None:
    """Give the buried kitty to the seat that has overcalled for it."""
    standing = _overcalls(tx)["standing"]
    if standing is None:
        raise AssertionError("somebody has overcalled")
    _give(tx, standing["seat"])


def _give(tx: Transaction, seat: int) -> None:
    data: SeatCards = {"seat": seat, "cards": tx.round["kitty"] or tx.round["discard"] or []}
    tx.emit("kitty_taken", data, "server")
    tx.open_decision("discard", [seat])


def discard(tx: Transaction, seat: int, cards: Sequence[int], *, reveal: bool) -> Milestone:
    """Bury the kitty; with `kitty_reveal` the declarer may show it (docs/rules.md §5.1)."""
    state, table_round = tx.state, tx.round
    size = composition_of(state).kitty
    if len(cards) != size:
        raise IllegalDiscard("kitty_size", required={"cards": size}, given=len(cards))
    if reveal and not state["options"]["kitty_reveal"]:
        raise IllegalDiscard("kitty_is_not_shown")
    overcalls = table_round["overcalls"]
    if state["options"]["chao_di"] and overcalls is None:
        shown = table_round["shown"]
        overcalls = {"standing": shown[-1] if shown else None, "asked": [], "first": True}
    data: Discarded = {"seat": seat, "cards": list(cards), "overcalls": overcalls}
    tx.emit("discarded", data)
    if reveal:
        revealed: SeatCards = {"seat": seat, "cards": list(cards)}
        tx.emit("kitty_revealed", revealed)
    return "kitty_buried"


# --- overcalling for the kitty (docs/rules.md §5.2) --------------------------------------------------------------


def _overcalls(tx: Transaction) -> Overcalls:
    overcalls = tx.round["overcalls"]
    if overcalls is None:
        raise AssertionError("nobody may overcall for the kitty at this table")
    return overcalls


def ask_for_overcall(tx: Transaction) -> Milestone | None:
    """Ask the next seat whether it overcalls for the kitty; when none is left, the kitty is settled."""
    table_round = tx.round
    holder, overcalls = table_round["kitty_seat"], table_round["overcalls"]
    if overcalls is None or holder is None or table_round["revealed"]:
        return "kitty_settled"
    standing = overcalls["standing"]
    seats = chao_asked(
        tx.state["players"],
        holder=holder,
        declared_last=standing["seat"] if standing else None,
        overcalled=not overcalls["first"],
    )
    waiting = [seat for seat in seats if seat not in overcalls["asked"]]
    if not waiting:
        return "kitty_settled"
    tx.open_decision("overcall-kitty", waiting[:1])
    return None


def overcall(tx: Transaction, seat: int, cards: Sequence[int]) -> Milestone:
    """Show a higher set, fix trumps anew and take the kitty."""
    standing = _overcalls(tx)["standing"]
    trump = tx.round["trump"]
    rank = trump["rank"] if trump else None
    suit = chao_suit(tx.state["options"], rank, standing["cards"] if standing else [], cards)
    data: KittyOvercalled = {"seat": seat, "cards": list(cards), "trump": {"rank": rank, "suit": suit}}
    tx.emit("kitty_overcalled", data)
    return "kitty_overcalled"


def pass_overcall(tx: Transaction, seat: int) -> Milestone:
    """Leave the kitty where it is."""
    data: Passed = {"seat": seat, "kind": "overcall-kitty"}
    tx.emit("passed", data)
    return "kitty_buried"
