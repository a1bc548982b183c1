"""Notices of games that take days: one for several tables, to devices; none for what has been answered."""

import json

import pytest

from service.notices.gathering import SLOT_MS
from service.standing.delays import MOST_MS
from tests.api.notices.test_devices import PATH, PHONE, SET_UP
from tests.api.tables.test_standing_orders import DAYS, give
from tools.orders.messages import Messages

#: In this time the slot of a notice is over.
TOLD_MS = SLOT_MS + 60_000


class Desk:
    """A player with a phone, on seat 0 of some tables of days, each of which waits for the player's lead or answer."""

    def __init__(self, world, count):
        world.start(**SET_UP)
        self.world, self.messages = world, Messages(world)
        self.player = world.player("Lin", "human")
        self.tables = [self._table() for _ in range(count)]

    def _table(self):
        table = self.world.table(clock=DAYS, seated=False)
        table.clients[0] = self.player
        for seat, client in enumerate(table.clients):
            assert client.post(f"{table.path}/seats", {"seat": seat}).status_code == 200
        table.get_ready()
        table.play_until("play")
        self.comes_round(table)
        return table

    @staticmethod
    def comes_round(table):
        while table.turn()[0] != 0:
            table.step()

    @staticmethod
    def answers(table):
        """Answer until somebody else is asked: who wins a trick leads to the next one."""
        while table.turn()[0] == 0:
            table.step()

    def subscribe(self):
        """Subscribe a phone, which is told of what has waited until now, when orders have had their time."""
        self.world.now += MOST_MS + 60_000
        assert self.player.put(PATH, PHONE).status_code == 200

    def told(self, ms=TOLD_MS):
        """Let time pass in small steps, with the messenger at work; return what the phone was sent."""
        sent = []
        for _ in range(20):
            self.world.now += ms // 20
            self.world.stores.open_streams.sign()
            sent += [json.loads(request.body) for request in self.messages.run()]
        return sent


@pytest.mark.parametrize(("locale", "title"), [("en", "3 tables wait for you"), ("zh-Hans", "有 3 张牌桌在等您")])
def test_a_phone_gets_one_notice_for_all_tables_with_their_number(world, locale, title):
    desk = Desk(world, 3)
    desk.player.patch("/v1/me", {"locale": locale})
    desk.subscribe()
    (notice,) = desk.told()
    assert (notice["type"], notice["title"]) == ("turn", title)
    assert (notice["title_loc_key"], notice["loc_args"][1]) == ("notice.turns.title", "3")
    assert notice["table"] in {table.id for table in desk.tables}
    assert desk.told(3 * MOST_MS) == [], "each turn is told once"


def test_a_single_table_is_told_as_ever(world):
    desk = Desk(world, 1)
    desk.subscribe()
    (notice,) = desk.told()
    assert (notice["title"], notice["title_loc_key"]) == ("It is your turn", "notice.turn.title")
    assert (notice["table"], len(notice["loc_args"])) == (desk.tables[0].id, 1)


def test_what_has_been_answered_meanwhile_is_not_told(world):
    desk = Desk(world, 3)
    desk.subscribe()
    for table in desk.tables[:2]:
        desk.answers(table)
    (notice,) = desk.told()
    assert (notice["title"], notice["table"]) == ("It is your turn", desk.tables[2].id)
    desk.answers(desk.tables[2])
    for table in desk.tables:
        desk.comes_round(table)
        desk.answers(table)
    assert desk.told(MOST_MS + TOLD_MS) == []


def test_a_turn_that_an_order_has_answered_is_in_no_notice(world):
    desk = Desk(world, 2)
    table = desk.tables[0]
    give(table, 0, {"do": "cards", "cards": table.view(0)["decision"]["hints"]["example"]})
    world.now += MOST_MS
    world.advance(table.id)
    assert table.turn()[0] != 0
    desk.subscribe()
    (notice,) = desk.told()
    assert (notice["title"], notice["table"]) == ("It is your turn", desk.tables[1].id)


def test_who_looks_at_one_table_is_told_of_the_other(world):
    desk = Desk(world, 2)
    desk.subscribe()
    world.stores.open_streams.opened(desk.tables[0].id, desk.player.player["id"])
    (notice,) = desk.told()
    assert (notice["title"], notice["table"]) == ("It is your turn", desk.tables[1].id)


def test_a_table_of_which_nothing_is_to_be_told_is_not_counted(world):
    desk = Desk(world, 2)
    desk.subscribe()
    desk.player.patch("/v1/me/notices", {"tables": {desk.tables[1].id: "nothing"}})
    (notice,) = desk.told()
    assert (notice["title"], notice["table"]) == ("It is your turn", desk.tables[0].id)


def test_a_program_is_told_of_each_turn_by_itself(world):
    desk = Desk(world, 2)
    desk.messages.subscribe(desk.player)
    notices = desk.told(MOST_MS + 60_000)
    assert {notice["data"]["table"] for notice in notices} == {table.id for table in desk.tables}
    assert not any("count" in notice["data"] for notice in notices)
