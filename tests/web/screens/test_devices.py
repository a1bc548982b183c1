"""An account on several devices: linked, signed out, lost and recovered. Nothing is lost silently."""

import json
import re
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
#: The path of the QR code for a link.
QR_OF = """(link) => import("/vendor/uqr.js").then(({ encode }) => encode(link, { border: 2 }).data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join(""))"""


def at_home(person, name="Ada", **how):
    """Return a person without an account, at the start page, in a browser that no other test uses."""
    comes = person(name=name, **how)
    comes.page.goto(comes.url)
    return comes


def registered(person, **how):
    """Return a person with a new account, which is always read from the browser, as it may change."""
    ada = at_home(person, **how)
    ada.takes_name(ada.name)
    ada.is_greeted()
    return ada


def comes_back(ada):
    """Leave the start page and open it again."""
    ada.goes_to("lobby")
    ada.sees("I have a code")
    ada.goes_home()


def shows_a_code(ada):
    """Let a device show a link code; return it as displayed."""
    ada.goes_to("devices")
    ada.presses("Show a code")
    return ada.part("code").read()


def listed(ada):
    """The devices on the page."""
    return ada.items("Devices")


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
    drawn = ada.all("img", "QR code of the link that signs in").locator("path").get_attribute("d")
    assert drawn == ada.page.evaluate(QR_OF, link)
    tablet.page.goto(link)
    tablet.fills("设备名称", "Ada's tablet")
    tablet.presses("在本设备登录")
    tablet.sees("您好，Ada！")
    ada.sees("Ada's tablet is signed in.")
    expect(listed(ada)).to_have_count(2)
    assert devices(ada) == {None: 1, "Ada's tablet": 1}
    assert not any(code.replace("-", "") in url for url in requests_sent)
    # Both show the same tables when the start page is opened again.
    table = ada.makes("sishifen", 4, ai=False)
    for each, name in ((ada, "My tables"), (tablet, "我的牌桌")):
        each.goes_to("rules")
        each.goes_to()
        expect(each.items(name).get_by_role("link")).to_have_attribute("href", f"#/table/{table}")
    # A device with an account of its own: nobody gives that up by accident.
    page, first = ada.page, ada.account["token"]
    page.evaluate(FORGETS)
    ada.takes_name("Bea")
    ada.is_greeted("Bea")
    before = ada.account
    ada.goes_to("link")
    ada.sees("No other device and no recovery code")
    # The tablet was linked a moment ago, and cannot show a code yet.
    headers = {"Authorization": f"Bearer {first}"}
    code = ada.context.request.post(f"{ada.url}/v1/me/link-codes", headers=headers).json()["code"]
    ada.fills("Sign-in code", f" {code.lower()} ")
    expect(ada.control("Sign in on this device")).to_be_disabled()
    ada.presses("Make a recovery code")
    link_code = ada.part("code").read()
    ada.presses("Sign in on this device")
    ada.is_greeted("Ada")
    assert sum(devices(tablet).values()) == 3
    assert status_of(ada, before["token"]) == 401
    ada.goes_to("recover")
    ada.sees("Ada can still sign in")
    ada.fills("Recovery code", link_code)
    ada.presses("Get my account back")
    ada.sees("Welcome back, Bea!")
    assert page.evaluate(f"{ACCOUNT}.player") == before["player"]


def test_an_account_is_recovered_after_its_storage_was_cleared(person):
    ada = registered(person)
    ada.tolerated = ("ERR_FAILED",)
    page, player = ada.page, ada.account["player"]
    ada.is_still()
    ada.sees_no("Keep what you have played")  # nothing to lose yet
    ada.beside.keeps(ended_early(), [(player, "Ada")], ended_early().now)
    comes_back(ada)
    ada.presses("Make a recovery code")
    code = ada.part("code").read()
    ada.presses("I have kept it")
    ada.sees_no("Keep what you have played")
    comes_back(ada)
    ada.is_still()
    ada.sees_no("Keep what you have played")
    page.evaluate("localStorage.clear()")
    page.reload()
    ada.presses("Lost your device?")
    # The answer is lost and the page reloaded: the same code still recovers the account.
    page.route("**/v1/recoveries", lambda route: (route.fetch(), route.abort()))
    ada.fills("Recovery code", code)
    ada.presses("Get my account back")
    ada.part("alert").sees("Nobody answered")
    page.unroute("**/v1/recoveries")
    page.reload()
    expect(ada.field("Recovery code")).to_have_value(code)
    ada.presses("Get my account back")
    ada.sees("Welcome back, Ada!")
    ada.presses("Make a recovery code")
    assert ada.part("code").read() != code
    assert page.evaluate(f"{ACCOUNT}.player") == player
    ada.presses("Continue")
    ada.presses("My games")
    ada.sees("ended early")


def test_the_first_recovery_code_is_not_said_to_be_there_already(person):
    ada = person(fresh=True, name="Ada")
    ada.registers()
    page = ada.page
    ada.goes_to("devices")
    ada.presses("Make a recovery code")
    ada.sees("Write it down")
    ada.is_still()
    ada.sees_no("There is a recovery code.")
    page.reload()
    ada.sees("There is a recovery code.")


def test_a_device_that_was_signed_out_elsewhere_says_so_and_comes_back(person):
    ada = registered(person)
    ada.tolerated = ("status of 401",)
    page = ada.page
    ada.presses("Settings")
    ada.selects("Light or dark", "dark")
    table = ada.makes("sishifen", 4, ai=False)
    ada.opens(table)
    ada.sees_no("Connecting")
    elsewhere = ada.api("POST", "/links", {"code": ada.api("POST", "/me/link-codes")["code"], "name": "Tablet"})[
        "token"
    ]

    def is_signed_out():
        mine = next(each for each in ada.api("GET", "/me/tokens", token=elsewhere)["items"] if each["name"] != "Tablet")
        # With the device's own token, since the tablet is too new to end it.
        ada.api("DELETE", f"/me/tokens/{mine['id']}")
        ada.sees("This device was signed out of Ada's account")

    is_signed_out()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    ada.presses("Sign in with a code")
    ada.fills("Sign-in code", ada.api("POST", "/me/link-codes", token=elsewhere)["code"])
    ada.fills("Name of this device", "Phone again")
    ada.presses("Sign in on this device")
    ada.is_waiting()  # where it was
    assert page.url.endswith(f"#/table/{table}")
    # Any other page shows it at the next request; one may also go on as a new player.
    ada.goes_to("devices")
    listed(ada).first.wait_for()
    is_out = page.evaluate(f"{ACCOUNT}.token")
    items = ada.api("GET", "/me/tokens", token=elsewhere)["items"]
    again = next(each["id"] for each in items if each["name"] == "Phone again")
    ada.api("DELETE", f"/me/tokens/{again}", token=is_out)
    ada.presses("Show a code")
    ada.sees("This device was signed out")
    assert status_of(ada, is_out) == 401
    ada.presses("Start anew")
    ada.takes_name("Ada II")
    listed(ada).first.wait_for()
    assert page.evaluate(f"[{ACCOUNT}.name, {ACCOUNT}.theme]") == ["Ada II", "dark"]


def test_devices_are_named_and_signed_out_codes_expire_and_the_account_is_downloaded(person):
    ada = registered(person)
    ada.tolerated = ("status of 404", "status of 429")
    page = ada.page
    ada.beside.keeps(ended_early(), [(ada.account["player"], "Ada")], ended_early().now)
    comes_back(ada)
    ada.presses("Not now")
    comes_back(ada)
    ada.is_still()
    ada.sees_no("Keep what you have played")
    for name in ("Tablet", "Old phone"):
        ada.api("POST", "/links", {"code": ada.api("POST", "/me/link-codes")["code"], "name": name})
    ada.goes_to("devices")
    ada.presses("Rename Device without a name")
    ada.fills("Name", "My phone")
    ada.presses("Save")
    expect(listed(ada).filter(has_text="this device")).to_contain_text("My phone")
    ada.presses("Sign out Tablet")
    ada.presses("Sign out")
    expect(listed(ada)).to_have_count(2)
    assert devices(ada) == {"My phone": 1, "Old phone": 1}
    ada.presses("Sign out all others")
    ada.presses("Really sign out 1 device")
    expect(listed(ada)).to_have_count(1)
    assert devices(ada) == {"My phone": 1}
    with page.expect_download() as download:
        ada.presses("Download")
    account_data = json.loads(download.value.path().read_text())
    assert account_data["player"]["id"] == ada.account["player"]
    assert download.value.suggested_filename.startswith("shengji-")
    ada.presses("Download")
    ada.part("alert").is_there()
    # A code works for five minutes, whatever the clock of the device says.
    code = shows_a_code(ada)
    ada.sees(re.compile("It works for [45]:"))
    page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 300_000; }")
    ada.sees("The code has expired.")
    expect(ada.all("code")).to_have_count(0)
    # Without another device or a recovery code, signing out is final: the page says so.
    ada.presses("Sign out My phone")
    ada.sees("nobody could sign in to this account any more")
    ada.presses("Sign out")
    ada.sees("What should we call you?")
    assert page.evaluate(f"{ACCOUNT}.token") is None
    ada.sees_no("This device was signed out")
    ada.presses("Sign in with a code")
    ada.fills("Sign-in code", "0000-0000" if code != "0000-0000" else "1111-1111")
    ada.presses("Sign in on this device")
    ada.part("alert").is_there()


@pytest.mark.parametrize(
    ("locale", "title", "make", "back"),
    [
        ("en", "Letting others in", "Make a code", re.compile("^Take back the code of ")),
        ("zh-CN", "邀请他人注册", "生成注册码", re.compile("^收回 .*生成的注册码$")),
    ],
)
def test_a_player_lets_others_in_while_that_takes_a_code(person, axe, locale, title, make, back):
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
    ada.goes_to("devices")
    ada.control(re.compile("^(Download|下载)$")).wait_for()
    ada.is_still()
    ada.sees_no(title)
    registration = "invited"
    page.reload()
    ada.presses(make)
    ada.sees("7HQ2-K5XM-9R4D")
    codes.append({**codes[0], "id": "rc_used", "left": 0})
    page.reload()
    expect(ada.items(title)).to_have_count(2)
    # As many as a player may make; the used one cannot be taken back.
    expect(ada.control(make)).to_have_count(0)
    ada.sees_no("7HQ2-K5XM-9R4D")
    assert list(faults(page, axe, chinese=locale != "en")) == []
    ada.presses(back)
    ada.control(make).wait_for()
    expect(ada.items(title)).to_have_count(1)
    assert voided == ["rc_0"]
