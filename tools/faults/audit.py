"""Checks of invariants after any faults: each returns a list of violations, as sentences."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from redis import Redis

from service.common.interruptions import UNHEARD_MS
from service.game.commands.retries import digest_of
from service.game.events.evolve import fold
from service.game.events.types import Event
from service.game.records import record, replay
from service.game.state.clock import keeping_is_due, wake_at
from service.game.state.interruptions import LEAST_MS
from service.game.state.rules import composition_of
from service.game.state.types import State
from service.game.views.redaction import redact
from service.rules.cards import points_of
from service.rules.options.rulesets import RULESETS, deck_of
from service.store import keys
from service.store.players.archive import RedisArchiveStore
from service.store.players.results import ResultStore
from service.store.port import ArchiveStore
from service.tables import Tables
from service.tables.parts import parts_of
from tools.faults.guests import Notes, Told
from tools.faults.history.calls import ms_of

#: Allowed difference of the clocks of two processes (ms).
CLOCKS_MS = 500

#: How long after the time of `game_kept` a record is written at most (ms): as long as a node that hangs holds it up.
HELD_UP_MS = 3_000

#: Returns whether a write to a key at a time of the service (ms) may be lost, since a replica has taken over.
MayBeLost = Callable[[str, int], bool]
#: Time of a write (ms), and what is wrong with it.
Fault = tuple[int, str]
#: Seat, decision and digest of an action -> events of its answer.
Actions = dict[tuple[int, str, str], list[Event]]
#: Player, ruleset -> when each game was archived (ms).
Played = dict[tuple[str, str], list[int]]


def audit(
    client: Redis,
    tables: Tables,
    notes: Notes,
    gaps: Collection[tuple[int, int]] = (),
    may_be_lost: MayBeLost = lambda _key, _at_ms: False,
    *,
    are_copied: bool = False,
) -> list[str]:
    """Compare what the guests received with what is stored, and check that the stored data are consistent.

    Args:
        gaps: (since, until) of outages (ms).
        may_be_lost: what is lost then is added to `notes.lost`; acknowledged answers that are lost are counted in
            `notes.lost_answers`, whether that is allowed or not.
        are_copied: whether replicas had each action before it was acknowledged, and each record before its game counted
            as kept, so that only events merely seen, refusals and results may be lost.
    """
    wrong = list(notes.wrong)
    played: Played = defaultdict(list)
    there = {key.decode().split(":")[2] for key in client.scan_iter("*:tb_*:head")}
    wrong += [f"{table} is there, and nobody was told" for table in sorted(there - notes.tables.keys() - notes.hostile)]
    wrong += [f"{table} (hostile): {fault}" for table in notes.hostile for fault in _stored_is_whole(tables, table)]
    for table in notes.tables:
        stored = tables.store.load(table)
        if stored is None:
            wrong.append(f"{table}: gone")
            continue
        log = tables.log(table)
        checks = (_log_is_whole(log, stored.state), _cards_are_conserved(log), _records_play_again(log))
        faults = [fault for check in checks for fault in check]
        archive = RedisArchiveStore(client)
        for each in _may_be_lost_by_a_takeover(table, log, stored.state, notes, gaps, archive, played):
            is_late = each.key not in (keys.head(table), keys.CLOCK)
            is_lost = (_late(may_be_lost) if is_late else may_be_lost)(each.key, each.at)
            if is_lost:
                notes.lost.append(f"{table}: {each.text}")
            if not is_lost or (are_copied and each.is_copied):
                faults.append(f"{each.text} (at {each.at})")
        wrong += [f"{table} ({stored.state['ruleset']}): {fault}" for fault in faults]
    return wrong + list(_games_are_counted_once(ResultStore(client), played, notes, _late(may_be_lost)))


class Missing(NamedTuple):
    """Something that is not as it was acknowledged, seen or due.

    Attributes:
        key: the key that should hold it.
        at: when it was written (ms).
        text: what is wrong.
        is_copied: whether it was acknowledged only after replicas had it, where `are_copied`.
    """

    key: str
    at: int
    text: str
    is_copied: bool = False


def _may_be_lost_by_a_takeover(
    table: str,
    log: Sequence[Event],
    state: State,
    notes: Notes,
    gaps: Collection[tuple[int, int]],
    archive: ArchiveStore,
    played: Played,
) -> Iterator[Missing]:
    """Yield what is missing of a table; acknowledged answers that are lost are counted in `notes.lost_answers`."""
    answers = [each for each in notes.answers if each.table == table]
    views = {seat: events for (of, seat), events in notes.events.items() if of == table}
    head, ruleset, actions = keys.head(table), state["ruleset"], _actions(log)
    for fault in _told_is_stored(log, actions, answers, ruleset):
        notes.lost_answers += 1
        yield Missing(head, *fault, is_copied=True)
    for fault in (*_refused_is_not_stored(actions, answers), *_seen_is_stored(log, views, ruleset)):
        yield Missing(head, *fault)
    # A process that leaves the old master before the others has heard their signs of life there.
    for fault in _nobody_is_cut_short(log, gaps):
        yield Missing(keys.CLOCK, *fault)
    for game, fault in _games_are_kept(log, state, archive, played):
        yield Missing(keys.game(game), *fault, is_copied=True)


def _late(may_be_lost: MayBeLost) -> MayBeLost:
    """Return whether a record or result may be lost, whose time was read before it was written."""
    return lambda key, at: any(may_be_lost(key, at + more) for more in range(0, HELD_UP_MS + 1, 250))


def overdue(tables: Tables, table: str, now: int) -> int:
    """Return for how long a table has been overdue (ms); 0: it waits for a live guest, or is finished."""
    stored = tables.store.load(table)
    at = wake_at(stored.state) if stored else None
    return 0 if at is None else max(0, now - at)


def _stored_is_whole(tables: Tables, table: str) -> Iterator[str]:
    """See `_log_is_whole`; nothing is wrong with a table that is gone."""
    if (stored := tables.store.load(table)) is not None:
        yield from _log_is_whole(tables.log(table), stored.state)


def _log_is_whole(log: Sequence[Event], state: State) -> Iterator[str]:
    if [event["seq"] for event in log] != list(range(1, len(log) + 1)):
        yield f"the log has gaps: {[event['seq'] for event in log][:20]} …"
    if _plain(fold(log)) != state:
        yield "the log tells another state than the one stored"


def _told_is_stored(log: Sequence[Event], actions: Actions, answers: Sequence[Told], ruleset: str) -> Iterator[Fault]:
    """Every acknowledged action is in the log exactly once, as acknowledged; one fault for each that is not."""
    for each in answers:
        if each.status != 200:
            continue
        versions = actions.get(_action(each), [])
        if len(versions) != 1 and not (versions and each.body["type"] == "pass"):
            yield each.at, f"acknowledged, and {len(versions)} times in the log: {each.decision} {each.body}"
            continue
        first = each.answer["events"][0]["seq"] if each.answer["events"] else None
        if first is None or first not in [event["seq"] for event in versions]:
            yield each.at, f"acknowledged with other events than those stored: {each.decision} {each.body}"
            continue
        stored = [redact(event, each.seat, ruleset) for event in log[first - 1 : each.answer["seq"]]]
        if _plain(stored) != [_stored(event) for event in each.answer["events"]]:
            yield each.at, f"told other events than those stored: {each.decision} {each.body}"


def _refused_is_not_stored(actions: Actions, answers: Sequence[Told]) -> Iterator[Fault]:
    """No refused action is in the log."""
    for each in answers:
        if each.status != 200 and _action(each) in actions:
            yield each.at, f"refused, but done: {each.decision} {each.body}: {each.answer}"


def _actions(log: Sequence[Event]) -> Actions:
    actions: Actions = defaultdict(list)
    for event in log:
        if "answers" in event:
            seat, decision, digest = event["answers"]
            # The digest of a message includes the client's key.
            actions[seat, decision, "" if event["type"] == "chat" else digest].append(event)
    return dict(actions)


def _action(answer: Told) -> tuple[int, str, str]:
    return answer.seat, answer.decision, "" if answer.body["type"] == "chat" else digest_of(answer.body)


def _stored(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event as received, without hints, which depend on the time."""
    return {**event, "data": {name: value for name, value in event["data"].items() if name != "hints"}}


def _seen_is_stored(
    log: Sequence[Event],
    views: Mapping[int, Mapping[int, Any]],
    ruleset: str,
) -> Iterator[Fault]:
    for seat, events in views.items():
        for seq, event in events.items():
            if seq > len(log) or _plain(redact(log[seq - 1], seat, ruleset)) != _stored(event):
                yield ms_of(event["at"]), f"seat {seat} saw an event {seq} that is not in the log: {event}"


def _cards_are_conserved(log: Sequence[Event]) -> Iterator[str]:
    """All cards of the deck exist at every moment of the play, and all points at its end."""
    won = 0
    for event, _, state in record.GameLog({}, list(log)).states():
        table_round = state["round"]
        if event["type"] == "round_opened":
            won = 0
        if event["type"] == "trick_won":
            won += event["data"]["points"]
        if event["type"] == "trick_reopened":
            won -= event["data"]["points"]
        if event["type"] not in ("discarded", "played", "trick_won", "round_scored"):
            continue
        deck = deck_of(composition_of(state))
        if event["type"] == "round_scored":
            held = [kind for hand in table_round["hands"] for kind, count in enumerate(hand) for _ in range(count)]
            all_points = points_of(deck) if RULESETS[state["ruleset"]].family != "arms_length" else 0
            if all_points and won + points_of([*held, *table_round["discard"]]) != all_points:
                yield f"points are lost in round {table_round['number']}"
        there = Counter(dict(enumerate(table_round["played"])))
        there.update(table_round["discard"] if table_round["discard"] is not None else table_round["kitty"])
        for hand in table_round["hands"]:
            there.update(dict(enumerate(hand)))
        if +there != Counter(deck):
            yield f"cards are lost or doubled at {event['seq']}"
            return


def _nobody_is_cut_short(log: Sequence[Event], gaps: Collection[tuple[int, int]]) -> Iterator[Fault]:
    """No decision times out before lost time has been given back, nor soon after an outage."""
    opened, deadline, whole = 0, None, 0
    gaps = united(gaps)
    for event in log:
        data = event["data"]
        if event["type"] == "decision_opened":
            opened, deadline = event["at"], data["deadline"]
            whole = deadline - opened if deadline is not None else 0
        elif event["type"] == "declared" and data["deadline"] is not None:
            opened, deadline = event["at"], data["deadline"]
            whole = max(0, deadline - opened)
        elif event["type"] == "decision_timed_out" and deadline is not None:
            if any(since + UNHEARD_MS + CLOCKS_MS < event["at"] < until for since, until in gaps):
                yield event["at"], f"a decision timed out at {event['at']}, while nobody could act"
            over = [(since, until) for since, until in gaps if opened < until <= event["at"]]
            lost = sum(until - max(since, opened) for since, until in over)
            least = max([deadline + lost, *(until + min(LEAST_MS, whole) for _, until in over)])
            if event["at"] < least - CLOCKS_MS:
                yield event["at"], f"a decision of {opened} timed out {least - event['at']} ms too soon"
            deadline = None


def united(gaps: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge overlapping gaps. A killed Redis may lose a gap, and note it again with a later end."""
    united: list[tuple[int, int]] = []
    for since, until in sorted(gaps):
        if united and since <= united[-1][1]:
            united[-1] = (united[-1][0], max(until, united[-1][1]))
        else:
            united.append((since, until))
    return united


def _records_play_again(log: Sequence[Event]) -> Iterator[str]:
    """Replaying the recorded actions of every game by the rules gives its finished rounds."""
    for game in [event["data"]["game"] for event in log if event["type"] == "game_started"]:
        verdict = replay.check(_plain(record.record(record.game_log(log, game), log[-1]["at"])))
        yield from (f"the record of {game} does not play again: {each}" for each in verdict["rounds"] if not each["ok"])


def _games_are_kept(
    log: Sequence[Event], now: State, archive: ArchiveStore, played: Played
) -> Iterator[tuple[str, Fault]]:
    """Every finished game was archived completely.

    Yields games with faults. Adds the time of archiving of each game to `played`, by player and ruleset.
    """
    over = [event["seq"] for event in log if event["type"] == "game_ended"]
    if keeping_is_due(now):
        # The game ended at the same time as the processes.
        over.pop()
    for seq in over:
        state = fold(log[:seq])
        game = state["game"]["id"]
        kept_at = next(event["at"] for event in log[seq:] if event["type"] == "game_kept")
        archived = archive.load_archive(game)
        if archived is None:
            yield game, (kept_at, f"nothing is kept of {game}")
        elif archived != _plain(record.game_log(log, game)._asdict()):
            yield game, (kept_at, f"something else is kept of {game} than what happened")
        if state["game"]["ended"] != "abandoned":
            for player in parts_of(state):
                played[player, state["ruleset"]].append(kept_at)


def _games_are_counted_once(
    results: ResultStore, played: Mapping[tuple[str, str], Sequence[int]], notes: Notes, may_be_lost: MayBeLost
) -> Iterator[str]:
    for (player, ruleset), kept_at in played.items():
        counted = results.of_player(player, [ruleset]).get(ruleset, {"games": 0})["games"]
        fault = f"{player} has played {len(kept_at)} games of {ruleset}, and {counted} are counted"
        lost = sum(may_be_lost(keys.results(ruleset), at) for at in kept_at)
        if len(kept_at) - lost <= counted < len(kept_at):
            notes.lost.append(fault)
        elif counted != len(kept_at):
            yield fault


def _plain(value: Any) -> Any:
    """Return a value after a round trip through JSON."""
    return json.loads(json.dumps(value))
