"""The page of operators, and what a suspended player sees."""

import pytest

from tests.conftest import OPERATOR_TOKEN
from tests.web.looking import faults
from tests.web.person import DESKTOP

pytestmark = pytest.mark.browser


@pytest.fixture
def mal(person, own, alone_at_service):
    """A player who wrote an insult at a table, was reported by Lin, and has the table open."""
    mal = person(name=own("Mal"), fresh=True, locale="zh-CN")
    mal.tolerated = ("status of 403",)
    mal.page.goto(mal.url)
    mal.page.fill("input[name=name]", mal.name)
    mal.page.click("form.name button")
    mal.page.wait_for_selector(".hello")
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
    page.fill("input[name=operator]", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector(".refusal >> text=Only for operators")
    page.fill("input[name=operator]", OPERATOR_TOKEN)
    page.keyboard.press("Enter")
    report = page.locator(".report", has_text=mal.name).first
    report.locator("text=Insults me").wait_for()
    assert "Insult" in report.locator(".messages .suspect").inner_text()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "operator.png")
    assert OPERATOR_TOKEN not in page.evaluate("JSON.stringify(localStorage)")
    report.locator(f"text=Look up {mal.name}").click()
    page.fill("input[name=until]", "2199-12-31")
    page.fill("input[name=note]", "Please be kind.")
    page.click("form button.danger")
    page.wait_for_selector("text=Suspended until 31 Dec 2199")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "operator-player.png")
    # The streams of the player end, and the page says why.
    mal.page.wait_for_selector("main [role=alert] >> text=原因：您的发言")
    assert "Please be kind." in mal.page.inner_text("main")
    assert list(faults(mal.page, axe, chinese=True)) == []
    picture(mal.page, "suspended.png")
    page.click("text=Lift the suspension")
    page.wait_for_selector("text=Lift the suspension", state="detached")
    mal.page.click("text=再看一次")
    mal.page.wait_for_selector("main.table")
    page.click("summary >> text=Rename")
    renamed = own("Player 7")
    page.fill("input[name=renamed]", renamed)
    page.click("form button >> text=Rename")
    page.wait_for_selector(f"h2 >> text={renamed}")
    page.locator(".report >> text=Close the report").first.click()
    page.wait_for_selector(".report >> text=Open it again")
    page.click("nav >> text=Players")
    page.fill("input[name=suspect]", renamed[2:])
    page.keyboard.press("Enter")
    page.wait_for_selector(f".past >> text={renamed}")
    page.click("nav >> text=What was done")
    page.wait_for_selector(".past h3 >> text=Report closed")
    deeds = page.locator(".past h3").all_inner_texts()[:4]
    assert deeds == ["Report closed", "Renamed", "Suspension lifted", "Suspended"]
    assert list(faults(page, axe, chinese=False)) == []
    page.click("text=Clear the token")
    page.wait_for_selector("input[name=operator]")


def test_an_operator_chooses_who_registers_makes_codes_and_blocks_networks(person, own, axe, picture, alone_at_service):
    operator = person(name="Operator", fresh=True, size=DESKTOP)
    operator.tolerated = ("status of 400",)
    page = operator.page
    page.goto(f"{operator.url}/operator")
    page.fill("input[name=operator]", OPERATOR_TOKEN)
    page.keyboard.press("Enter")
    page.click("nav >> text=Who may come in")
    # Nothing else, since other tests register meanwhile.
    page.select_option("select[name=registration]", "open")
    page.wait_for_selector("p >> text=Anybody may register")
    page.select_option("select[name=registration]", "setting")
    note = own("For Mal")
    page.fill("input[name=note] >> nth=0", note)
    page.click("text=Make a code")
    assert len(page.locator("code.code").inner_text()) == 14
    page.locator(f"li >> text={note}").wait_for()
    page.fill("input[name=network]", "127.0.0.1")
    page.click("form button >> text=Block")
    page.wait_for_selector(".refusal >> text=your own address")
    page.fill("input[name=network]", "203.0.113.9/24")
    page.click("form button >> text=Block")
    page.wait_for_selector("h3 >> text=203.0.113.0/24")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "admission.png")
    page.click("text=End the block of 203.0.113.0/24")
    page.click(".sure .danger")
    page.wait_for_selector("h3 >> text=203.0.113.0/24", state="detached")
    page.click("nav >> text=What was done")
    page.wait_for_selector(".past h3 >> text=Block of a network ended")


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
    page.wait_for_selector("text=暂不接受新玩家注册")
    registration = "invited"
    page.reload()
    page.fill("input[name=name]", "Mal")
    page.fill("input[name=code]", "wrong")
    assert list(faults(page, axe, chinese=True)) == []
    page.click("form.name button")
    page.wait_for_selector(".refusal >> text=此注册码无效")
    page.fill("input[name=code]", " right ")
    page.click("form.name button")
    page.wait_for_selector(".hello")
    assert [each["code"] for each in sent] == ["wrong", "right"]
