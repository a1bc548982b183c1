"""Faults put into the service by hand, each of a kind that a soak has to find: `MUTANT` names one of `MUTANTS`.

Each wraps a method of the store of tables as soon as that is imported. `MUTANT_FILE` gets the time of the first deed
(monotonic seconds), so that a test can tell how long it took to find it.
"""

import functools
import importlib.abc
import importlib.util
import itertools
import os
import sys
import time
from pathlib import Path

_STORE = "service.store.redis_tables"
#: How long after an error snapshots from before it are still given (s).
_FROZEN_S = 30.0


def lose_appends(store):
    """Every thirtieth action of a player is acknowledged and not stored."""
    plain, numbers = store.append, itertools.count(1)

    @functools.wraps(plain)
    def append(self, table, expected, events, state, **options):
        if any("answers" in event for event in events) and next(numbers) % 30 == 0:
            _acted()
            return
        plain(self, table, expected, events, state, **options)

    store.append = append


def answer_twice(store):
    """Every thirtieth play is stored twice, as by a script that is sent again and does not compare the version."""
    plain, numbers = store.append, itertools.count(1)

    @functools.wraps(plain)
    def append(self, table, expected, events, state, **options):
        plain(self, table, expected, events, state, **options)
        if any(event["type"] == "played" and "answers" in event for event in events) and next(numbers) % 30 == 0:
            _acted()
            more = len(events)
            again = [{**event, "seq": event["seq"] + more, "tx": event["tx"] + more} for event in events]
            plain(self, table, expected + more, again, {**state, "version": expected + 2 * more}, **options)

    store.append = append


def show_old_tables(store):
    """What was read before an error of Redis is shown for a while after it too."""
    plain, known, since = store.load, {}, [float("-inf")]

    @functools.wraps(plain)
    def load(self, table):
        if time.monotonic() - since[0] < _FROZEN_S and table in known:
            _acted()
            return known[table]
        try:
            loaded = known[table] = plain(self, table)
        except Exception:
            since[0] = time.monotonic()
            raise
        return loaded

    store.load = load


def drop_leases(store):
    """A leased table does not become due again when its lease ends."""
    plain = store.lease_due

    @functools.wraps(plain)
    def lease_due(self, now, lease_ms, limit):
        from service.store import keys

        due = plain(self, now, lease_ms, limit)
        for each in due:
            _acted()
            head = keys.due(keys.bucket_of(each.table))
            self._redis.zrem(head, each.table)
        return due

    store.lease_due = lease_due


MUTANTS = {each.__name__: each for each in (lose_appends, answer_twice, show_old_tables, drop_leases)}


def _acted():
    file = Path(os.environ["MUTANT_FILE"])
    if not file.exists():
        file.write_text(str(time.monotonic()))


class _Loader(importlib.abc.Loader):
    def __init__(self, plain, change):
        self._plain, self._change = plain, change

    def create_module(self, spec):
        return self._plain.create_module(spec)

    def exec_module(self, module):
        self._plain.exec_module(module)
        self._change(module.RedisTableStore)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, change):
        self._change = change

    def find_spec(self, name, path, target=None):
        if name != _STORE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        spec.loader = _Loader(spec.loader, self._change)
        return spec


def install(name):
    """Put the fault into this process."""
    sys.meta_path.insert(0, _Finder(MUTANTS[name]))
