"""ChannonTian/80fen: a page for Sheng Ji with four seats; `--engine` is the page, such as `80fen-test.html`.

It declares, buries and plays by formulas, and compares leads and follows by playouts when few cards are left. In the
page it declares during the deal, and not always at once; here it is asked once it has its whole hand. Its option of
throwing in a poor hand is off, as by default in the page.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from harness.ai_table import quick_options
from laboratory.opponents.opponent import Ask, Opponent, declare, seats_of, tricks
from service.rules.cards import KIND, KINDS, RANKS
from workers.ai import Command
from workers.ai.knowledge.seat import View

#: A card: its suit, X for jokers; its rank from 2 to 14, 15 or 16 for jokers; an id.
Card = dict[str, Any]
_JOKERS = {"LJ": 15, "BJ": 16}


class Pack:
    """Gives each card of a view an id of its own."""

    def __init__(self) -> None:
        self._copies: Counter[str] = Counter()

    def cards(self, names: Iterable[str]) -> list[Card]:
        """Return cards as the engine takes them, different ones at each call."""
        return [self._card(name) for name in names]

    def _card(self, name: str) -> Card:
        self._copies[name] += 1
        number = KIND[name] + KINDS * (self._copies[name] - 1)
        if name in _JOKERS:
            return {"suit": "X", "rank": _JOKERS[name], "id": number}
        return {"suit": name[1], "rank": RANKS.index(name[0]) + 2, "id": number}


def names(cards: Iterable[Card]) -> list[str]:
    """Return the names of cards of the engine."""
    jokers = {rank: name for name, rank in _JOKERS.items()}
    return [jokers[card["rank"]] if card["suit"] == "X" else RANKS[card["rank"] - 2] + card["suit"] for card in cards]


def options(deal: int) -> dict[str, Any]:
    """Return the rules of the page: the preset `eighty_fen`, with shorter tractors due, as its settings begin."""
    return {
        **quick_options("shengji", deal),
        "kitty_factor": "by_play_2n",
        "no_declaration": "no_trump",
        "throw_failure": "lowest_top_unit",
        "throw_structure": "tuples",
        "throw_answer_exact": True,
        "trump_throw_compare": "highest_card",
    }


def _trump(view: View) -> dict[str, Any]:
    trump = view["round"]["trump"]
    return {"suit": trump["suit"], "rank": RANKS.index(trump["rank"]) + 2}


def _strength(cards: Sequence[str]) -> int:
    if cards[0] in _JOKERS:
        return {"LJ": 3, "BJ": 4}[cards[0]]
    return len(cards)


def _shown(view: View, option: dict[str, Any]) -> list[str]:
    """Return the cards of an option to declare."""
    if option["suit"] is None:
        return ["LJ" if option["strength"] == 3 else "BJ"] * 2
    card: str = view["round"]["level"] + option["suit"]
    return [card] * int(option["strength"])


def _declare(ask: Ask, view: View) -> Command:
    level, seat = RANKS.index(view["round"]["level"]) + 2, view["my"]["seat"]
    context: dict[str, Any] = {
        "vis": Pack().cards(view["my"]["hand"]),
        "seat": seat,
        "trumpRank": level,
        "curDecl": None,
        "dealerKnown": False,
        "dealer": -1,
        "firstTaker": view["round"]["starter"],
        "gates": [],
        "levels": [level, level],
    }
    if view["round"]["declarations"]:
        last = view["round"]["declarations"][-1]
        suit = None if last["cards"][0] in _JOKERS else last["cards"][0][1]
        context["curDecl"] = {"seat": last["seat"], "suit": suit, "strength": _strength(last["cards"])}
        if last["seat"] == seat:
            return declare(view, _reinforced(ask, view, context))
    choice = ask(["aiDeclDecide", context])
    return declare(view, _shown(view, choice["opt"]) if choice and choice["pass"] else [])


def _reinforced(ask: Ask, view: View, context: dict[str, Any]) -> list[str]:
    """Return the pair that reinforces one's single card if the engine scores it higher, as the page does."""
    pair = 2 * view["round"]["declarations"][-1]["cards"]
    if pair not in view["decision"]["hints"]["possible"]:
        return []
    suit = context["curDecl"]["suit"]
    single = ask(["scoreDeclOption", context, {"suit": suit, "strength": 1, "hasPair": True}])
    both = ask(["scoreDeclOption", context, {"suit": suit, "strength": 2}])
    return pair if both["score"] > single["score"] else []


def _discard(ask: Ask, view: View) -> Command:
    return {"type": "discard", "cards": names(ask(["aiDiscard", Pack().cards(view["my"]["hand"]), _trump(view)]))}


def _play(ask: Ask, view: View) -> Command:
    pack, my = Pack(), view["my"]
    plays = [{"seat": seat, "cards": pack.cards(cards)} for seat, cards in seats_of(view)]
    position = {
        "seat": my["seat"],
        "hand": pack.cards(my["hand"]),
        "trump": _trump(view),
        "declSeat": view["round"]["declarer"],
        "history": plays,
        "buriedKnown": pack.cards(my["discard"] or []),
    }
    current = len(tricks(view)[-1][1])
    choice = ask(["aiChooseFollow", position, plays[-current:]] if current else ["aiChooseLead", position])
    return {"type": "play", "cards": names(choice["cards"])}


OPPONENT = Opponent(
    ruleset="shengji",
    players=4,
    options=options,
    runtime="node",
    driver="driver.mjs",
    decisions={"declare": _declare, "discard": _discard, "play": _play},
)
