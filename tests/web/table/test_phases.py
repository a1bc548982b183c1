"""Every phase of every kind of game is restored by a reload, is accessible, and fits its window.

By night, pictures of the phases go to `var/screens`.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.web.beside import asks, follows, leads, only
from tests.web.looking import faults, looks
from tests.web.person import Person, until

pytestmark = pytest.mark.browser

Game = Callable[[Person], Iterator[str]]

#: With these deals, seat 0 gets to do what the name says.
CALLS = "monday, the cards of"
DEFENDS = "a seat may defend 13"
OVERCALLS = "an overcall for the kitty 6"
#: Nobody gets a card to declare with in the first nine circles, so the phase is the same for 45 seconds.
SLOW = "a slow deal 1449"


def finding_friends(lin: Person) -> Iterator[str]:
    lin.registers()
    table = lin.makes("finding_friends", 4, ai=False, options={"declarer_by": "trump_maker"}, seed=CALLS)
    lin.opens(table)
    lin.is_waiting()
    yield "waiting"
    for seat in (1, 2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    lin.beside.is_ready(table, lin.account["player"])
    for kind, moment in (
        ("declare", asks("declare")),
        ("discard", asks("discard")),
        ("call", asks("call")),
        ("lead", leads),
        ("follow", follows),
    ):
        lin.beside.plays_on(table, moment, shows=only(0))
        lin.is_asked(table)
        yield kind
    lin.finishes(table)
    lin.all("row", re.compile(" Ready$")).first.wait_for()  # the AI players
    yield "summary"
    lin.api("POST", f"/tables/{table}/votes", {"kind": "end_early"})
    lin.sees(re.compile("^You have won!$|have won.$"), "Keep what you have played")
    yield "over"


def arms_length(lin: Person) -> Iterator[str]:
    table = lin.begins("arms_length", 4, until=asks("road"))
    yield "road"
    lin.api("POST", f"/tables/{table}/votes", {"kind": "abandon"})
    lin.control("Play again").wait_for()
    yield "abandoned"


def timed_deal(lin: Person) -> Iterator[str]:
    lin.registers()
    slow = {"options": {"deal_pace": "timed"}, "clock": {"deal_interval_ms": 5_000}, "seed": SLOW}
    table = lin.makes("sishifen", 4, ai=False, **slow)
    for seat in (2, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    [guest] = lin.invites(table, 2)
    lin.opens(table)
    lin.cards.first.wait_for()
    yield "dealing"
    lin.presses("Deal the rest at once")
    lin.sees("The rest comes as soon as Guest 1 wants it, too.")
    expect(lin.control("Deal the rest at once")).to_be_disabled()
    guest.answers(lambda _: False)
    # The whole hand is there sooner than two more cards would have been.
    until(lin.page, "the whole hand", lambda: lin.cards.count() >= 12)


def defence(lin: Person) -> Iterator[str]:
    options = {"defence": "immediate", "overcall": "longer", "decks": 3}
    table = lin.begins("shengji", 4, options=options, seed=DEFENDS, until=asks("defend"))
    assert lin.decision_kind() == "defend"
    yield "defend"
    # It is the same in the middle of a deal.
    dealt = {**lin.api("GET", f"/tables/{table}"), "phase": "dealing"}
    lin.page.route(re.compile(rf"/v1/tables/{table}$"), lambda route: route.fulfill(json=dealt))
    lin.page.reload()
    expect(lin.control("Pass")).to_be_enabled()
    lin.sees("Your turn")
    expect(lin.page).to_have_title(re.compile("^●"))


def overcall(lin: Person) -> Iterator[str]:
    options = {"chao_di": True, "chao_di_rule": "overcall"}
    lin.begins("shengji", 4, options=options, seed=OVERCALLS, until=asks("overcall-kitty"), shows=only(1, 2, 3))
    assert lin.decision_kind() == "overcall-kitty"
    yield "overcall-kitty"


GAMES: dict[Game, set[str]] = {
    finding_friends: {"waiting", "declare", "discard", "call", "lead", "follow", "summary", "over"},
    arms_length: {"road", "abandoned"},
    timed_deal: {"dealing"},
    defence: {"defend"},
    overcall: {"overcall-kitty"},
}


def shown(lin: Person) -> list[list[str]]:
    """What a reload must restore. Not all of a result: what its cards were worth comes when a worker has replayed them.

    Nor what is read out, nor a time.
    """
    question = lin.controls.get_by_role("paragraph")
    lists = [lin.all("list", name) for name in ("Seats", "Called cards")]
    names = lin.seats.evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    return [names, *(each.all_inner_texts() for each in (question, *lists, lin.result.get_by_role("row")))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_a_phase_is_restored_by_a_reload_and_is_accessible(person, axe, picture, game):
    lin = person()
    lin.tolerated = ("status of 409",)  # pages ask for legal plays while the table plays on
    phases, wrong = set(), {}
    page = lin.page
    for at, name in enumerate(game(lin)):
        phases.add(name)
        lin.is_still()
        before, cards = shown(lin), lin.cards.count()
        page.reload()
        lin.is_at_a_table()
        if name in ("summary", "over"):
            lin.result.wait_for()
        until(page, "the hand", lambda cards=cards: lin.cards.count() >= cards)
        until(page, f"{before}", lambda before=before: shown(lin) == before)
        for look, chinese in looks(lin, at):
            picture(page, f"phase-{look}-{name}.png")
            wrong[look, name] = list(faults(page, axe, chinese=chinese))
    assert phases == GAMES[game]
    assert {name: faults_of for name, faults_of in wrong.items() if faults_of} == {}
