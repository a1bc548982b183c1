"""Playing over HTTP: a table with a client on every seat, and an answer to each kind of decision."""

from service.game.views.view import view
from workers import ai


class Table:
    """A table; `clients[n]` sits on seat n."""

    def __init__(self, world, table, clients):
        self.world = world
        self.id = table
        self.path = f"/v1/tables/{table}"
        self.clients = clients

    @property
    def host(self):
        return self.clients[0]

    def sit(self):
        for seat, client in enumerate(self.clients):
            code = self.host.get(self.path).json["join_code"]
            answer = client.post(f"{self.path}/seats", {"seat": seat, "join_code": code})
            assert answer.status_code == 200, answer.json

    def get_ready(self):
        for client in self.clients:
            answer = client.put(f"{self.path}/seats/me/ready", {})
            assert answer.status_code == 200, answer.json

    def view(self, seat=None):
        client = self.clients[0 if seat is None else seat]
        return client.get(self.path).json

    def state(self):
        return self.world.tables.load(self.id)

    def turn(self):
        """Seat, view and decision of a seat that the table waits for."""
        decision = self.state()["decision"]
        seat = decision["seats"][0]
        view = self.view(seat)
        return seat, view, view["decision"]

    def act(self, seat, kind, **body):
        """Send an action for the open decision (unless it names another)."""
        body.setdefault("decision_id", (self.state()["decision"] or {"id": "dc_0"})["id"])
        return self.clients[seat].post(f"{self.path}/{kind}", body)

    def next_action(self):
        """Seat, path and body of what an AI player would answer to the open decision."""
        seat, view, decision = self.turn()
        command = dict(ai.choose(view, b"seed"))
        kind = command.pop("type").replace("_", "-")
        return seat, f"{self.path}/{kind}", {"decision_id": decision["id"], **command}

    def step(self):
        """Answer the open decision as an AI player would."""
        decision = self.state()["decision"]
        if decision["kind"] == "ready":
            return self.clients[decision["seats"][0]].put(f"{self.path}/seats/me/ready", {})
        seat, path, body = self.next_action()
        answer = self.clients[seat].post(path, body)
        assert answer.status_code == 200, (path, body, answer.json)
        return answer

    def move(self):
        """Answer the open decision as an AI player would, but past the API, which takes a tenth of the time."""
        state = self.state()
        decision = state["decision"]
        seat = decision["seats"][0]
        command = {"type": "ready"}
        if decision["kind"] != "ready":
            command = {"decision_id": decision["id"], **ai.choose(view(state, seat, self.world.now), b"seed")}
        self.world.tables.act(self.id, {"player": self.clients[seat].player["id"], **command})

    def play_until(self, *kinds, by=None):
        """Play on, by `step` or otherwise, until the table asks for one of these decisions or the game is over."""
        while (decision := self.state()["decision"]) is not None and decision["kind"] not in kinds:
            (by or self.step)()
        return decision
