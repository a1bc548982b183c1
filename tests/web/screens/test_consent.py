"""The page that asks a player whether an app may act for them, and what the app gets then."""

import json
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.looking import faults
from tests.web.person import PHONE
from tools.clients.toolchain import ROOT

pytestmark = pytest.mark.browser


def posts(lin, name, **form):
    return lin.page.request.post(f"{lin.url}/oauth/{name}", form=form).json()


@pytest.fixture
def app(tools, tmp_path):
    """A third-party app, in a folder with the library that it imports."""
    (tmp_path / "node_modules").symlink_to(tools.folder / "node_modules")
    return Path(shutil.copy(ROOT / "tests" / "clients" / "programs" / "app.mjs", tmp_path))


@contextmanager
def ended(program):
    """End a program where the test fails, since it would wait for the player for ever."""
    try:
        yield
    except BaseException:
        program.kill()
        raise


def test_a_third_party_app_gets_a_token_for_what_the_player_allows(person, axe, picture, tools, app):
    lin = person(locale="zh-CN", size=PHONE)
    lin.registers()
    # A browser with a window asks the app for its icon, too, when the app has ended.
    lin.tolerated = ("ERR_CONNECTION_REFUSED",)
    page = lin.page
    command = [tools.node, app, lin.url, "tables:read tables:play"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program, ended(program):
        page.goto(program.stdout.readline().strip())
        lin.sees("127.0.0.1")
        assert lin.all("listitem").all_inner_texts() == [
            "查看您的牌桌，以及您在桌上的手牌",
            "跟随您的账号：轮次、邀请和挑战",
            "查看您的房间、其中的成员和链接",
            "查看俱乐部，以及您的俱乐部中的成员",
            "查看您的俱乐部的赛季和排名",
            "查看公开的牌桌并旁观",
            "代您入座、出牌、离座和请求提示",
            "查看和设置您在按小时计时的牌桌的预令",
            "代您投票、结束暂停、悔牌和给别人加时",
            "代您寻找牌局和挑战玩家",
            "代您加入和离开房间，并从您的房间移出成员",
            "代您加入和离开俱乐部、申请加入，并从您的俱乐部移出成员",
            "代您发送您打过的牌，打别人发来的牌",
            "代您回答牌题",
            "代您个人或组队参加比赛",
        ]
        assert list(faults(page, axe, chinese=True)) == []
        picture(page, "consent.png", full_page=True)
        lin.control("同意").first.click()
        lin.sees("Welcome back")
        token_answer = json.loads(program.stdout.readline())
    assert token_answer == {"scope": "tables:read tables:play", "expires_in": 31_536_000, "tables": []}


def test_a_wrong_request_is_explained_and_redirects_nowhere_by_itself(person):
    lin = person()
    lin.registers()
    page = lin.page
    page.goto(f"{lin.url}/oauth/authorize?client_id=scores&redirect_uri=https%3A%2F%2Fscores.example%2Fback")
    lin.sees("Nothing was given to it")
    assert "error=unsupported_response_type" in lin.control("Back to scores.example").get_attribute("href")
    lin.tolerated = ("status of 400",)
    page.goto(f"{lin.url}/oauth/authorize?redirect_uri=javascript%3Aalert(1)")
    lin.part("alert").sees("does not say where to lead you back")


def test_a_device_is_allowed_by_the_code_that_it_shows(person, axe):
    lin = person(size=PHONE)
    lin.registers()
    page = lin.page
    device = posts(lin, "device", client_id="tv", scope="tables:read")
    page.goto(device["verification_uri_complete"])
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}", lin.all("textbox").input_value())
    lin.presses("Continue")
    lin.sees("A device asks")
    assert list(faults(page, axe, chinese=False)) == []
    lin.control("Allow").first.click()
    lin.sees("The device goes on by itself")
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    answer = posts(lin, "token", grant_type=grant, device_code=device["device_code"], client_id="tv")
    assert answer["scope"] == "tables:read"
