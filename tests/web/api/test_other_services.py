"""The page talks to one service: the one that has served it, or those that its host lists. No link changes that."""

import json
import re
from urllib.parse import quote

import pytest

from tests.conftest import OPERATOR_TOKEN
from tests.web.hosting import hosted, thief
from tests.web.looking import faults
from tests.web.person import DESKTOP, until

pytestmark = pytest.mark.browser

#: Screens that have secrets to send, or ask for them.
SCREENS = ("", "ways/Club", "ways?sign_in=a-code", "operator", "recover", "link/ABCD", "devices", "consent?client_id=x")
REFUSED = "This page does not talk to that service"


def signs_in_as_operator(lin, url):
    lin.page.goto(f"{url}/#/operator")
    lin.fills(re.compile("^Your operator's token"), OPERATOR_TOKEN)
    lin.page.keyboard.press("Enter")
    lin.control("What was done").wait_for()


def test_no_link_makes_the_genuine_page_send_anything_to_another_host(person, axe, picture):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    signs_in_as_operator(lin, lin.url)
    # A sign-in with an external account is under way.
    lin._stores({"begun": {"provider": "Club", "verifier": "a-verifier", "to": ""}})
    with thief() as other:
        for named in (other.url, f"{other.url}/", other.url.removeprefix("http:"), "javascript:alert(1)"):
            for screen in SCREENS:
                page.goto(f"{lin.url}/?on={quote(screen)}&api={named}#/{screen}")
                lin.sees(REFUSED)
                # There is nothing to type or press but the way to the genuine page.
                assert page.locator("input, button").count() == 0
                assert [each.get_attribute("href") for each in lin.all("link").all()] == ["/"]
        assert list(faults(page, axe, chinese=False)) == []
        picture(page, "service-refused.png")
        assert other.got == []
        lin.all("link").click()
        lin.is_greeted()
        assert "api=" not in page.url


def test_the_policy_of_the_page_lets_requests_go_to_its_own_service_alone(person):
    lin = person(fresh=True)
    lin.registers()
    lin.tolerated = ("Content Security Policy", "Failed to fetch", "violates", "status of 415")
    with thief() as other:
        sent = """(to) => fetch(to, { method: "POST", body: "a secret" }).then(() => "sent", () => "blocked")"""
        assert lin.page.evaluate(sent, f"{other.url}/v1/recoveries") == "blocked"
        assert lin.page.evaluate(sent, f"{lin.url}/v1/recoveries") == "sent"
        assert other.got == []


def test_the_address_of_the_own_service_may_be_named(person):
    lin = person(fresh=True)
    lin.registers()
    lin.page.goto(f"{lin.url}/?api={lin.url}/#/")
    lin.is_greeted()
    lin.sees_no("Service:")


def test_a_page_hosted_elsewhere_talks_to_the_service_that_its_host_has_set(person, service, axe):
    lin = person(fresh=True, size=DESKTOP)
    page = lin.page
    name = service.url.removeprefix("http://")
    with hosted([service.url]) as host, thief() as other:
        page.goto(host)
        lin.sees(f"Service: {name}")
        assert lin.control("For developers").get_attribute("href").startswith(f"{service.url}/docs")
        lin.takes_name("Lin")
        lin.is_greeted()
        assert list(faults(page, axe, chinese=False)) == []
        lin.selects("Game", "sishifen")
        lin.presses("Against AI players")  # one press to a running game
        lin.cards.first.wait_for()
        table = page.url.rpartition("/")[2]
        # The token is stored for this service alone.
        stored = page.evaluate("({ ...localStorage })")
        [place] = [key for key, value in stored.items() if "sjt_" in value]
        assert place == f"shengji {service.url}"
        token = json.loads(stored[place])["token"]
        lin.api("DELETE", f"/tables/{table}", token=token)

        # The recovery code and the operator's token go to the same service, which each page names.
        page.goto(f"{host}/#/devices")
        lin.presses("Make a recovery code")
        code = lin.part("code").read()
        page.evaluate("localStorage.clear()")
        page.goto(f"{host}/#/recover")
        page.reload()
        lin.sees(f"Service: {name}")
        lin.fills("Recovery code", code)
        lin.presses("Get my account back")
        lin.sees("Welcome back, Lin!")
        signs_in_as_operator(lin, host)
        lin.sees(f"Service: {name}")
        assert page.evaluate("Object.keys(sessionStorage)") == [f"shengji operator {service.url}"]

        # A link cannot name another service here, either.
        for screen in SCREENS:
            page.goto(f"{host}/?on={quote(screen)}&api={other.url}#/{screen}")
            lin.sees(REFUSED)
        page.goto(lin.url)
        assert other.got == []


def test_of_several_services_of_a_host_each_has_storage_of_its_own(person, service):
    lin = person(fresh=True)
    page = lin.page
    with thief() as second, hosted([service.url, second.url]) as host:
        name = second.url.removeprefix("http://")
        page.goto(host)
        lin.takes_name("Lin")
        lin.is_greeted()
        token = json.loads(page.evaluate("(of) => localStorage[`shengji ${of}`]", service.url))["token"]
        signs_in_as_operator(lin, host)
        page.goto(f"{host}/#/")
        lin.presses(name)
        lin.sees(f"Service: {name}")
        lin.sees("What should we call you?")  # nobody is signed in there
        until(page, "a request there", lambda: second.got)
        page.goto(f"{page.url}#/operator")
        lin.field(re.compile("^Your operator's token")).wait_for()
        # The tab stays with its service, also where the address does not name it: a provider leads back there.
        page.goto(f"{host}/#/recover")
        lin.sees(f"Service: {name}")
        page.goto(lin.url)
        assert not [each for each in second.got if token in each or OPERATOR_TOKEN in each]


def test_only_web_addresses_are_services(person, service):
    lin = person(fresh=True)
    with hosted(["javascript:alert(1)//", "data:text/html,x", "ftp://127.0.0.1/", "nothing", service.url]) as host:
        lin.page.goto(host)
        lin.sees(service.url.removeprefix("http://"))
        hrefs = lin.page.evaluate("[...document.links].map(({ href }) => href)")
        assert hrefs
        assert all(href.startswith("http") for href in hrefs)
        lin.page.goto(lin.url)


def test_no_part_of_an_address_leaves_its_place_in_the_path_of_a_request(person):
    lin = person()
    lin.registers()
    calls = []
    lin.page.on("request", lambda request: calls.append(request))  # noqa: PLW0108 - Playwright marks the handler
    screens = ("event/{}", "table/{}", "replay/{}/1?analysis=1", "operator/player/{}", "ways/{}")
    for part in ("..%2Fme%2Frecovery-code%3Fx%3D", "..", "a%23b", "a%5Cb", "%25"):
        for screen in (each.format(part) for each in screens):
            lin.page.goto(f"{lin.url}/?on={quote(screen)}#/{screen}")
            lin.sees("There is nothing at this address")
    lin.is_still()
    assert {request.method for request in calls if "/v1/" in request.url} == {"GET"}
    assert not [request.url for request in calls if "recovery-code" in request.url.partition("?")[0]]
    lin.page.goto(f"{lin.url}/#/")
