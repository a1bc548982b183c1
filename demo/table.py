"""A table for its player on seat 0: create, follow, act and close, through the public API."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Self

import shengji_client
from demo.answers import Answer
from shengji_client import Client, Problem, ServiceError

#: The player's seat; all others are AI seats.
SEAT = 0

View = dict[str, Any]
Event = dict[str, Any]


class SilentError(Exception):
    """A table has had no event for too long."""


class Table(shengji_client.Table):
    """A table, for the player of `client` on seat 0."""

    @classmethod
    def fill(
        cls,
        client: Client,
        ruleset: str,
        *,
        players: int | None = None,
        pace: int = 0,
        seed: str | None = None,
        patient: bool = False,
    ) -> Self:
        """Create a table, sit down, fill the other seats with AI players, and be ready, which starts the game.

        Args:
            players: number of seats; by default the fewest of the ruleset.
            pace: time of AI players for a move, ms.
            seed: makes it a practice table, with the same cards for the same seed.
            patient: whether there are ten minutes for each answer, for people who have to type it.

        Raises:
            Problem: there is no such ruleset, or it is not for this number of players.
            Unreachable: the service does not answer.
        """
        catalogue = client.request("GET", f"/v1/rulesets/{ruleset}")
        seats = players or catalogue["players"][0]
        spec: dict[str, Any] = {"ruleset": ruleset, "players": seats, "ai_pace_ms": pace}
        if ruleset != "arms_length":
            spec["options"] = {"deal_pace": "instant"}
        if patient:
            spec["clock"] = dict.fromkeys(("declare_ms", "defence_ms", "discard_ms", "call_ms", "play_ms"), 600_000)
        if seed:
            spec["seed"] = seed
        table = cls.create(client, spec)
        table.sit(SEAT)
        for seat in range(seats):
            if seat != SEAT:
                table.seat_ai(seat, "easy")
        table.ready()
        return table

    def all_events(self, patience: float | None = None) -> Iterator[Event]:
        """Yield all events of the table from the first one on, endlessly.

        Args:
            patience: longest time without an event, seconds; None: no limit.

        Raises:
            SilentError: there was no event for this time.
        """
        after, last = 0, time.monotonic()
        while True:
            page = self.events(after, wait=20, limit=500)
            after = page["next_after"]
            if page["events"]:
                last = time.monotonic()
            elif patience is not None and time.monotonic() - last > patience:
                raise SilentError(f"{self.path} is silent after seq {after}.")
            yield from map(dict, page["events"])

    def view_to_answer(self) -> View | None:
        """Return the view if the open decision asks the seat, else None."""
        view: View = dict(self.view())
        decision = view["decision"]
        return view if decision is not None and SEAT in decision["seats"] else None

    def answer(self, choose: Callable[[View], Answer]) -> bool:
        """Answer the open decision if it asks the seat; return whether it did.

        Raises:
            Problem: the answer is not allowed.
        """
        view = self.view_to_answer()
        if view is None:
            return False
        if view["decision"]["kind"] == "ready":
            self.ready()
            return True
        path, body = choose(view)
        try:
            self.client.request("POST", f"{self.path}/{path}", {"decision_id": view["decision"]["id"], **body})
        except Problem as error:
            # The time was up, or another seat declared first; after a long time even the phase has changed. The log has
            # the current decision.
            if error.code not in ("stale-decision", "wrong-phase"):
                raise
        return True

    def close(self) -> None:
        """Close the table, so that the AI players stop playing."""
        try:
            super().close()
        except ServiceError:
            # The table or the service is gone, so there is nothing to close.
            return
