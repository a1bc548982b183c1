"""Roushelfy/WhoDesigned: a bot of Botzone for its game of two decks; `--engine` is its folder.

It makes trumps once a suit is strong enough, buries no points, and plays by rules that remember voids and cards left.
It never plays without a trump suit, and Botzone plays at level 2 alone, so neither happens here. With `--runtime` it
runs under a Python that has numpy.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from laboratory.opponents.opponent import Ask, Opponent, declare, tricks
from service.rules.cards import KINDS
from workers.ai import Command
from workers.ai.knowledge.seat import View

_SUITS = "shcd"
_RANKS = "A23456789TJQK"
_JOKERS = {"LJ": 52, "BJ": 53}
#: Cards in a hand before the kitty.
_HAND = 25


def _number(name: str) -> int:
    """Return the number of a card within its deck."""
    if name in _JOKERS:
        return _JOKERS[name]
    return 4 * _RANKS.index(name[0]) + _SUITS.index(name[1].lower())


def _name(number: int) -> str:
    in_deck = number % KINDS
    jokers = {at: name for name, at in _JOKERS.items()}
    return jokers.get(in_deck) or _RANKS[in_deck // 4] + _SUITS[in_deck % 4].upper()


def options(_: int) -> dict[str, Any]:
    """Return the rules of Botzone, as the bot and its training environment have them."""
    return {
        "deal_pace": "instant",
        "start_level": "2",
        "joker_declaration": "none",
        "reinforce": False,
        "no_declaration": "random_suit",
        "kitty_factor": "by_lead_2n",
        "trump_tractors": "suit_and_jokers",
        "throw_failure": "lowest_card",
        "throw_penalty": "per_card",
        "shorter_tractors": False,
    }


class _Deck:
    """Numbers for the cards of a view: identical ones get those of both decks in turn."""

    def __init__(self) -> None:
        self._copies: Counter[str] = Counter()

    def numbers(self, names: list[str]) -> list[int]:
        return [self._next(name) for name in names]

    def _next(self, name: str) -> int:
        self._copies[name] += 1
        return _number(name) + KINDS * (self._copies[name] - 1)


def _banking(view: View) -> dict[str, Any]:
    """Return who made trumps: Botzone knows one call, of a single card, and one answer to it, of a pair."""
    standing, trump = view["round"]["declarations"], view["round"]["trump"]
    pairs = [each["seat"] for each in standing if len(each["cards"]) == 2]
    major = standing[-1]["cards"][0][1] if standing else (trump or {}).get("suit") or ""
    declarer = view["round"]["declarer"]
    return {
        "called": standing[0]["seat"] if standing else -1,
        "snatched": pairs[0] if pairs else -1,
        "major": major.lower(),
        "banker": -1 if declarer is None else declarer,
    }


def _request(view: View) -> dict[str, Any]:
    """Return the requests of the round so far and the seat's responses to them."""
    my, deck = view["my"], _Deck()
    seat = my["seat"]
    past = tricks(view)
    count = view["players"]
    own = [plays[(seat - leader) % count] for leader, plays in past if len(plays) == count]
    hand = deck.numbers([*(card for cards in own for card in cards), *my["hand"], *(my["discard"] or [])])
    where = {
        "first_round": True,
        "level": "0" if view["round"]["level"] == "T" else view["round"]["level"],
        "banking": _banking(view),
        "total_score": view["round"]["attackers_points"],
    }
    requests: list[dict[str, Any]] = [{"stage": "deal", "deliver": [card], "global": where} for card in hand[:_HAND]]
    responses: list[list[int]] = [[] for _ in requests]
    requests[0]["playerpos"] = seat
    if len(hand) > _HAND:
        requests.append({"stage": "cover", "deliver": hand[_HAND:], "global": where})
        responses.append(hand[len(hand) - len(my["discard"] or []) :])
    if view["decision"]["kind"] == "play":
        for history, own_play in _history(view, hand, deck):
            requests.append({"stage": "play", "history": history, "global": where})
            responses.append(own_play)
    return {"requests": requests, "responses": responses[: len(requests) - 1]}


def _history(view: View, hand: list[int], deck: _Deck) -> Iterator[tuple[list[Any], list[int]]]:
    """Yield for each trick what the bot was sent when it had to play, and what it played.

    What is sent: the trick before, this trick so far, and their leaders.

    Args:
        view: the view of the bot's seat.
        hand: numbers of all cards that it has held.
        deck: gives the cards of others the numbers that are left.
    """
    seat, count, past = view["my"]["seat"], view["players"], tricks(view)
    own: dict[str, list[int]] = defaultdict(list)
    for number in hand:
        own[_name(number)].append(number)
    before: tuple[int, list[list[int]]] = (past[0][0], [])
    for leader, plays in past:
        numbered = [
            [own[card].pop(0) for card in cards] if (leader + at) % count == seat else deck.numbers(cards)
            for at, cards in enumerate(plays)
        ]
        at = (seat - leader) % count
        yield [before[1], numbered[:at], before[0], leader], numbered[at] if len(numbered) > at else []
        before = (leader, numbered)


def _declare(ask: Ask, view: View) -> Command:
    return declare(view, [_name(card) for card in ask(_request(view))])


def _discard(ask: Ask, view: View) -> Command:
    return {"type": "discard", "cards": [_name(card) for card in ask(_request(view))]}


def _play(ask: Ask, view: View) -> Command:
    return {"type": "play", "cards": [_name(card) for card in ask(_request(view))]}


OPPONENT = Opponent(
    ruleset="shengji",
    players=4,
    options=options,
    runtime="python3",
    driver="botzone.py",
    decisions={"declare": _declare, "discard": _discard, "play": _play},
)
