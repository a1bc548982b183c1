"""A table of AI seats without a store, for tests and matches of AI players."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from service.game.commands.creation import create_table
from service.game.commands.decide import catch_up, decide, decide_for_ai
from service.game.state import clock
from service.game.views.ai_view import ai_view
from service.rules.cards import RANKS
from service.rules.options.rulesets import RULESETS

#: A player: takes a seat and its view; returns the command of the seat.
Choose = Callable[[int, dict[str, Any]], Mapping[str, Any]]


def quick_options(ruleset: str, deal: int) -> dict[str, Any]:
    """Return options for instant deals, with levels in rotation."""
    if RULESETS[ruleset].family != "shengji":
        return {}
    return {"deal_pace": "instant", "start_level": RANKS[deal % len(RANKS)]}


class Table:
    """A table of AI seats. Time passes only within a step.

    Args:
        ruleset, players, options: the game.
        deal: number of the deal, which determines the cards.
    """

    def __init__(self, ruleset: str, players: int, options: Mapping[str, Any], deal: int) -> None:
        self.random_bytes = random.Random(deal).randbytes
        self.now = 0
        spec = {"ruleset": ruleset, "players": players, "options": options, "seed": f"deal {deal}"}
        self.state = create_table("tb_match", "host", spec, 0, self.random_bytes).state
        for seat in range(players):
            command = {"type": "seat_ai", "player": "host", "seat": seat, "level": "easy"}
            self.state = decide(self.state, command, 0, self.random_bytes).state

    def step(self, choose: Choose) -> None:
        """Let the next seat answer the open decision; if none is asked, advance to the next due time."""
        seats = clock.ai_seats_asked(self.state)
        if seats:
            self._move(seats[0], choose(seats[0], ai_view(self.state, seats[0], self.now)))
            return
        wake = clock.wake_at(self.state)
        assert wake is not None, "nobody is asked and nothing is due"
        self.now = max(self.now, wake)
        self.state = catch_up(self.state, self.now, self.random_bytes).state
        for seat in clock.ai_seats_watching(self.state):
            if seat in clock.ai_seats_watching(self.state):
                command = choose(seat, ai_view(self.state, seat, self.now))
                if command["type"] != "pass":
                    self._move(seat, command)

    def _move(self, seat: int, command: Mapping[str, Any]) -> None:
        self.state = decide_for_ai(self.state, seat, command, self.now, self.random_bytes).state

    @property
    def results(self) -> list[dict[str, Any]]:
        """Results of the finished rounds."""
        rounds: list[dict[str, Any]] = self.state["game"]["results"]
        return rounds
