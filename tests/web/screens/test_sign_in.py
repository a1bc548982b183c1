"""Signing in with an account elsewhere, at the OpenID provider of the npm package `oidc-provider`."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from harness.make_run import Service, free_port
from tests.web.hosting import hosted
from tests.web.looking import faults
from tests.web.person import DESKTOP, PATIENCE, PHONE
from tests.web.sight import Sight
from tools.clients.toolchain import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture(scope="module")
def hosting():
    """The address of a page that is hosted elsewhere, and the list of its services."""
    services = []
    with hosted(services, "Club") as url:
        yield url, services


@pytest.fixture(scope="module")
def providing(tools, tmp_path_factory, hosting):
    """The address of a service that is set up with a provider."""
    folder, port, at = tmp_path_factory.mktemp("provider"), free_port(), free_port()
    (folder / "node_modules").symlink_to(tools.folder / "node_modules")
    program = shutil.copy(ROOT / "tests" / "clients" / "programs" / "provider.mjs", folder)
    url = f"http://127.0.0.1:{port}"
    setting = f"Club=http://127.0.0.1:{at}|play|a-secret-of-the-tests"
    service = Service(folder, port, PUBLIC_URL=url, OIDC_PROVIDERS=setting, CORS_ORIGINS=hosting[0])
    hosting[1].append(url)
    command = [tools.node, program, str(at), f"{url}/v1/sign-in/Club/callback"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as provider:
        try:
            service.wait_until_ready()
            assert provider.stdout.readline().strip() == "ready"
            yield url
        finally:
            provider.kill()
            service.clear_away()


@pytest.fixture
def device(browser, providing):
    """Opens the page on a new device; an error of a script fails the test."""
    opened, errors = [], []

    def opens(locale="en-GB", size=PHONE, colours="light"):
        window = {"width": size[0], "height": size[1]}
        opened.append(
            browser.new_context(locale=locale, viewport=window, color_scheme=colours, service_workers="block")
        )
        # The pages of the provider would wait for a font.
        opened[-1].route("https://fonts.googleapis.com/**", lambda route: route.abort())
        page = opened[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{providing}/")
        return Sight(page)

    yield opens
    for each in opened:
        each.close()
    assert errors == []


def signs_in(seen, club="Continue to Club", login="lin"):
    """Go from the page that explains the sign-in to the provider and back."""
    seen.presses(club)
    # The provider's own pages have no labels.
    seen.place.fill("input[name=login]", login)
    seen.place.fill("input[name=password]", "any")
    seen.place.click("button[type=submit]")
    seen.presses("Continue")


def test_a_newcomer_links_an_account_elsewhere_and_gets_in_with_it_on_another_device(device, axe, picture):
    seen = device(size=DESKTOP)
    page = seen.place
    seen.presses("Sign in with Club")
    seen.sees("neither your name there")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "way.png", full_page=True)
    signs_in(seen)
    seen.sees("Nobody plays here with this account of Club yet")
    picture(page, "way-nobody.png", full_page=True)
    seen.presses("Begin as a new player")
    seen.part("list", "External accounts").sees("Club")
    assert "sign_in" not in page.url
    # The last way to sign in stays linked.
    seen.presses(re.compile("^Unlink"))
    seen.part("alert").sees("Nothing else leads back")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "ways.png", full_page=True)
    name = page.evaluate("JSON.parse(localStorage.shengji).name")

    other = device(locale="zh-CN", colours="dark")
    other.control("用 Club 登录").wait_for()
    picture(other.place, "way-start.png", full_page=True)
    other.presses("用 Club 登录")
    other.control("前往 Club").wait_for()
    assert list(faults(other.place, axe, chinese=True)) == []
    signs_in(other, "前往 Club")
    other.sees(f"您好，{name}")

    # A guest who has played here before does not become that player without being asked.
    third = device()
    third.fills("What should we call you?", "Mei")
    third.presses("Continue")
    third.sees("Hello, Mei")
    third.place.goto(third.place.url.split("#")[0] + "#/devices")
    third.presses("Link one")
    third.presses("Link Club")
    third.sees("linked to Mei")
    signs_in(third)
    third.sees("Another player signs in with this account of Club")
    expect(third.control("Sign in as that player")).to_be_disabled()
    assert list(faults(third.place, axe, chinese=False)) == []
    picture(third.place, "way-taken.png", full_page=True)
    third.all("checkbox").check()
    third.presses("Sign in as that player")
    third.sees(f"Hello, {name}")


def test_cancelling_at_the_provider_leads_back_unchanged(device):
    seen = device()
    seen.presses("Sign in with Club")
    seen.presses("Continue to Club")
    seen.place.click("text=Cancel")
    seen.sees("Club was told not to")
    seen.presses("Try again")
    seen.control("Continue to Club").wait_for()


def test_a_page_hosted_elsewhere_signs_in_at_its_service_and_comes_back(device, hosting, providing):
    host, services = hosting
    seen = device()
    page = seen.place
    # As the second of two services, it is chosen by the address, and return_to does not name it.
    services.insert(0, "http://127.0.0.1:1")
    page.goto(f"{host}/?api={providing}")
    seen.presses("Sign in with Club")
    seen.sees(providing.removeprefix("http://"))
    signs_in(seen, login="mei")
    seen.sees("Nobody plays here with this account of Club yet")
    assert page.url.startswith(f"{host}/#/ways?sign_in=")
    seen.presses("Begin as a new player")
    seen.part("list", "External accounts").sees("Club")
    [stored] = [key for key, value in page.evaluate("({ ...localStorage })").items() if "sjt_" in value]
    assert stored == f"shengji {providing}"


def test_a_sign_in_that_somebody_else_has_begun_does_nothing(device):
    seen = device()
    page = seen.place
    page.goto(page.url.split("#")[0] + "#/ways?sign_in=of-somebody-else")
    seen.sees("begun elsewhere")
    assert "token" not in page.evaluate("localStorage.shengji ?? ''")
