"""From the kitty to the first lead: taking and burying it, overcalling for it, calling friends."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.errors import IllegalDiscard
from service.game import playing
from service.game.state import composition_of
from service.game.turn import Turn
from service.rules.cards import kind_of
from service.rules.chao_di import chao_asked, chao_suit
from service.rules.friends import check_calls
from service.rules.trumps import Trump, order_of


def take_kitty(turn: Turn, seat: int) -> None:
    """Give the face-down cards to a seat, which is then to bury as many."""
    table_round = turn.state["round"]
    cards = table_round["kitty"] or table_round["discard"]
    turn.emit("kitty_taken", "server", seat=seat, cards=cards)
    turn.open_decision("discard", [seat])


def discard(turn: Turn, seat: int, cards: Sequence[int], reveal: bool) -> None:
    """Bury the kitty; with `kitty_reveal` the declarer may show it (003 l.66)."""
    state = turn.state
    size = composition_of(state).kitty
    if len(cards) != size:
        raise IllegalDiscard("kitty_size", required={"cards": size}, given=len(cards))
    if reveal and not state["options"]["kitty_reveal"]:
        raise IllegalDiscard("kitty_is_not_shown")
    table_round = state["round"]
    overcalls = table_round["overcalls"]
    if state["options"]["chao_di"] and overcalls is None:
        shown = table_round["shown"]
        overcalls = {"standing": shown[-1] if shown else None, "asked": [], "first": True}
    turn.emit("discarded", seat=seat, cards=list(cards), overcalls=overcalls)
    if reveal:
        turn.emit("kitty_revealed", seat=seat, cards=list(cards))
    _ask_for_overcall(turn)


def _ask_for_overcall(turn: Turn) -> None:
    """Ask the next seat whether it overcalls for the kitty (001 §6.2); when none is left, the kitty is settled."""
    table_round = turn.state["round"]
    overcalls = table_round["overcalls"]
    if overcalls is not None and not table_round["revealed"]:
        standing = overcalls["standing"]
        asked = chao_asked(
            turn.state["players"],
            holder=table_round["kitty_seat"],
            declared_last=standing["seat"] if standing else None,
            overcalled=not overcalls["first"],
        )
        for seat in asked:
            if seat not in overcalls["asked"]:
                turn.open_decision("overcall-kitty", [seat])
                return
    _kitty_is_settled(turn)


def overcall_kitty(turn: Turn, seat: int, cards: Sequence[int]) -> None:
    """Show a higher pair, fix trumps anew and take the kitty."""
    table_round = turn.state["round"]
    standing = table_round["overcalls"]["standing"]
    rank = table_round["trump"]["rank"]
    suit = chao_suit(turn.state["options"], rank, standing["cards"] if standing else [], cards)
    turn.emit("kitty_overcalled", seat=seat, cards=list(cards), trump={"rank": rank, "suit": suit})
    take_kitty(turn, seat)


def pass_overcall(turn: Turn, seat: int) -> None:
    """Leave the kitty where it is."""
    turn.emit("passed", seat=seat, kind="overcall-kitty")
    _ask_for_overcall(turn)


def _kitty_is_settled(turn: Turn) -> None:
    state = turn.state
    declarer = state["round"]["declarer"]
    if composition_of(state).calls:
        turn.open_decision("call", [declarer])
    else:
        playing.ask(turn, declarer)


def call(turn: Turn, seat: int, calls: Sequence[Mapping[str, Any]]) -> None:
    """Call the cards whose players will be friends."""
    state = turn.state
    trump = state["round"]["trump"]
    order = order_of(Trump(trump["rank"], trump["suit"]), state["options"]["twos_always_trump"])
    hand = state["round"]["hands"][seat]
    named = [{**each, "card": kind_of(each["card"])} for each in calls]
    kept = check_calls(named, order, composition_of(state), state["options"], hand)
    turn.emit("friends_called", seat=seat, calls=kept)
    playing.ask(turn, seat)
