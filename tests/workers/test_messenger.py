"""The messenger's threads: receivers that do not answer keep nobody else waiting."""

import threading
from itertools import count

import pytest

from harness.waiting import wait_until
from service.notices.outbound import Outbound, Patience
from service.store.notices.subscriptions import Subscribed
from tests.notices.receivers import Receiver
from workers.lanes import LANES
from workers.messenger import Messenger

#: Hostile accounts, and webhooks of each.
ACCOUNTS, EACH = 44, 5
OK = b"HTTP/1.1 200 OK\r\n\r\n"


class Outbox:
    """Deliveries that are due; a leased one is gone."""

    def __init__(self):
        self.due = []

    def lease(self, _now, _lease_ms, limit):
        leased, self.due = self.due[:limit], self.due[limit:]
        return leased


class Subscriptions:
    """Webhooks of players: id -> URL."""

    def __init__(self):
        self.urls = {}

    def of_players(self, players):
        return [
            Subscribed(
                {
                    name: {"id": name, "player": player, "kind": "webhook", "target": {"url": url}}
                    for name, url in self.urls.get(player, {}).items()
                },
                {},
                None,
                0,
            )
            for player in players
        ]


class Looking:
    def scan_tables(self, _limit):
        return []

    def scan_inboxes(self):
        return []


class Sending:
    """Receivers that answer at once, or wait until the test is over or their time ends."""

    def __init__(self):
        self.over = threading.Event()
        self.began, self.done = [], []

    def send(self, delivery, view, patience):
        patience.begin()
        self.began.append(delivery["id"])
        if delivery["is_slow"]:
            while not self.over.wait(0.01):
                try:
                    patience.left()
                except TimeoutError:
                    self.done.append(delivery["id"])
                    return "retried"
        self.done.append(delivery["id"])
        return "delivered"


class World:
    def __init__(self, **more):
        self.outbox, self.subscriptions, self.sending = Outbox(), Subscriptions(), Sending()
        self.numbers = count()
        self.messenger = Messenger(
            Looking(), self.sending, self.outbox, self.subscriptions, lambda: None, lambda: 0, **more
        )

    def due(self, player, webhook, url, *, is_slow=False):
        self.subscriptions.urls.setdefault(player, {})[webhook] = url
        delivery = {
            "id": f"{webhook}/{next(self.numbers)}",
            "subscription": webhook,
            "player": player,
            "attempts": 0,
            "is_slow": is_slow,
        }
        self.outbox.due.append(delivery)
        return delivery["id"]

    def hostile(self, url):
        """A notice for each webhook of the hostile accounts, `url` by number of the account."""
        for account in range(ACCOUNTS):
            for number in range(EACH):
                self.due(f"pl_{account}", f"wh_{account}_{number}", url(account), is_slow=True)

    def close(self):
        self.sending.over.set()
        self.messenger.close()


@pytest.fixture
def make_world():
    worlds = []

    def make(**more):
        worlds.append(World(**more))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()


def test_a_bystander_is_told_beside_220_slow_webhooks_of_one_host(make_world):
    world = make_world(quick_s=3_600)
    world.hostile(lambda _: "https://slow.example.net/")
    mine = world.due("pl_lin", "wh_lin", "https://lin.example.org/")
    world.messenger.tick()
    wait_until(lambda: mine in world.sending.done)
    # All of the others are still under way, or wait.
    assert world.sending.done == [mine]
    assert len(world.sending.began) <= LANES[0] // 4 + 1


def test_a_bystander_is_told_beside_220_slow_webhooks_of_as_many_hosts(make_world):
    world = make_world(quick_s=0.05)
    world.hostile(lambda account: f"https://slow-{account}.example/")
    world.messenger.tick()
    wait_until(lambda: len(world.sending.began) >= LANES[0])
    mine = world.due("pl_lin", "wh_lin", "https://lin.example.org/")

    def is_told():
        world.messenger.tick()
        return mine in world.sending.done

    wait_until(is_told)
    # What has no place in the slow lane has ended early, and is sent again later.
    wait_until(lambda: len(world.sending.began) - len(world.sending.done) <= LANES[1])


def test_deliveries_of_a_webhook_are_sent_one_after_the_other(make_world):
    world = make_world()
    sent = [world.due("pl_lin", "wh_lin", "https://lin.example.org/") for _ in range(20)]
    world.messenger.tick()
    wait_until(lambda: len(world.sending.done) == len(sent))
    assert world.sending.done == sent


def test_what_waits_too_long_is_left_to_the_next_lease(make_world, monkeypatch):
    monkeypatch.setattr("workers.messenger._LATEST_S", 0.0)
    world = make_world()
    world.due("pl_lin", "wh_lin", "https://lin.example.org/")
    world.messenger.tick()
    wait_until(lambda: not world.messenger._calls)
    assert world.sending.began == []


def test_a_messenger_that_is_closed_starts_nothing_more(make_world):
    world = make_world(quick_s=3_600)
    world.hostile(lambda _: "https://slow.example.net/")
    world.messenger.tick()
    wait_until(lambda: len(world.sending.began) == LANES[0] // 4)
    world.close()
    assert len(world.sending.began) == LANES[0] // 4


@pytest.mark.parametrize("stage", ["head", "body", "silence"])
def test_a_request_that_is_cut_ends_whatever_the_receiver_does(stage):
    over, begun = threading.Event(), threading.Event()

    def answer(_):
        begun.set()
        if stage != "silence":
            yield b"HTTP/1.1 200 OK\r\n" + (b"\r\n" if stage == "body" else b"")
            while not over.wait(0.02):
                yield b"X"
        over.wait()

    patience, answers = Patience(3_600), []
    with Receiver(answer) as receiver:
        outbound = Outbound(is_private=True)
        thread = threading.Thread(
            target=lambda: answers.append(outbound.post(receiver.url, {}, b"{}", read=True, patience=patience))
        )
        thread.start()
        begun.wait()
        patience.cut()
        thread.join()
        over.set()
    assert [(answer.status, answer.error) for answer in answers] in ([(None, "timeout")], [(200, None)])
    assert patience.address == "127.0.0.1"


def test_a_handshake_that_never_ends_is_cut():
    over, begun = threading.Event(), threading.Event()
    patience, answers = Patience(3_600), []

    def answer(_):
        over.wait()
        return []

    def resolve(*_):
        begun.set()
        return ["127.0.0.1"]

    with Receiver(answer) as receiver:
        outbound = Outbound(is_private=True, resolve=resolve)
        url = receiver.url.replace("http:", "https:")
        thread = threading.Thread(target=lambda: answers.append(outbound.post(url, {}, b"{}", patience=patience)))
        thread.start()
        begun.wait()
        patience.cut()
        thread.join()
        over.set()
    assert answers[0].error == "timeout"
