"""Calendars over HTTP: what is accepted, what it does to deadlines, and who learns of it."""

from datetime import UTC, datetime, timedelta

import pytest

from service.calendars.holidays import DAYS_A_YEAR

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
DAYS = {"correspondence": {"decision_hours": 24}}
SECRET = "x" * 32
KEY = "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10"


def day(world, ahead):
    return (datetime.fromtimestamp(world.now / 1000, UTC) + timedelta(days=ahead)).date().isoformat()


@pytest.fixture
def table(world):
    """A table of days at its first lead."""
    table = world.table(clock=DAYS)
    table.play_until("play")
    world.advance(table.id)
    return table


def deadline(table):
    return table.state()["decision"]["deadline"]


def test_a_player_has_no_calendar_until_one_is_chosen(world, lin):
    calendar = lin.get("/v1/me/calendar").json
    assert (calendar["time_zone"], calendar["quiet_hours"], calendar["holidays"]) == ("UTC", None, [])
    assert [each["days_left"] for each in calendar["years"]] == [DAYS_A_YEAR, DAYS_A_YEAR]


def test_zone_and_quiet_hours_are_changed_one_by_one_and_taken_back(lin):
    lin.patch("/v1/me/calendar", {"time_zone": "Asia/Shanghai"})
    changed = lin.patch("/v1/me/calendar", {"quiet_hours": {"start": "23:00", "end": "07:30"}}).json
    assert (changed["time_zone"], changed["quiet_hours"]) == ("Asia/Shanghai", {"start": "23:00", "end": "07:30"})
    assert lin.get("/v1/me/calendar").json == changed
    none = lin.patch("/v1/me/calendar", {"quiet_hours": {"start": "00:00", "end": "00:00"}}).json
    assert (none["time_zone"], none["quiet_hours"]) == ("Asia/Shanghai", None)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"time_zone": "Europe/Atlantis"}, "There is no such time zone"),
        ({"time_zone": "../etc/passwd"}, "There is no such time zone"),
        ({"quiet_hours": {"start": "08:00", "end": "20:01"}}, "at most 12 hours"),
        ({"quiet_hours": {"start": "24:00", "end": "07:00"}}, "/quiet_hours/start"),
        ({"quiet_hours": {"start": "23:00"}}, "/quiet_hours/end"),
    ],
)
def test_what_no_clock_shows_is_refused_and_nothing_is_lost(lin, changes, said):
    lin.patch("/v1/me/calendar", {"time_zone": "Asia/Shanghai", "quiet_hours": {"start": "23:00", "end": "07:30"}})
    before = lin.get("/v1/me/calendar").json
    refused = lin.patch("/v1/me/calendar", changes)
    assert (refused.status_code, said in refused.get_data(as_text=True)) == (400, True), refused.json
    assert lin.get("/v1/me/calendar").json == before


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (-1, 3, "begins today"),
        (5, 3, "end before it begins"),
        (5, 5 + DAYS_A_YEAR, "are left"),
        (5, 400, "within 366 days"),
    ],
)
def test_a_holiday_that_cannot_be_is_refused_in_both_languages(world, lin, first, last, said):
    asked = {"first": day(world, first), "last": day(world, last)}
    refused = lin.post("/v1/me/holidays", asked)
    assert (refused.status_code, said in refused.json["detail"]) == (400, True), refused.json
    assert "假期" in lin.post("/v1/me/holidays", asked, headers={"Accept-Language": "zh-Hans"}).json["detail"]
    assert lin.get("/v1/me/calendar").json["holidays"] == []


@pytest.mark.parametrize("text", ["2026-02-31", "2026-1-1", "tomorrow", "２０２６-12-24", ""])
def test_a_day_that_does_not_exist_is_refused(lin, text):
    refused = lin.post("/v1/me/holidays", {"first": text, "last": "2026-12-24"})
    assert refused.status_code == 400


def test_a_holiday_moves_the_deadline_for_all_to_see_and_its_end_moves_it_back(world, table):
    seat = table.turn()[0]
    player, before = table.clients[seat], deadline(table)
    version = table.state()["version"]
    made = player.post("/v1/me/holidays", {"first": day(world, 1), "last": day(world, 3)})
    assert made.status_code == 201, made.json
    again = player.post("/v1/me/holidays", {"first": day(world, 1), "last": day(world, 3)})
    assert again.json == made.json
    world.advance(table.id)
    other = table.clients[(seat + 1) % 4].get(table.path).json["decision"]
    assert other["away"] == [{"seat": seat, "since": made.json["since"], "until": made.json["until"]}]
    assert deadline(table) == before + 3 * DAY_MS
    (event,) = player.get(f"{table.path}/events?after={version}").json["events"]
    assert (event["type"], event["data"]["by_seat"], event["data"]["away"]) == ("deadline_moved", None, other["away"])
    assert event["data"]["deadline_at"] == other["deadline_at"]
    assert player.delete(f"/v1/me/holidays/{made.json['id']}").status_code == 204
    world.advance(table.id)
    assert deadline(table) == before
    assert "away" not in table.clients[seat].get(table.path).json["decision"]


def test_the_list_of_my_tables_has_the_deadline_that_counts(world, table):
    seat = table.turn()[0]
    player = table.clients[seat]
    player.post("/v1/me/holidays", {"first": day(world, 1), "last": day(world, 3)})
    world.advance(table.id)
    (mine,) = player.get("/v1/me/tables?turn=mine").json["items"]
    assert mine["deadline_at"] == player.get(table.path).json["decision"]["deadline_at"]


def test_quiet_hours_of_others_are_shown_to_nobody(world, table):
    seat = table.turn()[0]
    before = deadline(table)
    table.clients[seat].patch(
        "/v1/me/calendar", {"time_zone": "Asia/Shanghai", "quiet_hours": {"start": "23:00", "end": "07:00"}}
    )
    world.advance(table.id)
    assert deadline(table) > before
    for client in table.clients:
        text = client.get(table.path).get_data(as_text=True) + client.get(f"{table.path}/events").get_data(as_text=True)
        assert "stops" not in text
        assert "Shanghai" not in text
    other = table.clients[(seat + 1) % 4]
    profile = other.get(f"/v1/players/{table.clients[seat].get('/v1/me').json['id']}")
    assert "Shanghai" not in profile.get_data(as_text=True)


def test_a_holiday_at_a_table_where_one_does_not_sit_or_that_counts_in_seconds_is_refused(world, lin, table):
    asked = {"first": day(world, 1), "last": day(world, 3)}
    assert lin.post("/v1/me/holidays", {**asked, "table": table.id}).status_code == 404
    quick = world.table()
    assert quick.clients[0].post("/v1/me/holidays", {**asked, "table": quick.id}).status_code == 404
    assert lin.post("/v1/me/holidays", {**asked, "table": "tb_nothing"}).status_code == 404
    mine = table.clients[0].post("/v1/me/holidays", {**asked, "table": table.id})
    assert (mine.status_code, mine.json["table"]) == (201, table.id)


def test_a_holiday_of_somebody_else_cannot_be_ended(world, lin, table):
    made = table.clients[0].post("/v1/me/holidays", {"first": day(world, 1), "last": day(world, 3)}).json
    assert lin.delete(f"/v1/me/holidays/{made['id']}").status_code == 404
    assert table.clients[0].get("/v1/me/calendar").json["holidays"] == [made]


def test_the_calendar_is_exported_and_gone_with_its_player(world, table):
    player = table.clients[table.turn()[0]]
    made = player.post("/v1/me/holidays", {"first": day(world, 1), "last": day(world, 3)}).json
    assert player.get("/v1/me/export").json["player"]["calendar"]["holidays"] == [made]
    seat = table.turn()[0]
    assert player.delete("/v1/me").status_code == 204
    world.advance(table.id)
    assert table.state()["seats"][seat]["autopilot"] is not None


def test_nobody_waits_for_the_holiday_of_a_suspended_player(world, table):
    seat, before = table.turn()[0], deadline(table)
    player = table.clients[seat]
    player.post("/v1/me/holidays", {"first": day(world, 1), "last": day(world, 12)})
    world.advance(table.id)
    assert deadline(table) == before + 12 * DAY_MS
    until = {"until": "2024-03-01T00:00:00.000Z", "cause": "stalling"}
    world.start(operator_token=SECRET)
    path = f"/v1/operator/players/{player.player['id']}/suspensions"
    assert world.anybody.with_token(SECRET).post(path, until).status_code < 300
    assert table.state()["seats"][seat]["autopilot"] is not None
    version = table.state()["version"]
    world.now += 60_000
    world.advance(table.id)
    assert table.state()["version"] > version, "an AI plays on"


def test_more_time_is_given_once_for_a_key(world, table):
    seat, before = table.turn()[0], deadline(table)
    giver = table.clients[(seat + 1) % 4]
    for _ in range(2):
        given = giver.post(f"{table.path}/seats/{seat}/time", {"hours": 24}, headers={"Idempotency-Key": KEY})
        assert given.status_code == 200, given.json
    assert deadline(table) == before + DAY_MS
    (event,) = given.json["events"]
    assert event["data"]["by_seat"] == (seat + 1) % 4


@pytest.mark.parametrize(
    ("ahead", "hours", "said"),
    [(0, 24, "opponents"), (2, 24, "opponents"), (1, 336, "at most 336 hours"), (1, 0, "/hours"), (1, 337, "/hours")],
)
def test_more_time_that_cannot_be_given_is_refused(table, ahead, hours, said):
    seat, before = table.turn()[0], deadline(table)
    giver = table.clients[(seat + ahead) % 4]
    refused = giver.post(f"{table.path}/seats/{seat}/time", {"hours": hours})
    assert refused.status_code in (400, 409)
    assert said in refused.get_data(as_text=True)
    assert deadline(table) == before


def test_more_time_needs_a_table_of_days_and_a_seat_there(world, lin, table):
    quick = world.table()
    quick.play_until("play")
    seat = quick.turn()[0]
    refused = quick.clients[(seat + 1) % 4].post(f"{quick.path}/seats/{seat}/time", {"hours": 1})
    assert (refused.status_code, refused.json["params"]["reason"]) == (409, "time_needs_days")
    stranger = lin.post(f"{table.path}/seats/{table.turn()[0]}/time", {"hours": 1})
    assert stranger.status_code == 403
    nobody = table.clients[0].post(f"{table.path}/seats/9/time", {"hours": 1})
    assert nobody.status_code == 404


def test_a_clock_that_only_reminds_is_for_days_alone_and_its_games_are_not_rated(world, lin):
    spec = {"ruleset": "shengji", "players": 4}
    refused = lin.post("/v1/tables", {**spec, "clock": {"on_timeout": "remind"}})
    assert (refused.status_code, "`correspondence`" in refused.json["detail"]) == (400, True)
    table = world.table(clock={**DAYS, "on_timeout": "remind"})
    table.play_until("play")
    world.now += 40 * DAY_MS
    version = table.state()["version"]
    world.advance(table.id)
    assert table.state()["version"] == version
    etag = {"If-Match": "*"}
    table.play_until("ready")
    changed = table.clients[0].patch(table.path, {"clock": {"on_timeout": "auto_play"}}, headers=etag)
    assert (changed.status_code, changed.json["params"]["settings"]) == (409, ["clock.on_timeout"])
    for client in table.clients:
        client.post(f"{table.path}/votes", {"kind": "end_early"})
    world.advance(table.id)
    assert table.clients[0].get("/v1/me").json["results"].get("shengji", {}).get("rated_games", 0) == 0


def test_a_table_may_leave_out_weekends(lin):
    hours = {"decision_hours": 24, "weekends_off": True}
    made = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "clock": {"correspondence": hours}})
    assert made.json["clock"]["correspondence"] == hours
