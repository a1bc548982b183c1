"""Tables that a viewer cannot tell apart: all that the viewer has not seen is exchanged."""

import random
from typing import Any

from service.game.events.types import Event


class Positions:
    """Follows every card of a round from its place in the deck, and records which ones the viewer has seen.

    Where identical cards could have moved, it chooses one that the viewer has seen already.
    """

    def __init__(self, opened: Event, starter: int, players: int, viewer: int | None) -> None:
        self.deck: list[int] = opened["data"]["deck"]
        self.of: int = opened["data"]["of"]
        self.starter, self.players, self.viewer = starter, players, viewer
        self.held: list[list[int]] = [[] for _ in range(players)]
        self.kitty = list(range(self.of, len(self.deck)))
        self.count = 0
        self.positions: set[int] = set()

    def pick(self, seat: int, kinds: list[int]) -> list[int]:
        """Return places of cards of these kinds in the hand, seen ones first."""
        chosen: list[int] = []
        for kind in kinds:
            places = [at for at in self.held[seat] if self.deck[at] == kind and at not in chosen]
            chosen.append(min(places, key=lambda at: (at not in self.positions, at)))
        return chosen

    def leave(self, seat: int, places: list[int]) -> None:
        self.held[seat] = [at for at in self.held[seat] if at not in places]

    def follow(self, event: Event) -> Any:
        """Record what an event moves and shows; return the places of its cards, if some may be hidden."""
        data = event["data"]
        move = getattr(self, "_" + event["type"], None)
        return move(data) if move else None

    def _dealt(self, data: dict[str, Any]) -> list[list[int]]:
        dealt = [
            list(range(self.count + (seat - self.starter) % self.players, data["count"], self.players))
            for seat in range(self.players)
        ]
        self.count = data["count"]
        for seat, places in enumerate(dealt):
            self.held[seat] += places
            if seat == self.viewer:
                self.positions.update(places)
        return dealt

    def _declared(self, data: dict[str, Any]) -> None:
        self.positions.update(self.pick(data["seat"], data["cards"]))

    _throw_failed = _kitty_overcalled = _declared

    def _kitty_flipped(self, data: dict[str, Any]) -> None:
        self.positions.update(self.kitty[: len(data["cards"])])

    def _kitty_shown(self, _: dict[str, Any]) -> None:
        self.positions.update(self.kitty)

    def _kitty_revealed(self, _: dict[str, Any]) -> None:
        self.positions.update(self.kitty)

    def _kitty_taken(self, data: dict[str, Any]) -> list[int]:
        self.held[data["seat"]] += self.kitty
        if data["seat"] == self.viewer:
            self.positions.update(self.kitty)
        return self.kitty

    def _discarded(self, data: dict[str, Any]) -> list[int]:
        self.kitty = self.pick(data["seat"], data["cards"])
        self.leave(data["seat"], self.kitty)
        return self.kitty

    def _played(self, data: dict[str, Any]) -> None:
        places = self.pick(data["seat"], data["cards"])
        self.leave(data["seat"], places)
        self.positions.update(places)


def shuffled_unseen(cards: Positions, rng: random.Random) -> list[int]:
    """Return the deck with the cards shuffled that the viewer has not seen."""
    hidden = [at for at in range(len(cards.deck)) if at not in cards.positions]
    kinds = [cards.deck[at] for at in hidden]
    rng.shuffle(kinds)
    deck = list(cards.deck)
    for at, kind in zip(hidden, kinds, strict=True):
        deck[at] = kind
    return deck


def exchanged(log: list[Event], players: int, viewer: int | None, rng: random.Random) -> tuple[list[Event], int]:
    """Exchange what the viewer has not seen of the running round; return the log and how many cards differ.

    That is the cards in other hands, in the deck and in the kitty, roads stated in secret, and the seeds.
    """
    log = list(log)
    opened = max(at for at, event in enumerate(log) if event["type"] in {"round_opened", "redealt"})
    seeded = max(at for at, event in enumerate(log) if event["type"] == "round_opened")
    cards = Positions(log[opened], log[opened]["data"]["starter"], players, viewer)
    places = {at: cards.follow(log[at]) for at in range(opened + 1, len(log))}
    deck = shuffled_unseen(cards, rng)
    latest = max((at for at, event in enumerate(log) if event["type"] in {"roads_asked", "roads_set"}), default=0)

    def with_data(at: int, **changes: Any) -> None:
        log[at] = {**log[at], "data": {**log[at]["data"], **changes}}

    with_data(seeded, server_seed=rng.randbytes(32).hex(), next_seed=rng.randbytes(32).hex())
    with_data(opened, deck=deck)
    for at, moved in places.items():
        data = log[at]["data"]
        if log[at]["type"] == "dealt":
            with_data(at, cards=[[deck[place] for place in each] for each in moved])
        elif moved is not None:
            with_data(at, cards=[deck[place] for place in moved])
        if log[at]["type"] == "road_stated" and at > latest and data["seat"] != viewer:
            with_data(at, road=rng.choice([road for road in ("high", "low", "either") if road != data["road"]]))
    return log, sum(one != other for one, other in zip(deck, cards.deck, strict=True))
