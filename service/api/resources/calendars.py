"""Calendars of players, and more time for others."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import COMMAND, ENTRY, NOTHING
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, idempotency_key
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import execute
from service.api.resources.notices import check_time_zone, clock_text, minutes_of
from service.api.schemas import calendars as schemas
from service.api.schemas.events.envelope import Outcome
from service.calendars.calendars import calendar_of
from service.calendars.holidays import days_left
from service.calendars.hours import day_of
from service.game.views.fields import timestamp
from service.store.port import Calendar, Holiday

resource: Final = Resource(
    "Calendar",
    "When the clock of a player stands still at tables where a decision takes days (`clock.correspondence`): in quiet "
    "hours and on holidays. All who sit at a table see until when somebody is away for whom it waits "
    "(`decision.away`), and deadlines count all of it.",
)


def shown_calendar(calendar: Calendar, now: int) -> dict[str, object]:
    """Return a player's calendar as shown at a time (ms)."""
    quiet, year = calendar.get("quiet"), day_of(calendar, now).year
    listed = sorted(calendar["holidays"], key=lambda each: (each["since"], each["id"]))
    return {
        "time_zone": calendar["zone"],
        "quiet_hours": None if quiet is None else {"start": clock_text(quiet[0]), "end": clock_text(quiet[1])},
        "holidays": [_shown(each) for each in listed],
        "years": [{"year": each, "days_left": days_left(calendar, each)} for each in (year, year + 1)],
    }


def _shown(holiday: Holiday) -> dict[str, object]:
    return {**holiday, "since": timestamp(holiday["since"]), "until": timestamp(holiday["until"])}


@resource.operation("GET", "/v1/me/calendar", response=schemas.Calendar(), scope="account")
def get_calendar(request: ApiRequest) -> Response:
    """Read my calendar."""
    return json_response(shown_calendar(calendar_of(request.player), request.services.tables.now()))


@resource.operation(
    "PATCH",
    "/v1/me/calendar",
    body=schemas.CalendarChanges(),
    response=schemas.Calendar(),
    scope="account",
    budget="act",
    example={"time_zone": "Europe/Berlin", "quiet_hours": {"start": "23:00", "end": "07:30"}},
    keeps=NOTHING,
)
def change_calendar(request: ApiRequest) -> Response:
    """Choose my time zone and quiet hours.

    Deadlines of decisions that wait for me move within seconds. If one comes earlier, an hour of it is left at least.
    Holidays keep the hours that they had. Quiet hours are at most twelve a day (`too_many_quiet_hours`).
    """
    services, body = request.services, request.body
    zone = body.get("time_zone")
    if zone is not None:
        check_time_zone("/time_zone", zone)
    hours = body.get("quiet_hours")
    quiet = None if hours is None else (minutes_of(hours["start"]), minutes_of(hours["end"]))
    changed = services.calendars.choose(request.player_id, zone, quiet)
    services.authenticator.forget(request.player_id)
    return json_response(shown_calendar(changed, services.tables.now()))


@resource.operation(
    "POST",
    "/v1/me/holidays",
    body=schemas.HolidayRequest(),
    response=schemas.Holiday(),
    status=201,
    scope="account",
    budget="act",
    errors=("not-found",),
    example={"first": "2026-12-24", "last": "2027-01-02"},
    keeps=ENTRY,
)
def take_holiday(request: ApiRequest) -> Response:
    """Take a holiday.

    For whole days in my time zone, for all tables where a decision takes days, or for one of them. From today, it
    begins at once. Its days are deducted from those of the year, and a day counts once, for however many tables.
    Asking for the same holiday again changes nothing.

    Refused with a `reason`: `holiday_in_the_past`, `holiday_ends_first`, `holiday_too_far`, `holidays_used_up` if it
    has more days than are left, `too_many_holidays`, `no_such_day`.
    """
    services, body = request.services, request.body
    holiday = services.calendars.add_holiday(request.player_id, body["first"], body["last"], body.get("table"))
    services.authenticator.forget(request.player_id)
    return json_response(_shown(holiday), 201, {"Location": "/v1/me/calendar"})


@resource.operation("DELETE", "/v1/me/holidays/<holiday>", status=204, scope="account", budget="act", keeps=NOTHING)
def end_holiday(request: ApiRequest, holiday: str) -> Response:
    """End a holiday, or take it back.

    One that has begun ends now; its days after today are not used. At least an hour is left of each decision that
    waits for me.
    """
    services = request.services
    services.calendars.remove_holiday(request.player_id, holiday)
    services.authenticator.forget(request.player_id)
    return empty_response()


@resource.operation(
    "POST",
    "/v1/tables/<table>/seats/<int:seat>/time",
    body=schemas.MoreTime(),
    response=Outcome(),
    budget="act",
    headers=(HEADER,),
    errors=("not-your-seat", "wrong-phase", "idempotency-key-reused"),
    example={"hours": 24},
    scope="tables:play",
    keeps=COMMAND,
)
def give_time(request: ApiRequest, table: str, seat: int) -> Response:
    """Give a player more time.

    At a table where a decision takes days, for the decision that waits for this seat; with fixed teams, only to the
    other side. Send an `Idempotency-Key` to retry safely.

    Refused with a `reason`: `time_needs_days`, `time_not_asked`, `time_for_own_side`, and `too_much_time` if more than
    two weeks would be left.
    """
    return execute(request, table, "give_time", seat=seat, key=idempotency_key(request))
