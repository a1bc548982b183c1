"""A table for a player."""

from collections.abc import Iterator, Mapping
from typing import Any, Self
from urllib.parse import quote

from shengji_client.client import Client, follow
from shengji_client.models import EventPage, Outcome, View
from shengji_client.problems import Problem
from shengji_client.protocol import Json
from shengji_client.streams import Message


class Table:
    """A table, for the player of `client`. Each method sends a request, and raises as `Client.request`."""

    def __init__(self, client: Client, id_: str) -> None:
        self.client = client
        self.id = id_
        self.path = f"/v1/tables/{id_}"

    @classmethod
    def create(cls, client: Client, spec: Json) -> Self:
        """Create a table with `ruleset`, `players`, and other fields of `POST /v1/tables`."""
        created = client.request("POST", "/v1/tables", spec)
        return cls(client, created["id"])

    @classmethod
    def by_code(cls, client: Client, code: str) -> Self:
        """Return the table of a code: a join code, which `sit` takes as well, or a watch code.

        A watch code is used at once: from then on the player may read the table and follow it.
        """
        found = client.request("GET", f"/v1/join-codes/{quote(code, safe='')}")
        table = cls(client, found["table"])
        if found["grants"] == "watch":
            client.request("PUT", f"{table.path}/watchers/me", {"watch_code": code})
        return table

    def view(self) -> View:
        """Return the current view of the player."""
        view: View = self.client.request("GET", self.path)
        return view

    def change(self, changes: Json, etag: str | None = None) -> Outcome:
        """Change settings of the table, as host.

        Args:
            changes: the fields of `PATCH /v1/tables/{table}`, such as `options` or `clock`.
            etag: `etag` of the reply in which the host has last read the table (`send` of the client): if it has
                changed since, this is refused with `version-mismatch`. None: change it as it is now, whatever that is.
        """
        for left in (2, 1, 0):
            seen = etag
            if not seen:
                reply = self.client.send("GET", self.path)
                seen = reply.etag
            try:
                outcome: Outcome = self.client.request("PATCH", self.path, changes, headers={"If-Match": seen})
            except Problem as problem:
                # Something happened in between; or the response was lost, and the same changes again do no harm.
                if problem.code != "version-mismatch" or etag or not left:
                    raise
            else:
                return outcome
        raise AssertionError("the last try returns or raises")

    def act(self, decision_id: str, action: Mapping[str, Any]) -> Outcome:
        """Answer a decision; return the outcome: `seq`, `version`, `events` and `view`.

        Args:
            decision_id: the `id` of the decision.
            action: its `type` (`play`, `discard`, `declare`, `pass`, `redeal`, `overcall_kitty`, `call`, `road`,
                `claim` or `ready`), and the fields of the operation, such as `cards`.
        """
        fields = {name: value for name, value in action.items() if name != "type"}
        if action["type"] == "ready":
            return self.ready()
        operation = str(action["type"]).replace("_", "-")
        return self._outcome("POST", operation, {"decision_id": decision_id, **fields})

    def sit(self, seat: int | None = None, join_code: str | None = None) -> Outcome:
        """Take a seat, by default the first possible one."""
        wanted = {"seat": seat, "join_code": join_code}
        body = {name: value for name, value in wanted.items() if value is not None}
        return self._outcome("POST", "seats", body)

    def seat_ai(self, seat: int, level: str | None = None) -> Outcome:
        """Put an AI player on a seat, as host."""
        return self._outcome("PUT", f"seats/{seat}/ai", {} if level is None else {"level": level})

    def ready(self) -> Outcome:
        """Become ready for the game, the next round, or another game."""
        return self._outcome("PUT", "seats/me/ready", {"ready": True})

    def resume(self) -> Outcome:
        """Take the seat back after an AI player has taken over."""
        return self._outcome("POST", "seats/me/resume", None)

    def leave(self) -> None:
        """Give up the seat."""
        self.client.request("DELETE", f"{self.path}/seats/me")

    def close(self) -> None:
        """Close the table, as host."""
        self.client.request("DELETE", self.path)

    def events(self, after: int = 0, *, wait: int = 0, limit: int = 100) -> EventPage:
        """Return a page of the log: `events`, `next_after` and `version`; with `wait`, as soon as there are events."""
        query = {"after": after, "wait": wait, "limit": limit}
        page: EventPage = self.client.request("GET", f"{self.path}/events", query=query, wait=wait)
        return page

    def follow(self, after: int | None = None) -> Iterator[Message]:
        """Yield the messages of the table's stream (`follow`) after a seq; by default, from a `reset` with the view."""
        return follow(self.client, f"{self.path}/events", None if after is None else str(after))

    def _outcome(self, method: str, operation: str, body: Json | None) -> Outcome:
        outcome: Outcome = self.client.request(method, f"{self.path}/{operation}", body)
        return outcome
