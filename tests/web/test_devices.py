"""An account on several devices: linked, signed out, lost and recovered. Nothing is lost silently."""

import json
from collections import Counter

import pytest

from tests.web.past import ended_early
from tests.web.person import DESKTOP

pytestmark = pytest.mark.browser

ACCOUNT = "JSON.parse(localStorage.shengji)"
#: The path of the QR code that is shown, and that of a link.
QR = "document.querySelector('.qr path').getAttribute('d')"
QR_OF = """(link) => import("/vendor/uqr.js").then(({ encode }) => encode(link, { border: 2 }).data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join(""))"""


def at_home(person, **how):
    """Return a person at the page, who has no account there."""
    comes = person(fresh=True, **how)
    comes.page.goto(comes.url)
    comes.page.wait_for_selector("form.name")
    return comes


def registered(person, **how):
    """Return a person with an account of their own, which the browser alone knows: it may change."""
    lin = at_home(person, **how)
    lin.page.fill("input[name=name]", lin.name)
    lin.page.click("form.name button")
    lin.page.wait_for_selector(".hello")
    return lin


def shows_a_code(lin):
    """Let a device show a code; return it as it is read."""
    lin.page.goto(f"{lin.url}/#/devices")
    lin.page.click(".box >> text=/^(Show a code|显示登录码)$/")
    return lin.page.inner_text(".addition code")


def status_of(lin, token):
    return lin.context.request.get(f"{lin.url}/v1/me", headers={"Authorization": f"Bearer {token}"}).status


def devices(lin):
    return Counter(each["name"] for each in lin.api("GET", "/me/tokens")["items"])


def test_devices_are_linked_by_the_qr_code_and_by_typing(person):
    lin, tablet = registered(person), at_home(person, size=DESKTOP, locale="zh-CN")
    asked = []
    for each in (lin, tablet):
        each.page.on("request", lambda request: asked.append(request.url))
    code = shows_a_code(lin)
    link = f"{lin.url}/#/link/{code.replace('-', '')}"
    assert lin.page.evaluate(QR) == lin.page.evaluate(QR_OF, link)
    tablet.page.goto(link)
    tablet.page.fill("input[name=device]", "Lin's tablet")
    tablet.page.click("form.name button")
    tablet.page.wait_for_selector(".hello >> text=你好，Lin！")
    lin.page.wait_for_selector(".box .good >> text=Lin's tablet is signed in.")
    assert lin.page.locator(".devices > li").count() == 2
    assert devices(lin) == {None: 1, "Lin's tablet": 1}
    assert not any(code.replace("-", "") in url for url in asked)
    # Both show the same games, as soon as somebody looks.
    table = lin.makes("sishifen", 4, ai=False)
    for each in (lin, tablet):
        each.page.goto(f"{each.url}/#/lobby")
        each.page.goto(f"{each.url}/#/")
        each.page.wait_for_selector(f".my-tables a[href='#/table/{table}']")
    # Mei's device has an account of its own, which nobody gives up by accident.
    mei = registered(person, name="Mei")
    before = mei.account
    mei.page.click("a >> text=Devices")
    mei.page.goto(f"{mei.url}/#/link")
    mei.page.wait_for_selector(".instead >> text=No other device and no recovery code")
    mei.page.fill("input[name=code]", f" {shows_a_code(tablet).lower()} ")
    assert mei.page.is_disabled("form.name button")
    mei.page.click("text=Make a recovery code")
    kept = mei.page.inner_text(".instead code")
    mei.page.click("form.name button")
    mei.page.wait_for_selector(".hello >> text=Lin")
    assert sum(devices(lin).values()) == 3
    assert status_of(mei, before["token"]) == 401
    mei.page.goto(f"{mei.url}/#/recover")
    mei.page.wait_for_selector(".instead >> text=Lin can still sign in")
    mei.page.fill("input[name=code]", kept)
    mei.page.click("form.name button")
    mei.page.wait_for_selector("text=Welcome back, Mei!")
    assert mei.page.evaluate(f"{ACCOUNT}.player") == before["player"]


def test_a_code_that_is_wrong_or_old_says_so(person):
    lin = registered(person)
    lin.tolerated = ("status of 404",)
    code = shows_a_code(lin)
    assert lin.page.inner_text(".addition .time").partition(":")[0] in ("4", "5")
    lin.page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 300_000; }")
    lin.page.wait_for_selector("text=The code has expired.")
    assert lin.page.locator(".addition").count() == 0
    other = at_home(person)
    other.tolerated = ("status of 404",)
    other.page.click("a >> text=Sign in with a code")
    other.page.fill("input[name=code]", "0000-0000" if code != "0000-0000" else "1111-1111")
    other.page.click("form.name button")
    other.page.wait_for_selector(".refusal")


def test_an_account_is_recovered_after_its_storage_was_cleared(person):
    lin = registered(person)
    lin.tolerated = ("ERR_FAILED",)
    page, player = lin.page, lin.account["player"]
    page.reload()
    page.wait_for_selector(".games li button")
    lin.is_still()
    assert page.locator(".offer").count() == 0  # nothing to lose yet
    lin.beside.keeps(ended_early(), [(player, "Lin")], ended_early().now)
    page.reload()
    page.click(".offer >> text=Make a recovery code")
    code = page.inner_text(".offer code")
    page.click(".offer >> text=I have kept it")
    page.wait_for_selector(".offer", state="detached")
    page.reload()
    page.wait_for_selector(".games li button")
    lin.is_still()
    assert page.locator(".offer").count() == 0
    page.evaluate("localStorage.clear()")
    page.reload()
    page.click("a >> text=Lost your device?")
    # The answer is lost, and the page with it: the same code brings the account all the same.
    page.route("**/v1/recoveries", lambda route: (route.fetch(), route.abort()))
    page.fill("input[name=code]", code)
    page.click("form.name button")
    page.wait_for_selector(".refusal >> text=Nobody answered")
    page.unroute("**/v1/recoveries")
    page.reload()
    assert page.input_value("input[name=code]") == code
    page.click("form.name button")
    page.wait_for_selector("text=Welcome back, Lin!")
    page.click("text=Make a recovery code")
    page.wait_for_selector(".box code")
    assert page.inner_text(".box code") != code
    assert page.evaluate(f"{ACCOUNT}.player") == player
    page.click("a >> text=Continue")
    page.click("a >> text=My games")
    page.wait_for_selector(".past > li")


def test_a_device_that_was_signed_out_elsewhere_says_so_and_comes_back(person):
    lin = registered(person)
    lin.tolerated = ("status of 401",)
    page = lin.page
    page.click(".start details summary")
    page.get_by_label("Light or dark").select_option("dark")
    table = lin.makes("sishifen", 4, ai=False)
    lin.opens(table)
    page.wait_for_selector(".offline", state="detached")
    elsewhere = lin.api("POST", "/links", {"code": lin.api("POST", "/me/link-codes")["code"], "name": "Tablet"})[
        "token"
    ]

    def is_signed_out():
        mine = next(each for each in lin.api("GET", "/me/tokens", token=elsewhere)["items"] if each["name"] != "Tablet")
        lin.api("DELETE", f"/me/tokens/{mine['id']}", token=elsewhere)
        page.wait_for_selector(".signed-out >> text=This device was signed out of Lin's account")

    is_signed_out()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    page.wait_for_selector(".signed-out")
    page.click(".signed-out a >> text=Sign in with a code")
    page.fill("input[name=code]", lin.api("POST", "/me/link-codes", token=elsewhere)["code"])
    page.fill("input[name=device]", "Phone again")
    page.click("form.name button")
    page.wait_for_selector("main.table .lobby-table")  # where it was
    assert page.url.endswith(f"#/table/{table}")
    # On any other page, with the next request; and a new player is another choice.
    page.goto(f"{lin.url}/#/devices")
    page.wait_for_selector(".devices > li")
    is_out = page.evaluate(f"{ACCOUNT}.token")
    items = lin.api("GET", "/me/tokens", token=elsewhere)["items"]
    again = next(each["id"] for each in items if each["name"] == "Phone again")
    lin.api("DELETE", f"/me/tokens/{again}", token=elsewhere)
    page.click("text=Show a code")
    page.wait_for_selector(".signed-out")
    assert status_of(lin, is_out) == 401
    page.click(".signed-out summary")
    page.fill("input[name=name]", "Lin II")
    page.click("form.name button")
    page.wait_for_selector(".devices > li")
    assert page.evaluate(f"[{ACCOUNT}.name, {ACCOUNT}.theme]") == ["Lin II", "dark"]


def test_devices_are_renamed_and_signed_out_and_what_is_kept_is_downloaded(person):
    lin = registered(person)
    lin.tolerated = ("status of 429",)
    page = lin.page
    for name in ("Tablet", "Old phone"):
        lin.api("POST", "/links", {"code": lin.api("POST", "/me/link-codes")["code"], "name": name})
    page.goto(f"{lin.url}/#/devices")
    row = page.locator(".devices > li")
    row.first.locator("text=Rename").click()
    page.fill("input[name=rename]", "My phone")
    page.click("text=Save")
    page.wait_for_selector(".devices > li:has(.badge) >> text=My phone")
    row.nth(1).get_by_role("button", name="Sign out Tablet").click()
    row.nth(1).locator("button.danger").click()
    lin.sees("document.querySelectorAll('.devices > li').length === 2")
    assert devices(lin) == {"My phone": 1, "Old phone": 1}
    page.click("text=Sign out all others")
    page.click("button.danger")
    lin.sees("document.querySelectorAll('.devices > li').length === 1")
    assert devices(lin) == {"My phone": 1}
    with page.expect_download() as download:
        page.click("button >> text=Download")
    kept = json.loads(download.value.path().read_text())
    assert kept["player"]["id"] == lin.account["player"]
    assert download.value.suggested_filename.startswith("shengji-")
    page.click("button >> text=Download")
    page.wait_for_selector(".refusal")
    # Without another device and a code, signing out is for ever: it says so.
    row.first.get_by_role("button", name="Sign out My phone").click()
    page.wait_for_selector("text=nobody could sign in to this account any more")
    page.click("button.danger")
    page.wait_for_selector("form.name input[name=name]")
    assert page.evaluate(f"{ACCOUNT}.token") is None
    assert page.locator(".signed-out").count() == 0
