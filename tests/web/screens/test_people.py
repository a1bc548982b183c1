"""People meet by quick play, as friends and by invitations; and they block and report others."""

import pytest

from tests.conftest import OPERATOR_TOKEN
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser

#: After so long, AI players take the free seats (ms).
WAIT_MS = 20_000


@pytest.fixture
def comes(person, alone_at_service):
    """Opens the start page in a new browser, and registers a player if there is a name."""
    came = []

    def come(name="", **how):
        person_ = person(name=name, fresh=True, **how)
        person_.tolerated = ("status of 404", "status of 409")
        person_.page.goto(person_.url)
        person_.page.wait_for_selector("form.name")
        if name:
            person_.page.fill("input[name=name]", name)
            person_.page.click("form.name button")
            person_.page.wait_for_selector(".hello")
        person_.page.wait_for_selector(".play-now .main:not(:disabled)")
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
    who.page.wait_for_selector("main.table.playing")
    return who.page.url.rpartition("/")[2]


def people_at(who, table):
    seats = who.api("GET", f"/tables/{table}")["seats"]
    return sorted(seat["occupant"]["kind"] for seat in seats)


def befriend(one, other):
    one.api("PUT", f"/me/friends/{me(other)}")
    other.api("PUT", f"/me/friends/{me(one)}")


def test_two_people_find_each_other_by_one_tap_each(comes, axe, picture):
    guest, mei = comes(), comes("Mei", size=DESKTOP, locale="zh-CN", colours="dark")
    assert guest.page.locator(".start main button, .start button").first.inner_text() == "Play"
    guest.page.click(".play-now .main")
    guest.page.wait_for_selector(".looking >> text=Besides you nobody is looking just now.")
    assert list(faults(guest.page, axe, chinese=False)) == []
    picture(guest.page, "looking.png")
    mei.page.reload()
    mei.page.wait_for_selector(".play-now >> text=有 1 人正在等这种牌局。")
    mei.page.click(".play-now .main")
    mei.page.wait_for_selector(".looking >> text=目前有 2 人在等")
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
    page.select_option("select[name=game]", "tractor")
    page.click(".play-now .main")
    page.wait_for_selector(".looking >> text=/AI players take the free seats in \\d+ seconds/")
    # The search goes on after a reload, and can be cancelled.
    page.reload()
    page.click(".looking >> text=Cancel")
    page.wait_for_selector(".play-now .main:not(:disabled)")
    assert page.input_value("select[name=game]") == "tractor"
    assert "tractor" not in [each["ruleset"] for each in lin.api("GET", "/pools")["items"]]
    page.click(".play-now .main")
    page.wait_for_selector(".looking")
    lin.beside.has_waited(me(lin), WAIT_MS)
    table = seated_at(lin)
    view = lin.api("GET", f"/tables/{table}")
    assert (view["ruleset"], people_at(lin, table)) == ("tractor", ["ai", "ai", "ai", "human"])


def test_friends_are_made_by_a_link_and_an_invitation_is_accepted_on_a_phone(comes, axe, picture):
    ann, bo = comes("Ann", size=DESKTOP), comes("Bo", size=PHONE, locale="zh-CN")
    ann.page.goto(f"{ann.url}/#/friends")
    link = ann.page.get_by_label("My link", exact=True).input_value()
    bo.page.goto(f"{bo.url}/#/friends")
    bo.page.fill("input[name=friend]", link)
    bo.page.keyboard.press("Enter")
    bo.page.click(".arrival >> text=加为好友")
    bo.page.wait_for_selector("text=已向 Ann 发出请求。")
    # The request arrives on any page.
    ann.page.wait_for_selector(".friends >> text=wants to be your friend")
    ann.has_window(PHONE)
    answers = ann.page.locator(".friends .answers button")
    assert len(set(answers.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().top)"))) == 1
    ann.has_window(DESKTOP)
    ann.page.goto(f"{ann.url}/#/rules")
    ann.beside.is_there(me(bo))
    ann.page.click(".arrivals >> text=Accept")
    ann.page.goto(f"{ann.url}/#/friends")
    ann.page.wait_for_selector(".friends .dot.there")
    # The link of a friend no longer offers a request.
    bo.page.wait_for_selector(".arrival [role=status] >> text=您和 Ann 已是好友。")
    assert bo.page.locator(".arrival button").count() == 0
    bo.page.wait_for_selector(".friends >> text=Ann")
    for each, chinese in ((ann, False), (bo, True)):
        each.is_still()
        assert list(faults(each.page, axe, chinese=chinese)) == []
        picture(each.page, f"friends-{each.name}.png")
    bo.page.goto(f"{bo.url}/#/")
    ann.page.click(".friends >> text=Play with")
    ann.page.click("text=Invite to a table of mine")
    ann.page.wait_for_selector("main.table")
    bo.page.wait_for_selector(".arrivals >> text=Ann 邀请您打升级（4 人）。")
    assert list(faults(bo.page, axe, chinese=True)) == []
    picture(bo.page, "invited.png")
    bo.page.click(".arrivals >> text=接受")
    bo.page.wait_for_selector("main.table .seats >> text=Bo")
    ann.page.wait_for_selector("main.table .seats >> text=Bo")
    assert bo.page.locator(".arrivals .arrival").count() == 0


def test_a_party_plays_together_and_a_declined_invitation_does_not_come_back(comes):
    ann, bo = comes("Ann"), comes("Bo")
    befriend(ann, bo)
    ann.beside.is_there(me(bo))
    ann.page.goto(f"{ann.url}/#/friends")
    ann.page.click(".friends >> text=Play with")
    # Bo is at a table of his own: neither the party nor an invitation to another table takes him away from it.
    own = bo.makes("sishifen", 4, ai=False)
    bo.opens(own)
    other = ann.makes("sishifen", 4, ai=False)
    ann.api("POST", f"/tables/{other}/invitations", {"player": me(bo)})
    bo.page.click(".arrivals.over >> text=Decline")
    with bo.page.expect_response("**/me/events*"):
        bo.page.reload()
    ann.page.click("text=Find a game together")
    ann.page.wait_for_selector(".arrivals .looking")
    # Bo is told at once, and by whom, before there is a match.
    bo.page.wait_for_selector(".arrivals.over .looking >> text=Ann wants to play Sheng Ji with you.")
    bo.page.wait_for_selector(".arrivals .looking >> text=Not now")
    ann.beside.has_waited(me(ann), WAIT_MS)
    bo.page.wait_for_selector(".arrivals.over >> text=A game is ready: 2 people and AI players.")
    bo.page.wait_for_selector(".arrivals.over .looking >> text=Ann wants to play Sheng Ji with you.")
    assert bo.page.locator(".arrivals .arrival").count() == 0
    bo.page.click(".arrivals >> text=Join the game")
    assert seated_at(ann) == seated_at(bo)
    ann.api("DELETE", f"/tables/{other}")


def test_a_friend_who_misses_the_search_of_another_is_told_whose_it_was(comes, axe, picture):
    ann, bo = comes("Ann"), comes("Bo")
    befriend(ann, bo)
    bo.page.goto(f"{bo.url}/#/")
    bo.page.wait_for_selector(".hello")
    bo.beside.is_there(me(bo))
    ann.page.goto(f"{ann.url}/#/friends")
    ann.page.click(".friends >> text=Play with")
    ann.page.click("text=Find a game together")
    bo.page.wait_for_selector(".looking >> text=Ann wants to play Sheng Ji with you.")
    assert list(faults(bo.page, axe, chinese=False)) == []
    picture(bo.page, "asked-by-a-friend.png")
    ann.page.click(".looking >> text=Cancel")
    bo.page.wait_for_selector("text=Ann wanted to play with you; the game has not come about.")
    assert bo.page.locator("text=The search has ended").count() == 0
    bo.speaks("zh-CN")
    bo.page.wait_for_selector("text=Ann 约您打牌，但没有成局。")


def test_every_name_has_a_menu_to_block_and_report(comes, axe):
    lin, mal = comes("Lin"), comes("Mal")
    table = lin.makes("sishifen", 4, ai=False, visibility="public")
    mal.api("POST", f"/tables/{table}/seats", {"seat": 1})
    mal.api("POST", f"/tables/{table}/chat", {"text": "Insult"})
    lin.opens(table)
    page = lin.page
    page.click("header button[aria-label^=Chat]")
    page.click("dialog.chat .messages a >> text=Mal")
    page.click("dialog.person summary >> text=Report")
    page.fill("input[name=report]", "Insults me")
    assert list(faults(page, axe, chinese=False)) == []
    page.click("text=Send the report")
    page.wait_for_selector("dialog.person >> text=Thank you.")
    [report] = lin.api("GET", f"/operator/reports?player={me(mal)}", token=OPERATOR_TOKEN)["items"]
    assert (report["reason"], report["text"], report["table"]) == ("chat", "Insults me", table)
    assert [each["text"] for each in report["said"]] == ["Insult"]
    # Back closes the menu alone, and closing both dialogs quickly does not leave the table.
    page.go_back()
    page.wait_for_selector("dialog.person", state="detached")
    page.click("dialog.chat .messages a >> text=Mal")
    page.wait_for_selector("dialog.person .person-actions")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    # The same menu at a seat, and on the profile.
    page.click(".seats a >> text=Mal")
    page.click("dialog.person >> text=Profile")
    page.click("main .person-actions button >> text=Block")
    page.click("main .person-actions .danger")
    page.wait_for_selector("text=You have blocked Mal.")
    assert [each["player"] for each in lin.api("GET", "/me/blocks")["items"]] == [me(mal)]
    page.goto(f"{lin.url}/#/friends")
    page.click("summary >> text=Blocked: 1")
    page.click(".blocked >> text=Unblock")
    page.wait_for_selector(".blocked", state="detached")
    assert lin.api("GET", "/me/blocks")["items"] == []
