"""Matches against AI players of other projects: engines written here that answer well, badly, or not at all."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from harness.ai_table import Table
from harness.make_run import ROOT
from laboratory.foreign import OPPONENTS, Guest, sample
from laboratory.opponents import eighty_fen, who_designed, zhao_pengyou
from laboratory.opponents.opponent import HERE, Engine, NoAnswer, Opponent, tricks
from service.rules.cards import CARDS
from service.rules.options.rulesets import effective_options
from tools.clients.toolchain import Tools
from workers.ai import LEVELS, answer

#: Answers each request with its last element, unless told to fail.
ECHO = """
    import json, sys, time
    for line in sys.stdin:
        what, value = json.loads(line)
        if what == "end":
            sys.exit(1)
        if what == "hang":
            time.sleep(60)
        print(json.dumps({"error": "no idea"} if what == "error" else {"result": value}), flush=True)
"""
#: A short game.
RULESET = "sishifen"


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Engine]:
    script = tmp_path / "echo.py"
    script.write_text(dedent(ECHO))
    engine = Engine([sys.executable, str(script)], patience=2.0)
    yield engine
    engine.close()


def opponent(discard: str, play: str) -> Opponent:
    """An opponent that answers with the example of the hints, or fails as told when it buries or plays."""

    def decide(kind: str, what: str) -> Any:
        def decision(ask: Any, view: Any) -> Any:
            return {"type": kind, "cards": ask([what, view["decision"]["hints"]["example"]])}

        return decision

    decisions = {"discard": decide("discard", discard), "play": decide("play", play)}
    return Opponent(RULESET, 4, lambda _: {"deal_pace": "instant"}, sys.executable, "", decisions)


def test_legal_answers_are_played(echo: Engine) -> None:
    guest = Guest(opponent("echo", "echo"), echo, None)
    outcomes = [sample(LEVELS["normal"], guest, opponent("echo", "echo"), deal) for deal in range(3)]
    # Its 12 plays at two seats both ways are at most 48, fewer if more than one card is led; and it buries.
    assert all(24 < outcome["counts"]["asked"] <= 50 for outcome in outcomes)
    assert not any({"illegal", "missing"} & outcome["counts"].keys() for outcome in outcomes)
    # The examples of hints are the lowest cards.
    assert sum(outcome["level"] for outcome in outcomes) > 0


@pytest.mark.parametrize("fault", ["error", "end", "hang"])
def test_normal_decides_when_there_is_no_answer(echo: Engine, fault: str) -> None:
    """The process is started again after it has ended, and after it has been ended for its silence."""
    echo._patience = 2.0 if fault != "hang" else 0.5
    silent = opponent(fault, "echo")
    guest = Guest(silent, echo, None)
    counts = [sample(LEVELS["normal"], guest, silent, deal)["counts"] for deal in range(3)]
    missing = [count.get("missing", 0) for count in counts]
    # It buries when it declares, which over both ways of each deal it does twice at most.
    assert 0 < sum(missing) <= 6
    assert all(count["asked"] > 24 for count in counts)
    assert "illegal" not in counts[0]
    assert guest.examples[0].startswith("missing, discard: NoAnswer")


def test_normal_decides_when_an_answer_is_illegal(echo: Engine) -> None:
    """An opponent that is never right is `normal` against itself."""
    wrong = opponent("echo", "echo")

    def joker(ask: Any, view: Any) -> Any:
        return {"type": "play", "cards": ask(["echo", ["BJ"] * 9])}

    def junk(ask: Any, view: Any) -> Any:
        return {"type": "discard", "cards": [ask(["echo", {"no": "card"}])["card"]]}

    wrong = wrong._replace(decisions={"play": joker, "discard": junk})
    guest = Guest(wrong, echo, None)
    outcome = sample(LEVELS["normal"], guest, wrong, 5)
    assert outcome["counts"]["illegal"] == outcome["counts"]["asked"] > 24
    assert outcome["level"] == 0


def test_an_engine_that_says_nonsense_has_no_answer() -> None:
    for output in ("print('hello')", "print('[]')", ""):
        engine = Engine([sys.executable, "-c", output], patience=5.0)
        with pytest.raises(NoAnswer):
            engine.ask(["play"])
        engine.close()


def test_a_driver_of_javascript_calls_a_page_and_a_module(tmp_path: Path, tools: Tools) -> None:
    page, module = tmp_path / "page.html", tmp_path / "module.mjs"
    body = "function twice(x) { console.log('noise'); if (!x) throw new Error('nothing'); return 2 * x; }"
    page.write_text(f"<html><script>{body} module.exports = {{ twice }};</script><script>document.title</script>")
    module.write_text(f"export {body}")
    for path in (page, module):
        engine = Engine([str(tools.node), str(HERE / "driver.mjs"), str(path)], patience=30.0)
        assert engine.ask(["twice", 21]) == 42
        with pytest.raises(NoAnswer, match="nothing"):
            engine.ask(["twice", 0])
        with pytest.raises(NoAnswer, match="not a function"):
            engine.ask(["thrice", 1])
        assert engine.ask(["twice", 2]) == 4
        engine.close()


#: A bot that spoils its module's globals at each request, as if each had a process of its own.
BOT = """
    import json
    from mine import seen
    request = json.loads(input())
    seen.append(1)
    print("thinking" if request["requests"] == "noise" else json.dumps({"response": [len(seen), request["requests"]]}))
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "__main__.py").write_text(dedent(BOT))
    (tmp_path / "mine.py").write_text("seen = []\n")
    return tmp_path


def test_a_bot_of_botzone_answers_many_requests(bot: Path) -> None:
    engine = Engine([sys.executable, str(HERE / "botzone.py"), str(bot)], patience=30.0)
    assert engine.ask({"requests": 7}) == [1, 7]
    with pytest.raises(NoAnswer, match="JSONDecodeError"):
        engine.ask({"requests": "noise"})
    assert engine.ask({"requests": 8}) == [1, 8]
    engine.close()


def test_a_match_reports_wrong_answers_and_goes_on(bot: Path, tmp_path: Path) -> None:
    """With `--only play` a bot whose plays are all illegal is `normal` against itself."""
    saved = tmp_path / "saved"
    command = [sys.executable, "-m", "laboratory.foreign", "normal", "who_designed", "--engine", str(bot)]
    command += ["--runtime", sys.executable, "--only", "play", "--save", str(saved), "--deals"]

    def printed(deals: int) -> str:
        return subprocess.run([*command, str(deals)], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    text = printed(2)
    assert "normal against who_designed, shengji with 4, play only, deals 0-1" in text
    assert "level per round +0.000 ± 0.000" in text
    match = re.search(r"(\d+) answers of the opponent: (\d+) illegal, 0 missing", text)
    assert match is not None
    assert match[1] == match[2] != "0"
    (file,) = saved.iterdir()
    row = file.read_text().splitlines()[0]
    file.write_text(row.replace('"level":0.0', '"level":4.0') + "\n" + file.read_text().splitlines()[1] + "\n")
    assert "level per round +2.000" in printed(2)


def table(of: Opponent, deal: int) -> Table:
    return Table(of.ruleset, of.players, of.options(deal), deal)


@pytest.mark.parametrize("name", OPPONENTS)
def test_a_table_has_the_rules_of_the_opponent(name: str) -> None:
    module = {"eighty_fen": eighty_fen, "who_designed": who_designed, "zhao_pengyou": zhao_pengyou}[name]
    opponent = module.OPPONENT
    for deal in range(13):
        options = opponent.options(deal)
        effective = effective_options(opponent.ruleset, opponent.players, options)
        assert {key: effective[key] for key in options} == options


def test_cards_keep_their_names_both_ways() -> None:
    assert eighty_fen.names(eighty_fen.Pack().cards(CARDS)) == list(CARDS)
    assert [zhao_pengyou._name(card) for card in zhao_pengyou._cards(list(CARDS))] == list(CARDS)
    numbers = who_designed._Deck().numbers([*CARDS, *CARDS])
    assert sorted(numbers) == list(range(108))
    assert [who_designed._name(number) for number in numbers] == [*CARDS, *CARDS]
    # The ace of spades is first, a ten of hearts in the second deck, and the jokers last, of each deck.
    assert who_designed._name(0) == "AS"
    assert who_designed._name(54 + 4 * 9 + 1) == "TH"
    assert [who_designed._name(number) for number in (52, 53, 106, 107)] == ["LJ", "BJ", "LJ", "BJ"]
    assert eighty_fen.Pack().cards(["TH", "BJ"])[0] == {"suit": "H", "rank": 10, "id": 21}


def asked(of: Opponent, deal: int) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Views of a round of `normal`, each with what the opponent's engine is asked there; it has no answer."""
    at = table(of, deal)
    views: list[tuple[dict[str, Any], list[Any]]] = []

    def choose(seat: int, view: dict[str, Any]) -> Any:
        requests: list[Any] = []

        def ask(request: Any) -> Any:
            # A view must not be changed later, and requests must be JSON.
            requests.append(json.loads(json.dumps(request)))
            if request[0] == "detectFormation" if isinstance(request, list) else False:
                return {"type": "single"}
            raise NoAnswer

        kind = view["decision"]["kind"]
        if kind in of.decisions:
            with pytest.raises(NoAnswer):
                of.decisions[kind](ask, view)
            views.append((view, requests))
        return answer(LEVELS["normal"], view, f"{deal}:{view['version']}".encode())

    while not at.results:
        at.step(choose)
    yield from views


def test_eighty_fen_is_asked_what_the_seat_sees() -> None:
    kinds = set()
    for view, requests in asked(eighty_fen.OPPONENT, 3):
        (function, *values) = requests[-1]
        kinds.add(function)
        if function == "aiDeclDecide":
            assert values[0]["trumpRank"] == 5
            continue
        if not function.startswith("aiChoose"):
            continue
        position = values[0]
        assert eighty_fen.names(position["hand"]) == view["my"]["hand"]
        assert position["declSeat"] == view["round"]["declarer"]
        assert len(position["buriedKnown"]) == (8 if view["my"]["seat"] == position["declSeat"] else 0)
        cards = [*position["hand"], *position["buriedKnown"], *(c for p in position["history"] for c in p["cards"])]
        assert len({card["id"] for card in cards}) == len(cards)
        complete = [play for play in tricks(view) if len(play[1]) == 4]
        trick = view["round"]["trick"]
        assert len(position["history"]) == 4 * len(complete) + len(trick["plays"] if trick else ())
        if function == "aiChooseFollow":
            assert [(p["seat"], eighty_fen.names(p["cards"])) for p in values[1]] == [
                (play["seat"], play["cards"]) for play in trick["plays"]
            ]
    assert {"aiDeclDecide", "aiDiscard", "aiChooseLead", "aiChooseFollow"} <= kinds


def test_zhao_pengyou_is_told_of_friends() -> None:
    kinds, revealed = set(), 0
    for view, requests in asked(zhao_pengyou.OPPONENT, 3):
        function, state, seat = requests[-1]
        kinds.add(function)
        assert seat == view["my"]["seat"]
        assert [len(hand) for hand in state["hands"]] == [
            len(view["my"]["hand"]) if at == seat else 0 for at in range(4)
        ]
        if function == "botBury":
            assert state["config"]["kitty"] == 8
        if function == "botPlay":
            assert len(state["friendCards"]) == 1
            assert len(state["trick"]) == len((view["round"]["trick"] or {"plays": ()})["plays"])
            revealed += bool(state["friendSeats"])
    assert kinds == {"botBid", "botBury", "botCallFriends", "botPlay"}
    assert revealed > 0


@pytest.mark.parametrize(("held", "buried"), [(0, 0), (0, 1), (1, 0), (2, 0)])
def test_zhao_pengyou_calls_whom_it_means(held: int, buried: int) -> None:
    """Its friend is whoever else plays the card first, so who holds one calls the other; a buried one is not held."""
    view = next(view for view, _ in asked(zhao_pengyou.OPPONENT, 3) if view["decision"]["kind"] == "call")
    hand = [*["9H"] * held, *(card for card in view["my"]["hand"] if card != "9H")]
    view["my"] |= {"hand": hand, "discard": ["9H"] * buried}
    command = zhao_pengyou.OPPONENT.decisions["call"](lambda _: [{"suit": "H", "rank": 9}], view)
    (call,) = command["calls"]
    assert call == {"card": "9H", **({"other": True} if held == 1 else {"ordinal": 1})}


def test_who_designed_is_sent_the_round_so_far() -> None:
    """By its requests and responses a seat's hand can be told, as the bot does."""
    stages = set()
    for view, (request,) in asked(who_designed.OPPONENT, 3):
        requests, responses, seat = request["requests"], request["responses"], view["my"]["seat"]
        assert len(responses) == len(requests) - 1
        assert requests[0]["playerpos"] == seat
        hold: list[int] = []
        everything: list[int] = []
        for at, each in enumerate(requests):
            stages.add(each["stage"])
            hold += each.get("deliver", [])
            if each["stage"] == "play":
                before, current, leader, now = each["history"]
                everything += [card for cards in before for card in cards]
                assert len(current) == (seat - now) % 4
                for card in before[(seat - leader) % 4] if before else ():
                    hold.remove(card)
            elif at < len(responses):
                for card in responses[at]:
                    hold.remove(card)
        everything += [card for cards in requests[-1].get("history", [[], []])[1] for card in cards]
        assert sorted(map(who_designed._name, hold)) == sorted(view["my"]["hand"])
        assert len(set(everything + hold)) == len(everything + hold)
    assert stages == {"deal", "cover", "play"}


def test_a_seat_declares_over_others_only() -> None:
    views = [view for view, _ in asked(eighty_fen.OPPONENT, 3) if view["decision"]["kind"] == "declare"]
    own = next(view for view in views if view["round"]["declarations"])
    standing = own["round"]["declarations"][-1]
    decide = eighty_fen.OPPONENT.decisions["declare"]
    best = {"opt": {"suit": None, "strength": 4}, "pass": True}
    assert decide(lambda _: best, own) == {"type": "declare", "cards": ["BJ", "BJ"]}
    assert decide(lambda _: {**best, "pass": False}, own) == {"type": "pass"}
    assert decide(lambda _: None, own) == {"type": "pass"}
    mine = {**own, "my": {**own["my"], "seat": standing["seat"]}}
    assert decide(lambda _: best, mine) == {"type": "pass"}
    pair = 2 * standing["cards"]
    mine["decision"] = {**own["decision"], "hints": {"possible": [pair]}}
    assert decide(lambda request: {"score": request[2]["strength"]}, mine) == {"type": "declare", "cards": pair}
    assert decide(lambda request: {"score": -request[2]["strength"]}, mine) == {"type": "pass"}
