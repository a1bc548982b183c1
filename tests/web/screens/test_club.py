"""A club: made and shared, joined by its link, asked to from the list, and run by those with a role."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults, looks
from tests.web.person import Person, until

pytestmark = pytest.mark.browser


def makes(person: Person, **more: object) -> tuple[str, str]:
    """Make a club by the API; return its id, and the code of its link."""
    club = person.api("POST", "/clubs", {"name": "Lakeside", "about": "Pairs on Friday.", **more})
    return club["club"], club["code"]


def day(later: int) -> str:
    """The day so many days later, as a field takes it."""
    return f"{datetime.now(UTC) + timedelta(later):%Y-%m-%d}"


def test_a_club_is_made_and_joined_by_its_link_from_a_fresh_browser(person):
    lin, mei = person(), person(name="Mei", fresh=True)
    lin.registers()
    lin.page.get_by_role("link", name="Clubs").click()
    lin.page.get_by_text("Make a club").first.click()
    lin.fills("Name of the club", "Lakeside")
    lin.fills("What it is about, in one line", "Pairs on Friday.")
    lin.page.get_by_role("button", name="Make a club").click()
    lin.sees("Lakeside")
    link = lin.page.get_by_label("Link to the club").input_value()
    mei.page.goto(link)
    mei.sees("You are invited to the club “Lakeside”")
    mei.fills("What should we call you?", "Mei")
    mei.page.get_by_role("button", name="Join").click()
    expect(mei.page.get_by_role("region", name="Members").get_by_role("listitem")).to_have_count(2)
    # Opened again, the link leads there at once.
    mei.page.goto(link)
    expect(mei.page.get_by_role("heading", name="Lakeside")).to_be_visible()


def test_whoever_finds_a_club_asks_and_a_director_lets_them_in(person):
    lin, mei, wei = person(), person(name="Mei"), person(name="Wei")
    for each in (lin, mei, wei):
        each.registers()
    club, code = makes(lin, name="Clubhouse of Lin")
    mei.api("POST", "/me/clubs", {"code": code})
    lin.goes_to(f"club/{club}")
    lin.presses("Remove somebody, or change roles")
    lin.presses("Make Mei a director")
    expect(lin.page.get_by_role("region", name="Members").get_by_text("director")).to_be_visible()
    wei.goes_to(f"club/{club}")
    expect(wei.page.get_by_text("Mei")).to_have_count(0)
    wei.presses("Ask to join")
    wei.sees("You have asked to join.")
    mei.goes_to(f"club/{club}")
    mei.presses("Let Wei join")
    # The page of whoever waits hears of it.
    expect(wei.page.get_by_role("region", name="Members").get_by_text("Wei")).to_be_visible()
    assert [each["role"] for each in lin.api("GET", f"/clubs/{club}")["people"]] == ["owner", "director", "member"]


def test_the_only_owner_hands_the_club_over_before_leaving(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    club, code = makes(lin)
    mei.api("POST", "/me/clubs", {"code": code})
    lin.goes_to(f"club/{club}")
    lin.sees("make somebody else one before you leave")
    lin.presses("Remove somebody, or change roles")
    lin.presses("Make Mei an owner")
    lin.presses("Make an owner")
    lin.presses("Leave the club")
    lin.presses("Leave")
    lin.sees("You belong to no club yet.")
    assert mei.api("GET", f"/clubs/{club}")["role"] == "owner"


def test_an_owner_changes_what_the_club_says_and_closes_it(person):
    lin = person()
    lin.registers()
    club, _ = makes(lin)
    lin.goes_to(f"club/{club}")
    lin.page.get_by_text("Change name and description").click()
    lin.fills("Name of the club", "Hillside")
    lin.fills("What it is about, in one line", "")
    lin.presses("Save")
    expect(lin.page.get_by_role("heading", name="Hillside")).to_be_visible()
    assert lin.api("GET", f"/clubs/{club}")["about"] == ""
    lin.presses("Close the club")
    lin.presses("Close for good")
    lin.sees("You belong to no club yet.")


def test_a_director_holds_an_event_and_a_member_opens_a_table_where_another_sits_down(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    club, code = makes(lin)
    mei.api("POST", "/me/clubs", {"code": code})
    lin.goes_to(f"club/{club}")
    lin.page.get_by_role("link", name="Make an event for members").click()
    lin.fills("Name of the event", "Club Cup")
    lin.page.get_by_role("button", name="Make").click()
    lin.sees("Club Cup")
    mei.goes_to(f"club/{club}")
    expect(mei.page.get_by_role("list", name="Events")).to_contain_text("Club Cup")
    mei.page.get_by_role("link", name="Open a table for members").click()
    mei.page.get_by_role("button", name="Make the table").click()
    expect(mei.page.get_by_role("list", name="Seats", exact=True)).to_contain_text("Mei")
    lin.goes_to(f"club/{club}")
    lin.page.get_by_role("list", name="Tables").get_by_role("link").click()
    seats = lin.page.get_by_role("list", name="Seats", exact=True)
    seats.get_by_role("button", name="Sit down").first.click()
    expect(seats).to_contain_text("Lin")


def test_the_pages_of_clubs_are_accessible_in_both_languages(person, axe):
    lin, mei, wei = person(), person(name="Mei"), person(name="Wei")
    for each in (lin, mei, wei):
        each.registers()
    club, code = makes(lin)
    mei.api("POST", "/me/clubs", {"code": code})
    wei.api("PUT", f"/clubs/{club}/requests/me")
    found = []
    for who, address in (
        (lin, "club"),
        (lin, f"club/{club}"),
        (wei, f"club/{club}"),
        (wei, f"club?code={code}"),
    ):
        who.goes_to(address)
        expect(who.page.get_by_text("Lakeside").first).to_be_visible()
        for name, chinese in looks(who, len(address)):
            expect(who.page.get_by_text("Lakeside").first).to_be_visible()
            found += [(address, name, fault) for fault in faults(who.page, axe, chinese=chinese)]
    assert found == []


def plays_a_board(director: Person, club: str, *players: Person) -> str:
    """Hold an event of pairs of a club in which time is up before anybody plays; return its id."""
    setup = {
        "name": "Friday pairs",
        "ruleset": "sishifen",
        "players": 4,
        "form": "swiss_pairs",
        "rounds": 1,
        "boards": 1,
    }
    event = director.api("POST", "/team-events", {**setup, "club": club})["event"]
    path = f"/team-events/{event}"
    for player in players:
        members = [{"player": player.account["player"]}, {"level": "easy"}]
        player.api("POST", f"/team-events/{event}/teams", {"teams": [{"name": "P", "members": members}]})
    director.api("POST", f"/team-events/{event}/rounds", {"round": 1})
    for player in players:
        until(player.page, "a table", lambda player=player: player.api("GET", path)["mine"]["table"])
    director.api("PATCH", f"/team-events/{event}/rounds/1", {"closes_at": "2023-01-01T00:00:00Z"})
    return event


def test_a_director_makes_a_season_whose_standings_members_read(person, axe):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    club, code = makes(lin)
    mei.api("POST", "/me/clubs", {"code": code})
    lin.goes_to(f"club/{club}")
    lin.page.get_by_text("Make a season").first.click()
    lin.fills("Name of the season", "Spring")
    for label, days in (("First day", -10), ("Last day", 100)):
        lin.page.get_by_label(label).fill(day(days))
    lin.page.get_by_label("What an event counts").select_option("places")
    lin.fills("Only the best events of each player (empty: all)", "2")
    lin.page.get_by_role("button", name="Make a season").click()
    lin.sees("Nothing has been played yet.")
    [season] = lin.api("GET", f"/clubs/{club}/seasons")["items"]
    assert (season["best"], season["points"], season["events"], season["over"]) == (2, "places", [], False)
    plays_a_board(lin, club, lin, mei)
    address = f"club/{club}/season/{season['season']}"
    read = f"/clubs/{club}/seasons/{season['season']}"
    until(mei.page, "standings", lambda: mei.api("GET", read)["standings"])
    mei.goes_to(f"club/{club}")
    mei.page.get_by_role("list", name="Seasons").get_by_role("link", name="Spring").click()
    standings = mei.page.get_by_role("table", name="Standings")
    expect(standings.get_by_role("row").nth(1)).to_contain_text("1")
    standings.get_by_text("1 event").first.click()
    expect(standings).to_contain_text(re.compile("Friday pairs: place 1 of 2, (9|10) points"))
    expect(mei.page.get_by_text("Delete the season")).to_have_count(0)
    found = []
    for where in (f"club/{club}/ranking", address):
        lin.goes_to(where)
        expect(lin.page.get_by_role("heading").first).to_be_visible()
        for name, chinese in looks(lin, len(where)):
            expect(lin.page.get_by_role("heading").first).to_be_visible()
            found += [(where, name, fault) for fault in faults(lin.page, axe, chinese=chinese)]
    assert found == []


def test_a_season_is_changed_and_deleted_by_its_owner(person):
    lin = person()
    lin.registers()
    club, _ = makes(lin)
    body = {"name": "Spring", "starts_at": f"{day(-9)}T00:00:00Z", "ends_at": f"{day(9)}T12:00:00Z"}
    season = lin.api("POST", f"/clubs/{club}/seasons", body)["season"]
    event = lin.api("POST", "/team-events", {"name": "Cup", "ruleset": "sishifen", "players": 4, "club": club})["event"]
    lin.goes_to(f"club/{club}/season/{season}")
    lin.page.get_by_text("Change the season").click()
    expect(lin.page.get_by_label("First day")).to_have_value(day(-9))
    lin.page.get_by_label("All events of the club count").uncheck()
    lin.page.get_by_label("Cup").check()
    lin.fills("Name of the season", "Autumn")
    lin.presses("Save")
    expect(lin.page.get_by_role("heading", name="Autumn")).to_be_visible()
    [changed] = lin.api("GET", f"/clubs/{club}/seasons")["items"]
    assert (changed["events"], changed["best"]) == ([event], 0)
    lin.presses("Delete the season")
    lin.presses("Delete for good")
    lin.sees("No season yet.")


def test_the_ranking_of_a_club_follows_the_game_that_is_chosen(person):
    lin = person()
    lin.registers()
    club, _ = makes(lin)
    lin.goes_to(f"club/{club}")
    lin.page.get_by_role("link", name="Ranking of the members").click()
    lin.sees("No member has played this game yet.")
    lin.page.get_by_role("combobox", name="Game").select_option("sishifen")
    lin.sees("No member has played this game yet.")


@pytest.mark.parametrize("is_link", [False, True])
def test_the_code_of_a_club_opens_it_where_codes_of_tables_are_typed(person, is_link):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    _, code = makes(lin)
    # First it is looked for among the rooms.
    mei.tolerated = ("status of 404",)
    mei.goes_to("lobby")
    mei.fills(
        "I have a code", f"{mei.url}/#/club?code={code}" if is_link else f"{code[:4]}-{code[4:8].lower()} {code[8:]}"
    )
    mei.presses("Open the table")
    mei.sees("You are invited to the club “Lakeside”")


def test_a_removed_member_is_let_back(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    club, code = makes(lin)
    mei.api("POST", "/me/clubs", {"code": code})
    lin.api("DELETE", f"/clubs/{club}/people/{mei.account['player']}")
    lin.goes_to(f"club/{club}")
    lin.page.get_by_text("Removed", exact=True).click()
    lin.presses("Let Mei come back")
    expect(lin.page.get_by_text("Removed", exact=True)).to_have_count(0)
    assert mei.api("POST", "/me/clubs", {"code": code})["role"] == "member"
