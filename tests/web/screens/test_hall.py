"""A pairs evening: four people on phones, a director, and a screen on the wall that nobody touches."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, until
from tests.web.screens.test_event import store_of
from tests.web.screens.test_teams import SETUP, Cup, comes, looks_right

__all__ = ("comes",)
pytestmark = pytest.mark.browser

WALL, SMALL_WALL, LARGE_WALL = (1920, 1080), (1280, 720), (3840, 2160)
PLAYED = {"deal": 0, "at": 1, "points": 85, "side": "attackers"}


def hangs(who, event, axe, picture, name, *, chinese=False):
    """Look at the wall in each size and both colours: nothing is cut off, and nothing scrolls."""
    for size in (SMALL_WALL, LARGE_WALL, WALL):
        who.has_window(size)
        assert who.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), size
        assert who.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        picture(who.page, f"hall-{name}-{size[0]}.png")
    assert list(faults(who.page, axe, chinese=chinese)) == []


def test_a_pairs_evening_is_watched_on_a_wall(comes, axe, picture, service):
    director = comes("Dora", size=DESKTOP)
    director.goes_to("teams/new")
    director.selects("Game", "sishifen")
    director.presses(re.compile("^Pairs evening"))
    expect(director.field("Name of the event")).to_have_value("Pairs evening")
    director.fills("Boards a round", "1")
    looks_right(director, axe, picture, "templates")
    director.presses("Make a team event")
    director.sees("Begin round 1")
    event = director.page.url.split("/")[-2]
    wall = comes("大屏", size=WALL, locale="zh-CN")
    wall.goes_to(f"hall/{event}")
    wall.sees("扫码报名", "已报名 0")
    wall.page.emulate_media(color_scheme="dark")
    guests = [comes(f"{name}", size=PHONE, locale=locale) for name, locale in (("Lin", "en-GB"), ("Bo", "zh-CN"))]
    others = [director.api("POST", "/players", {"name": name, "kind": "human"}) for name in ("Mei", "Cy")]
    for guest, other in zip(guests, others, strict=True):
        entry = [{"player": guest.account["player"]}, {"player": other["player"]["id"]}]
        path = f"/team-events/{event}/teams"
        team = guest.api("POST", path, {"teams": [{"members": entry}]})["mine"]["team"]
        guest.api("PUT", f"{path}/{team}/confirmation", token=other["token"])
        guest.goes_to(f"teams/{event}")
    wall.sees("Lin / Mei", "Bo / Cy")
    hangs(wall, event, axe, picture, "entries", chinese=True)
    director.page.reload()
    director.presses("Begin round 1")
    director.sees("Round 1")
    # The wall and the phones show the round by themselves.
    wall.sees("第 1 轮，共 4 轮")
    expect(wall.all("timer", "本轮剩余时间")).to_be_visible()
    hangs(wall, event, axe, picture, "round", chinese=True)
    lin, bo = guests
    slip = lin.part("region", "Your table in round 1").sees("Mei", "Bo and Cy")
    assert slip.read().split()[:2] == ["Table", "1"]
    bo.part("region", "第 1 轮您的牌桌").sees("Lin和Mei")
    looks_right(lin, axe, picture, "slip")
    looks_right(bo, axe, picture, "slip-zh", chinese=True)
    lin.control("Play").wait_for()
    director.presses("Slips to print")
    director.sees("Slips of round 1")
    assert director.place.get_by_role("region", name="Your table in round 1").count() == 4
    looks_right(director, axe, picture, "slips")
    store_of(service).add_result(event, 1, "1a", {**PLAYED, "game": "gm_1_1", "value": 45})
    director.goes_to(f"teams/{event}/direct")
    director.presses("End the round")
    director.presses("Really end round 1 now?")
    wall.sees("第 1 轮已结束，共 4 轮")
    wall.part("list", "名次").is_there()
    hangs(wall, event, axe, picture, "ranks", chinese=True)
    lin.page.reload()
    lin.presses("Results board by board")
    lin.part("list", re.compile("^Board 1")).sees("50%")
    looks_right(lin, axe, picture, "by-board")
    director.api("POST", f"/team-events/{event}/closing")
    wall.sees("比赛结束")


def test_a_wall_turns_its_pages_and_comes_back_by_itself(comes, axe, picture):
    wall = comes("Wall", size=SMALL_WALL)
    cup = Cup(wall, "Large Cup")
    names = [f"Team number {number}" for number in range(1, 33)]
    for name in names:
        cup.enters(name, wall.account["player"])
    wall.goes_to(f"hall/{cup.id}")
    first, last = wall.text(names[0]).first, wall.text(names[-1])
    expect(first).to_be_in_viewport()
    expect(wall.place.get_by_role("img", name=re.compile("^Page 1 of"))).to_be_visible()
    hangs(wall, cup.id, axe, picture, "many")
    expect(last.first).to_be_in_viewport()
    wall.context.set_offline(True)
    wall.sees("The screen catches up by itself.")
    wall.context.set_offline(False)
    cup.enters("Latecomers", wall.account["player"])
    wall.sees_no("The screen catches up by itself.")
    wall.sees("33 entered")


def test_a_shown_event_is_watched_card_by_card_with_the_words_of_a_commentator(comes, axe, picture, beside):
    director = comes("Dora", size=DESKTOP)
    cup = Cup(director, "Shown Cup", form="swiss_pairs", boards=1, rounds=2)
    event = cup.id
    voice, watcher = comes("Voice", size=PHONE), comes("旁观", size=PHONE, locale="zh-CN")
    for name in ("Ann", "Bo"):
        other = cup.joins(name)
        members = [{"player": other["player"]["id"]}, {"level": "easy"}]
        director.api("POST", f"/team-events/{event}/teams", {"teams": [{"members": members}]}, token=other["token"])
    # The director of the cup is somebody else: Dora only looks on.
    cup.directs("PUT", "/showing", {"delay_ms": 0, "commentators": [voice.account["player"]]})
    cup.begins()
    watcher.goes_to(f"teams/{event}")
    watcher.presses("旁观比赛")
    watcher.sees("还没有公开的牌。")
    asked = lambda: director.api("GET", f"/team-events/{event}", token=other["token"])["mine"]["table"]  # noqa: E731
    until(director.page, "a table", asked)
    table = asked()
    beside.plays_on(table, lambda state: state["status"] == "finished")
    # It is the only board of the round.
    beside.notes(table)
    until(director.page, "a board that is shown", lambda: voice.api("GET", f"/team-events/{event}/showing")["boards"])
    voice.goes_to(f"hall/{event}/watch")
    voice.fills("Comment on this board", "The trumps were four to three.")
    voice.presses("Say it")
    voice.part("list", "Comments").sees("The trumps were four to three.")
    cup.directs("POST", "/rounds", {"round": 2})
    voice.page.reload()
    voice.selects("Boards of which round", "Round 2")
    voice.sees("No board is shown yet.")
    voice.selects("Boards of which round", "Round 1")
    voice.part("list", "Comments").sees("The trumps were four to three.")
    looks_right(voice, axe, picture, "commentator")
    watcher.page.reload()
    watcher.part("list", "解说").sees("The trumps were four to three.")
    looks_right(watcher, axe, picture, "watch-zh", chinese=True)
    watcher.control("旁观").tap()
    watcher.field("位置").wait_for()
    looks_right(watcher, axe, picture, "watched-zh", chinese=True)
    first = watcher.read()
    watcher.presses("下一步")
    assert watcher.read() != first


def test_a_director_shows_an_event_by_the_page(comes, axe, picture):
    director = comes("Dora", size=PHONE)
    event = director.api("POST", "/team-events", {**SETUP, "name": "Shown Cup"})["event"]
    director.goes_to(f"teams/{event}/direct")
    director.presses("Show it to those who watch")
    director.sees("The director does not show this event.")
    director.selects("How much later", "15 minutes")
    director.presses("Show the event")
    director.sees("15 minutes later", "No board is shown yet.")
    looks_right(director, axe, picture, "show")
    assert director.api("GET", f"/team-events/{event}")["showing"] == {"delay_ms": 900_000, "commentators": []}
    director.presses("Show it no longer")
    director.sees("The director does not show this event.")
