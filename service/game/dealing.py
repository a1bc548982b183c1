"""From one round to the next: readiness, the shuffle, the deal, and declaring while it lasts.

A timed deal is a function of the clock: at any moment as many circles of cards are out as intervals have passed since
it began, and whoever touches the table deals what is owed. Nobody gains by asking more often.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from service.errors import IllegalDeclaration
from service.game import arms, burying
from service.game.shuffle import SEED_BYTES, commitment, message, permutation, pick
from service.game.state import State, composition_of, persons
from service.game.turn import Chance, Turn
from service.rules.cards import kinds_in
from service.rules.constraints import may_ask_redeal
from service.rules.declarations import DeclareContext, defender, judge, outcome, ranks_to_declare
from service.rules.levels import rank_of_level
from service.rules.redeals import flip_kitty, may_redeal
from service.rules.rulesets import RULESETS, deck_of
from service.rules.trumps import Trump

# --- readiness ---------------------------------------------------------------------------------------------------


def go_on_when_all_are_ready(turn: Turn) -> None:
    """Start the game, or its next round, when every seat is taken and ready and nothing else is open."""
    state = turn.state
    if not all(seat["occupant"] and seat["ready"] for seat in state["seats"]):
        return
    if state["status"] != "playing":
        if not _abandoned(state):
            start_game(turn)
    elif state["decision"] is not None and state["decision"]["kind"] == "ready":
        _next_round(turn)


def ask_ready(turn: Turn) -> None:
    """Ask the persons at the table whether the next round may begin."""
    waiting = [number for number, seat in enumerate(turn.state["seats"]) if not seat["ready"]]
    if waiting:
        turn.open_decision("ready", waiting)
    else:
        _next_round(turn)


def _next_round(turn: Turn) -> None:
    if _abandoned(turn.state):
        seats = [number for number, seat in enumerate(turn.state["seats"]) if seat["occupant"]["kind"] != "ai"]
        turn.open_decision("ready", seats, limited=False)
    else:
        open_round(turn)


def _abandoned(state: State) -> bool:
    """Tell whether everybody who sat here has gone: AI seats in their places do not play on without an audience."""
    return not persons(state) and any(seat["occupant"]["kind"] != "ai" for seat in state["seats"])


# --- a game and its rounds ---------------------------------------------------------------------------------------


def secret_for(practice_seed: str | None, before: str, chance: Chance) -> dict[str, str]:
    """Return a server seed and its commitment: a fresh one, or at a practice table what its seed makes of the last."""
    if practice_seed is None:
        seed = chance(SEED_BYTES)
    else:
        seed = hashlib.sha256(f"practice|{practice_seed}|{before}".encode()).digest()
    return {"next_seed": seed.hex(), "next_commitment": commitment(seed)}


def shuffle_name(state: State) -> str:
    """Return what stands for the table in its shuffles: its id, or the same word for all practice tables."""
    return "practice" if state["settings"]["seed"] is not None else str(state["id"])


def table_of_game(game: str) -> str:
    """Return the id of the table that a game is or was played at: the game's id contains it."""
    return "tb_" + game.removeprefix("gm_").rpartition("_")[0]


def _chosen(state: State, number: int, seed: str, entropy: dict[str, str], purpose: str, bound: int) -> int:
    given = {int(seat): value for seat, value in entropy.items()}
    return pick(bytes.fromhex(seed), message(shuffle_name(state), number, given, purpose), bound)


def start_game(turn: Turn) -> None:
    """Begin a game: everybody at the start level, the first to draw by lot."""
    state = turn.state
    number = state["game"]["number"] + 1 if state["game"] else 1
    # Drawing the high card and counting round from a cut card both choose a seat by lot (000 l.84; 001 §3.5.3).
    starter = _chosen(state, 1, state["next_seed"], state["entropy"], "starter", state["players"])
    turn.emit(
        "game_started",
        "server",
        game=f"gm_{state['id'].removeprefix('tb_')}_{number}",
        number=number,
        level=state["options"].get("start_level", "2"),
        starter=starter,
    )
    open_round(turn)


def open_round(turn: Turn) -> None:
    """Shuffle, and begin to deal."""
    state = turn.state
    game = state["game"]
    number = game["round"] + 1
    declarer = game["declarer"]
    turn.emit(
        "round_opened",
        "server",
        number=number,
        starter=game["starter"],
        declarer=declarer,
        level=state["seats"][game["starter"] if declarer is None else declarer]["level"],
        commitment=state["next_commitment"],
        server_seed=state["next_seed"],
        entropy=state["entropy"],
        sides=["unknown"] * state["players"],
        **secret_for(state["settings"]["seed"], state["next_seed"], turn.chance),
        **_new_deal(state, number, state["next_seed"], state["entropy"], 0),
    )
    _begin_deal(turn)


def _new_deal(state: State, number: int, seed: str, entropy: dict[str, str], attempt: int) -> dict[str, Any]:
    made = composition_of(state)
    cards = deck_of(made)
    given = {int(seat): value for seat, value in entropy.items()}
    signed = message(shuffle_name(state), number, given, f"deck:{attempt}")
    order = permutation(bytes.fromhex(seed), signed, len(cards))
    timed = state["options"].get("deal_pace") == "timed"
    return {
        "attempt": attempt,
        "deck": [cards[at] for at in order],
        "of": made.hand * state["players"],
        "pace": "timed" if timed else "instant",
        "interval": max(1, state["settings"]["clock"]["deal_interval_ms"]) if timed else 0,
    }


def _begin_deal(turn: Turn) -> None:
    state = turn.state
    deal = state["round"]["deal"]
    if deal["pace"] == "instant" or RULESETS[state["ruleset"]].family == "arms_length":
        _deal(turn, deal["of"] // state["players"])
    else:
        _open_window(turn)


def deal_end(state: State) -> int:
    """Return when the last circle of a timed deal is due."""
    deal = state["round"]["deal"]
    return int(deal["from"] + deal["interval"] * (deal["of"] // state["players"]))


def next_circle_at(state: State) -> int | None:
    """Return when the next circle of cards is due, or None: nothing is being dealt, or the deal is held up."""
    table_round = state["round"]
    if table_round is None or table_round["phase"] != "dealing":
        return None
    deal = table_round["deal"]
    if deal["paused_at"] is not None:
        return None
    return int(deal["from"] + deal["interval"] * (deal["count"] // state["players"] + 1))


def deal_owed(turn: Turn) -> None:
    """Deal all circles that the clock has made due."""
    state = turn.state
    deal = state["round"]["deal"]
    circles = (turn.now - deal["from"]) // deal["interval"]
    _deal(turn, min(circles, deal["of"] // state["players"]))


def _deal(turn: Turn, circles: int) -> None:
    """Deal until so many circles are out."""
    state = turn.state
    table_round = state["round"]
    players = state["players"]
    deck, count, starter = table_round["deck"], table_round["deal"]["count"], table_round["starter"]
    until = circles * players
    cards = [deck[count + (seat - starter) % players : until : players] for seat in range(players)]
    turn.emit("dealt", "server", count=until, cards=cards)
    if turn.state["round"]["phase"] == "declaring":
        _deal_is_over(turn)


def _deal_is_over(turn: Turn) -> None:
    state = turn.state
    if RULESETS[state["ruleset"]].family == "arms_length":
        arms.ask_roads(turn)
    elif not _can_be_declared(state) and not may_ask_redeal(state["options"]):
        close_declarations(turn)
    elif state["round"]["deal"]["pace"] == "instant":
        _ask_next(turn, state["round"]["starter"])
    # In a timed deal the window that has been open from the start stays open until its time is over.


# --- declaring ---------------------------------------------------------------------------------------------------


def context_of(state: State) -> DeclareContext:
    """Return what the rules of declaring need to know of this table."""
    options = state["options"]
    seats = state["seats"]
    game = state["game"]
    declarer = game["declarer"]
    fixed = RULESETS[state["ruleset"]].teams == "fixed"
    made = composition_of(state)
    return DeclareContext(
        options=options,
        decks=made.decks,
        jokers=(made.little_jokers, made.big_jokers),
        ranks=_ranks(state),
        first_round=game["round"] == 1,
        declarer=declarer,
        levels=tuple(seat["level"] for seat in seats),
        active=tuple(seat["active"] for seat in seats),
        teams=tuple(seat % 2 for seat in range(state["players"])) if fixed else None,
    )


def _ranks(state: State) -> tuple[frozenset[str], ...]:
    """Return, for each seat, the ranks it may declare with."""
    levels, active = ([seat[name] for seat in state["seats"]] for name in ("level", "active"))
    return ranks_to_declare(state["options"], levels, active, state["round"]["level"])


def _can_be_declared(state: State) -> bool:
    """At a level without a trump rank there is nothing to declare with (000 l.324)."""
    return any(_ranks(state))


def _open_window(turn: Turn) -> None:
    """Open the window that all seats share for the whole of a timed deal, and `declare_ms` after it."""
    state = turn.state
    deadline = max(turn.now, deal_end(state)) + state["settings"]["clock"]["declare_ms"]
    turn.open_decision("declare", list(range(state["players"])), deadline)


def _ask_next(turn: Turn, first: int) -> None:
    """Ask the next seat, from `first` on, that has not passed since the last declaration; with none left, close."""
    state = turn.state
    players = state["players"]
    for step in range(players):
        seat = (first + step) % players
        if seat not in state["round"]["passes"]:
            turn.open_decision("declare", [seat])
            return
    close_declarations(turn)


def declare(turn: Turn, seat: int, cards: Sequence[int]) -> None:
    """Show cards: to declare, reinforce, overcall or defend. The rules say which it is."""
    state = turn.state
    table_round = state["round"]
    defending = state["decision"]["kind"] == "defend"
    shown = table_round["shown"]
    meaning = judge(context_of(state), shown, seat, cards, may_defend=defending)
    if defending and meaning != "defend":
        raise IllegalDeclaration("only_defence_now")
    after = [*shown, {"seat": seat, "cards": list(cards), "as": meaning}]
    asked = defender(context_of(state), after)
    deadline = state["decision"]["deadline"]
    if table_round["phase"] == "declaring" and len(state["decision"]["seats"]) > 1:
        deadline = turn.now + state["settings"]["clock"]["declare_ms"]
    turn.emit("declared", seat=seat, cards=list(cards), **{"as": meaning}, defence=asked, deadline=deadline)
    if asked is not None:
        turn.open_decision("defend", [asked])
    elif turn.state["decision"] is None:
        _go_on_declaring(turn, seat)


def pass_declaring(turn: Turn, seat: int) -> None:
    """Let the chance to declare or to defend go by."""
    state = turn.state
    kind = state["decision"]["kind"]
    # Also if an AI has passed for the seat before: the player is told that it is done, so a retry must find it.
    turn.emit("passed", seat=seat, kind=kind)
    after = turn.state
    if after["decision"] is None:
        _go_on_declaring(turn, after["round"]["shown"][-1]["seat"] if kind == "defend" else seat)
    elif after["round"]["phase"] == "declaring" and len(after["round"]["passes"]) == state["players"]:
        close_declarations(turn)


def _go_on_declaring(turn: Turn, seat: int) -> None:
    """After the question to one seat has been answered."""
    if turn.state["round"]["deal"]["pace"] == "timed":
        _open_window(turn)
    else:
        _ask_next(turn, seat + 1)


def redeal(turn: Turn, seat: int) -> None:
    """Claim a misdeal with the hand that one has been dealt (003 l.62; 001 §3.5.7)."""
    state = turn.state
    table_round = state["round"]
    hand = table_round["hands"][seat]
    standing = outcome(context_of(state), table_round["shown"])
    if table_round["phase"] != "declaring" or not may_redeal(state["options"], standing[1] if standing else None, hand):
        raise IllegalDeclaration("no_misdeal", required=state["options"]["misdeal"])
    _deal_again(turn, "misdeal", seat, kinds_in(hand))


def _deal_again(turn: Turn, reason: str, seat: int | None = None, hand: list[int] | None = None) -> None:
    state = turn.state
    table_round = state["round"]
    by_caller = seat is not None and state["options"]["misdeal_starter"] == "caller"
    deal = _new_deal(
        state,
        table_round["number"],
        table_round["server_seed"],
        table_round["entropy"],
        table_round["deal"]["attempt"] + 1,
    )
    # With nobody making trumps all players become active again (000 l.295).
    all_active = reason == "no_declaration" and state["options"]["active_passive"]
    starter = seat if by_caller else table_round["starter"]
    turn.emit("redealt", reason=reason, seat=seat, hand=hand, starter=starter, all_active=all_active, **deal)
    _begin_deal(turn)


def close_declarations(turn: Turn) -> None:
    """End declaring: fix trumps and declarer, or do what the ruleset does when nobody has declared."""
    turn.emit("declaration_closed", "server")
    state = turn.state
    table_round = state["round"]
    options = state["options"]
    result = outcome(context_of(state), table_round["shown"])
    if result is not None:
        declarer, trump = result
        fix_trump(turn, declarer, trump, "declared")
        return
    fixed = state["game"]["declarer"]
    declarer = table_round["starter"] if fixed is None else fixed
    rank = rank_of_level(state["seats"][declarer]["level"])
    how = options["no_declaration"]
    if how == "redeal" and _can_be_declared(state):
        _deal_again(turn, "no_declaration")
    elif rank is None or not _can_be_declared(state):
        fix_trump(turn, declarer, Trump(None, None), "level")
    elif how == "flip_kitty":
        suit, turned = flip_kitty(rank, table_round["kitty"], how)
        turn.emit("kitty_flipped", "server", cards=table_round["kitty"][:turned], suit=suit)
        fix_trump(turn, declarer, Trump(rank, suit), "kitty")
    else:
        seed, entropy = table_round["server_seed"], table_round["entropy"]
        at = _chosen(state, table_round["number"], seed, entropy, f"suit:{table_round['deal']['attempt']}", 4)
        fix_trump(turn, declarer, Trump(rank, "SHDC"[at]), "random")


def fix_trump(turn: Turn, declarer: int, trump: Trump, how: str) -> None:
    """Fix trumps, declarer and the sides as far as they are known, and give the declarer the kitty."""
    state = turn.state
    fixed_teams = RULESETS[state["ruleset"]].teams == "fixed"
    other = "attackers" if fixed_teams else "unknown"
    step = 2 if fixed_teams else state["players"]
    sides = ["declarers" if (seat - declarer) % step == 0 else other for seat in range(state["players"])]
    turn.emit(
        "trump_fixed",
        "server",
        trump={"rank": trump.rank, "suit": trump.suit},
        declarer=declarer,
        sides=sides,
        how=how,
    )
    burying.take_kitty(turn, declarer)
