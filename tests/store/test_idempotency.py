"""The contract of all `service.store.port.IdempotencyStore`s."""

import threading
import time

import pytest

from harness.memory import MemoryIdempotencyStore
from service.store.idempotency import RedisIdempotencyStore
from service.store.port import IdempotencyKeyReused, StillWorking


@pytest.fixture
def answers(stores):
    return stores.idempotency


@pytest.fixture(params=["memory", "redis"])
def impatient(request):
    """A store whose second request waits only 50 ms for the first."""
    if request.param == "memory":
        return MemoryIdempotencyStore(wait_ms=50)
    return RedisIdempotencyStore(request.getfixturevalue("client"), wait_ms=50)


def never():
    raise AssertionError("the request is done a second time")


def test_the_same_request_again_gets_the_recorded_answer(answers):
    answer = {"id": "tb_a", "text": "升级", "seats": []}
    assert answers.remember("pl_lin", "key", "digest", lambda: answer, ttl_ms=60_000) == answer
    assert answers.remember("pl_lin", "key", "digest", never, ttl_ms=60_000) == answer


def test_the_same_key_with_another_request_is_refused(answers):
    answers.remember("pl_lin", "key", "digest", lambda: {"n": 1}, ttl_ms=60_000)
    with pytest.raises(IdempotencyKeyReused):
        answers.remember("pl_lin", "key", "other", never, ttl_ms=60_000)


def test_keys_belong_to_their_scope(answers):
    for number, (scope, key) in enumerate([("pl_lin", "k"), ("pl_wei", "k"), ("pl_lin", ":k"), ("pl_lin:", "k")]):
        assert answers.remember(scope, key, "digest", lambda n=number: {"n": n}, ttl_ms=60_000) == {"n": number}


def test_a_key_of_any_length_and_characters_is_accepted(answers):
    for number, key in enumerate(["", "x" * 5000, "升级 \x00 \ud83d", "{a}"]):
        assert answers.remember("pl_lin", key, "digest", lambda n=number: {"n": n}, ttl_ms=60_000) == {"n": number}
        assert answers.remember("pl_lin", key, "digest", never, ttl_ms=60_000) == {"n": number}


def test_a_request_that_failed_is_not_recorded(answers):
    with pytest.raises(ZeroDivisionError):
        answers.remember("pl_lin", "key", "digest", lambda: {"n": 1 // 0}, ttl_ms=60_000)
    assert answers.remember("pl_lin", "key", "digest", lambda: {"n": 2}, ttl_ms=60_000) == {"n": 2}


def test_an_answer_is_forgotten_after_its_time(answers):
    answers.remember("pl_lin", "key", "digest", lambda: {"n": 1}, ttl_ms=20)
    time.sleep(0.05)
    assert answers.remember("pl_lin", "key", "digest", lambda: {"n": 2}, ttl_ms=60_000) == {"n": 2}


def test_of_concurrent_requests_one_is_carried_out_and_all_get_its_answer(answers):
    done, got, gate = [], [], threading.Barrier(12)

    def create():
        done.append(1)
        time.sleep(0.05)
        return {"id": f"tb_{len(done)}"}

    def ask():
        gate.wait()
        got.append(answers.remember("pl_lin", "key", "digest", create, ttl_ms=60_000))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [1]
    assert got == [{"id": "tb_1"}] * 12


def test_a_second_request_does_not_wait_forever_for_the_first(impatient):
    attempts = []

    def create():
        for digest, error in (("digest", StillWorking), ("other", IdempotencyKeyReused)):
            with pytest.raises(error):
                impatient.remember("pl_lin", "key", digest, never, ttl_ms=60_000)
            attempts.append(digest)
        return {"n": 1}

    assert impatient.remember("pl_lin", "key", "digest", create, ttl_ms=60_000) == {"n": 1}
    assert attempts == ["digest", "other"]


def test_an_owner_whose_lock_expired_does_not_replace_the_answer_of_the_next(client):
    answers = RedisIdempotencyStore(client)

    def slow():
        # The lock expires while the request is being carried out, and another caller carries it out.
        (lock,) = client.keys("sj:answer:*")
        client.delete(lock)
        assert answers.remember("pl_lin", "key", "digest", lambda: {"by": "other"}, ttl_ms=60_000) == {"by": "other"}
        return {"by": "slow"}

    assert answers.remember("pl_lin", "key", "digest", slow, ttl_ms=60_000) == {"by": "slow"}
    assert answers.remember("pl_lin", "key", "digest", never, ttl_ms=60_000) == {"by": "other"}


def test_a_lock_whose_owner_died_ends_by_itself(client):
    answers = RedisIdempotencyStore(client)

    def die():
        (lock,) = client.keys("sj:answer:*")
        assert 0 < client.pttl(lock) <= 30_000
        return {}

    answers.remember("pl_lin", "key", "digest", die, ttl_ms=60_000)


def test_a_lock_whose_response_was_lost_still_belongs_to_its_caller(client, monkeypatch):
    answers = RedisIdempotencyStore(client, wait_ms=50)
    original, refused = client.set, []

    def set_and_lose_the_answer(*args, **kwargs):
        done = original(*args, **kwargs)
        if not refused:
            refused.append(done)
            return None
        return done

    monkeypatch.setattr(client, "set", set_and_lose_the_answer)
    assert answers.remember("pl_lin", "key", "digest", lambda: {"n": 1}, ttl_ms=60_000) == {"n": 1}
    assert refused == [True]
