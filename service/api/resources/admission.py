"""Who may come in: blocked networks, registration and its codes, accounts that may be one person's."""

import os
from typing import Final

from flask import Response

from service.accounts import codes
from service.accounts.kept_bytes import ENTRY, NOTHING
from service.api.http.rate_limits import clients_between
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource, operators
from service.api.resources import operators as theirs
from service.api.schemas import admission as schemas
from service.api.services import Services
from service.common.addresses import SHORTEST, client_at, holds, network_of
from service.common.errors import InvalidRequest
from service.game.views.fields import timestamp
from service.moderation.admission import block_id
from service.moderation.errors import RegistrationClosed
from service.store.moderation.admission import MOST_BLOCKED, OPERATORS, Block, Invite
from service.store.port import is_suspended

resource: Final = theirs.resource
mine: Final = Resource("Registration codes", "Letting others in while registration is by invitation.")

#: Most accounts shown beside one.
_MOST_ALIKE: Final = 200
#: This machine, for its own programs and for a proxy on it.
_OWN: Final = (client_at("127.0.0.1"), client_at("::1"))
_DAY_MS: Final = 24 * 3_600_000


# --- registration -----------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/operator/admission", response=schemas.Admission(), auth=operators)
def get_admission(request: ApiRequest) -> Response:
    """Read who may register.

    And the name of the calling operator.
    """
    services = request.services
    switch = services.admission.doors().switch
    return json_response(
        {
            "registration": services.gate.registration,
            "chosen": switch and switch["registration"],
            "by": (switch and switch["by"]) or None,
            "at": timestamp(switch["at"]) if switch else None,
            "you": request.operator or None,
        }
    )


@resource.operation(
    "PATCH",
    "/v1/operator/admission",
    body=schemas.AdmissionChanges(),
    response=schemas.Admission(),
    auth=operators,
    budget="act",
    example={"registration": "invited"},
    keeps=NOTHING,
)
def update_admission(request: ApiRequest) -> Response:
    """Choose who may register.

    It holds in all processes within seconds, also after a restart. Whoever has an account keeps it.
    """
    services, chosen = request.services, request.body["registration"]
    services.admission.switch(theirs.acting(request), request.operator, None if chosen == "setting" else chosen)
    services.gate.again()
    return get_admission(request)


@resource.operation("GET", "/v1/operator/registration-codes", response=schemas.RegistrationCodes(), auth=operators)
def list_registration_codes(request: ApiRequest) -> Response:
    """List the registration codes of operators.

    Those of players are not among them: the details of a player say who has let the player in (`invited_by`).
    """
    items = [_code(each) for each in request.services.admission.invites(OPERATORS)]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "POST",
    "/v1/operator/registration-codes",
    body=schemas.RegistrationCodeRequest(),
    response=schemas.MadeRegistrationCode(),
    status=201,
    auth=operators,
    budget="act",
    errors=("too-many-codes",),
    example={"uses": 30, "note": "Chess club"},
    keeps=NOTHING,
)
def create_registration_code(request: ApiRequest) -> Response:
    """Make a registration code.

    It is void once the operator who has made it is none any more. 500 are kept at a time.
    """
    services, body = request.services, request.body
    until = services.tables.now() + body["days"] * _DAY_MS
    code = codes.new_code(codes.REGISTRATION_LENGTH, os.urandom)
    more = {"note": body.get("note"), "uses": body["uses"], "until": until, "operator": request.operator}
    invite = services.admission.invite(OPERATORS, codes.hash_of(code), **more)
    details = {"uses": invite["uses"], "until": timestamp(invite["until"]), "note": invite["note"]}
    theirs.acting(request).note("make_code", invite["id"], details)
    return _invite_response(request, invite, code)


@resource.operation(
    "DELETE", "/v1/operator/registration-codes/<code_id>", status=204, auth=operators, budget="act", keeps=NOTHING
)
def void_registration_code(request: ApiRequest, code_id: str) -> Response:
    """Make a registration code void.

    Whoever has registered with it stays.
    """
    request.services.admission.void_invite(OPERATORS, code_id)
    theirs.acting(request).note("void_code", code_id, {})
    return empty_response()


# --- networks ---------------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/operator/blocks", response=schemas.NetworkBlocks(), auth=operators)
def list_network_blocks(request: ApiRequest) -> Response:
    """List the blocked networks.

    Those whose time is over are not among them.
    """
    now = request.services.tables.now()
    blocks = [each for each in request.services.admission.doors().blocks if (each["until"] or now + 1) > now]
    items = [_block(each) for each in sorted(blocks, key=lambda each: -each["at"])]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "POST",
    "/v1/operator/blocks",
    body=schemas.NetworkBlockRequest(),
    response=schemas.NetworkBlock(),
    auth=operators,
    budget="act",
    example={"network": "203.0.113.0/24", "note": "Insults under many names"},
    keeps=NOTHING,
)
def block_network(request: ApiRequest) -> Response:
    """Block a network.

    Whoever comes from there gets `address-blocked` to every request, whatever the token, and streams end; in all
    processes within seconds. Pages of the web client and of the documentation, health checks and operations for
    operators, who can so end a block of their own, are still answered. Your own address, and those of the proxies
    through which you came, are not blocked.
    """
    services, body = request.services, request.body
    network = network_of(body["network"])
    if network is None:
        raise InvalidRequest(
            reason="no_network", field="network", ipv4=f"/{SHORTEST[4]}", ipv6=f"/{SHORTEST[6]}", value=body["network"]
        )
    if any(holds(network, client) for client in (*_OWN, *clients_between(request.raw))):
        raise InvalidRequest(reason="own_network", field="network", value=str(network))
    until = body.get("until")
    if until is not None and until <= services.tables.now():
        raise InvalidRequest(reason="block_is_past", field="until", until=timestamp(until))
    acting = theirs.acting(request)
    block = services.admission.block(acting, request.operator, str(network), body.get("note"), until)
    if block is None:
        raise InvalidRequest(reason="too_many_networks", field="network", limit=MOST_BLOCKED)
    services.gate.again()
    return json_response(_block(block))


@resource.operation("DELETE", "/v1/operator/blocks/<block>", status=204, auth=operators, budget="act", keeps=NOTHING)
def unblock_network(request: ApiRequest, block: str) -> Response:
    """End a block.

    In all processes within seconds.
    """
    request.services.admission.unblock(theirs.acting(request), block)
    request.services.gate.again()
    return empty_response()


# --- who may have come back -------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/operator/players/<player>/alike", response=schemas.AlikeAccounts(), auth=operators)
def list_alike_accounts(request: ApiRequest, player: str) -> Response:
    """List accounts that may belong to the same person.

    Those that were registered from the address of this one, or from where this one came while suspended, and those with
    its external account. It proves nothing: families and whole towns share an address. Only keyed hashes are kept, for
    a week. Deleted players are found too, by their ids.
    """
    services = request.services
    shares = services.admission.alike(player)
    if not shares:
        services.accounts.player(player)
    items = []
    for (other, what, at), record in shares[:_MOST_ALIKE]:
        item: dict[str, object] = {"player": other, "name": record and record["name"], "shares": what}
        suspension = record and is_suspended(record, services.tables.now()) and record.get("suspension")
        items.append(item | {"at": timestamp(at), "suspension": theirs.shown_suspension(suspension or None)})
    return json_response({"items": items, "next_cursor": None})


# --- codes of players -------------------------------------------------------------------------------------------------


@mine.operation("GET", "/v1/me/registration-codes", response=schemas.MyRegistrationCodes(), scope="account")
def list_my_registration_codes(request: ApiRequest) -> Response:
    """List my registration codes.

    Those that still work, or count: a used one counts until its time is over.
    """
    admission = request.services.admission
    items = [_code(each) for each in admission.invites(request.player_id)]
    return json_response({"items": items, "next_cursor": None, "most": admission.most_codes})


@mine.operation(
    "POST",
    "/v1/me/registration-codes",
    response=schemas.MadeRegistrationCode(),
    status=201,
    scope="account",
    budget="create",
    errors=("too-many-codes", "registration-closed"),
    keeps=ENTRY,
)
def create_my_registration_code(request: ApiRequest) -> Response:
    """Make a registration code.

    While `GET /v1` has `registration: invited`, one player can register with it within 30 days. It is void while I am
    suspended, and once my account is deleted. Operators see who has let whom in.
    """
    services = request.services
    if services.gate.registration != "invited":
        raise _codes_open_nothing(services)
    code = codes.new_code(codes.REGISTRATION_LENGTH, os.urandom)
    invite = services.admission.invite(request.player_id, codes.hash_of(code), note=None)
    return _invite_response(request, invite, code)


@mine.operation(
    "DELETE",
    "/v1/me/registration-codes/<code_id>",
    status=204,
    scope="account",
    budget="act",
    keeps=NOTHING,
)
def void_my_registration_code(request: ApiRequest, code_id: str) -> Response:
    """Make a registration code of mine void.

    If nobody has used it, I can make another one.
    """
    request.services.admission.void_invite(request.player_id, code_id)
    return empty_response()


def _codes_open_nothing(services: Services) -> Exception:
    is_closed = services.gate.registration == "closed"
    return RegistrationClosed(reason="registration_closed" if is_closed else "registration_open")


def _invite_response(request: ApiRequest, invite: Invite, code: str) -> Response:
    where = {"Location": f"{request.operation.path}/{invite['id']}"}
    return json_response(_code(invite) | {"code": codes.grouped(code)}, 201, where)


def _code(invite: Invite) -> dict[str, object]:
    item: dict[str, object] = {name: invite[name] for name in ("id", "note", "uses")}
    item |= {"by": invite.get("operator") or None, "left": invite.get("left", 0)}
    return item | {"at": timestamp(invite["at"]), "until": timestamp(invite["until"])}


def _block(block: Block) -> dict[str, object]:
    item: dict[str, object] = {"id": block_id(block), "network": block["network"], "by": block["by"] or None}
    return item | {"note": block["note"], "at": timestamp(block["at"]), "until": timestamp(block["until"])}
