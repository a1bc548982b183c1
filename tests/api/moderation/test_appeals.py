"""Appeals against a suspension, or against a name that an operator has given."""

from tests.api.contract import assert_problem
from tests.api.moderation.test_operators import BASE, suspend
from tests.api.moderation.test_operators import operator as operator  # noqa: PLC0414 (a fixture)


def appeals(operator):
    items = operator.get(f"{BASE}/reports").json["items"]
    return [each for each in items if each["reason"] == "appeal"]


def answered(operator, text, **changes):
    [report] = appeals(operator)
    body = {"status": "closed", "answer": text, **changes}
    assert operator.patch(f"{BASE}/reports/{report['id']}", body).status_code == 200


def test_a_suspended_player_appeals_and_reads_the_answer(world, operator):
    mallory = world.player("Mallory")
    suspend(operator, mallory)
    nothing = {"possible": True, "text": None, "at": None, "decided_at": None, "answer": None}
    assert mallory.get("/v1/me/appeal").json == nothing
    sent = mallory.put("/v1/me/appeal", {"text": "It was my brother."})
    assert (sent.status_code, sent.json["decided_at"], sent.json["answer"]) == (200, None, None)
    [report] = appeals(operator)
    assert (report["by"], report["player"], report["text"]) == (*[mallory.player["id"]] * 2, "It was my brother.")
    answered(operator, "Then change your password.")
    read = mallory.get("/v1/me/appeal").json
    assert read["text"] == "It was my brother."
    assert read["answer"] == "Then change your password."
    assert read["decided_at"] is not None
    assert read["possible"] is False


def test_until_it_is_decided_the_text_can_be_sent_anew_and_afterwards_nothing(world, operator):
    mallory = world.player("Mallory")
    suspend(operator, mallory)
    for text in ("First.", "Second.", "Second."):
        world.now += 1000
        assert mallory.put("/v1/me/appeal", {"text": text}).json["text"] == text
    [report] = appeals(operator)
    assert (report["text"], report["count"]) == ("Second.", 2), "the same text again changes nothing"
    answered(operator, "No.")
    refused = assert_problem(mallory.put("/v1/me/appeal", {"text": "Third."}), "appeal-decided")
    assert refused["params"] == {"answer": "No."}
    assert mallory.get("/v1/me/appeal").json["text"] == "Second."


def test_an_appeal_has_no_answer_while_it_is_open(world, operator):
    mallory = world.player("Mallory")
    suspend(operator, mallory)
    mallory.put("/v1/me/appeal", {"text": "It was my brother."})
    answered(operator, "Perhaps.", status="open")
    assert mallory.get("/v1/me/appeal").json["answer"] is None
    answered(operator, "No.")
    assert mallory.get("/v1/me/appeal").json["answer"] == "No."
    [report] = appeals(operator)
    reopened = operator.patch(f"{BASE}/reports/{report['id']}", {"status": "open"}).json
    read = mallory.get("/v1/me/appeal").json
    assert (reopened["answer"], read["answer"], read["decided_at"]) == (None, None, None)
    operator.patch(f"{BASE}/reports/{report['id']}", {"status": "closed"})
    read = mallory.get("/v1/me/appeal").json
    assert (read["answer"], read["decided_at"] is None) == (None, False), "the old answer is that of another decision"
    # Stored with an open one.
    stored = world.stores.moderation.report(report["id"])
    world.stores.moderation.add_report({**stored, "closed_at": None, "answer": "Perhaps."})
    assert mallory.get("/v1/me/appeal").json["answer"] is None


def test_another_suspension_can_be_appealed_against_anew(world, operator):
    mallory = world.player("Mallory")
    suspend(operator, mallory)
    mallory.put("/v1/me/appeal", {"text": "First."})
    answered(operator, "No.")
    world.now += 1000
    suspend(operator, mallory)
    again = mallory.put("/v1/me/appeal", {"text": "This time it was not me."})
    assert (again.status_code, again.json["answer"], again.json["decided_at"]) == (200, None, None)


def test_a_given_name_can_be_appealed_against_as_long_as_it_stays(world, operator):
    mallory = world.player("Mallory")
    assert_problem(mallory.put("/v1/me/appeal", {"text": "Why?"}), "nothing-to-appeal")
    operator.patch(f"{BASE}/players/{mallory.player['id']}", {"name": "Player 7"})
    assert mallory.put("/v1/me/appeal", {"text": "It is my real name."}).status_code == 200
    world.now += 90 * 86_400_000
    mallory = world.anybody.with_token(mallory.token)
    assert_problem(mallory.put("/v1/me/appeal", {"text": "Again."}), "nothing-to-appeal")


def test_an_appeal_is_that_of_its_player_alone_and_no_report_about_the_player(world, operator):
    mallory, other = world.player("Mallory"), world.player("Other")
    suspend(operator, mallory)
    suspend(operator, other)
    mallory.put("/v1/me/appeal", {"text": "It was my brother."})
    assert other.get("/v1/me/appeal").json["text"] is None
    assert operator.get(f"{BASE}/players/{mallory.player['id']}").json["reports"] == 0
    # Nobody makes one in the name of another: the reason is none of a report.
    body = {"reason": "appeal", "text": "Mallory is guilty."}
    assert_problem(world.player().post(f"/v1/players/{mallory.player['id']}/reports", body), "invalid-request")


def test_a_lone_appeal_is_not_displaced_by_many_reports(world, operator):
    mallory, flooder = world.player("Mallory"), world.player("Flooder")
    suspend(operator, mallory)
    mallory.put("/v1/me/appeal", {"text": "It was my brother."})
    old = {"at": world.now + 1, "by": flooder.player["id"], "reason": "chat", "said": [], "closed_at": None}
    for number in range(1_100):
        report = {**old, "id": f"rp_{number}", "at": world.now + number, "player": f"pl_{number}"}
        world.stores.moderation.add_report(report)
    assert mallory.get("/v1/me/appeal").json["text"] == "It was my brother."
