"""Operations of the API: one method of one path, with its schemas, its errors and its handler.

A decorator on the handler declares the operation. Its route, the checks before the handler, and its entry in
`openapi.yaml` are all made from that declaration.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict, TypeVar, Unpack

from flask import Blueprint, Request, Response
from flask.blueprints import BlueprintSetupState
from flask.globals import request_ctx
from marshmallow import Schema

from service.accounts.errors import InsufficientScope, Suspended
from service.accounts.kept_bytes import NOTHING
from service.accounts.scopes import SCOPES, missing
from service.api.deprecation import Deprecation
from service.api.entrance.operators import check_operator
from service.api.http import parsing
from service.api.http.middleware import request_context
from service.api.http.problems import RateLimited, Unauthorized
from service.api.http.rate_limits import client_of
from service.api.schemas.fields import Contract
from service.api.services import Services
from service.common.addresses import UNKNOWN, Client
from service.common.errors import TooComplex
from service.store.players.tokens import Caller, Token
from service.store.port import Player, StoreUnavailable

#: Variable parts of paths, and how `openapi.yaml` describes them.
PATH_PARAMETERS: Final = {
    "room": "Id of the room.",
    "club": "Id of the club.",
    "season": "Id of a season of a club.",
    "link": "What the link lets people become: `member` or `watcher`.",
    "table": "Id of a table.",
    "code": "A join code or a watch code, or the code of a link of a room, a club or a deal; case, width, spaces and "
    "hyphens make no difference.",
    "seat": "Number of a seat, 0 to n-1 in order of play.",
    "ruleset": "Id of a ruleset.",
    "players": "Number of players at a table.",
    "kind": "Kind of question.",
    "vote": "Id of a vote.",
    "holiday": "Id of a holiday.",
    "player": "Id of a player.",
    "report": "Id of a report.",
    "block": "Id of a block of a network.",
    "code_id": "Id of a registration code; never the code itself.",
    "token": "Id of a token; never the token itself.",
    "identity": "Id of a linked identity.",
    "game": "Id of a game.",
    "event": "Id of an event of equal deals.",
    "team": "Id of a team of an event.",
    "comment": "Id of a comment.",
    "note": "Id of a note.",
    "match": "Id of a match: numbers of its round and its pair, as in `3-12`.",
    "n": "Number of a round of a game or an event, or of a board of an event, from 1.",
    "seq": "Sequence number of an event.",
    "problem": "Code of a problem.",
    "challenge": "Id of a challenge.",
    "webhook": "Id of a webhook.",
    "subscription": "Id of a subscription, chosen by the device.",
    "delivery": "Id of a delivery, as in `webhook-id`.",
    "riddle": "Id of a riddle, as in `GET /v1/me/riddles`.",
}


#: Media type of JSON values on lines.
NDJSON: Final = "application/x-ndjson"


class _Nothing(Contract):
    """The schema of absent query parameters, or of an absent body."""


_NOTHING: Final = _Nothing()
#: Methods whose request bodies have no meaning (RFC 9110 §9.3).
_WITHOUT_BODY: Final = frozenset({"GET"})


class ApiRequest:
    """An authenticated, validated request, passed to handlers.

    Attributes:
        services: dependencies of the application.
        operation: the requested operation.
        raw: Flask's request.
        caller: its player and token; None if the operation needs no token.
        body: the validated body; empty if the operation takes none.
        query: the validated query parameters.
    """

    __slots__ = ("_bytes", "body", "caller", "operation", "query", "raw", "services")

    def __init__(self, services: Services, operation: "Operation", raw: Request) -> None:
        self.services = services
        self.operation = operation
        self.raw = raw
        self.caller: Caller | None = None
        self.body: dict[str, Any] = {}
        self.query: dict[str, Any] = {}
        self._bytes = 0

    @property
    def player(self) -> Player:
        """The player who sent the request.

        Raises:
            Unauthorized: the request has no valid token.
        """
        if self.caller is None:
            raise Unauthorized
        return self.caller.player

    @property
    def token(self) -> Token:
        """The token with which the request was sent. Raises as `player`."""
        if self.caller is None:
            raise Unauthorized
        return self.caller.token

    @property
    def player_id(self) -> str:
        """Id of the player who sent the request. Raises as `player`."""
        return str(self.player["id"])

    @property
    def operator(self) -> str:
        """The name of the operator who sent the request; "" for the one of `OPERATOR_TOKEN`."""
        return request_context(self.raw).operator

    @property
    def rate_limit_key(self) -> str | Client:
        """The owner of the charged budget: the player, or the client's address if there is none."""
        return client_of(self.raw) if self.caller is None else self.caller.player["id"]

    def charge(self, amount: int) -> None:
        """Charge the additional cost of an expensive request.

        Raises:
            RateLimited: the budget is used up.
        """
        if self.operation.budget and amount:
            self.services.rate_limiter.charge(self.operation.budget, self.rate_limit_key, amount)

    def keep(self, size: int) -> None:
        """Charge bytes that the request will store for longer than minutes, to the player and to the client.

        Raises:
            RateLimited: one of the budgets is used up.
        """
        limiter = self.services.rate_limiter
        if self.caller is not None:
            limiter.charge("keep", self.player_id, size)
        try:
            limiter.charge("keep_address", client_of(self.raw), size)
        except RateLimited:
            if self.caller is not None:
                limiter.refund("keep", self.player_id, size)
            raise
        self._bytes += size

    def keep_nothing(self) -> None:
        """Refund what `keep` has charged to a request that has failed, or stored nothing new."""
        if self._bytes:
            limiter = self.services.rate_limiter
            if self.caller is not None:
                limiter.refund("keep", self.player_id, self._bytes)
            limiter.refund("keep_address", client_of(self.raw), self._bytes)
            self._bytes = 0

    def refund(self) -> None:
        """Refund a request with an empty answer, unless there are too many of them."""
        limiter = self.services.rate_limiter
        if self.operation.budget:
            with suppress(RateLimited):
                limiter.charge("poll", self.rate_limit_key)
                limiter.refund(self.operation.budget, self.rate_limit_key, self.operation.cost)

    def charge_work(self, spent_s: float) -> None:
        """Charge processor time beyond what the cost of the operation covers; what is left of the budget at most."""
        name, operation = self.operation.budget, self.operation
        extra = int(spent_s * 1000 / _COVERED_MS.get(name or "", _COVERED_BY_ONE_MS)) - operation.cost
        if name and extra > 0:
            left = self.services.rate_limiter.charge_done(name, self.rate_limit_key, extra)
            request_context(self.raw).rate_limit = left

    @contextmanager
    def charged(self) -> Iterator[None]:
        """Context manager around work that waits for nothing, whose processor time is charged."""
        started = time.thread_time()
        try:
            yield
        finally:
            self.charge_work(time.thread_time() - started)


#: Processor time (ms) that one of a budget covers.
_COVERED_BY_ONE_MS: Final = 2
_COVERED_MS: Final = {"oracle": 10, "import": 500}
#: Bodies up to this length cost next to nothing, so their time is not measured: plays have 100 bytes.
_FREE_BYTES: Final = 1_000
#: Cost of a question that was refused after reaching the limit of work.
_COMPLEX_COST: Final = 50
#: Most values in a body: the largest that any operation needs has a third of it.
_MOST_VALUES: Final = 8_000

#: A handler: takes the request and the variable parts of the path.
Handler = Callable[..., Response]
HandlerT = TypeVar("HandlerT", bound=Handler)
#: Returns the caller of a request, or None to allow it without a token; raises Unauthorized.
Auth = Callable[[Services, Request], Caller | None]


def bearer(services: Services, raw: Request, *, fresh: bool = False) -> Caller:
    """Return the player and the token of a request with a bearer token.

    Raises:
        Unauthorized: there is no such token.
    """
    try:
        return services.authenticator.caller(raw.environ.get("HTTP_AUTHORIZATION"), fresh=fresh)
    except Unauthorized:
        charge_failure(services, raw)
        raise


def fresh_bearer(services: Services, raw: Request) -> Caller:
    """Do the same as `bearer`, bypassing the cache, for operations that give or take rights."""
    return bearer(services, raw, fresh=True)


def operators(services: Services, raw: Request) -> None:
    """Check that the request comes from an operator, who is not a player, and note the operator's name.

    Raises:
        OperatorsOnly: the request lacks the operator's token.
    """
    request_context(raw).operator = check_operator(services.settings, services.rate_limiter, raw)


def note_origin(services: Services, raw: Request, player: str) -> None:
    """Note from where a player has registered, or is refused while suspended; of IPv6 the whole /48."""
    client = client_of(raw)
    if client != UNKNOWN:
        services.admission.note(player, "address", client.network or client.key)


def charge_failure(services: Services, raw: Request) -> None:
    """Charge a request with an invalid token, ticket or code to its address.

    Raises:
        RateLimited: there have been too many.
    """
    services.rate_limiter.charge("failed", client_of(raw))


@dataclass(frozen=True)
class Operation:
    """A declared operation; see the module.

    Attributes:
        tag: name of its resource.
        path: in Flask's syntax.
        handler: carries it out; its docstring becomes summary and description.
        body: schema of the request body; None: no body.
        query: schema of the query parameters.
        response: schema of the JSON response; None: no JSON.
        status: status of the response.
        media_types: other media types of the response, each with a description.
        other_statuses: other successful statuses, each with a description.
        errors: codes of possible problems beyond those that follow from the other fields.
        auth: identifies the caller; None: no token is needed.
        scope: required scope of the token; None only if no player's token is needed.
        budget: name of the charged budget.
        cost: charged cost, in simple requests.
        address_budget: name of a budget that is also charged to the caller's address.
        keeps: bytes that it stores for longer than minutes (`service.accounts.kept_bytes`); None only if it is a GET.
        headers: request headers that it reads.
        example: an example of the body.
        max_body_bytes: size limit of the body, if it differs from the service's.
        too_large: reason for refusing a larger body.
        most_values: most values in the body.
        exists: refuses values of the path that name nothing, before the contents; for what takes no round trip.
        is_long: whether it may take long, so that its requests take turns and give way to others (`yielding`).
        is_for_suspended: whether suspended players may use it.
        is_for_blocked: whether addresses that operators have blocked may use it.
        deprecated: that it goes; None: it stays.
    """

    tag: str
    method: str
    path: str
    handler: Handler
    body: Schema | None = None
    query: Schema | None = None
    response: Schema | None = None
    status: int = 200
    media_types: dict[str, str] = field(default_factory=dict)
    other_statuses: dict[int, str] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    auth: Auth | None = bearer
    scope: str | None = None
    budget: str | None = "read"
    cost: int = 1
    address_budget: str | None = None
    keeps: int | None = None
    headers: tuple[str, ...] = ()
    example: Mapping[str, object] | None = None
    max_body_bytes: int | None = None
    too_large: str | None = None
    most_values: int = _MOST_VALUES
    exists: Callable[..., object] | None = None
    is_long: bool = False
    is_for_suspended: bool = False
    is_for_blocked: bool = False
    deprecated: Deprecation | None = None

    def __post_init__(self) -> None:
        if (self.auth in (None, operators)) != (self.scope is None) or (self.scope or "account") not in SCOPES:
            raise ValueError(f"{self.method} {self.path}: scope {self.scope!r}")
        if self.keeps is None and self.method not in _WITHOUT_BODY:
            raise ValueError(f"{self.method} {self.path}: declare what it keeps")

    @property
    def id(self) -> str:
        """The operationId: the handler's name in camel case."""
        first, *rest = self.handler.__name__.split("_")
        return first + "".join(word.capitalize() for word in rest)

    @property
    def lets_blocked_in(self) -> bool:
        """Whether blocked addresses may use it: as declared, and operators, who may have to end the block."""
        return self.is_for_blocked or self.auth is operators

    @property
    def path_template(self) -> str:
        """The path in OpenAPI's syntax."""
        return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", self.path)

    @property
    def path_parameters(self) -> list[tuple[str, str]]:
        """The variable parts of the path: name and converter."""
        return [(name, converter or "id") for converter, name in re.findall(r"<(?:(\w+):)?(\w+)>", self.path)]

    @property
    def all_errors(self) -> list[str]:
        """Codes of all possible problems."""
        implied = ["invalid-request", "unavailable", "internal-error"]
        if self.method not in _WITHOUT_BODY:
            implied += ["too-large", "unsupported-media-type"]
        if not self.lets_blocked_in:
            implied.append("address-blocked")
        if self.auth is operators:
            implied.append("operators-only")
        elif self.auth:
            implied += ["unauthorized", "insufficient-scope"]
            if not self.is_for_suspended:
                implied.append("suspended")
        if self.budget:
            implied.append("rate-limited")
        if self.path_parameters:
            implied.append("not-found")
        return [*dict.fromkeys((*self.errors, *implied))]


class Declared(TypedDict, total=False):
    """What the declaration of an operation may say: the fields of `Operation` that have defaults."""

    body: Schema | None
    query: Schema | None
    response: Schema | None
    status: int
    media_types: dict[str, str]
    other_statuses: dict[int, str]
    errors: tuple[str, ...]
    auth: Auth | None
    scope: str | None
    budget: str | None
    cost: int
    address_budget: str | None
    keeps: int | None
    headers: tuple[str, ...]
    example: Mapping[str, object] | None
    max_body_bytes: int | None
    too_large: str | None
    most_values: int
    exists: Callable[..., object] | None
    is_long: bool
    is_for_suspended: bool
    is_for_blocked: bool
    deprecated: Deprecation | None


class Resource(Blueprint):
    """A Flask blueprint whose routes are operations, listed in the order in which `openapi.yaml` shows them."""

    def __init__(self, tag: str, description: str) -> None:
        super().__init__(tag.lower(), __name__)
        self.tag: Final = tag
        self.description: Final = description
        self.operations: Final[list[Operation]] = []

    def operation(self, method: str, path: str, **declared: Unpack[Declared]) -> Callable[[HandlerT], HandlerT]:
        """Declare the decorated function as the handler of an operation; `declared` are fields of `Operation`."""

        def declare(handler: HandlerT) -> HandlerT:
            operation = Operation(self.tag, method, path, handler, **declared)
            self.operations.append(operation)
            self.record(lambda setup: _add_route(setup, operation))
            return handler

        return declare


def _add_route(setup: BlueprintSetupState, operation: Operation) -> None:
    view = _view(operation, setup.app.extensions["services"])
    setup.add_url_rule(operation.path, operation.id, view, methods=[operation.method])


def _check_rights(
    services: Services, raw: Request, operation: Operation, caller: Caller, scopes: tuple[str, ...]
) -> None:
    """Refuse a suspended player, and a token without the scope."""
    if not operation.is_for_suspended:
        try:
            services.accounts.check_allowed(caller.player)
        except Suspended:
            # Who registers from there may be the same person (`service.store.moderation.origins`).
            with suppress(StoreUnavailable):
                note_origin(services, raw, caller.player["id"])
            raise
    if missing(caller.token, scopes):
        raise InsufficientScope(required=[*scopes])


def _view(operation: Operation, services: Services) -> Handler:
    """Return the function that Flask calls: the checks before every handler, in the order of docs/contract.md §2."""
    auth, budget, cost = operation.auth, operation.budget, operation.cost
    deprecated = operation.deprecated
    scopes = (operation.scope,) if operation.scope is not None else ()
    query, read_and_handle = operation.query, _reader(operation, services)

    def view(**path_arguments: str | int) -> Response:
        raw = request_ctx.request
        received = ApiRequest(services, operation, raw)
        context = request_context(raw)
        if deprecated is not None:
            context.deprecated = deprecated
        if auth is not None:
            received.caller = caller = auth(services, raw)
            if caller is not None:
                context.player = caller.player
                if caller.token["scopes"] is not None or "suspension" in caller.player:
                    _check_rights(services, raw, operation, caller, scopes)
        if budget is not None:
            context.rate_limit = services.rate_limiter.charge(budget, received.rate_limit_key, cost)
            context.rate_limit_policy = services.rate_limiter.policies.get(budget)
        if operation.address_budget is not None:
            services.rate_limiter.charge(operation.address_budget, client_of(raw))
        if operation.exists is not None:
            operation.exists(**path_arguments)
        if query is not None:
            received.query = parsing.parse_query(raw.args, query)
        elif raw.environ.get("QUERY_STRING"):
            parsing.parse_query(raw.args, _NOTHING)
        return read_and_handle(received, path_arguments)

    return view


def _reader(operation: Operation, services: Services) -> Callable[[ApiRequest, dict[str, str | int]], Response]:
    """Return a function that reads the body and calls the handler."""
    schema, most_values = operation.body or _NOTHING, operation.most_values
    keeps = max(operation.keeps or NOTHING, NOTHING)
    max_body_bytes = operation.max_body_bytes or services.settings.max_body_bytes

    def run(received: ApiRequest, path_arguments: dict[str, str | int]) -> Response:
        if keeps:
            received.keep(keeps)
        return _carry_out(received, path_arguments)

    def read(received: ApiRequest) -> bytes:
        received.raw.max_content_length = max_body_bytes
        return parsing.read_body(received.raw, operation.too_large)

    def short(received: ApiRequest, path_arguments: dict[str, str | int]) -> Response:
        content = read(received)
        if len(content) > _FREE_BYTES:
            with received.charged():
                received.body = parsing.parse_body(received.raw, content, schema, most_values)
        else:
            received.body = parsing.parse_body(received.raw, content, schema, most_values)
        return run(received, path_arguments)

    def long(received: ApiRequest, path_arguments: dict[str, str | int]) -> Response:
        # The body arrives before the turn begins, so that a slow client holds up nobody.
        content = read(received)
        with services.turns.take(received.player_id) as work:
            try:
                received.body = parsing.parse_body(received.raw, content, schema, most_values)
                return run(received, path_arguments)
            finally:
                received.charge_work(work.spent_s)

    if operation.is_long:
        return long
    return short if operation.body is not None or operation.method not in _WITHOUT_BODY else run


def _carry_out(received: ApiRequest, path_arguments: Mapping[str, object]) -> Response:
    """Return the response of the handler; a request that fails keeps nothing."""
    try:
        return received.operation.handler(received, **path_arguments)
    except Exception as error:
        received.keep_nothing()
        if isinstance(error, TooComplex):
            with suppress(RateLimited):
                received.charge(_COMPLEX_COST)
        raise
