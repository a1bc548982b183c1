"""Streams of accounts: cost of an idle one, and latency of turns compared with the stream of the table.

    python -m bench.bench_account [--tables 250] [--rate 50] [--seconds 12] [--passes 2]

A single API process handles the actions and all streams. First it has only streams of accounts, one for each of the
four players of a table, whose cost is measured while nothing happens. Then the streams of the tables are opened too,
one for each seat. Each play asks another seat. A latency is the time from the start of sending the play until that seat
reads of its turn, on the account's stream and on the table's stream.
"""

import itertools
import re
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from bench import report
from bench.bench_streams import PATIENCE_S, SEATS, Crowd, Sent, Side, Stream, parser_of
from bench.servers import Seated, Server, percentile, request_for, seat_bots
from service.api.streams.heartbeats import HEARTBEAT_S
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables import Tables


class AccountStream(Stream):
    """The stream of an account, where turns are identified by the seq of the decision."""

    seqs = re.compile(rb'"type":"turn","at".*?"decision_id":"dc_(\d+)"')


def turns(crowd: Crowd, accounts: list[Stream], seated: list[Seated]) -> Iterator[Callable[[], Sent]]:
    """Yield the next play of each table in turn; it must reach the seat asked then on both streams."""
    plays = [[*table.plays()] for table in seated]
    before: dict[int, Sent] = {}
    for number in itertools.count():
        for at, table in enumerate(seated):
            # Nobody is asked to play after the last play of a round.
            if number + 1 >= len(plays[at]):
                return
            (seat, body), (question, _) = plays[at][number : number + 2]
            path, token, cards = f"/v1/tables/{table.table}/play", table.tokens[seat], body["cards"]
            decision = body["decision_id"]
            both = [accounts[at * SEATS + question], crowd.streams[at * SEATS + question]]

            def send(
                at: int = at,
                both: list[Stream] = both,
                path: str = path,
                token: str = token,
                decision: str = decision,
                cards: list[str] = cards,
            ) -> Sent:
                last = before.get(at)
                if last is not None:
                    # Streams of accounts skip turns that are over before a busy stream gets to them.
                    crowd.until(last.arrived, PATIENCE_S)
                    # An unexpected event: a server without a core for seconds notes that in the log.
                    decision = f"dc_{last.seq}"
                sent = before[at] = Sent(both)
                crowd.asker().send(sent, request_for(path, token, {"decision_id": decision, "cards": cards}))
                return sent

            yield send


def main() -> None:
    """Measure and print."""
    options = parser_of(__doc__).parse_args()
    with ExitStack() as house:
        redis = house.enter_context(EmbeddedRedis(Path(house.enter_context(tempfile.TemporaryDirectory()))))
        stores = Stores(command_client(redis.url))
        seated = [seat_bots(Tables(stores.tables), stores.players) for _ in range(options.tables)]
        for table in seated:
            for player in table.ids:
                stores.players.add_table(player, table.table, 0)
        service = Server("service.wsgi:app", 1, REDIS_URL=redis.url, LIMIT_ACT="0", LIMIT_READ="0")
        house.callback(service.stop)
        tokens = [token for table in seated for token in table.tokens]
        accounts = Side(service, [("/v1/me/events", token) for token in tokens], "identity", AccountStream)
        house.callback(accounts.crowd.close)
        idle = accounts.idle(HEARTBEAT_S)
        # A single thread reads both.
        crowd = accounts.crowd
        of_accounts, crowd.streams, crowd.kind = crowd.streams, [], Stream
        crowd.open(
            (f"/v1/tables/{table.table}/events?after={table.state['version']}", token)
            for table in seated
            for token in table.tokens
        )
        acted = turns(crowd, of_accounts, seated)
        passes = {
            together: [crowd.at_a_rate(acted, options.rate, together, options.seconds) for _ in range(options.passes)]
            for together in (1, options.rate)
        }
    print(f"{len(tokens)} streams of accounts and as many of tables in one process, {options.rate} actions a second.")

    def ms(together: int, stream: int, percent: int) -> float:
        return 1000 * statistics.median(
            percentile([sent.delays()[stream] for sent in sents], percent) for sents in passes[together]
        )

    report.table(
        ("ms from a play to the turn that it brings", "p50", "p99", "worst"),
        (
            [f"{name}, {how}", *(f"{ms(together, stream, percent):.1f}" for percent in (50, 99, 100))]
            for together, how in ((1, "one by one"), (options.rate, f"{options.rate} at once"))
            for stream, name in ((1, "stream of the table"), (0, "stream of the account"))
        ),
    )
    report.table(
        ("what streams of accounts cost", "each"),
        (
            ("KB of memory", f"{accounts.kb_each:.1f}"),
            ("µs of CPU a second, idle", f"{1e6 * idle / len(tokens):.1f}"),
        ),
    )
    for together, how in ((1, "one by one"), (options.rate, f"{options.rate} at once")):
        later = ms(together, 0, 99) - ms(together, 1, 99)
        report.aim(f"ms later than the stream of the table at p99, {how}", later, at_most=20)
    report.aim("KB of memory for each stream of an account", accounts.kb_each, at_most=25)


if __name__ == "__main__":
    main()
