"""Notices: what players' own devices are told when nobody looks."""

from typing import Any, Final
from zoneinfo import available_timezones

from flask import Response

from service.api.http.problems import Fault, InvalidFields
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import notices as schemas
from service.store.notices.subscriptions import Choice, Quiet

resource: Final = Resource(
    "Notices", "Being told of a turn while no page is open: what one's own devices are told, and when not."
)


def _minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def shown_choice(choice: Choice) -> dict[str, Any]:
    """Return what a player chose as it is shown."""
    quiet = choice["quiet"]
    return {
        "notify": choice["notify"],
        "after_ms": choice["after_ms"],
        "quiet_hours": None
        if quiet is None
        else {"start": _clock(quiet["start"]), "end": _clock(quiet["end"]), "time_zone": quiet["zone"]},
        "tables": choice["tables"],
    }


@resource.operation("GET", "/v1/me/notices", response=schemas.NoticeChoice(), scope="push:write")
def get_notices(request: ApiRequest) -> Response:
    """Read what my devices are told."""
    return json_response(shown_choice(request.services.notices.choice(request.player_id)))


@resource.operation(
    "PATCH",
    "/v1/me/notices",
    body=schemas.NoticeChanges(),
    response=schemas.NoticeChoice(),
    scope="push:write",
    budget="act",
    example={"notify": "turns", "quiet_hours": {"start": "22:30", "end": "07:00", "time_zone": "Europe/Berlin"}},
)
def change_notices(request: ApiRequest) -> Response:
    """Choose what my devices are told.

    Of all tables, and of single ones. Webhooks are not affected.
    """
    changes = dict(request.body)
    if "quiet_hours" in changes:
        changes["quiet"] = _quiet(changes.pop("quiet_hours"))
    return json_response(shown_choice(request.services.notices.choose(request.player_id, changes)))


def _quiet(hours: dict[str, str]) -> Quiet | None:
    if hours["time_zone"] not in available_timezones():
        raise InvalidFields([Fault("/quiet_hours/time_zone", "no_such_time_zone", {})])
    start, end = _minutes(hours["start"]), _minutes(hours["end"])
    return None if start == end else {"start": start, "end": end, "zone": hours["time_zone"]}
