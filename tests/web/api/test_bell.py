"""The bell: switched on and set by keyboard, a notice whose click leads to the table, and silence after signing out."""

import contextlib
import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from harness.client import PROGRAMS
from tests.notices.browsers import Browser
from tests.web.looking import findings
from tests.web.person import until
from tests.web.sight import Sight

pytestmark = pytest.mark.browser

#: Stubs what the browser would get from a push service, which cannot be reached.
PUSH_SERVICE = """(made) => {
  let subscribed = null;
  const subscription = { toJSON: () => made, unsubscribe: async () => { subscribed = null; return true; } };
  PushManager.prototype.subscribe = async () => (subscribed = subscription);
  PushManager.prototype.getSubscription = async () => subscribed;
}"""
SHOWN = """navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
    .then((shown) => shown.map((each) => [each.title, each.body, each.lang]))"""
CLICK = """registration.getNotifications().then(([notification]) =>
    dispatchEvent(new NotificationEvent("notificationclick", { notification })))"""


class Ada(Sight):
    """A person with a browser profile: contexts without one, as in the other tests, show no notices."""

    def __init__(self, context, url):
        self.context, self.url, self.page, self.errors = context, url, context.pages[0], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        super().__init__(self.page)
        self.page.goto(url)
        self.fills("怎么称呼您？", "Ada")
        self.presses("继续")
        self.sees("您好，Ada！")
        self.token = self.page.evaluate("JSON.parse(localStorage.shengji).token")

    def api(self, method, path, body=None, token=None):
        headers = {"Authorization": f"Bearer {token or self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        answer = self.context.request.fetch(f"{self.url}/v1{path}", method=method, headers=headers, data=data)
        assert answer.ok, answer.text()
        return answer.json()

    def gets(self, message):
        """Deliver a message to the browser, as its push service would."""
        session, notifications = self.context.new_cdp_session(self.page), []
        session.on(
            "ServiceWorker.workerRegistrationUpdated", lambda event: notifications.extend(event["registrations"])
        )
        session.send("ServiceWorker.enable")
        until(self.page, "a worker", lambda: notifications)
        sent = {"origin": self.url, "registrationId": notifications[0]["registrationId"], "data": json.dumps(message)}
        session.send("ServiceWorker.deliverPushMessage", sent)

    def gets_until_shown(self, message, notices):
        """Deliver a message until these notices are shown: a busy browser loses some of what DevTools delivers."""
        for _ in range(4):
            self.gets(message)
            with contextlib.suppress(AssertionError):
                return until(self.page, "the notices", lambda: self.page.evaluate(SHOWN) == notices)
        raise AssertionError(f"the browser shows {self.page.evaluate(SHOWN)}, not {notices}")


@pytest.fixture
def ada(browser, service, tmp_path):
    # The headless shell shows no notices.
    program = next((path for name in PROGRAMS[1:] if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"needs one of {', '.join(PROGRAMS[1:])}")
    context = browser.browser_type.launch_persistent_context(
        tmp_path,
        executable_path=program,
        args=["--no-sandbox"],
        permissions=["notifications"],
        locale="zh-CN",
    )
    with context:
        path = Ada(context, service.url)
        yield path
        assert path.errors == []


def test_the_bell_notifies_leads_to_the_table_and_is_silent_after_signing_out(ada, axe):
    subscription = Browser("https://fcm.googleapis.com/fcm/send/1").subscription
    keys = {"p256dh": subscription["p256dh"], "auth": subscription["auth"]}
    ada.page.evaluate(PUSH_SERVICE, {"endpoint": subscription["endpoint"], "keys": keys})
    # Another device of the player, which stays when this one signs out.
    code = ada.api("POST", "/me/link-codes")["code"]
    helper = ada.api("POST", "/links", {"code": code, "name": "Helper"})["token"]

    def subscriptions():
        return [each["carrier"] for each in ada.api("GET", "/me/push-subscriptions", token=helper)["items"]]

    # By keyboard alone.
    bell = ada.control("轮到我时通知我")
    assert bell.get_attribute("aria-pressed") == "false"
    bell.focus()
    ada.page.keyboard.press("Enter")
    expect(bell).to_have_attribute("aria-pressed", "true")
    assert subscriptions() == ["webpush"]
    ada.field("我的设备接收的通知").focus()
    ada.page.keyboard.press("ArrowDown")
    until(ada.page, "the choice", lambda: ada.api("GET", "/me/notices")["notify"] == "turns")
    ada.fills("静默时段结束", "07:00")
    until(ada.page, "quiet hours", lambda: (ada.api("GET", "/me/notices")["quiet_hours"] or {}).get("end") == "07:00")
    assert findings(ada.page, axe) == []
    # A click on a notice takes the open page to the table.
    table = ada.api("POST", "/tables", {"ruleset": "shengji", "players": 4})["id"]
    # A visible page shows invitations itself, and the browser no notice.
    ada.gets({"type": "invited", "title": "您收到邀请", "body": "", "language": "zh-Hans", "data": {"table": "tb_1"}})
    notice = {"title": "轮到您了", "body": "升级：牌桌在等您。", "language": "zh-Hans"}
    ada.gets_until_shown({"type": "turn", **notice, "data": {"table": table}}, [[*notice.values()]])
    ada.context.service_workers[0].evaluate(CLICK)
    until(ada.page, "the table", lambda: ada.page.url.endswith(f"#/table/{table}"))
    assert ada.page.evaluate(SHOWN) == []
    ada.page.goto(f"{ada.url}/#/devices")
    mine = Sight(ada.items("设备").filter(has_text="本设备"))
    mine.presses(re.compile("^退出“"))
    mine.presses("退出")
    ada.sees("怎么称呼您？")
    assert subscriptions() == []
    assert ada.page.evaluate("JSON.parse(localStorage.shengji).push") is None
