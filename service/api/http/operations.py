"""An operation of the API: one method of one path, what it takes and what it answers.

An operation is declared once, beside the function that carries it out. The routes of the application, the checks that
come before the function, and `openapi.yaml` are all made from that declaration.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from flask import Flask, Request, Response, request
from marshmallow import Schema

from service.api.http import parsing
from service.api.http.middleware import trace
from service.api.services import Services

#: Parts of a path that the contract names, and what they are (the document has them from here).
PATH_PARTS: Final = {
    "table": "Id of a table.",
    "seat": "Number of a seat, 0 to n-1 in order of play.",
    "ruleset": "Id of a ruleset.",
    "kind": "Kind of question.",
    "vote": "Id of a vote.",
    "player": "Id of a player.",
    "game": "Id of a game.",
    "n": "Number of a round, from 1.",
    "seq": "Sequence number of an event.",
}


class Call:
    """One request as its operation sees it.

    Attributes:
        services: what the application was built with.
        player: who is asking; for operations that need no token, an empty dict.
        body: the checked body; empty where the operation takes none.
        query: the checked parameters of the query.
    """

    __slots__ = ("body", "operation", "player", "query", "request", "services")

    def __init__(self, services: Services, operation: "Operation", received: Request) -> None:
        self.services = services
        self.operation = operation
        self.request = received
        self.player: dict[str, Any] = {}
        self.body: dict[str, Any] = {}
        self.query: dict[str, Any] = {}

    def costs_nothing(self) -> None:
        """Give the request back to the budget that it was charged to."""
        if self.operation.budget:
            self.services.budgets.refund(self.operation.budget, self.subject)

    @property
    def subject(self) -> str:
        """Return whom the request is charged to: the player, or the address of one that is none yet."""
        return str(self.player["id"]) if self.player else f"ip:{self.request.remote_addr}"


Handler = Callable[..., Response]


def bearer(services: Services, received: Request) -> dict[str, Any]:
    """Return the player whose bearer token the request carries. Raises as `Identity.player`."""
    return services.identity.player(received.environ.get("HTTP_AUTHORIZATION"))


@dataclass(frozen=True)
class Operation:
    """A declaration; see the module.

    Attributes:
        tag: the resource that it belongs to.
        path: as Flask writes it.
        carry_out: takes a `Call` and the parts of the path.
        takes: schema of the body; None: no body.
        asks: schema of the query.
        gives: schema of the answer; None: no body.
        media: other media types of the answer beside JSON, with what they hold.
        errors: codes of the problems it may answer with, beyond those that follow from the rest.
        who: how the caller is known; None: it needs no token.
        budget: name of the budget that it is charged to.
        headers: request headers that matter to it.
        statuses: other statuses that are no error, with what they mean.
        example: an example of the body.
        most_bytes: largest body, where it may be larger than others.
    """

    tag: str
    method: str
    path: str
    carry_out: Handler
    takes: Schema | None = None
    asks: Schema | None = None
    gives: Schema | None = None
    status: int = 200
    media: dict[str, str] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    who: Callable[[Services, Request], dict[str, Any]] | None = bearer
    budget: str | None = "read"
    headers: tuple[str, ...] = ()
    statuses: dict[int, str] = field(default_factory=dict)
    example: Any = None
    most_bytes: int | None = None

    @property
    def id(self) -> str:
        """The operationId: the name of the function in camel case."""
        first, *rest = self.carry_out.__name__.strip("_").split("_")
        return first + "".join(word.capitalize() for word in rest)

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it."""
        return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", self.path)

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The variable parts of the path: name and converter."""
        return [(name, kind or "id") for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", self.path)]

    @property
    def all_errors(self) -> list[str]:
        """Every code that it may answer with."""
        implied = ["invalid-request", "unavailable", "internal-error"]
        if self.who:
            implied.append("unauthorized")
        if self.budget:
            implied.append("rate-limited")
        if self.parts:
            implied.append("not-found")
        if self.takes:
            implied += ["too-large", "unsupported-media-type"]
        return [*dict.fromkeys((*self.errors, *implied))]


class Resource:
    """The operations of one resource, in the order in which the document shows them."""

    def __init__(self, tag: str, about: str) -> None:
        self.tag = tag
        self.about = about
        self.operations: list[Operation] = []

    def operation(self, method: str, path: str, **declared: Any) -> Callable[[Handler], Handler]:
        """Declare the function that follows as an operation."""

        def declare(carry_out: Handler) -> Handler:
            self.operations.append(Operation(self.tag, method, path, carry_out, **declared))
            return carry_out

        return declare


def register(app: Flask, resources: Iterable[Resource], services: Services) -> None:
    """Make the routes of all operations."""
    for resource in resources:
        for operation in resource.operations:
            app.add_url_rule(operation.path, operation.id, _view(operation, services), methods=[operation.method])


def _view(operation: Operation, services: Services) -> Callable[..., Response]:
    """Return what Flask calls: the checks that come before every operation, in the order of `api.md` §1."""
    carry_out, takes, asks, budget = operation.carry_out, operation.takes, operation.asks, operation.budget
    who = operation.who

    def view(**parts: Any) -> Response:
        received = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001
        call = Call(services, operation, received)
        kept = trace()
        kept.route = operation.path
        if who is not None:
            kept.player = call.player = who(services, received)
        if budget is not None:
            kept.limit = services.budgets.spend(budget, call.subject)
            kept.policy = services.budgets.policies.get(budget)
        if asks is not None:
            call.query = parsing.query_of(received.args, asks)
        if operation.most_bytes is not None:
            received.max_content_length = operation.most_bytes
        if takes is not None:
            call.body = parsing.body_of(received, takes)
        return carry_out(call, **parts)

    return view
