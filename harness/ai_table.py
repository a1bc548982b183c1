"""A table of AI seats without a store: tests and matches of AI players move it step by step."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from service.game.commands.creation import create_table
from service.game.commands.decide import catch_up, decide, decide_for_ai
from service.game.state import clock
from service.game.views.view import view

#: Seat and view -> the command of the seat.
Choose = Callable[[int, dict[str, Any]], Mapping[str, Any]]


class Table:
    """A table of AI seats. Its time stands still between two steps.

    Args:
        ruleset, players, options: what is played.
        deal: number of the deal; the same cards lie for the same number.
    """

    def __init__(self, ruleset: str, players: int, options: Mapping[str, Any], deal: int) -> None:
        self.chance = random.Random(deal).randbytes
        self.now = 0
        spec = {"ruleset": ruleset, "players": players, "options": options, "seed": f"deal {deal}"}
        self.state = create_table("tb_match", "host", spec, 0, self.chance).state
        for seat in range(players):
            command = {"type": "seat_ai", "player": "host", "seat": seat, "level": "easy"}
            self.state = decide(self.state, command, 0, self.chance).state

    def step(self, choose: Choose) -> None:
        """Let the next seat move that is asked; with none asked, do what is due next."""
        asked = clock.ai_seats_asked(self.state)
        if asked:
            self._move(asked[0], choose(asked[0], view(self.state, asked[0], self.now)))
            return
        wake = clock.wake_at(self.state)
        assert wake is not None, "nobody is asked and nothing is due"
        self.now = max(self.now, wake)
        self.state = catch_up(self.state, self.now, self.chance).state
        for seat in clock.ai_seats_watching(self.state):
            if seat in clock.ai_seats_watching(self.state):
                command = choose(seat, view(self.state, seat, self.now))
                if command["type"] != "pass":
                    self._move(seat, command)

    def _move(self, seat: int, command: Mapping[str, Any]) -> None:
        self.state = decide_for_ai(self.state, seat, command, self.now, self.chance).state

    @property
    def results(self) -> list[dict[str, Any]]:
        """The rounds that are over."""
        rounds: list[dict[str, Any]] = self.state["game"]["results"]
        return rounds
