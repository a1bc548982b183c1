"""Deals that travel: a player sends the deal of a finished round by a link, and others play the same cards."""

from contextlib import suppress
from statistics import fmean
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import BY_HANDLER, DEAL_LINK, DEAL_SEAT, NOTHING
from service.api.http.guesses import guess
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource, charge_failure
from service.api.resources.games import log_of
from service.api.schemas import deal_links as schemas
from service.boards.lines import Parting, tricks_of
from service.boards.links import LINK_LENGTH, Comparison, Row
from service.common import typed
from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.ids import CODE
from service.game.state.occupants import shown_of
from service.game.views.fields import timestamp
from service.rules.options.selection import chosen
from service.store.boards.links import DealLink, Line
from service.store.port import StoreUnavailable

resource: Final = Resource(
    "Deals that travel",
    "The deal of a finished round, sent by a link: whoever opens it plays the same cards from the same seat, against "
    "AI players who choose as those in that round. Nothing of the cards, nor of what others made of them, is shown "
    "before it is played; then the lines lie side by side.",
)

#: Cost of folding the events of a game.
_COST: Final = 50
_COMPARISON_COST: Final = 10


@resource.operation(
    "POST",
    "/v1/games/<game>/rounds/<int:n>/deal-links",
    response=schemas.DealLink(),
    status=201,
    budget="create",
    errors=(
        *("private-table", "no-spectators", "not-finished", "not-your-seat", "not-sendable", "too-many-deals"),
        "rate-limited",
    ),
    scope="tables:play",
    keeps=DEAL_LINK,
)
def send_deal(request: ApiRequest, game: str, n: int) -> Response:
    """Send the deal of a finished round.

    Makes a link, which shows the caller's name, and to those who have played the deal also the caller's line. Only who
    sat in the round may send it, once it is over and, if it was a board, once its event is. Sending it again returns
    the same link. A player may have sent 20 deals at a time; a link ends after 30 days, when the sender takes it back,
    or with the sender's account.
    """
    link = request.services.deal_links.send(request.player_id, log_of(request, game), n)
    # Whoever plays the deal must not find its cards in a riddle.
    request.services.riddles.drop_round(game, n)
    return json_response(_shown(request, link, request.player_id), 201, {"Location": f"/v1/deal-links/{link['code']}"})


@resource.operation("GET", "/v1/me/deal-links", response=schemas.DealLinks(), cost=20, scope="games:read")
def list_my_deal_links(request: ApiRequest) -> Response:
    """List the deals that I have sent.

    The latest first, as long as their links work.
    """
    items = [_shown(request, link, request.player_id) for link in request.services.deal_links.sent(request.player_id)]
    return json_response({"items": items, "next_cursor": None})


@resource.operation("GET", "/v1/deal-links/<code:code>", response=schemas.DealLink(), auth=None)
def get_deal_link(request: ApiRequest, code: str) -> Response:
    """Look up a deal that somebody has sent.

    Shows who has sent it and what is played. No token is needed, so that a link works for people who have not
    registered yet; with one, `mine` says what the deal is to the caller.
    """
    caller = _caller_of(request)
    return json_response(_shown(request, _find(request, code, caller), caller))


@resource.operation(
    "DELETE",
    "/v1/deal-links/<code:code>",
    status=204,
    budget="act",
    scope="tables:play",
    keeps=NOTHING,
)
def take_deal_back(request: ApiRequest, code: str) -> Response:
    """Take back a deal that I have sent.

    The link leads nowhere from now on, and the lines of those who have played are deleted. Tables at which it is being
    played go on.
    """
    request.services.deal_links.take_back(request.player_id, typed.code(code))
    return empty_response()


@resource.operation(
    "POST",
    "/v1/deal-links/<code:code>/entries",
    response=schemas.DealLink(),
    budget="create",
    errors=("deal-known", "deal-full"),
    scope="tables:play",
    keeps=BY_HANDLER,
)
def play_deal(request: ApiRequest, code: str) -> Response:
    """Play a deal that somebody has sent.

    `mine.table` is the table, where a game of one round has begun, from the first card on. There is one try: sending
    the request again returns the same table. There is no time limit, nobody can watch, the AI gives no hints, and
    nothing can be taken back. The line is shown, with the player's name, to whoever has sent or played the deal; 40
    players can open one.
    """
    services = request.services
    link = _find(request, code, request.player_id)
    if request.player_id not in link["entries"]:
        request.keep(link["players"] * DEAL_SEAT)
    link = services.deal_links.play(link["code"], request.player)
    if not services.deal_links.field(link["code"]):
        # It is an extra: the comparison does without.
        with suppress(StoreUnavailable):
            services.questions.sent_deal(link["code"])
    return json_response(_shown(request, link, request.player_id))


@resource.operation(
    "GET",
    "/v1/deal-links/<code:code>/comparison",
    query=schemas.ComparisonQuery(),
    response=schemas.DealComparison(),
    cost=_COMPARISON_COST,
    errors=("not-finished",),
    scope="games:read",
)
def compare_deal(request: ApiRequest, code: str) -> Response:
    """Compare what was made of a deal.

    For those who have played it to the end, who have sent it, or who sat in the round; all others get `not-finished`.
    `items` are all lines, `mine` and `other` two of them step by step. Lines of players with whom there is a block are
    left out.
    """
    found = _find(request, code, request.player_id)["code"]
    compared = request.services.deal_links.compare(found, request.player_id, request.query.get("with"))
    link = compared.link
    value = {
        **{name: link[name] for name in ("code", "ruleset", "players", "level", "seat")},
        "items": [_row(row, compared, request.player_id) for row in compared.rows],
        "mine": _line(compared.mine, link),
        "other": None if compared.other is None else _line(compared.other, link),
        "par": _par(compared.field),
    }
    return json_response(value)


def _find(request: ApiRequest, code: str, caller: str) -> DealLink:
    """Return the deal to which a code leads, for a caller (id; "": nobody). Wrong codes are guesses.

    Raises:
        NotFound: it leads nowhere, or the caller is to know nothing of it.
        RateLimited: there were too many wrong codes.
    """
    services, wanted = request.services, typed.code(code)
    if wrong := typed.fault(wanted, CODE, LINK_LENGTH):
        charge_failure(services, request.raw)
        raise NotFound(**{"what": "code", "id": code, "reason": "unknown_code", **wrong})
    with guess(services.rate_limiter, services.metrics, "deal", client_of(request.raw), wrong=NotFound):
        link = services.deal_links.of_code(wanted, caller)
        if link is None:
            charge_failure(services, request.raw)
            raise NotFound(what="code", id=code, reason="unknown_code")
        return link


def _caller_of(request: ApiRequest) -> str:
    """Return the caller's id if the request has a valid token, else ""."""
    if "HTTP_AUTHORIZATION" in request.raw.environ:
        with suppress(Refusal):
            return request.services.authenticator.caller(request.raw.environ["HTTP_AUTHORIZATION"]).player["id"]
    return ""


# --- what is shown ----------------------------------------------------------------------------------------------------


def _shown(request: ApiRequest, link: DealLink, caller: str) -> dict[str, Any]:
    """Return a deal as anybody may see it before playing."""
    deals, entry = request.services.deal_links, link["entries"].get(caller)
    sender = deals.sender(link)
    return {
        "code": link["code"],
        "sender": {"name": sender["name"] if sender else "", **shown_of(sender or {})},
        **{name: link[name] for name in ("ruleset", "players", "level", "seat", "others", "people")},
        "options": chosen(link["ruleset"], link["players"], link["options"]),
        "played": sum(each["line"] is not None for each in link["entries"].values()),
        "sent_at": timestamp(link["made_at"]),
        "expires_at": timestamp(link["expires_at"]),
        "mine": {
            "part": deals.part_of(link, caller) if caller else None,
            "table": entry["table"] if entry is not None else None,
        },
    }


def result_of(line: Line) -> dict[str, Any]:
    """Return the result of a line as in the schemas."""
    return {"points": line.get("points"), "side": line.get("side"), "scores": line.get("scores")}


def _row(row: Row, compared: Comparison, caller: str) -> dict[str, Any]:
    return {
        "player": row.player["id"],
        "name": row.player["name"],
        **shown_of(row.player),
        "me": row.player["id"] == caller,
        "sender": row.player["id"] == compared.link["player"],
        "rank": row.rank,
        "at": timestamp(row.line["at"]),
        "value": row.line["value"],
        **result_of(row.line),
        "parts": _parting(row.parts),
    }


def _parting(parts: Parting | None) -> dict[str, Any] | None:
    return None if parts is None else parts._asdict()


def _line(row: Row, link: DealLink) -> dict[str, Any]:
    steps = row.line["steps"]
    return {
        "player": row.player["id"],
        "steps": [
            {
                "seat": seat,
                "type": kind,
                "trick": trick,
                "cards": text.split() if kind not in ("call", "road") else [],
                "calls": text.split() if kind == "call" else [],
                "road": text if kind == "road" else None,
            }
            for (seat, kind, text), trick in zip(steps, tricks_of(steps, link["players"]), strict=True)
        ],
    }


def _par(values: list[int]) -> dict[str, Any] | None:
    return {"replays": len(values), "value": round(fmean(values), 1), "values": values} if values else None
