"""A table as a player uses it."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

from shengji_client.client import Client, Json
from shengji_client.models import EventPage, Outcome, View
from shengji_client.streams import Message, follow


class Table:
    """One table, for the player of `client`. Each method is a request, and raises what `Client.request` raises."""

    def __init__(self, client: Client, id_: str) -> None:
        self.client = client
        self.id = id_
        self.path = f"/v1/tables/{id_}"

    @classmethod
    def create(cls, client: Client, spec: Json) -> Self:
        """Create a table: `ruleset`, `players`, and whatever `POST /v1/tables` accepts."""
        return cls(client, client.request("POST", "/v1/tables", spec)["id"])

    @classmethod
    def by_code(cls, client: Client, code: str) -> Self:
        """Return the table to which a join code or watch code leads."""
        return cls(client, client.request("GET", f"/v1/join-codes/{code}")["table"])

    def view(self) -> View:
        """Return everything that the player may know right now."""
        view: View = self.client.request("GET", self.path)
        return view

    def act(self, decision_id: str, action: Mapping[str, Any]) -> Outcome:
        """Answer a decision; return the outcome: `seq`, `version`, `events` and `view`.

        Args:
            decision_id: the `id` of the decision.
            action: its `type` (`play`, `discard`, `declare`, `pass`, `redeal`, `overcall_kitty`, `call`, `road`,
                `claim` or `ready`), and what that operation takes besides, such as `cards`.
        """
        fields = {name: value for name, value in action.items() if name != "type"}
        if action["type"] == "ready":
            return self.ready()
        operation = str(action["type"]).replace("_", "-")
        return self._outcome("POST", operation, {"decision_id": decision_id, **fields})

    def sit(self, seat: int | None = None, join_code: str | None = None) -> Outcome:
        """Take a seat, or the first possible one."""
        wanted = {"seat": seat, "join_code": join_code}
        return self._outcome("POST", "seats", {name: value for name, value in wanted.items() if value is not None})

    def seat_ai(self, seat: int, level: str | None = None) -> Outcome:
        """As the host, let an AI play on a seat."""
        return self._outcome("PUT", f"seats/{seat}/ai", {} if level is None else {"level": level})

    def ready(self) -> Outcome:
        """Be ready for the game, the next round, or another game."""
        return self._outcome("PUT", "seats/me/ready", {"ready": True})

    def resume(self) -> Outcome:
        """Play again, after an AI has taken over."""
        return self._outcome("POST", "seats/me/resume", None)

    def leave(self) -> None:
        """Give the seat up."""
        self.client.request("DELETE", f"{self.path}/seats/me")

    def close(self) -> None:
        """As the host, close the table."""
        self.client.request("DELETE", self.path)

    def events(self, after: int = 0, *, wait: int = 0, limit: int = 100) -> EventPage:
        """Return a page of the log: `events`, `next_after` and `version`; with `wait`, as soon as there are some."""
        query = {"after": after, "wait": wait, "limit": limit}
        page: EventPage = self.client.request("GET", f"{self.path}/events", query=query, wait=wait)
        return page

    def follow(self, after: int | None = None) -> Iterator[Message]:
        """Yield the messages of the table's stream (`follow`), after a seq, or from a `reset` with the view on."""
        return follow(self.client, f"{self.path}/events", None if after is None else str(after))

    def _outcome(self, method: str, operation: str, body: Json | None) -> Outcome:
        outcome: Outcome = self.client.request(method, f"{self.path}/{operation}", body)
        return outcome
