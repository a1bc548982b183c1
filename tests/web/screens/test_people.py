"""People meet by quick play, as friends and by invitations; and they block and report others."""

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import OPERATOR_TOKEN
from tests.web.looking import faults
from tests.web.person import CHAT, DESKTOP, PHONE

pytestmark = pytest.mark.browser

#: After so long, AI players take the free seats (ms).
WAIT_MS = 20_000
#: The button that finds a game with people.
PLAY = re.compile("^(Play|开始)$")


@pytest.fixture
def comes(person, alone_at_service):
    """Opens the start page in a new browser, and registers a player if there is a name."""
    came = []

    def come(name="", **how):
        person_ = person(name=name, fresh=True, **how)
        person_.tolerated = ("status of 404", "status of 409")
        person_.page.goto(person_.url)
        if name:
            person_.takes_name(name)
            person_.is_greeted()
        expect(person_.control(PLAY)).to_be_enabled()
        came.append(person_)
        return person_

    yield come
    # Tables of quick play have no host who could close them.
    for each in came:
        for row in each.api("GET", "/me/tables")["items"] if "token" in each.account else ():
            each.api("DELETE", f"/operator/tables/{row['table']}", token=OPERATOR_TOKEN)


def me(who):
    return who.account["player"]


def seated_at(who):
    who.is_playing()
    return who.page.url.rpartition("/")[2]


def people_at(who, table):
    seats = who.api("GET", f"/tables/{table}")["seats"]
    return sorted(seat["occupant"]["kind"] for seat in seats)


def befriend(one, other):
    one.api("PUT", f"/me/friends/{me(other)}")
    other.api("PUT", f"/me/friends/{me(one)}")


def test_two_people_find_each_other_by_one_tap_each(comes, axe, picture):
    guest, mei = comes(), comes("Mei", size=DESKTOP, locale="zh-CN", colours="dark")
    assert guest.all("button").first.inner_text() == "Play"
    guest.presses("Play")
    guest.sees("Besides you nobody is looking just now.")
    assert list(faults(guest.page, axe, chinese=False)) == []
    picture(guest.page, "looking.png")
    mei.page.reload()
    mei.sees("有 1 人正在等这种牌局。")
    mei.presses("开始")
    mei.sees("目前有 2 人在等")
    assert list(faults(mei.page, axe, chinese=True)) == []
    picture(mei.page, "looking-zh.png")
    guest.beside.has_waited(me(guest), WAIT_MS)
    table = seated_at(guest)
    assert seated_at(mei) == table
    assert people_at(mei, table) == ["ai", "ai", "human", "human"]


def test_one_person_gets_three_ai_players_after_the_wait_and_can_cancel(comes):
    lin = comes("Lin")
    page = lin.page
    # Other tests make public tables of Si Shi Fen, where a player who looks for a game would get a seat.
    lin.selects("Game", "tractor")
    lin.presses("Play")
    lin.sees(re.compile(r"AI players take the free seats in \d+ seconds"))
    # The search goes on after a reload, and can be cancelled.
    page.reload()
    lin.presses("Cancel")
    expect(lin.control("Play")).to_be_enabled()
    expect(lin.field("Game")).to_have_value("tractor")
    assert "tractor" not in [each["ruleset"] for each in lin.api("GET", "/pools")["items"]]
    lin.presses("Play")
    lin.sees("Looking for others.")
    lin.beside.has_waited(me(lin), WAIT_MS)
    table = seated_at(lin)
    view = lin.api("GET", f"/tables/{table}")
    assert (view["ruleset"], people_at(lin, table)) == ("tractor", ["ai", "ai", "ai", "human"])


def test_friends_are_made_by_a_link_and_an_invitation_is_accepted_on_a_phone(comes, axe, picture):
    ann, bo = comes("Ann", size=DESKTOP), comes("Bo", size=PHONE, locale="zh-CN")
    ann.goes_to("friends")
    link = ann.field("My link").input_value()
    bo.goes_to("friends")
    bo.fills("对方的好友码或链接", link)
    bo.page.keyboard.press("Enter")
    bo.presses("加为好友")
    bo.sees("已向 Ann 发出请求。")
    # The request arrives on any page.
    ann.part("list", "Friends").sees("wants to be your friend")
    ann.has_window(PHONE)
    answers = ann.items("Friends").get_by_role("button")
    assert len(set(answers.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().top)"))) == 1
    ann.has_window(DESKTOP)
    ann.goes_to("rules")
    ann.beside.is_there(me(bo))
    ann.presses("Accept")
    ann.goes_to("friends")
    ann.part("list", "Friends").sees("is there")
    # The link of a friend no longer offers a request.
    bo.sees("您和 Ann 已是好友。")
    expect(bo.control("加为好友")).to_have_count(0)
    bo.part("list", "好友").sees("Ann")
    for each, chinese in ((ann, False), (bo, True)):
        each.is_still()
        assert list(faults(each.page, axe, chinese=chinese)) == []
        picture(each.page, f"friends-{each.name}.png")
    bo.goes_to()
    ann.presses("Play with Bo")
    ann.presses("Invite to a table of mine")
    ann.is_at_a_table()
    bo.sees("Ann 邀请您打升级（4 人）。")
    assert list(faults(bo.page, axe, chinese=True)) == []
    picture(bo.page, "invited.png")
    bo.presses("接受")
    bo.part("list", "座位").sees("Bo")
    ann.part("list", "Seats").sees("Bo")
    bo.part("region", "邀请").is_gone()


def test_a_party_plays_together_and_a_declined_invitation_does_not_come_back(comes):
    ann, bo = comes("Ann"), comes("Bo")
    befriend(ann, bo)
    ann.beside.is_there(me(bo))
    ann.goes_to("friends")
    ann.presses("Play with Bo")
    # Bo is at a table of his own: neither the party nor an invitation to another table takes him away from it.
    own = bo.makes("sishifen", 4, ai=False)
    bo.opens(own)
    other = ann.makes("sishifen", 4, ai=False)
    ann.api("POST", f"/tables/{other}/invitations", {"player": me(bo)})
    bo.presses("Decline")
    with bo.page.expect_response("**/me/events*"):
        bo.page.reload()
    ann.presses("Find a game together")
    ann.part("region", "Looking for a game").is_there()
    # Bo is told at once, and by whom, before there is a match.
    search = bo.part("region", "Looking for a game")
    search.sees("Ann wants to play Sheng Ji with you.", "Not now")
    ann.beside.has_waited(me(ann), WAIT_MS)
    search.sees("A game is ready: 2 people and AI players.", "Ann wants to play Sheng Ji with you.")
    bo.part("region", "Invitation").is_gone()
    bo.presses("Join the game")
    assert seated_at(ann) == seated_at(bo)
    ann.api("DELETE", f"/tables/{other}")


def test_a_friend_who_misses_the_search_of_another_is_told_whose_it_was(comes, axe, picture):
    ann, bo = comes("Ann"), comes("Bo")
    befriend(ann, bo)
    bo.goes_home()
    bo.beside.is_there(me(bo))
    ann.goes_to("friends")
    ann.presses("Play with Bo")
    ann.presses("Find a game together")
    bo.sees("Ann wants to play Sheng Ji with you.")
    assert list(faults(bo.page, axe, chinese=False)) == []
    picture(bo.page, "asked-by-a-friend.png")
    ann.presses("Cancel")
    bo.sees("Ann wanted to play with you; the game has not come about.")
    bo.sees_no("The search has ended")
    bo.speaks("zh-CN")
    bo.sees("Ann 约您打牌，但没有成局。")


def test_every_name_has_a_menu_to_block_and_report(comes, axe):
    lin, mal = comes("Lin"), comes("Mal")
    table = lin.makes("sishifen", 4, ai=False, visibility="public")
    mal.api("POST", f"/tables/{table}/seats", {"seat": 1})
    mal.api("POST", f"/tables/{table}/chat", {"text": "Insult"})
    lin.opens(table)
    page = lin.page
    lin.presses(CHAT)
    chat, person = lin.dialog("Chat"), lin.dialog("Mal")
    chat.presses("Mal")
    person.presses("Report")
    person.fills("What happened (if you like)", "Insults me")
    assert list(faults(page, axe, chinese=False)) == []
    person.presses("Send the report")
    person.sees("Thank you.")
    [report] = lin.api("GET", f"/operator/reports?player={me(mal)}", token=OPERATOR_TOKEN)["items"]
    assert (report["reason"], report["text"], report["table"]) == ("chat", "Insults me", table)
    assert [each["text"] for each in report["said"]] == ["Insult"]
    # Back closes the menu alone, and closing both dialogs quickly does not leave the table.
    page.go_back()
    person.is_gone()
    chat.presses("Mal")
    person.sees("Block")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    lin.dialog().is_gone()
    # The same menu at a seat, and on the profile.
    lin.part("list", "Seats").presses("Mal")
    person.presses("Profile")
    lin.presses("Block")
    lin.part("alert").sees("Block Mal?")
    lin.presses("Block")
    lin.sees("You have blocked Mal.")
    assert [each["player"] for each in lin.api("GET", "/me/blocks")["items"]] == [me(mal)]
    lin.goes_to("friends")
    lin.presses("Blocked: 1")
    lin.presses("Unblock")
    lin.sees_no("Blocked: 1")
    assert lin.api("GET", "/me/blocks")["items"] == []
