"""Notes of directors to all entrants: who is told, what is kept, and who can take them away."""

import pytest

from service.boards.deals import DAY_MS
from service.tournaments.directing import acts
from service.tournaments.directing.notes import LONGEST_NOTE, MOST_NOTES, MOST_NOTES_A_DAY
from tests.api.contract import assert_problem
from tests.api.tournaments.test_offices import lead, name, remove
from tests.api.tournaments.test_rulings import log
from tests.api.tournaments.test_team_events import Cup


def send(cup, text="The second half begins at nine.", client=None, headers=None):
    return (client or cup.director).post(f"{cup.path}/notes", {"text": text}, headers=headers)


def texts(cup, client=None):
    return [note["text"] for note in (client or cup.director).get(cup.path).json["notes"]]


def told(world, client):
    notes = world.stores.inbox.after(client.player["id"], 0, 50)
    return [note.data["event"] for note in notes if note.type == "event_note"]


@pytest.fixture
def cup(world):
    world.start(operator_token="0123456789abcdef")
    return Cup(world, teams=2)


def test_everybody_who_plays_and_other_directors_are_told_once(world, cup):
    lin, mei = world.player("Lin"), world.player("Mei")
    asked = world.player("Asked")
    name(cup, mei)
    cup.team("With somebody who has not agreed", {"player": asked.player["id"]})
    once = {"Idempotency-Key": "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10"}
    assert [send(cup, headers=once).status_code for _ in range(2)] == [200, 200]
    assert [told(world, each) for each in (*cup.captains, mei)] == [[cup.id]] * 3
    assert [told(world, each) for each in (lin, asked, cup.director)] == [[]] * 3
    assert texts(cup, lin) == ["The second half begins at nine."]
    [note] = lin.get(cup.path).json["notes"]
    assert (note["by"], note["name"]) == (cup.director.player["id"], "Director")
    acts = [(act["what"], act["note"]) for act in log(cup, lin)["items"]]
    assert acts[0] == ("note_sent", note["note"])


@pytest.mark.parametrize("how", ["blocks", "mutes"])
def test_who_has_blocked_or_muted_a_director_is_not_told(world, cup, how):
    lin, mei = cup.captains
    lin.put(f"/v1/me/{how}/{cup.director.player['id']}")
    send(cup)
    assert (told(world, lin), told(world, mei)) == ([], [cup.id])
    # As in a chat, they read nothing of the director; a block mutes too.
    assert (texts(cup, lin), texts(cup, mei)) == ([None], ["The second half begins at nine."])


def test_whom_the_director_has_blocked_is_told_like_everybody(world, cup):
    lin, mei = cup.captains
    cup.director.put(f"/v1/me/blocks/{lin.player['id']}")
    send(cup)
    assert told(world, lin) == told(world, mei) == [cup.id]


def test_notes_count_whatever_else_is_in_the_log(world, cup, monkeypatch):
    monkeypatch.setattr(acts, "MOST_ACTS", 2)
    for at in range(MOST_NOTES_A_DAY):
        send(cup, f"Note {at}")
    assert_problem(send(cup), "invalid-request", reason="too_many_notes")


def test_only_directors_send_notes_while_the_event_lasts(world, cup):
    assert_problem(send(cup, client=cup.captains[0]), "not-director")
    assert send(cup, "x" * LONGEST_NOTE).status_code == 200
    assert_problem(send(cup, "x" * (LONGEST_NOTE + 1)), "invalid-request")
    cup.director.post(f"{cup.path}/closing")
    assert_problem(send(cup), "event-closed")
    assert len(texts(cup)) == 1


def test_there_are_ten_notes_a_day_of_all_directors_and_twenty_are_kept(world, cup):
    mei = world.player("Mei")
    name(cup, mei)
    for at in range(MOST_NOTES_A_DAY):
        assert send(cup, f"Note {at}", mei if at % 2 else None).status_code == 200
    for client in (mei, cup.director):
        assert_problem(send(cup, client=client), "invalid-request", reason="too_many_notes", limit=MOST_NOTES_A_DAY)
    # Those that are taken back count too.
    mei.delete(f"{cup.path}/notes/{mei.get(cup.path).json['notes'][0]['note']}")
    assert_problem(send(cup), "invalid-request", reason="too_many_notes")
    for _ in range(2):
        world.now += DAY_MS
        for at in range(MOST_NOTES_A_DAY):
            send(cup, f"Later {at}")
    assert texts(cup) == [f"Later {at}" for at in reversed(range(MOST_NOTES_A_DAY))] * (MOST_NOTES // MOST_NOTES_A_DAY)


def test_any_director_takes_a_note_back_and_the_log_tells_that_there_was_one(world, cup):
    mei = world.player("Mei")
    name(cup, mei)
    send(cup)
    path = f"{cup.path}/notes/{mei.get(cup.path).json['notes'][0]['note']}"
    assert_problem(cup.captains[0].delete(path), "not-director")
    assert [mei.delete(path).status_code for _ in range(2)] == [200, 200]
    assert texts(cup) == []
    assert log(cup)["items"][0]["what"] == "note_sent"


def test_a_note_can_be_reported_and_removed_by_operators(world, cup):
    lin = cup.captains[0]
    send(cup, "Lin cheats")
    note = lin.get(cup.path).json["notes"][0]["note"]
    answer = lin.post(f"{cup.path}/reports", {"comment": note, "reason": "chat"})
    assert answer.status_code == 200, answer.json
    operator = {"Authorization": "Bearer 0123456789abcdef"}
    [report] = world.anybody.get("/v1/operator/reports", headers=operator).json["items"]
    about = report["comment"], report["player"], report["name"]
    assert about == (note, cup.director.player["id"], "Lin cheats")
    path = f"/v1/operator/team-events/{cup.id}/comments/{note}"
    assert world.anybody.delete(path, headers=operator).status_code == 204
    assert_problem(world.anybody.delete(path, headers=operator), "not-found")
    assert texts(cup) == []


def test_notes_are_exported_and_go_with_the_account_also_of_a_former_director(world, cup):
    mei = world.player("Mei")
    name(cup, mei)
    send(cup, "From Mei", mei)
    send(cup, "From the director")
    remove(cup, mei)
    [said] = mei.get("/v1/me/export").json["comments"]
    assert (said["event"], said["board"], said["text"]) == (cup.id, None, "From Mei")
    mei.delete("/v1/me")
    assert texts(cup) == ["From the director"]
    assert mei.player["id"] not in str(world.stores.boards.teams.progress(cup.id))
    wang = world.player("Wang")
    name(cup, wang)
    lead(cup, wang, cup.director)
    cup.director.delete("/v1/me")
    assert texts(cup, wang) == []
