"""A messenger without threads or network: it records what it would send, and tests set the responses."""

from dataclasses import replace

from service.notices import webhooks
from service.notices.choices import SETTLE_MS
from service.notices.outbound import Answer
from service.store.notices.subscriptions import PREFIXES
from service.wiring import UseCases
from workers.messenger import sending_of

OK = Answer(200, 5)


class Messages:
    """See the module.

    Attributes:
        sent: the requests, oldest first.
        answers: URL -> the response, or a function from the request to it.
    """

    def __init__(self, world):
        self.world = world
        self.sent = []
        self.answers = {}
        self.outcomes = []
        settings = replace(world.settings, public_url="https://play.example.net")
        use = UseCases(settings, world.stores, world.clock)
        self.scanner = use.scanner
        self.sending = sending_of(use, self, lambda *outcome: self.outcomes.append(outcome), lambda: 0.5)

    def post(self, url, headers, body, *, read=False, trusted=False, patience=None):
        request = webhooks.Request(url, headers, body, read, trusted)
        self.sent.append(request)
        answer = self.answers.get(url, OK)
        return answer(request) if callable(answer) else answer

    def run(self):
        """Do once what is due; return what was sent."""
        before = len(self.sent)
        fresh = self.scanner.scan_tables(100) + self.scanner.scan_inboxes()
        for delivery, subscribed in fresh:
            self.sending.send(delivery, subscribed)
        for delivery in self.world.stores.outbox.lease(self.world.now, 15_000, 100):
            self.sending.send(delivery, None)
        return self.sent[before:]

    def subscribe(self, client, number="1", **more):
        """Add an active webhook of a player, without the request that verifies it."""
        self.world.stores.subscriptions.add(
            {
                "id": PREFIXES["webhook"] + number,
                "player": client.player["id"],
                "kind": "webhook",
                "events": ["turn"],
                "tables": "all",
                "after_ms": 0,
                "created_at": self.world.now,
                "since": self.world.now - SETTLE_MS,
                "state": "active",
                "target": {
                    "url": f"https://{number}.example.net/",
                    "name": f"Webhook {number}",
                    "format": "standard",
                    "secrets": [{"secret": "whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQ=", "until": None}],
                },
                **more,
            },
            9,
            self.world.stores.inbox.extent(client.player["id"]).last,
        )
        player = client.player["id"]
        self.scanner.schedule(
            self.world.stores.subscriptions.of_player(player), self.world.stores.players.tables_of(player)
        )
