"""Rounds with chosen cards: stacked decks, and the steps up to the first lead."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from harness.driver import Driver
from service.game.commands.round import shuffling
from service.game.commands.transaction import Decided
from service.game.state.fallback import fallback_action
from service.game.state.types import State
from service.rules.cards import kinds_in, kinds_of, names_of


def stack(monkeypatch: pytest.MonkeyPatch, hands: Mapping[int, str], kitty: str = "", attempt: int = 0) -> None:
    """Stack the deck of every round: these seats and the kitty get these cards; the rest is random."""
    plain = shuffling.new_deal

    def stacked(
        state: State, number: int, seed: str, entropy: dict[str, str], tried: int, first: int
    ) -> dict[str, Any]:
        shuffle = plain(state, number, seed, entropy, tried, first)
        if tried != attempt:
            return shuffle
        players, starter, of = state["players"], state["game"]["starter"], shuffle["of"]
        places = {seat: list(range((seat - starter) % players, of, players)) for seat in range(players)}
        wanted = {seat: kinds_of(cards.split()) for seat, cards in hands.items()}
        chosen = kinds_of(kitty.split())
        left = Counter(shuffle["deck"])
        left.subtract(kind for cards in (*wanted.values(), chosen) for kind in cards)
        assert min(left.values()) >= 0, "more copies than the deck has"
        rest = [kind for kind in shuffle["deck"] if _taken(left, kind)]
        deck: list[int | None] = [None] * len(shuffle["deck"])
        for seat, cards in wanted.items():
            for at, kind in zip(places[seat], cards, strict=False):
                deck[at] = kind
        for at, kind in enumerate(chosen, start=of):
            deck[at] = kind
        shuffle["deck"] = [rest.pop() if kind is None else kind for kind in deck]
        return shuffle

    monkeypatch.setattr(shuffling, "new_deal", stacked)


def _taken(left: Counter[int], kind: int) -> bool:
    left[kind] -= 1
    return left[kind] >= 0


def declare(driver: Driver, seat: int | None = None, *cards: str) -> None:
    """Have one seat declare with these cards when it is asked, and all others pass."""
    while driver.decision["kind"] in {"declare", "defend"}:
        if driver.active_seat == seat and not driver.state["round"]["shown"]:
            driver.do(seat, type="declare", cards=list(cards))
        else:
            driver.do(driver.active_seat, type="pass")


def bury(driver: Driver, *cards: str, reveal: bool = False) -> None:
    """Bury these cards and as many others as needed."""
    hand = list(driver.hand(driver.active_seat))
    for kind in kinds_of(cards):
        hand[kind] -= 1
    size = int(driver.state["round"]["deal"]["of"])
    missing = sum(map(sum, driver.state["round"]["hands"])) - size - len(cards)
    rest = names_of(kinds_in(hand))[:missing]
    driver.do(driver.active_seat, type="discard", cards=[*cards, *rest], reveal=reveal)


def play(driver: Driver, *cards: str, **more: Any) -> list[str]:
    """Have the seat that is asked play these cards; return the types of the events."""
    return types(driver.do(driver.active_seat, type="play", cards=list(cards), **more))


def trick(driver: Driver, cards: Mapping[int, str]) -> dict[str, Any]:
    """Play a trick, these seats with these cards, the others as on a timeout; return the trick."""
    already = driver.state["round"]["last_trick"]
    while driver.state["round"]["last_trick"] is already:
        seat = driver.active_seat
        chosen = (
            {"type": "play", "cards": cards[seat].split()} if seat in cards else fallback_action(driver.state, seat)
        )
        driver.do(seat, **chosen)
    won: dict[str, Any] = driver.state["round"]["last_trick"]
    return won


def last(driver: Driver, event_type: str) -> dict[str, Any]:
    """Return the data of the latest event of a type."""
    data: dict[str, Any] = next(event["data"] for event in reversed(driver.log) if event["type"] == event_type)
    return data


def types(decided: Decided) -> list[str]:
    """Return the types of the events of a command."""
    return [event["type"] for event in decided.events]


def show(driver: Driver, seat: int, *cards: str) -> list[str]:
    """Have a seat declare with these cards; return the types of the events."""
    return types(driver.do(seat, type="declare", cards=list(cards)))


def ask_until(driver: Driver, seat: int) -> None:
    """Have the seats that are asked before this one pass."""
    while driver.active_seat != seat:
        driver.do(driver.active_seat, type="pass")


def timed(ruleset: str = "shengji", players: int = 4, options: Mapping[str, Any] | None = None, **more: Any) -> Driver:
    """Return a table with a timed deal."""
    return Driver(ruleset, players, {"deal_pace": "timed", **(options or {})}, **more)
