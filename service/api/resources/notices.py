"""Notices, sent to players' devices while they are not looking."""

from functools import cache
from typing import Final
from zoneinfo import available_timezones

from flask import Response

from service.accounts.kept_bytes import NOTHING, PUSH_SUBSCRIPTION
from service.api.http.problems import Fault, InvalidFields
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.resources.webhooks import sees
from service.api.schemas import notices as schemas
from service.game.views.fields import timestamp
from service.notices.errors import NoSuchNotice
from service.store.notices.subscriptions import Choice, Quiet, Subscription

resource: Final = Resource(
    "Notices",
    "Notices to the caller's devices while no page is open, such as of a turn: what they are told, and when not.",
)


#: The names of all time zones, cached since finding them on the disk takes 20 ms.
_time_zones: Final = cache(available_timezones)


def minutes_of(text: str) -> int:
    """Return the minute of the day that a text such as `07:30` says."""
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)


def clock_text(minutes: int) -> str:
    """Return a minute of the day as a text."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def check_time_zone(pointer: str, name: str) -> None:
    """Check that there is a time zone of this name, which the request has at a JSON pointer.

    Raises:
        InvalidFields: there is none.
    """
    if name not in _time_zones():
        raise InvalidFields([Fault(pointer, "no_such_time_zone", {})])


def shown_choice(choice: Choice) -> dict[str, object]:
    """Return a player's choices as shown."""
    quiet = choice["quiet"]
    return {
        "notify": choice["notify"],
        "after_ms": choice["after_ms"],
        "quiet_hours": None
        if quiet is None
        else {"start": clock_text(quiet["start"]), "end": clock_text(quiet["end"]), "time_zone": quiet["zone"]},
        "tables": choice["tables"],
    }


@resource.operation("GET", "/v1/me/notices", response=schemas.NoticeChoice(), scope="account")
def get_notices(request: ApiRequest) -> Response:
    """Read what my devices are told."""
    return json_response(shown_choice(request.services.notices.choice(request.player_id)))


@resource.operation(
    "PATCH",
    "/v1/me/notices",
    body=schemas.NoticeChanges(),
    response=schemas.NoticeChoice(),
    scope="account",
    budget="act",
    example={"notify": "turns", "quiet_hours": {"start": "22:30", "end": "07:00", "time_zone": "Europe/Berlin"}},
    keeps=NOTHING,
)
def change_notices(request: ApiRequest) -> Response:
    """Choose what my devices are told.

    For all tables, and for single ones. Webhooks are not affected.
    """
    changes = dict(request.body)
    if "quiet_hours" in changes:
        changes["quiet"] = _quiet(changes.pop("quiet_hours"))
    return json_response(shown_choice(request.services.notices.choose(request.player_id, changes)))


def _quiet(hours: dict[str, str]) -> Quiet | None:
    check_time_zone("/quiet_hours/time_zone", hours["time_zone"])
    start, end = minutes_of(hours["start"]), minutes_of(hours["end"])
    return None if start == end else {"start": start, "end": end, "zone": hours["time_zone"]}


#: Carrier -> required fields of a request.
_NEEDED: Final = {"webpush": ("endpoint", "p256dh", "auth"), "relay": ("platform", "device_token")}


def shown_device(subscription: Subscription, token: str) -> dict[str, object]:
    """Return a device as shown; `token`: id of the token of the request."""
    return {
        "id": subscription["target"]["name"],
        "carrier": subscription["kind"],
        "created_at": timestamp(subscription["created_at"]),
        "current": subscription.get("token") == token,
    }


@resource.operation("GET", "/v1/push-key", response=schemas.PushKey(), scope="push:write")
def get_push_key(request: ApiRequest) -> Response:
    """Read the key for Web Push."""
    devices = request.services.devices
    return json_response({"key": devices.push_key or None, "relay": devices.relays})


@resource.operation("GET", "/v1/me/push-subscriptions", response=schemas.Devices(), scope="push:write")
def list_push_subscriptions(request: ApiRequest) -> Response:
    """List my subscribed devices.

    At most ten browsers and ten phones. A token without the scope `account` sees and removes only those that it
    subscribed.
    """
    subscriptions = [
        each for each in request.services.devices.of_player(request.player_id) if sees(request.token, each)
    ]
    return json_response(
        {"items": [shown_device(each, request.token["id"]) for each in subscriptions], "next_cursor": None}
    )


@resource.operation(
    "PUT",
    "/v1/me/push-subscriptions/<subscription>",
    body=schemas.DeviceRequest(),
    response=schemas.Device(),
    scope="push:write",
    budget="act",
    errors=("too-many-subscriptions",),
    example={
        "carrier": "webpush",
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
    keeps=PUSH_SUBSCRIPTION,
)
def put_push_subscription(request: ApiRequest, subscription: str) -> Response:
    """Subscribe this device.

    A browser sends its `PushSubscription`, an app the token that APNs or FCM gave it. The device chooses the id, and
    repeats the request whenever one of these has changed. The subscription ends with the token of the request, or when
    the push service says that the device is gone.
    """
    devices, body, player = request.services.devices, request.body, request.player_id
    carrier, token = body["carrier"], request.token["id"]
    missing = [Fault(f"/{name}", "required", {}) for name in _NEEDED[carrier] if name not in body]
    if missing:
        raise InvalidFields(missing)
    known = next((each for each in devices.of_player(player) if each["target"]["name"] == subscription), None)
    if known is not None and not sees(request.token, known):
        # The id belongs to somebody else's device.
        raise NoSuchNotice(what="subscription", id=subscription)
    target = {name: body[name] for name in _NEEDED[carrier]}
    add = devices.add_browser if carrier == "webpush" else devices.add_phone
    return json_response(shown_device(add(player, token, subscription, **target), token))


@resource.operation(
    "DELETE", "/v1/me/push-subscriptions/<subscription>", status=204, scope="push:write", budget="act", keeps=NOTHING
)
def delete_push_subscription(request: ApiRequest, subscription: str) -> Response:
    """Unsubscribe this device."""
    devices = request.services.devices
    if not any(
        sees(request.token, each)
        for each in devices.of_player(request.player_id)
        if subscription in (each["target"]["name"], each["id"])
    ):
        raise NoSuchNotice(what="subscription", id=subscription)
    devices.remove(request.player_id, subscription)
    return empty_response()
