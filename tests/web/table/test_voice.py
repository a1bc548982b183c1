"""Voices between browsers, over a TURN server of Debian: heard while a button is held, and cut by a block."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from harness.client import launched
from harness.make_run import Service, running
from harness.turn import TurnServer, turn_server
from tests.conftest import SETTINGS
from tests.web.beside import Beside, asks
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, Homes, Person, until

pytestmark = pytest.mark.browser

RULES = {"ruleset": "sishifen", "players": 4, "options": {"deal_pace": "instant"}}
#: A microphone that beeps, and the permission to use it.
FLAGS = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
#: Keeps the connections of a page, in order to ask them what they carry.
KEEPS = """window.lines = [];
window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(...how) {
    super(...how);
    lines.push(this);
  }
};"""
#: What a page's connections have carried: sound that was heard, and kinds of addresses.
CARRIED = """async () => {
  let energy = 0;
  const kinds = new Set();
  for (const line of lines) {
    const stats = [...(await line.getStats()).values()];
    for (const each of stats) {
      if (each.type === "inbound-rtp") energy += each.totalAudioEnergy ?? 0;
      if (each.type === "local-candidate" || each.type === "remote-candidate") kinds.add(each.candidateType);
    }
  }
  return { energy, kinds: [...kinds], open: lines.filter((line) => line.connectionState === "connected").length };
}"""


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TurnServer]:
    with turn_server(tmp_path_factory.mktemp("turn")) as server:
        yield server


@pytest.fixture(scope="module")
def talkative(turn: TurnServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with that TURN server."""
    with running(tmp_path_factory.mktemp("talkative"), **SETTINGS, **turn.settings) as service:
        yield service


@pytest.fixture(scope="module")
def homes_with_microphones(browser: Browser) -> Iterator[Homes]:
    """Homes in another browser, with a microphone."""
    with_microphone = launched(browser.browser_type, *FLAGS)
    yield Homes(with_microphone)
    with_microphone.close()


@pytest.fixture
def talker(talkative: Service, homes_with_microphones: Homes) -> Iterator[Callable[..., Person]]:
    """Makes persons with a microphone."""
    came: list[Person] = []
    beside = Beside(talkative)

    def comes(name: str, **how: Any) -> Person:
        came.append(Person(talkative.url, homes_with_microphones, beside, name=name, fresh=True, **how))
        came[-1].page.add_init_script(KEEPS)
        came[-1].tolerated = ("status of 409",)
        came[-1].registers()
        return came[-1]

    yield comes
    for each in came:
        each.leave()
    beside.close()
    for each in came:
        assert each.errors == []


def meet(talker: Callable[..., Person], *names: str, voice: bool = True, **how: Any) -> tuple[list[Person], str]:
    """People at the table of a room, where AI players have the other seats; a game has begun."""
    people = [talker(name, **how) for name in names]
    host = people[0]
    room = host.api("POST", "/rooms", {"name": "Friday", "rules": {**RULES, "voice": voice, "ai_pace_ms": 0}})
    table = host.api("POST", f"/rooms/{room['room']}/table")["table"]["table"]
    for seat, each in enumerate(people):
        if each is not host:
            each.api("POST", "/me/rooms", {"code": room["links"]["member"]})
        each.api("POST", f"/tables/{table}/seats", {"seat": seat})
    for seat in range(len(people), 4):
        host.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    for each in people:
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    host.beside.plays_on(table, asks("play", 0))
    for each in people:
        each.opens(table)
        each.is_playing()
    return people, table


def status(person: Person) -> Locator:
    """What the page says of the connections."""
    return person.part("region", "Voices").all("status")


def joins(*people: Person) -> None:
    for each in people:
        each.presses("Join by voice")
    for each in people:
        others = [other.name for other in people if other is not each]
        expect(status(each)).to_contain_text(f"Connected: {' and '.join(others)}")


def carried(person: Person) -> dict[str, Any]:
    what: dict[str, Any] = person.page.evaluate(CARRIED)
    return what


def holds(person: Person) -> None:
    """Begin to hold the button with the mouse."""
    person.control("Hold to talk").hover()
    person.page.mouse.down()
    person.control("Others hear you").wait_for()


def test_two_browsers_talk_over_the_turn_server_while_a_button_is_held(talker, turn, axe, picture):
    (lin, mei), _ = meet(talker, "Lin", "Mei")
    assert list(faults(lin.page, axe, chinese=False)) == []
    joins(lin, mei)
    assert carried(mei)["energy"] < 1e-6, "nobody hears anything before a button is held"
    # Longer than a tap, which would leave it on.
    holds(lin)
    until(mei.page, "Lin's voice at Mei", lambda: carried(mei)["energy"] > 1e-4)
    expect(mei.all("region", re.compile("^Lin, .*is talking"))).to_have_count(1)
    picture(mei.page, "voice.png")
    assert list(faults(lin.page, axe, chinese=False)) == []
    assert list(faults(mei.page, axe, chinese=False)) == []
    lin.page.mouse.up()
    lin.control("Hold to talk").wait_for()
    assert carried(lin)["energy"] < 1e-6, "Mei has said nothing"
    # All of it goes over the TURN server, and neither learns the other's address.
    for each in (lin, mei):
        assert carried(each)["kinds"] == ["relay"]
    assert "ALLOCATE processed, success" in turn.output()


def test_the_button_is_held_by_a_key_and_left_on_by_a_short_tap(talker):
    (lin, mei), _ = meet(talker, "Lin", "Mei")
    joins(lin, mei)
    button = lin.part("region", "Voices").all("button").first
    button.focus()
    lin.page.keyboard.down(" ")
    expect(button).to_have_attribute("aria-pressed", "true")
    until(mei.page, "Lin's voice at Mei", lambda: carried(mei)["energy"] > 1e-4)
    # Longer than a tap (`SHORT_MS` of sitting/voice.js), also where the voice has come at once.
    lin.page.wait_for_timeout(400)
    lin.page.keyboard.up(" ")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_block_cuts_it_for_the_two_alone(talker):
    (lin, mei, wei), _ = meet(talker, "Lin", "Mei", "Wei")
    joins(lin, mei, wei)
    mei.seat("Lin").all("link").click()
    mei.dialog("Lin").presses("Block")
    mei.dialog("Lin").presses("Block")
    for each, left in ((mei, "Connected: Wei"), (lin, "Connected: Wei")):
        expect(status(each)).to_have_text(left)
    until(mei.page, "one open connection of Mei", lambda: carried(mei)["open"] == 1)
    expect(status(wei)).to_contain_text("Lin and Mei")
    # Lin's page cannot come back to her.
    lin.presses("Leave the voices")
    lin.presses("Join by voice")
    expect(status(lin)).to_have_text("Connected: Wei")
    assert carried(mei)["open"] == 1


def test_it_ends_with_the_seat(talker):
    (lin, mei), table = meet(talker, "Lin", "Mei")
    mei.tolerated += ("status of 403",)
    joins(lin, mei)
    lin.api("DELETE", f"/rooms/{lin.api('GET', f'/tables/{table}')['room']}/people/{mei.account['player']}")
    expect(status(lin)).to_have_text("Nobody else is connected yet.")


def test_rated_games_have_no_voices(talker):
    (lin, _), _ = meet(talker, "Lin", "Mei", voice=False)
    expect(lin.all("region", "Voices")).to_have_count(0)
    lin.sees_no("Join by voice")


def test_who_has_no_microphone_is_told(talker):
    (lin, _), _ = meet(talker, "Lin", "Mei", size=DESKTOP)
    lin.page.evaluate(
        """() => {
          navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "NotAllowedError"); };
        }"""
    )
    lin.presses("Join by voice")
    lin.sees("The browser does not let this page use a microphone.")
    lin.speaks("zh-CN")
    lin.sees("浏览器不允许本页面使用麦克风。")


def test_the_host_of_a_room_chooses_voices(talker):
    lin = talker("Lin", size=PHONE)
    room = lin.api("POST", "/rooms", {"name": "Friday", "rules": RULES})["room"]
    lin.goes_to(f"room/{room}")
    lin.presses("Change name and rules")
    lin.field("Those who sit may talk; games are not rated then").check()
    lin.presses("Save")
    lin.sees("Saved")
    assert lin.api("GET", f"/rooms/{room}")["rules"]["voice"] is True
    lin.sees("those who sit talk; games are not rated")
