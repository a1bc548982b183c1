"""bobbyyu5/zhao-pengyou: an engine for games of friends with bots; `--engine` is its `engine/index.js`.

Its bots follow a few rules. They make trumps only with a pair of the level, so the other player mostly declares, and
they never lead more than a pair unless they hold nothing else. The game is its one for four seats: two decks, eight
cards in the kitty, one call, no throws. It differs from ours in what its bots never look at: who gains how many
levels, and that the kitty does not count.
"""

from typing import Any

from harness.ai_table import quick_options
from laboratory.opponents.opponent import Ask, Opponent, declare, seats_of, tricks
from service.rules.cards import RANKS
from workers.ai import Command
from workers.ai.knowledge.seat import View

#: A card: suit, or JOKER; rank from 2 to 14, 15 or 16 for jokers; an id.
Card = dict[str, Any]
_JOKERS = {"LJ": 15, "BJ": 16}


def _cards(names: list[str]) -> list[Card]:
    """Return cards as the engine takes them; ids are different within the list."""
    return [{**_face(name), "deck": 0, "id": f"{at}:{name}"} for at, name in enumerate(names)]


def _face(name: str) -> dict[str, Any]:
    if name in _JOKERS:
        return {"suit": "JOKER", "rank": _JOKERS[name]}
    return {"suit": name[1], "rank": RANKS.index(name[0]) + 2}


def _name(card: Card) -> str:
    if card["suit"] == "JOKER":
        return "LJ" if card["rank"] == _JOKERS["LJ"] else "BJ"
    return RANKS[card["rank"] - 2] + str(card["suit"])


def options(deal: int) -> dict[str, Any]:
    """Return the engine's rules: the longest declaration wins, pairs answer tractors, no throws.

    Whoever plays the called card first is the friend, but for the declarer: so a declarer who holds one of both
    copies calls the other one. Where its declarer can make no trumps with jokers, as bots would with three of any
    kind, nobody can here.
    """
    return {
        **quick_options("finding_friends", deal),
        "declarer_by": "trump_maker",
        "declare_rank": "own_level",
        "joker_declaration": "none",
        "overcall": "longer",
        "no_declaration": "random_suit",
        "throws": "none",
        "follow_tractors": False,
        "call_other_copy": True,
    }


def _state(view: View) -> dict[str, Any]:
    """Return what the bots read of the engine's state; other hands stay empty."""
    known, my = view["round"], view["my"]
    hands: list[list[Card]] = [[] for _ in range(view["players"])]
    hands[my["seat"]] = _cards(my["hand"])
    trump, calls = known["trump"] or {"suit": None}, known["calls"] or []
    return {
        "players": view["players"],
        "hands": hands,
        "level": RANKS.index(known["level"]) + 2,
        "trumpSuit": trump["suit"],
        "config": {"kitty": len(my["hand"]) - view["seats"][(my["seat"] + 1) % view["players"]]["hand_count"]},
        "dealer": known["declarer"],
        "friendsToCall": 1,
        "friendCards": [{"suit": call["card"][1], "rank": RANKS.index(call["card"][0]) + 2} for call in calls],
        "friendSeats": [call["filled_by"] for call in calls if call["filled_by"] is not None],
        "bid": None,
    }


def _declare(ask: Ask, view: View) -> Command:
    state, standing = _state(view), view["round"]["declarations"]
    if standing:
        last = standing[-1]
        state["bid"] = {
            "seat": last["seat"],
            "suit": last["cards"][0][1],
            "count": len(last["cards"]),
            "noTrump": False,
        }
    bid = ask(["botBid", state, view["my"]["seat"]])
    if bid is None or bid.get("noTrump"):
        return {"type": "pass"}
    return declare(view, [view["round"]["level"] + bid["suit"]] * bid["count"])


def _discard(ask: Ask, view: View) -> Command:
    cards = ask(["botBury", _state(view), view["my"]["seat"]])
    return {"type": "discard", "cards": [_name(card) for card in cards]}


def _call(ask: Ask, view: View) -> Command:
    (call,) = ask(["botCallFriends", _state(view), view["my"]["seat"]])
    card = RANKS[call["rank"] - 2] + call["suit"]
    which: dict[str, Any] = {"other": True} if view["my"]["hand"].count(card) == 1 else {"ordinal": 1}
    return {"type": "call", "calls": [{"card": card, **which}]}


def _play(ask: Ask, view: View) -> Command:
    state, seat = _state(view), view["my"]["seat"]
    count = len(tricks(view)[-1][1])
    trick = [{"seat": by, "cards": _cards(cards)} for by, cards in seats_of(view)[-count:]] if count else []
    state |= {"phase": "play", "turn": seat, "trick": trick, "ledFormation": None}
    if trick:
        state["ledFormation"] = ask(["detectFormation", trick[0]["cards"], state["level"], state["trumpSuit"]])
    move = ask(["botPlay", state, seat])
    return {"type": "play", "cards": [_name(card) for card in move["cards"]]}


OPPONENT = Opponent(
    ruleset="finding_friends",
    players=4,
    options=options,
    runtime="node",
    driver="driver.mjs",
    decisions={"declare": _declare, "discard": _discard, "call": _call, "play": _play},
)
