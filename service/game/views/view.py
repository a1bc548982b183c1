"""The one redactor: what a seat, or a spectator, may see of a table.

It works by allow-list: only what is named here is shown. A player sees what a player at a real table could see;
everything else becomes a count (docs/contract.md). `service.game.views.redaction` does the same for events.
"""

from itertools import compress
from typing import Final, cast

from service.game.state.families import family_of
from service.game.state.queries import attackers_points, game_of, round_of, seat_of, seats_asked
from service.game.state.rules import chosen_options, options_of
from service.game.state.settings import PUBLIC_SETTINGS, game_ends_at
from service.game.state.table_types import Decision, Vote
from service.game.state.types import Hand, Roads, Round, RoundResult, State, Trick
from service.game.views import hints
from service.game.views.absent import blank, phase_view
from service.game.views.fields import (
    NO_ROADS,
    away_view,
    call_view,
    closed_view,
    codes_shown,
    fields,
    occupant_view,
    result_view,
    seen_view,
    sorted_by,
    summary_view,
    timestamp,
    trick_view,
    trump_view,
)
from service.game.views.types import (
    OPEN,
    DecisionView,
    GameView,
    KittyView,
    MyView,
    PauseView,
    PracticeView,
    RoadsView,
    RoundView,
    SeatView,
    SeenView,
    TrickView,
    View,
    Viewer,
    VoteView,
)
from service.rules.cards import CARDS, KINDS, names_of
from service.rules.trumps import Trump, ranking

#: Number of rounds whose results the view shows, so that it does not grow; `GET /v1/games/{game}` has all.
LATEST_RESULTS: Final = 3


def viewer_of(state: State, player: str | None) -> Viewer:
    """Return the viewer for a player. A host without a seat sees the table without delay, so never with open hands."""
    seat = seat_of(state, player)
    return watcher_of(state) if seat is None and player != state["host"] else seat


def watcher_of(state: State) -> Viewer:
    """Return the viewer for spectators: those without a seat who do not host the table."""
    return OPEN if state["settings"]["spectators"] == "open" else None


def view(state: State, viewer: Viewer, now: int) -> View:
    """Return the table as the viewer sees it at `now`."""
    table_round, settings, vote = state["round"], state["settings"], state["vote"]
    table_view = {
        "id": state["id"],
        "version": state["version"],
        "server_time": timestamp(now),
        "viewer": {"role": "seat", "seat": viewer} if isinstance(viewer, int) else {"role": "spectator"},
        "ruleset": state["ruleset"],
        "options": chosen_options(state),
        "players": state["players"],
        "status": state["status"],
        "closed": closed_view(settings),
        "phase": phase_view(state["ruleset"], table_round["phase"]) if table_round else None,
        "direction": options_of(state).get("direction", "anticlockwise"),
        "host": state["host"],
        "settings": fields(settings, PUBLIC_SETTINGS),
        **fields(settings, ("clock",)),
        "practice": _practice_view(state),
        "next_commitment": state["next_commitment"],
        "seats": [_seat_view(state, seat) for seat in range(state["players"])],
        "game": game_view(state) if state["game"] else None,
        "round": _round_view(state, viewer) if table_round else None,
        "vote": None if vote is None else _vote_view(vote, now),
        "pause": _pause_view(state, now),
        "decision": decision_view(state, viewer, now),
    }
    if "circle" in settings:
        table_view["room"] = settings["circle"]
    if "club" in settings:
        table_view["club"] = settings["club"]
    if isinstance(viewer, int):
        table_view["my"] = _my_view(state, viewer)
        table_view |= codes_shown(settings)
    elif viewer == OPEN:
        hands = table_round["hands"] if table_round else [[0] * KINDS] * state["players"]
        table_view["hands"] = [_counts(hand) for hand in hands]
    return cast("View", table_view)


def _practice_view(state: State) -> PracticeView | None:
    """Mark a practice table. Its seed reveals all cards, so it is shown only when nothing is left to play."""
    if state["settings"]["seed"] is None or "board" in state["settings"]:
        return None
    practice: PracticeView = {"seed": state["settings"]["seed"] if state["status"] == "finished" else None}
    if "deal" in state["settings"]:
        practice["repeats"] = True
    if "sandbox" in state["settings"]:
        practice["sandbox"] = True
    return practice


def _vote_view(vote: Vote, now: int) -> VoteView:
    visible = fields(vote, ("id", "kind", "seat", "votes", "closes_at"))
    if "closes_at" in vote:
        visible["remaining_ms"] = max(0, vote["closes_at"] - now)
    return cast("VoteView", visible)


def _pause_view(state: State, now: int) -> PauseView | None:
    pause = state.get("pause")
    if pause is None:
        return None
    visible = {**fields(pause, ("by_seat", "until", "reason")), "remaining_ms": max(0, pause["until"] - now)}
    return cast("PauseView", visible)


def _seat_view(state: State, number: int) -> SeatView:
    seat, table_round = state["seats"][number], state["round"]
    visible: SeatView = {
        "seat": number,
        "occupant": occupant_view(seat["occupant"]),
        "autopilot": seat["autopilot"],
        "ready": seat["ready"],
        "presence": seat["presence"],
        "timeouts": seat["timeouts"],
        "level": seat["level"],
        "active": seat["active"],
        "penalty": seat["penalty"],
        "bank_ms": seat["bank_ms"],
        "side": table_round["sides"][number] if table_round else "unknown",
        "hand_count": sum(table_round["hands"][number]) if table_round else 0,
        "tricks": table_round["tricks"][number] if table_round else 0,
        "points": table_round["points"][number] if table_round else 0,
    }
    if seat.get("laps"):
        visible["laps"] = seat["laps"]
    if "since" in seat:
        visible["since"] = seat["since"]
    blank(state["ruleset"], "seat", visible)
    return visible


def game_view(state: State) -> GameView:
    """Show the game of a table that has one."""
    game = game_of(state)
    visible: GameView = {
        "id": game["id"],
        "round": game["round"],
        "results": [summary_view(result) for result in game["results"][-LATEST_RESULTS:]],
        "winners": game["winners"],
        "ended": game["ended"],
        "scores": game["scores"] or [0, 0],
    }
    if "time" in game:
        visible["ends_at"] = timestamp(game_ends_at(state))
    if "decided_by" in game:
        visible["decided_by"] = game["decided_by"]
    blank(state["ruleset"], "game", visible)
    return visible


def _round_view(state: State, viewer: Viewer) -> RoundView:
    table_round, ruleset = round_of(state), state["ruleset"]
    deal, result, request = table_round["deal"], table_round["result"], table_round["take_back"]
    visible: RoundView = {
        "number": table_round["number"],
        "starter": table_round["starter"],
        "level": table_round["level"],
        "commitment": table_round["commitment"],
        "trump": trump_view(table_round["trump"]),
        "passes": table_round["passes"],
        "declarer": table_round["declarer"],
        "dealt": {"count": deal["count"], "of": deal["of"]},
        "declarations": [
            {"seat": declaration["seat"], "cards": names_of(declaration["cards"]), "as": declaration["as"]}
            for declaration in table_round["shown"]
        ],
        "kitty": _kitty_view(table_round, viewer),
        "calls": [{**call_view(call), "filled_by": call["filled_by"]} for call in table_round["calls"]],
        "roads": _roads_view(table_round["roads"]),
        "attackers_points": attackers_points(state),
        "played": _counts(table_round["played"]),
        "trick": _trick_view(ruleset, table_round["trick"]),
        "last_trick": _trick_view(ruleset, table_round["last_trick"]),
        "seen": _seen_view(table_round),
        "take_back": None if request is None else fields(request, ("seat", "accepted")),
        "returnable": table_round.get("returnable", 0) if state["status"] == "playing" else 0,
        "result": None if result is None else _result_view(ruleset, result),
    }
    if "claims" in table_round:
        visible["claims"] = [*table_round["claims"]]
    blank(ruleset, "round", visible)
    return visible


def _result_view(ruleset: str, result: RoundResult) -> dict[str, object]:
    visible = result_view(result)
    blank(ruleset, "result", visible)
    return visible


def _counts(hand: Hand) -> dict[str, int]:
    return dict(compress(zip(CARDS, hand, strict=True), hand))


def _kitty_view(table_round: Round, viewer: Viewer) -> KittyView:
    discard = table_round["discard"]
    lying = table_round["kitty"] or discard or []
    is_open = discard is not None and (table_round["revealed"] or table_round["result"] is not None)
    kitty: KittyView = {
        "count": len(lying),
        "seat": table_round["kitty_seat"],
        "cards": names_of(lying) if is_open or (viewer == OPEN and lying) else None,
        "revealed": table_round["revealed"],
    }
    if "kitty_shown" in table_round:
        kitty["shown"] = names_of(table_round["kitty_shown"])
    return kitty


def _roads_view(roads: Roads | None) -> RoadsView:
    """Show which seats have stated a road. Roads stay hidden until both partners have stated theirs and agree."""
    if roads is None:
        return NO_ROADS
    stated = sorted(int(seat) for seat in roads["stated"] if seat.isdigit())
    return {"stated": stated, "set": fields(roads, ("set",))["set"]}


def _trick_view(ruleset: str, trick: Trick | None) -> TrickView | None:
    if trick is None:
        return None
    visible = trick_view(trick)
    blank(ruleset, "trick", visible)
    return visible


def _seen_view(table_round: Round) -> SeenView:
    """Show what the tricks so far have revealed, while cards are being played."""
    if table_round["phase"] != "playing" or "memory" not in table_round:
        return {}
    return seen_view(table_round["memory"])


def _my_view(state: State, viewer: int) -> MyView:
    table_round = state["round"]
    trump, options = Trump(None, None), options_of(state)
    if table_round is not None:
        trump = family_of(state).display_trump(state, viewer)
    twos, fives = (bool(options.get(name)) for name in ("twos_always_trump", "red_fives"))
    by = sorted_by(trump.rank, trump.suit, twos=twos, red_fives=fives)
    mine: MyView = {"seat": viewer, "hand": [], "sorted_by": by, "discard": None}
    if table_round is None:
        return mine
    hand = ranking(trump, options).sort_hand(table_round["hands"][viewer])
    mine["hand"] = names_of(hand)
    if table_round["kitty_seat"] == viewer and table_round["discard"] is not None:
        mine["discard"] = names_of(table_round["discard"])
    roads = table_round["roads"]
    if roads is not None:
        mine["road"] = roads["stated"].get(str(viewer))
    return mine


def may_answer(decision: Decision, seat: int) -> bool:
    """Return whether a seat may answer: it is asked, or may change its mind after passing or becoming ready."""
    return seat in decision["seats"] or decision["kind"] == "ready"


def decision_view(state: State, viewer: Viewer, now: int) -> DecisionView | None:
    """Show the open decision, with hints only to a seat that may answer it."""
    decision = state["decision"]
    if decision is None:
        return None
    deadline = decision["deadline"]
    visible: DecisionView = {
        "id": decision["id"],
        "kind": decision["kind"],
        "opened_seq": decision["opened_seq"],
        "on_timeout": decision["on_timeout"],
        "seats": seats_asked(state, decision),
        "deadline_at": timestamp(deadline),
        "remaining_ms": None if deadline is None else max(0, deadline - now),
    }
    if decision.get("away"):
        visible["away"] = away_view(decision["away"])
    if isinstance(viewer, int) and may_answer(decision, viewer):
        visible["hints"] = hints.hints(state, viewer)
    return visible
