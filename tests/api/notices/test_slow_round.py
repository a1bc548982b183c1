"""A whole round that takes days, by two people with phones beside AI players: the notices that each of them got."""

import json
from collections import Counter

from service.notices.gathering import SLOT_MS
from service.standing.delays import MOST_MS
from tests.api.notices.test_devices import PATH, PHONE, SET_UP
from tests.api.tables.test_standing_orders import DAYS, give
from tools.orders.messages import Messages
from workers import ai

HOUR_MS = 3_600_000


class Round:
    """A table of days at which Lin and Mei sit, each with a phone; the others are AI players."""

    def __init__(self, world):
        world.start(**SET_UP)
        self.world, self.messages = world, Messages(world)
        self.table = world.table(clock=DAYS, seated=False)
        self.people = {0: world.player("Lin", "human"), 1: world.player("Mei", "human")}
        for seat, client in self.people.items():
            self.table.clients[seat] = client
            assert client.post(f"{self.table.path}/seats", {"seat": seat}).status_code == 200
            phone = {**PHONE, "device_token": f"0a1b{seat}"}
            assert client.put(PATH, phone).status_code == 200
        host = self.table.state()["host"]
        for seat in (2, 3):
            world.tables.act(self.table.id, {"type": "seat_ai", "player": host, "seat": seat, "level": "easy"})
        for client in self.people.values():
            client.put(f"{self.table.path}/seats/me/ready", {})
        #: Seat -> decisions that asked its player, and those of which the phone was told, the earliest first.
        self.asked = {seat: [] for seat in self.people}
        self.told = {seat: [] for seat in self.people}

    def is_over(self):
        return bool(self.table.state()["game"]["results"])

    def waits_for(self):
        """The decision and the person who is asked, once the AI players have moved; None and None: nobody."""
        self.world.advance(self.table.id)
        if self.is_over():
            return None, None
        decision = self.table.state()["decision"]
        passes = self.table.state()["round"]["passes"] if decision["kind"] == "declare" else []
        return decision, next((seat for seat in decision["seats"] if seat in self.people and seat not in passes), None)

    def lets_pass(self, ms):
        """Let time pass in small steps, with workers and the messenger at work."""
        for _ in range(max(1, ms // SLOT_MS)):
            self.world.now += SLOT_MS
            self.world.advance(self.table.id)
            if self.is_over():
                return
            for request in self.messages.run():
                body = json.loads(request.body)
                assert body["type"] == "turn"
                self.told[int(body["device_token"][-1])].append(body)

    def answers(self, seat):
        decision = self.table.state()["decision"]
        command = dict(ai.choose(self.people[seat].get(self.table.path).json, b"seed"))
        path = f"{self.table.path}/{command.pop('type').replace('_', '-')}"
        answer = self.people[seat].post(path, {"decision_id": decision["id"], **command})
        assert answer.status_code == 200, (path, decision, answer.json)


def test_each_turn_is_told_once_and_a_late_one_twice(world):
    game = Round(world)
    late = None
    while not game.is_over():
        decision, seat = game.waits_for()
        if seat is None:
            game.lets_pass(HOUR_MS)
            continue
        game.asked[seat].append(decision["id"])
        if late is None and decision["kind"] == "play":
            late = seat
            game.lets_pass(21 * HOUR_MS)
        else:
            game.lets_pass(MOST_MS + 2 * SLOT_MS)
        game.answers(seat)
    for seat in game.people:
        count = Counter(game.asked[seat])
        assert len(game.told[seat]) == len(count) + (seat == late)
        assert len(count) >= 12, "a whole round"


def test_turns_that_orders_answer_are_told_to_nobody(world):
    game = Round(world)
    answered_by_hand, ordered = {seat: [] for seat in game.people}, False
    while not game.is_over():
        decision, seat = game.waits_for()
        if seat is None:
            game.lets_pass(HOUR_MS)
            continue
        if game.table.state()["round"]["phase"] != "playing":
            # Several may be asked at once whether to declare, and all of them are told.
            game.answers(seat)
            game.told, ordered = {each: [] for each in game.people}, False
            continue
        if not ordered:
            for each in game.people:
                give(game.table, each, {"do": "forced"}, {"do": "lowest"}, {"do": "partner"})
            ordered = True
        game.lets_pass(MOST_MS + 2 * SLOT_MS)
        if not game.is_over() and game.table.state()["decision"]["id"] == decision["id"]:
            answered_by_hand[seat].append(decision["id"])
            game.answers(seat)
    acts = {seat: len(game.people[seat].get(f"{game.table.path}/seats/me/orders").json["acts"]) for seat in game.people}
    assert min(acts.values()) > 0
    for seat in game.people:
        assert len(game.told[seat]) == len(answered_by_hand[seat])
