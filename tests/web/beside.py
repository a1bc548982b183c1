"""Plays on at tables without the page: calls the service's use cases on its Redis, without requests and jobs.

By default, all seats follow the hints of their decisions (see `harness.tables.choose`). Pages hear of the events as
they do when another process of the service acts.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from secrets import token_bytes, token_hex
from typing import Any

from redis import Redis

from harness.driver import Driver
from harness.make_run import Service
from harness.tables import choose
from service.boards.keeping import BoardKeeper
from service.boards.links import DealLinkKeeper
from service.calendars import Calendars
from service.circles.history import Histories
from service.coach.past_rounds import PastRounds
from service.coach.positions import position_of
from service.coach.riddles import DAY_MS
from service.common.fastjson import dumps, loads
from service.game.commands.types import Fields
from service.game.errors import NotYourTurn, StaleDecision, WrongPhase
from service.game.state.types import State
from service.game.views.view import view
from service.processes.embedded_redis import EmbeddedRedis
from service.standing import StandingOrders
from service.standing.delays import MOST_MS
from service.store import codec, keys
from service.store.stores import Stores
from service.tables import Choose, Tables, wall_clock
from service.tables.results import Keeper
from service.tournaments.match_tables import MatchTables

#: A table where nothing happens for so long is stuck (s).
PATIENCE_S = 20


def asks(kind: str, seat: int = 0) -> Callable[[State], bool]:
    """Return a predicate that tells whether a seat is asked for a decision of this kind."""

    def is_waited_for(state: State) -> bool:
        decision = state["decision"]
        return decision is not None and decision["kind"] == kind and seat in decision["seats"]

    return is_waited_for


is_asked_to_play = asks("play")


def leads(state: State) -> bool:
    """Tell whether seat 0 is asked to lead."""
    return asks("play")(state) and state["round"]["trick"] is None


def follows(state: State) -> bool:
    """Tell whether seat 0 is asked to follow."""
    return asks("play")(state) and state["round"]["trick"] is not None


def is_scored(state: State) -> bool:
    return bool(state["round"] and state["round"]["phase"] == "scored")


def holds(cards: int, seat: int = 0) -> Callable[[State], bool]:
    """Return a predicate that tells whether a seat is asked to play and holds at most so many cards."""
    return lambda state: asks("play", seat)(state) and sum(state["round"]["hands"][seat]) <= cards


def anybody(_: int) -> bool:
    return True


def only(*seats: int) -> Callable[[int], bool]:
    return lambda seat: seat in seats


class Beside:
    """The tables of a service, brought to the point at which a test begins."""

    def __init__(self, service: Service) -> None:
        self._redis = Redis.from_url(EmbeddedRedis(service.folder / "var" / "redis").url)
        stores = Stores(self._redis)
        self._tables = Tables(stores.tables, now=lambda: wall_clock() + self._ahead)
        calendars = Calendars(stores.players, stores.people.records, self._tables, token_bytes)
        orders = StandingOrders(stores.orders, self._tables, token_bytes)
        self._tables.stand(calendars, orders, more_time=calendars.more_time)
        self._tables.on_round(Histories(stores.circles, stores.players, self._tables).note)
        self._tables.on_round(PastRounds(stores.past_rounds).note)
        self._riddles, self._analyses = stores.riddles, stores.analyses
        self._ahead = 0
        self._keeper = Keeper(stores.archive, stores.results, stores.past_games, stores.players.get)
        matches = MatchTables(stores.boards, self._tables, stores.players, stores.inbox)
        self._board_keepers = (BoardKeeper(stores.boards), DealLinkKeeper(stores.deal_links), matches)

    def close(self) -> None:
        self._redis.close()

    def is_ready(self, table: str, player: str) -> None:
        self._tables.act(table, {"type": "ready", "player": player})

    def has_waited(self, player: str, ms: int) -> None:
        """Backdate the ticket of a player, unless it has been matched already (on a slow machine)."""
        ticket = self._redis.hget(keys.TICKET_OF, player)
        if ticket is None:
            return
        ticket_record = codec.decode(codec.TICKET, self._redis.hget(keys.TICKETS, ticket), "a ticket")
        self._redis.hset(
            keys.TICKETS, ticket, codec.encode(codec.TICKET, {**ticket_record, "since": ticket_record["since"] - ms})
        )

    def is_there(self, player: str) -> None:
        """Record at once that a player has a page open; the service does so every ten seconds."""
        self._redis.zadd(keys.HERE, {player: self._tables.now()})

    def is_away(self, table: str, player: str) -> None:
        """Record that the connection of a player without a page is lost, as the service does after a while."""
        self._tables.act(table, {"type": "presence", "player": player, "presence": "away"})

    def keeps(self, driver: Driver, players: Sequence[tuple[str, str]], ended_at: int) -> str:
        """Store a finished game as if these players (id, name) had sat there, from seat 0 on; return its id."""
        number = token_hex(4)
        text = dumps([driver.state, driver.log]).decode().replace("tb_test", f"tb_past{number}")
        text = text.replace("gm_test", f"gm_past{number}")
        for seat, (player, name) in enumerate(players):
            text = text.replace(f'"p{seat}"', f'"{player}"').replace(f'"Bot {seat}"', f'"{name}"')
        state, log = loads(text)
        state["game"]["ended_at"] = ended_at
        [end] = [event for event in log if event["type"] == "game_ended"]
        end["at"] = ended_at
        self._keeper.keep(state, log)
        return str(state["game"]["id"])

    def cuts_riddles(self, views: Sequence[Mapping[str, Any]]) -> None:
        """Store riddles of yesterday, from AI views of seats that play; the first card of the hand is best."""
        for number, each in enumerate(views):
            hand = each["my"]["hand"]
            plays = [{"cards": [card], "cost": 0.2 * at, "error": 0.03} for at, card in enumerate((hand[0], hand[-1]))]
            source = {"game": "gm_none_1", "round": 1, "seq": number, "owner": None, "people": []}
            riddle = {"id": f"rd_{token_hex(5)}", "made_at": self._tables.now() - DAY_MS}
            self._riddles.add({**riddle, "position": position_of(each), "plays": plays}, source)

    def analyses(self, game: str, number: int, decisions: Sequence[Mapping[str, Any]]) -> None:
        """Store the analysis of a round."""
        analysis = {"level": "expert", "of": len(decisions), "decisions": [*decisions]}
        self._analyses.begin(game, number, analysis)

    def lets_orders_act(self, table: str) -> None:
        """Do what a worker does once the time is over in which standing orders act."""
        self._ahead = MOST_MS
        self._tables.advance(table, None, choose)
        self._ahead = 0

    def state(self, table: str) -> State:
        return self._tables.load(table)

    def lets_hours_pass(self, table: str, hours: float) -> State:
        """Let time pass at a table, and do what a worker does then; return the table."""
        state = self._tables.load(table)
        self._ahead = state["at"] + round(hours * 3_600_000) - wall_clock()
        self._tables.act(table, {"type": "chat", "player": state["host"], "name": "", "preset": "hello"})
        self._tables.advance(table, None, choose)
        self._ahead = 0
        return self._tables.load(table)

    def notes(self, table: str) -> None:
        """Record the result of a board or of a deal that was sent, as a worker does when it stores the game."""
        for keeper in self._board_keepers:
            keeper.keep(self._tables.load(table), self._tables.log(table))

    def plays_on(
        self,
        table: str,
        until: Callable[[State], bool],
        *,
        shows: Callable[[int], bool] = anybody,
        by: Choose = choose,
        hurries: bool = False,
    ) -> State:
        """Let all seats decide until a condition holds; return the state then.

        AI seats move as soon as they are due, so give the table no AI pace. Workers of the service may move them first.

        Args:
            hurries: move the clock forward, for tables with an AI pace.
            shows: whether a seat declares, defends and overcalls where it can; otherwise it passes.
            by: decides for all seats.
        """

        def chosen(view: Mapping[str, Any], seed: bytes, level: str) -> Fields:
            if view["decision"]["kind"] == "ready":  # the condition did not hold in this round
                return {"type": "ready"}
            may_pass = view["decision"]["kind"] in ("declare", "defend", "overcall-kitty")
            return {"type": "pass"} if may_pass and not shows(view["my"]["seat"]) else by(view, seed, level)

        version = deadline = 0.0
        while not until(state := self._tables.load(table)):
            if state["version"] != version:
                version, deadline = state["version"], time.monotonic() + PATIENCE_S
            assert time.monotonic() < deadline, f"nothing happens any more: {state['decision']}"
            if self._tables.advance(table, None, chosen).steps:
                continue
            decision = state["decision"]
            passed = state["round"]["passes"] if decision and decision["kind"] == "declare" else []
            for seat in decision["seats"] if decision else []:
                player = state["seats"][seat]["occupant"]["player"]
                if player is not None and seat not in passed:
                    command = chosen(view(state, seat, self._tables.now()), bytes(32), "easy")
                    # The page or a worker may have been faster.
                    with suppress(NotYourTurn, StaleDecision, WrongPhase):
                        self._tables.act(table, {**command, "player": player, "decision_id": decision["id"]})
                    break
            else:
                if hurries:
                    self._ahead += 600
                time.sleep(0.01)  # an AI seat is not due yet, or a worker moves it
        self._ahead = 0
        if is_scored(state):
            self._tables.advance(table, None, chosen)  # makes the AI players ready
        return state
