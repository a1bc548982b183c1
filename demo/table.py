"""A table seen from one seat: made, followed, acted at and left, by the public API alone."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Self

from demo.answers import Answer
from demo.client import Client, RefusedError, UnreachableError

#: Where the player sits; everybody else is an AI.
SEAT = 0

View = dict[str, Any]
Event = dict[str, Any]


class SilentError(Exception):
    """A table has told nothing for longer than it may."""


class Table:
    """One table, for the player of `client` on seat 0."""

    def __init__(self, client: Client, path: str) -> None:
        self.client = client
        self.path = path

    @classmethod
    def fill(
        cls, client: Client, ruleset: str, *, players: int | None = None, pace: int = 0, seed: str | None = None
    ) -> Self:
        """Make a table, let AI players take all seats but one, sit down there, and be ready: the game begins.

        Args:
            players: number of seats; the fewest that the ruleset takes by default.
            pace: how long AI players think, ms.
            seed: makes it a practice table, which deals the same cards for the same seed.

        Raises:
            RefusedError: no such ruleset, or not for so many players.
            UnreachableError: nobody answers.
        """
        about = client.send("GET", f"/v1/rulesets/{ruleset}")
        seats = players or about["players"][0]
        spec: dict[str, Any] = {"ruleset": ruleset, "players": seats, "ai_pace_ms": pace}
        if ruleset != "arms_length":
            spec["options"] = {"deal_pace": "instant"}
        if seed:
            spec["seed"] = seed
        table = cls(client, f"/v1/tables/{client.send('POST', '/v1/tables', spec)['id']}")
        client.send("POST", f"{table.path}/seats", {"seat": SEAT})
        for seat in range(seats):
            if seat != SEAT:
                client.send("PUT", f"{table.path}/seats/{seat}/ai", {"level": "easy"})
        table.be_ready()
        return table

    def be_ready(self) -> None:
        """Be ready for the next round."""
        self.client.send("PUT", f"{self.path}/seats/me/ready", {"ready": True})

    def follow(self, patience: float | None = None) -> Iterator[Event]:
        """Yield the events of the table from the first one, as they happen, without end.

        Args:
            patience: seconds for which the table may be silent.

        Raises:
            SilentError: it was silent for longer.
        """
        after, heard = 0, time.monotonic()
        while True:
            page = self.client.send("GET", f"{self.path}/events?after={after}&wait=20&limit=500")
            after = page["next_after"]
            if page["events"]:
                heard = time.monotonic()
            elif patience is not None and time.monotonic() - heard > patience:
                raise SilentError(f"{self.path} is silent after seq {after}.")
            yield from page["events"]

    def asked(self) -> View | None:
        """Return the view if the open decision asks the seat, else None."""
        view: View = self.client.send("GET", self.path)
        decision = view["decision"]
        return view if decision is not None and SEAT in decision["seats"] else None

    def act(self, choose: Callable[[View], Answer]) -> bool:
        """Answer the open decision if it asks the seat; return whether something was done.

        Raises:
            RefusedError: what was chosen is not allowed.
        """
        view = self.asked()
        if view is None:
            return False
        if view["decision"]["kind"] == "ready":
            self.be_ready()
            return True
        path, body = choose(view)
        try:
            self.client.send("POST", f"{self.path}/{path}", {"decision_id": view["decision"]["id"], **body})
        except RefusedError as error:
            # Time or another seat's declaration was faster: the log tells what is asked now.
            if error.code != "stale-decision":
                raise
        return True

    def close(self) -> None:
        """Close the table: nobody but AI players would go on."""
        try:
            self.client.send("DELETE", self.path)
        except (RefusedError, UnreachableError):
            # It is over or the service is gone; there is nothing to tidy up then.
            return
