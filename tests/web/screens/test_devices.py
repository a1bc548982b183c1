"""An account on several devices: linked, signed out, lost and recovered. Nothing is lost silently."""

import json
from collections import Counter

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults
from tests.web.past import ended_early
from tests.web.person import DESKTOP

pytestmark = pytest.mark.browser

ACCOUNT = "JSON.parse(localStorage.shengji)"
#: Clears the storage, and tells the page so.
FORGETS = "localStorage.clear(); dispatchEvent(new StorageEvent('storage', { key: 'shengji' }))"
#: The path of the QR code on the page, and the path of the code for a link.
QR = "document.querySelector('.qr path').getAttribute('d')"
QR_OF = """(link) => import("/vendor/uqr.js").then(({ encode }) => encode(link, { border: 2 }).data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join(""))"""


def at_home(person, name="Ada", **how):
    """Return a person without an account, at the start page, in a browser that no other test uses."""
    comes = person(name=name, **how)
    comes.page.goto(comes.url)
    comes.page.wait_for_selector("form.name")
    return comes


def registers(comes, name):
    comes.page.fill("input[name=name]", name)
    comes.page.click("form.name button")
    comes.page.wait_for_selector(".hello")


def registered(person, **how):
    """Return a person with a new account, which is always read from the browser, as it may change."""
    ada = at_home(person, **how)
    registers(ada, ada.name)
    return ada


def comes_back(ada):
    """Leave the start page and open it again."""
    ada.page.goto(f"{ada.url}/#/lobby")
    ada.page.wait_for_selector(".games li button", state="detached")
    ada.page.goto(f"{ada.url}/#/")
    ada.page.wait_for_selector(".games li button")


def shows_a_code(ada):
    """Let a device show a link code; return it as displayed."""
    ada.page.goto(f"{ada.url}/#/devices")
    ada.page.click(".box >> text=/^(Show a code|显示登录码)$/")
    return ada.page.inner_text(".addition code")


def status_of(ada, token):
    return ada.context.request.get(f"{ada.url}/v1/me", headers={"Authorization": f"Bearer {token}"}).status


def devices(ada):
    return Counter(each["name"] for each in ada.api("GET", "/me/tokens")["items"])


def test_devices_are_linked_by_the_qr_code_and_by_typing(person):
    ada, tablet = registered(person), at_home(person, size=DESKTOP, locale="zh-CN")
    requests_sent = []
    for each in (ada, tablet):
        each.page.on("request", lambda request: requests_sent.append(request.url))
    code = shows_a_code(ada)
    link = f"{ada.url}/#/link/{code.replace('-', '')}"
    assert ada.page.evaluate(QR) == ada.page.evaluate(QR_OF, link)
    tablet.page.goto(link)
    tablet.page.fill("input[name=device]", "Ada's tablet")
    tablet.page.click("form.name button")
    tablet.page.wait_for_selector(".hello >> text=您好，Ada！")
    ada.page.wait_for_selector(".box .good >> text=Ada's tablet is signed in.")
    ada.comes_true("document.querySelectorAll('.devices > li').length === 2")
    assert devices(ada) == {None: 1, "Ada's tablet": 1}
    assert not any(code.replace("-", "") in url for url in requests_sent)
    # Both show the same tables when the start page is opened again.
    table = ada.makes("sishifen", 4, ai=False)
    for each in (ada, tablet):
        comes_back(each)
        each.page.wait_for_selector(f".my-tables a[href='#/table/{table}']")
    # A device with an account of its own: nobody gives that up by accident.
    page, first = ada.page, ada.account["token"]
    page.evaluate(FORGETS)
    registers(ada, "Bea")
    before = ada.account
    page.goto(f"{ada.url}/#/link")
    page.wait_for_selector(".instead >> text=No other device and no recovery code")
    # The tablet was linked a moment ago, and cannot show a code yet.
    headers = {"Authorization": f"Bearer {first}"}
    code = ada.context.request.post(f"{ada.url}/v1/me/link-codes", headers=headers).json()["code"]
    page.fill("input[name=code]", f" {code.lower()} ")
    assert page.is_disabled("form.name button")
    page.click("text=Make a recovery code")
    link_code = page.inner_text(".instead code")
    page.click("form.name button")
    page.wait_for_selector(".hello >> text=Ada")
    assert sum(devices(tablet).values()) == 3
    assert status_of(ada, before["token"]) == 401
    page.goto(f"{ada.url}/#/recover")
    page.wait_for_selector(".instead >> text=Ada can still sign in")
    page.fill("input[name=code]", link_code)
    page.click("form.name button")
    page.wait_for_selector("text=Welcome back, Bea!")
    assert page.evaluate(f"{ACCOUNT}.player") == before["player"]


def test_an_account_is_recovered_after_its_storage_was_cleared(person):
    ada = registered(person)
    ada.tolerated = ("ERR_FAILED",)
    page, player = ada.page, ada.account["player"]
    ada.is_still()
    assert page.locator(".offer").count() == 0  # nothing to lose yet
    ada.beside.keeps(ended_early(), [(player, "Ada")], ended_early().now)
    comes_back(ada)
    page.click(".offer >> text=Make a recovery code")
    code = page.inner_text(".offer code")
    page.click(".offer >> text=I have kept it")
    page.wait_for_selector(".offer", state="detached")
    comes_back(ada)
    ada.is_still()
    assert page.locator(".offer").count() == 0
    page.evaluate("localStorage.clear()")
    page.reload()
    page.click("a >> text=Lost your device?")
    # The answer is lost and the page reloaded: the same code still recovers the account.
    page.route("**/v1/recoveries", lambda route: (route.fetch(), route.abort()))
    page.fill("input[name=code]", code)
    page.click("form.name button")
    page.wait_for_selector(".refusal >> text=Nobody answered")
    page.unroute("**/v1/recoveries")
    page.reload()
    assert page.input_value("input[name=code]") == code
    page.click("form.name button")
    page.wait_for_selector("text=Welcome back, Ada!")
    page.click("text=Make a recovery code")
    page.wait_for_selector(".box code")
    assert page.inner_text(".box code") != code
    assert page.evaluate(f"{ACCOUNT}.player") == player
    page.click("a >> text=Continue")
    page.click("a >> text=My games")
    page.wait_for_selector(".past > li")


def test_the_first_recovery_code_is_not_said_to_be_there_already(person):
    ada = person(fresh=True, name="Ada")
    ada.registers()
    page = ada.page
    page.goto(f"{ada.url}/#/devices")
    page.get_by_role("button", name="Make a recovery code").click()
    expect(page.get_by_text("Write it down")).to_be_visible()
    ada.is_still()
    expect(page.get_by_text("There is a recovery code.")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("There is a recovery code.")).to_be_visible()


def test_a_device_that_was_signed_out_elsewhere_says_so_and_comes_back(person):
    ada = registered(person)
    ada.tolerated = ("status of 401",)
    page = ada.page
    page.click(".start details summary")
    page.get_by_label("Light or dark").select_option("dark")
    table = ada.makes("sishifen", 4, ai=False)
    ada.opens(table)
    page.wait_for_selector(".offline", state="detached")
    elsewhere = ada.api("POST", "/links", {"code": ada.api("POST", "/me/link-codes")["code"], "name": "Tablet"})[
        "token"
    ]

    def is_signed_out():
        mine = next(each for each in ada.api("GET", "/me/tokens", token=elsewhere)["items"] if each["name"] != "Tablet")
        # With the device's own token, since the tablet is too new to end it.
        ada.api("DELETE", f"/me/tokens/{mine['id']}")
        page.wait_for_selector(".signed-out >> text=This device was signed out of Ada's account")

    is_signed_out()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    page.wait_for_selector(".signed-out")
    page.click(".signed-out a >> text=Sign in with a code")
    page.fill("input[name=code]", ada.api("POST", "/me/link-codes", token=elsewhere)["code"])
    page.fill("input[name=device]", "Phone again")
    page.click("form.name button")
    page.wait_for_selector("main.table .lobby-table")  # where it was
    assert page.url.endswith(f"#/table/{table}")
    # Any other page shows it at the next request; one may also go on as a new player.
    page.goto(f"{ada.url}/#/devices")
    page.wait_for_selector(".devices > li")
    is_out = page.evaluate(f"{ACCOUNT}.token")
    items = ada.api("GET", "/me/tokens", token=elsewhere)["items"]
    again = next(each["id"] for each in items if each["name"] == "Phone again")
    ada.api("DELETE", f"/me/tokens/{again}", token=is_out)
    page.click("text=Show a code")
    page.wait_for_selector(".signed-out")
    assert status_of(ada, is_out) == 401
    page.click(".signed-out summary")
    page.fill("input[name=name]", "Ada II")
    page.click("form.name button")
    page.wait_for_selector(".devices > li")
    assert page.evaluate(f"[{ACCOUNT}.name, {ACCOUNT}.theme]") == ["Ada II", "dark"]


def test_devices_are_named_and_signed_out_codes_expire_and_the_account_is_downloaded(person):
    ada = registered(person)
    ada.tolerated = ("status of 404", "status of 429")
    page = ada.page
    ada.beside.keeps(ended_early(), [(ada.account["player"], "Ada")], ended_early().now)
    comes_back(ada)
    page.click(".offer >> text=Not now")
    comes_back(ada)
    ada.is_still()
    assert page.locator(".offer").count() == 0
    for name in ("Tablet", "Old phone"):
        ada.api("POST", "/links", {"code": ada.api("POST", "/me/link-codes")["code"], "name": name})
    page.goto(f"{ada.url}/#/devices")
    row = page.locator(".devices > li")
    row.first.locator("text=Rename").click()
    page.fill("input[name=rename]", "My phone")
    page.click("text=Save")
    page.wait_for_selector(".devices > li:has(.badge) >> text=My phone")
    row.nth(1).get_by_role("button", name="Sign out Tablet").click()
    row.nth(1).locator("button.danger").click()
    ada.comes_true("document.querySelectorAll('.devices > li').length === 2")
    assert devices(ada) == {"My phone": 1, "Old phone": 1}
    page.click("text=Sign out all others")
    page.click("button.danger")
    ada.comes_true("document.querySelectorAll('.devices > li').length === 1")
    assert devices(ada) == {"My phone": 1}
    with page.expect_download() as download:
        page.click("button >> text=Download")
    account_data = json.loads(download.value.path().read_text())
    assert account_data["player"]["id"] == ada.account["player"]
    assert download.value.suggested_filename.startswith("shengji-")
    page.click("button >> text=Download")
    page.wait_for_selector(".refusal")
    # A code works for five minutes, whatever the clock of the device says.
    code = shows_a_code(ada)
    assert page.inner_text(".addition .time").partition(":")[0] in ("4", "5")
    page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 300_000; }")
    page.wait_for_selector("text=The code has expired.")
    assert page.locator(".addition").count() == 0
    # Without another device or a recovery code, signing out is final: the page says so.
    row.first.get_by_role("button", name="Sign out My phone").click()
    page.wait_for_selector("text=nobody could sign in to this account any more")
    page.click("button.danger")
    page.wait_for_selector("form.name input[name=name]")
    assert page.evaluate(f"{ACCOUNT}.token") is None
    assert page.locator(".signed-out").count() == 0
    page.click("a >> text=Sign in with a code")
    page.fill("input[name=code]", "0000-0000" if code != "0000-0000" else "1111-1111")
    page.click("form.name button")
    page.wait_for_selector(".refusal")


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_a_player_lets_others_in_while_that_takes_a_code(person, axe, locale):
    """The service of the tests is open to all, so the answers are what one would give that is not."""
    ada = registered(person, locale=locale, fresh=True)
    page, registration, codes, voided = ada.page, "open", [], []

    def about(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "registration": registration})

    def answers(route):
        method = route.request.method
        if method == "POST":
            code = {"id": f"rc_{len(codes)}", "note": None, "by": None, "uses": 1, "left": 1}
            code |= {"at": "2026-11-28T10:00:00.000Z", "until": "2026-12-28T10:00:00.000Z"}
            codes.append(code)
            route.fulfill(status=201, json=code | {"code": "7HQ2-K5XM-9R4D"})
        elif method == "DELETE":
            voided.append(route.request.url.rpartition("/")[2])
            codes[:] = [each for each in codes if each["id"] != voided[-1]]
            route.fulfill(status=204)
        else:
            route.fulfill(json={"items": codes, "next_cursor": None, "most": 2})

    page.route("**/v1", about)
    page.route("**/v1/me/registration-codes**", answers)
    page.route("**/v1/me/registration-codes/*", answers)
    page.goto(f"{ada.url}/#/devices")
    page.wait_for_selector(".box >> nth=2")
    assert page.locator(".letting-in").count() == 0
    registration = "invited"
    page.reload()
    make = page.locator(".letting-in > .buttons button")
    make.click()
    page.wait_for_selector(".letting-in code >> text=7HQ2-K5XM-9R4D")
    codes.append({**codes[0], "id": "rc_used", "left": 0})
    page.reload()
    page.wait_for_selector(".letting-in li >> nth=1")
    # As many as a player may make; the used one cannot be taken back.
    assert make.count() == 0
    assert page.locator(".letting-in code").count() == 0
    assert list(faults(page, axe, chinese=locale != "en")) == []
    page.click(".letting-in li button")
    make.wait_for()
    assert (voided, page.locator(".letting-in li").count()) == (["rc_0"], 1)
