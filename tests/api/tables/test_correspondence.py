"""Tables by correspondence over HTTP: how they are asked for, what is refused, and a round that takes days."""

import pytest

from tests.api.play import Table

HOUR_MS = 3_600_000
BANK = {"bank_hours": 72, "gain_hours": 12, "most_hours": 120}


def create(player, clock, **spec):
    return player.post("/v1/tables", {"ruleset": "shengji", "players": 4, "clock": clock, **spec})


@pytest.mark.parametrize("hours", [{"decision_hours": 1}, {"decision_hours": 336}, BANK])
def test_a_table_shows_its_hours_and_deals_all_cards_at_once(lin, hours):
    made = create(lin, {"correspondence": hours})
    assert made.status_code == 201
    assert made.json["clock"]["correspondence"] == hours
    assert made.json["options"]["deal_pace"] == "instant"


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ({"correspondence": {"decision_hours": 0}}, "/clock/correspondence/decision_hours"),
        ({"correspondence": {"decision_hours": 337}}, "/clock/correspondence/decision_hours"),
        ({"correspondence": {"decision_hours": "24"}}, "/clock/correspondence/decision_hours"),
        ({"correspondence": {"days": 3}}, "/clock/correspondence/days"),
        ({"correspondence": {}}, "`decision_hours` alone"),
        ({"correspondence": {**BANK, "decision_hours": 24}}, "`decision_hours` alone"),
        ({"correspondence": {"decision_hours": 24}, "play_ms": 30_000}, "hours or in seconds"),
    ],
)
def test_a_clock_of_no_form_is_refused_with_what_to_send(lin, clock, said):
    refused = create(lin, clock)
    assert (refused.status_code, said in refused.get_data(as_text=True)) == (400, True), refused.json


def test_a_host_goes_back_to_seconds_before_a_game(lin):
    table = create(lin, {"correspondence": BANK}).json["id"]
    etag = {"If-Match": lin.get(f"/v1/tables/{table}").headers["ETag"]}
    changed = lin.patch(f"/v1/tables/{table}", {"clock": {"play_ms": 20_000}}, headers=etag)
    assert changed.status_code == 200, changed.json
    clock = lin.get(f"/v1/tables/{table}").json["clock"]
    assert ("correspondence" in clock, clock["play_ms"]) == (False, 20_000)


def test_a_round_by_correspondence_takes_days_and_can_be_imported_afterwards(world):
    players = [world.player(name, "human") for name in ("Lin", "Mei", "Bo", "Yun")]
    made = create(players[0], {"correspondence": {"decision_hours": 24}}).json
    path = f"/v1/tables/{made['id']}"
    for seat, player in enumerate(players):
        joined = {} if seat == 0 else {"join_code": made["join_code"]}
        assert player.post(f"{path}/seats", {"seat": seat, **joined}).status_code == 200
    for player in players:
        assert player.put(f"{path}/seats/me/ready", {}).status_code == 200
    table, began = Table(world, made["id"], players), world.now
    while not table.state()["game"]["results"]:
        world.now += 2 * HOUR_MS
        table.step()
    assert world.now - began > 5 * 24 * HOUR_MS
    assert not any(seat["timeouts"] for seat in table.state()["seats"])
    for player in players:
        player.post(f"{path}/votes", {"kind": "end_early"})
    world.advance(table.id)
    game = players[0].get("/v1/me/games").json["items"][0]["game"]
    record = players[0].get(f"/v1/games/{game}/record").json
    assert record["clock"]["correspondence"] == {"decision_hours": 24}
    imported = players[1].post("/v1/records", {"record": record})
    assert imported.status_code == 201, imported.json
