"""Signing in with an account elsewhere, at the OpenID provider of the npm package `oidc-provider`."""

import shutil
import subprocess

import pytest

from harness.make_run import Service, free_port
from tests.web.hosting import hosted
from tests.web.looking import faults
from tests.web.person import DESKTOP, PATIENCE, PHONE
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
        return page

    yield opens
    for each in opened:
        each.close()
    assert errors == []


def signs_in(page, club="Continue to Club", login="lin"):
    """Go from the page that explains the sign-in to the provider and back."""
    page.click(f"button >> text={club}")
    page.fill("input[name=login]", login)
    page.fill("input[name=password]", "any")
    page.click("button[type=submit]")
    page.click("button >> text=Continue")


def test_a_newcomer_links_an_account_elsewhere_and_gets_in_with_it_on_another_device(device, axe, picture):
    page = device(size=DESKTOP)
    page.click("text=Sign in with Club")
    page.wait_for_selector("text=neither your name there")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "way.png", full_page=True)
    signs_in(page)
    page.wait_for_selector("text=Nobody plays here with this account of Club yet")
    picture(page, "way-nobody.png", full_page=True)
    page.click("text=Begin as a new player")
    page.wait_for_selector(".devices li >> text=Club")
    assert "sign_in" not in page.url
    # The last way to sign in stays linked.
    page.click("text=Unlink")
    page.wait_for_selector(".refusal >> text=Nothing else leads back")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "ways.png", full_page=True)
    name = page.evaluate("JSON.parse(localStorage.shengji).name")

    other = device(locale="zh-CN", colours="dark")
    other.wait_for_selector("text=用 Club 登录")
    picture(other, "way-start.png", full_page=True)
    other.click("text=用 Club 登录")
    other.wait_for_selector("text=前往 Club")
    assert list(faults(other, axe, chinese=True)) == []
    signs_in(other, "前往 Club")
    other.wait_for_selector(f".hello >> text={name}")

    # A guest who has played here before does not become that player without being asked.
    third = device()
    third.fill("input[name=name]", "Mei")
    third.click("form.name button")
    third.wait_for_selector(".hello >> text=Mei")
    third.goto(third.url.split("#")[0] + "#/devices")
    third.click("text=Link one")
    third.click("text=Link Club")
    third.wait_for_selector("text=linked to Mei")
    signs_in(third)
    third.wait_for_selector("text=Another player signs in with this account of Club")
    assert third.is_disabled("text=Sign in as that player")
    assert list(faults(third, axe, chinese=False)) == []
    picture(third, "way-taken.png", full_page=True)
    third.check("input[type=checkbox]")
    third.click("text=Sign in as that player")
    third.wait_for_selector(f".hello >> text={name}")


def test_cancelling_at_the_provider_leads_back_unchanged(device):
    page = device()
    page.click("text=Sign in with Club")
    page.click("text=Continue to Club")
    page.click("text=Cancel")
    page.wait_for_selector("text=Club was told not to")
    page.click("text=Try again")
    page.wait_for_selector("text=Continue to Club")


def test_a_page_hosted_elsewhere_signs_in_at_its_service_and_comes_back(device, hosting, providing):
    host, services = hosting
    page = device()
    # As the second of two services, it is chosen by the address, and return_to does not name it.
    services.insert(0, "http://127.0.0.1:1")
    page.goto(f"{host}/?api={providing}")
    page.click("text=Sign in with Club")
    page.wait_for_selector(f".service >> text={providing.removeprefix('http://')}")
    signs_in(page, login="mei")
    page.wait_for_selector("text=Nobody plays here with this account of Club yet")
    assert page.url.startswith(f"{host}/#/ways?sign_in=")
    page.click("text=Begin as a new player")
    page.wait_for_selector(".devices li >> text=Club")
    [stored] = [key for key, value in page.evaluate("({ ...localStorage })").items() if "sjt_" in value]
    assert stored == f"shengji {providing}"


def test_a_sign_in_that_somebody_else_has_begun_does_nothing(device):
    page = device()
    page.goto(page.url.split("#")[0] + "#/ways?sign_in=of-somebody-else")
    page.wait_for_selector("text=begun elsewhere")
    assert "token" not in page.evaluate("localStorage.shengji ?? ''")
