"""The page of operators, and what a suspended player sees."""

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OPERATOR_TOKEN
from tests.web.looking import faults
from tests.web.person import DESKTOP
from tests.web.sight import Sight

pytestmark = pytest.mark.browser

#: Where operators put their token.
TOKEN = re.compile("^Your operator's token")


@pytest.fixture
def mal(person, own, alone_at_service):
    """A player who wrote an insult at a table, was reported by Lin, and has the table open."""
    mal = person(name=own("Mal"), fresh=True, locale="zh-CN")
    mal.tolerated = ("status of 403",)
    mal.page.goto(mal.url)
    mal.takes_name(mal.name)
    mal.is_greeted()
    table = mal.makes("sishifen", 4, ai=False)
    mal.api("POST", f"/tables/{table}/chat", {"text": "Insult"})
    lin = mal.api("POST", "/players", {"name": "Lin", "kind": "human"})["token"]
    details = {"reason": "chat", "table": table, "text": "Insults me"}
    mal.api("POST", f"/players/{mal.account['player']}/reports", details, token=lin)
    mal.opens(table)
    yield mal
    mal.api("DELETE", f"/operator/tables/{table}", token=OPERATOR_TOKEN)


def test_a_report_leads_to_a_suspension_and_the_player_is_told(mal, person, own, axe, picture):
    operator = person(name="Operator", fresh=True, size=DESKTOP)
    operator.tolerated = ("status of 403",)
    page = operator.page
    page.goto(f"{operator.url}/operator")
    operator.fills(TOKEN, "wrong")
    page.keyboard.press("Enter")
    operator.part("alert").sees("Only for operators")
    operator.fills(TOKEN, OPERATOR_TOKEN)
    page.keyboard.press("Enter")
    report = Sight(operator.all("listitem").filter(has_text=mal.name).first)
    report.sees("Insults me")
    report.part("list", "What was said at the table").sees("Insult")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "operator.png")
    assert OPERATOR_TOKEN not in page.evaluate("JSON.stringify(localStorage)")
    report.presses(f"Look up {mal.name}")
    operator.fills("Until the end of", "2199-12-31")
    operator.fills("What the player is told besides (if you like)", "Please be kind.")
    operator.all("button", "Suspend").click()
    operator.sees("Suspended until 31 Dec 2199")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "operator-player.png")
    # The streams of the player end, and the page says why.
    mal.part("alert").sees("原因：您的发言")
    mal.sees("Please be kind.")
    assert list(faults(mal.page, axe, chinese=True)) == []
    picture(mal.page, "suspended.png")
    mal.fills("申诉理由", "是我弟弟说的。")
    mal.presses("提交申诉")
    mal.sees("尚未处理")
    operator.presses("Lift the suspension")
    operator.sees_no("Lift the suspension")
    mal.presses("再看一次")
    mal.is_at_a_table()
    operator.presses("Rename")
    renamed = own("Player 7")
    operator.fills("Name", renamed)
    operator.all("button", "Rename").click()
    operator.all("heading", renamed).wait_for()
    operator.control("Close the report").first.click()
    operator.sees("Open it again")
    operator.presses("Players")
    operator.fills("A part of the name, or an id", renamed[2:])
    page.keyboard.press("Enter")
    operator.all("heading", renamed).wait_for()
    operator.presses("What was done")
    operator.all("heading", "Report closed").first.wait_for()
    deeds = operator.all("heading", level=3).all_inner_texts()[:4]
    assert deeds == ["Report closed", "Renamed", "Suspension lifted", "Suspended"]
    assert list(faults(page, axe, chinese=False)) == []
    operator.presses("Clear the token")
    operator.field(TOKEN).wait_for()


def test_an_appeal_is_answered_and_the_player_reads_it(mal, person):
    player = f"/operator/players/{mal.account['player']}"
    suspended = {"until": "2199-12-31T00:00:00.000Z", "cause": "chat"}
    mal.api("POST", f"{player}/suspensions", suspended, token=OPERATOR_TOKEN)
    mal.fills("申诉理由", "是我弟弟说的。")
    mal.presses("提交申诉")
    mal.sees("尚未处理")
    operator = person(name="Operator", fresh=True, size=DESKTOP)
    operator.page.goto(f"{operator.url}/operator")
    operator.fills(TOKEN, OPERATOR_TOKEN)
    operator.page.keyboard.press("Enter")
    appeal = Sight(operator.all("listitem").filter(has_text="是我弟弟说的。"))
    appeal.fills("What the player reads of your decision", "请看好您的手机。")
    appeal.presses("Close the report")
    appeal.sees("Open it again")
    mal.page.reload()
    mal.sees("请看好您的手机。")
    mal.sees("处理。")
    assert mal.field("申诉理由").count() == 0, "what is decided is not sent again"


def test_an_operator_chooses_who_registers_makes_codes_and_blocks_networks(person, own, axe, picture, alone_at_service):
    operator = person(name="Operator", fresh=True, size=DESKTOP)
    operator.tolerated = ("status of 400",)
    page = operator.page
    page.goto(f"{operator.url}/operator")
    operator.fills(TOKEN, OPERATOR_TOKEN)
    page.keyboard.press("Enter")
    operator.presses("Who may come in")
    # Nothing else, since other tests register meanwhile.
    who = operator.field("Choose for all processes, at once")
    who.select_option("open")
    operator.all("paragraph").filter(has_text="Anybody may register").wait_for()
    who.select_option("setting")
    note = own("For Mal")
    operator.field("A note for operators (if you like)").first.fill(note)
    operator.presses("Make a code")
    assert len(operator.part("code").read()) == 14
    operator.all("heading", note).wait_for()
    network = "Address or network, such as 203.0.113.0/24"
    operator.fills(network, "127.0.0.1")
    operator.presses("Block")
    operator.part("alert").sees("your own address")
    operator.fills(network, "203.0.113.9/24")
    operator.presses("Block")
    operator.all("heading", "203.0.113.0/24").wait_for()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "admission.png")
    operator.presses("End the block of 203.0.113.0/24")
    operator.sees("Everybody there is answered again.")
    operator.presses("End the block of 203.0.113.0/24")
    expect(operator.all("heading", "203.0.113.0/24")).to_have_count(0)
    operator.presses("What was done")
    operator.all("heading", "Block of a network ended").first.wait_for()


def test_the_form_of_newcomers_says_whether_they_may_register(person, axe):
    mal = person(name="Mal", fresh=True, locale="zh-CN")
    page, registration, sent = mal.page, "closed", []
    mal.tolerated = ("status of 403",)

    def about(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "registration": registration})

    def register(route):
        sent.append(route.request.post_data_json)
        if sent[-1].get("code") == "right":
            route.continue_()
        else:
            problem = {
                "code": "registration-closed",
                "status": 403,
                "title": "无法注册",
                "detail": "此注册码无效",
                "errors": [],
            }
            route.fulfill(status=403, json=problem, content_type="application/problem+json")

    page.route("**/v1", about)
    page.route("**/v1/players", register)
    page.goto(mal.url)
    mal.sees("暂不接受新玩家注册")
    registration = "invited"
    page.reload()
    mal.fills("怎么称呼您？", "Mal")
    mal.fills("注册码", "wrong")
    assert list(faults(page, axe, chinese=True)) == []
    mal.presses("继续")
    mal.part("alert").sees("此注册码无效")
    mal.fills("注册码", " right ")
    mal.presses("继续")
    mal.is_greeted()
    assert [each["code"] for each in sent] == ["wrong", "right"]
