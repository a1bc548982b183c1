"""The checker of histories finds every kind of fault, in histories made up for it and in a real one."""

import pytest

from tools.faults.history.calls import Call, History, read_history
from tools.faults.history.checking import Takeover, check

TABLE = "tb_1"


def event(seq, **more):
    return {"seq": seq, "tx": seq, "type": "played", "at": 1_000 + seq, "data": {}, **more}


LOG = [event(seq, answers=[seq % 4, f"dc_{seq}", f"d{seq}"]) for seq in range(1, 9)]


def events_of(*seqs):
    return tuple((seq, "played", 1_000 + seq) for seq in seqs)


def act(client, began, ended, *seqs, version=0, action=""):
    action = action or f"play {client} {seqs}"
    return Call(client, TABLE, "act", began, ended, 200, version or seqs[-1], action=action, events=events_of(*seqs))


def view(client, began, ended, version):
    return Call(client, TABLE, "view", began, ended, 200, version)


def stream(client, at, *seqs):
    return [Call(client, TABLE, "stream", 0.0, at, 200, seq, events=events_of(seq)) for seq in seqs]


#: Two players, a watcher who polls, and one with a stream.
RIGHT = [
    act("Lin", 1.0, 1.1, 1),
    act("Wu", 1.05, 1.3, 2),
    view("Lin", 1.2, 1.4, 1),
    view("Wu", 1.31, 1.4, 2),
    act("Lin", 2.0, 2.1, 3, 4),
    Call("Ma", TABLE, "page", 2.0, 2.2, 200, 4, events=events_of(1, 2, 3, 4)),
    *stream("Bo", 2.5, 1, 2, 3, 4),
    act("Wu", 3.0, 3.1, 5),
    act("Wu", 3.2, 3.3, 6),
    view("Ma", 3.4, 3.5, 8),
]


def faults(*more, log=LOG, takeovers=(), **options):
    return check([*RIGHT, *more], {TABLE: log}, {TABLE: takeovers}, **options)


def test_a_right_history_has_no_faults():
    assert faults() == []


def test_calls_at_the_same_time_may_take_effect_in_any_order():
    assert faults(act("Bo", 3.35, 9.0, 7), act("Ma", 3.6, 9.0, 8), view("Lin", 3.6, 9.5, 8)) == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (act("Lin", 4.0, 4.1, 9), "saw event 9 (played, at 1009), which the log does not have"),
        (view("Lin", 4.0, 4.1, 9), "was shown decision None at version 9"),
        (view("Lin", 4.0, 4.1, 7), "was shown version 7 although Ma (view) had seen 8"),
        (view("Lin", 3.15, 3.2, 4), "was shown version 4 although Wu (act) had seen 5"),
        (act("Bo", 3.35, 3.4, 5), "event 5 was acknowledged to"),
        (act("Bo", 3.35, 3.4, 2, version=6), "Bo appended event 2 after Wu had been told of 6"),
        (act("Wu", 3.35, 3.4, 7, action="play Wu (6,)"), "was acknowledged play Wu (6,) as events [6], and as [7]"),
        (Call("Bo", TABLE, "reset", 3.0, 3.0, 200, 2), "was begun anew at 2, and nothing had been lost"),
        (stream("Bo", 3.0, 4)[0], "(stream) got event 4 after 4"),
        (stream("Bo", 3.0, 6)[0], "(stream) got event 6 after 4"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_kind_of_fault_is_found(more, expected):
    assert any(expected in fault for fault in faults(more)), faults(more)


def test_a_decision_that_is_answered_twice_is_found_in_the_log():
    log = [*LOG, event(9, answers=[0, "dc_8", "other"])]
    assert faults(log=log) == [f"{TABLE}: decision dc_8 was answered by seat 0 2 times: [8, 9]"]
    assert faults(log=[*LOG, event(9, type="passed", answers=[1, "dc_8", "d8"])]) == []


# --- takeovers --------------------------------------------------------------------------------------------------------

TAKEOVER = Takeover(4.0, 6.0, lambda at: at >= 1_009)
LOST = act("Lin", 4.5, 4.6, 9)


def test_what_a_takeover_loses_may_be_seen_until_it_is_over():
    assert faults(LOST, takeovers=[TAKEOVER]) == []
    assert faults(LOST, view("Wu", 4.5, 4.7, 9), view("Wu", 7.0, 7.1, 8), takeovers=[TAKEOVER]) == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        # Of the time after it: what is lost is shown again.
        (Call("Wu", TABLE, "page", 7.0, 7.1, 200, 8, events=events_of(9)), "a takeover had lost it 1.00 s before"),
        (view("Wu", 7.0, 7.1, 9), "at version 9, where the log has"),
        # Of the time before it, whenever it is asked for.
        (view("Wu", 5.0, 5.1, 7), "was shown version 7 although Ma (view) had seen 8"),
        (view("Wu", 7.0, 7.1, 7), "was shown version 7 although Ma (view) had seen 8"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_stale_answer_after_a_takeover_is_found(more, expected):
    assert any(expected in fault for fault in faults(LOST, more, takeovers=[TAKEOVER]))


def test_with_copies_nothing_that_was_acknowledged_may_be_lost_but_what_was_only_seen():
    assert "and it was acknowledged" in faults(LOST, takeovers=[TAKEOVER], are_copied=True)[0]
    page = Call("Wu", TABLE, "page", 4.5, 4.6, 200, 9, events=events_of(9))
    assert faults(page, takeovers=[TAKEOVER], are_copied=True) == []
    copied = act("Lin", 4.1, 4.2, 8)
    stale = view("Wu", 7.0, 7.1, 7)
    assert any("had seen 8" in fault for fault in faults(copied, stale, takeovers=[TAKEOVER], are_copied=True))


# --- what is noted ----------------------------------------------------------------------------------------------------


def test_a_history_is_kept_in_a_file(tmp_path):
    history = History(tmp_path / "history.jsonl")
    for call in RIGHT:
        history.note(call)
    history.close()
    assert read_history(tmp_path / "history.jsonl") == history.calls() == RIGHT


def test_answers_are_noted_with_what_they_tell():
    history, at = History(), "1970-01-01T00:00:01.009Z"
    view = {"version": 9, "decision": {"id": "dc_9"}}
    events = [{"seq": 9, "type": "played", "at": at}]
    request = {"decision_id": "dc_8", "cards": ["AS"]}
    path = f"/v1/tables/{TABLE}"
    for method, where, body, answer in (
        ("GET", path, None, view),
        ("GET", f"{path}/events?after=8&wait=2", None, {"events": events, "version": 9}),
        ("POST", f"{path}/play", request, {"events": events, "seq": 9, "view": view | {"decision": None}}),
        ("PUT", f"{path}/seats/me/ready", {"ready": True}, {"events": [], "seq": 9, "view": view}),
        ("POST", f"{path}/play", request, {"code": "stale-decision"}),
        ("GET", "/v1/me", None, {"version": 9}),
    ):
        history.answered("Lin", method, where, body, (1.0, 1.1), 200, answer)
    saw = ((9, "played", 1_009),)
    assert [(call.kind, call.version, call.showed, call.action, call.events) for call in history.calls()] == [
        ("view", 9, "dc_9", "", ()),
        ("page", 9, None, "", saw),
        ("act", 9, "", 'play {"cards": ["AS"], "decision_id": "dc_8"}', saw),
        ("act", 9, "dc_9", "", ()),
    ]
