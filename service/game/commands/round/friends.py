"""Finding friends: the declarer calls cards, and the players of the called copies join (docs/rules.md §5.3, §5.4)."""

from collections.abc import Sequence
from typing import cast

from service.game.commands.milestones import Milestone
from service.game.commands.transaction import Transaction
from service.game.events.round_types import FriendJoined, FriendsCalled
from service.game.state.actions import CalledCard
from service.game.state.queries import declarer_of, filled_calls, points_of_attackers, sides_after_joining
from service.game.state.rules import composition_of, options_of, ranking_of
from service.game.state.take_backs import allows_take_backs
from service.game.state.types import Call
from service.rules.cards import kind_of
from service.rules.rounds.declarations import standing
from service.rules.rounds.friends import called_by_showing, check_calls, joins


def ask_calls(tx: Transaction) -> Milestone | None:
    """Ask the declarer for calls, in games that have them, unless the cards declared with have made them."""
    if not composition_of(tx.state).calls:
        return "friends_called"
    declarer, last = declarer_of(tx.round), standing(tx.round["shown"])
    cards = last["cards"] if last and last["seat"] == declarer else []
    calls = called_by_showing(options_of(tx.state), cards)
    if calls:
        data: FriendsCalled = {"seat": declarer, "calls": cast("list[Call]", calls)}
        tx.emit("friends_called", data, "server")
        return "friends_called"
    tx.open_decision("call", [declarer])
    return None


def call(tx: Transaction, seat: int, calls: Sequence[CalledCard]) -> Milestone:
    """Call the cards whose players will be friends."""
    state = tx.state
    named = [{**each, "card": kind_of(each["card"])} for each in calls]
    hand = tx.round["hands"][seat]
    checked = check_calls(named, ranking_of(state), composition_of(state), options_of(state), hand)
    data: FriendsCalled = {"seat": seat, "calls": cast("list[Call]", checked)}
    tx.emit("friends_called", data)
    return "friends_called"


def join(tx: Transaction, seat: int, cards: Sequence[int], played_before: Sequence[int]) -> None:
    """Let the seat that has just played a called copy join the declarer. Its points no longer count for the attackers.

    Args:
        played_before: counts of the cards played before this play.
    """
    by_declarer = seat == tx.round["declarer"]
    calls = cast("Sequence[dict[str, int]]", tx.round["calls"])
    for number in joins(
        calls,
        played_before,
        cards,
        by_declarer=by_declarer,
        on_side=tx.round["sides"][seat] == "declarers",
        filled=filled_calls(tx.round),
        double_join=options_of(tx.state)["double_join"],
    ):
        table_round = tx.round
        filled = table_round["calls"][number]
        points, sides = list(table_round["points"]), sides_after_joining(table_round, number, seat)
        lost = points[seat] if table_round["sides"][seat] != "declarers" else 0
        points[seat] -= lost
        data: FriendJoined = {
            "seat": seat,
            "call": number,
            "card": filled["card"],
            "ordinal": filled["ordinal"],
            "friend": not by_declarer,
            "points_lost": lost,
            "sides": sides,
            "attackers_points": points_of_attackers(points, sides),
        }
        if allows_take_backs(tx.state):
            data["returnable"] = 0
        tx.emit("friend_joined", data, "server")
