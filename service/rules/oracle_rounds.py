"""The rule oracle's answers about a round as a whole: cards, declarations, friends, kitty, scores, levels.

A handler takes the body of a question, whose fields are the inputs of a rule vector of its kind, and returns the
outputs by the same names (`api.md` §3).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from service.errors import CardsNotHeld, IllegalCall, IllegalDeclaration, IllegalPlay, TooComplex
from service.rules import arms_length
from service.rules.cards import KINDS, LJ, RANKS, SUITS, Counts, counts_of, missing_from, names_of, points_of
from service.rules.declarations import (
    DeclareContext,
    chao_asked,
    chao_suit,
    judge,
    may_redeal,
    ranks_to_declare,
    redeal_starter,
    trump_maker,
)
from service.rules.friends import Call, check_calls, joins
from service.rules.kitty import kitty_bonus
from service.rules.levels import advance, check_level, next_round, rank_of_level
from service.rules.oracle_input import MOST_DECKS, MOST_LEVELS, MOST_POINTS, Fields, Question, refuse
from service.rules.rulesets import RULESETS, cards_as_json, composition
from service.rules.scoring import ATTACKERS, DECLARERS, score
from service.rules.tricks import trick_rules
from service.rules.trumps import order_of

Answer = dict[str, Any]

SIDES: Final = (DECLARERS, ATTACKERS)
#: Levels that may be climbed in one go where each lap adds a sign to their names.
MOST_LAPPED: Final = 500
MEANINGS: Final = ("declare", "reinforce", "overcall", "defend")


def setup(question: Question) -> Answer:
    """Answer with the cards of the game, whatever number of decks the question names."""
    own = composition(question.ruleset, question.players, question.options)
    return cards_as_json(own, RULESETS[question.ruleset].teams)


def _level(question: Question, fields: Fields, field: str = "level") -> str:
    return check_level(question.ruleset, question.options, fields.value(field), fields.place(field))


def _per_seat(question: Question, field: str, read: Callable[[Fields, str], Any]) -> list[Any]:
    return question.each(field, read, question.players, question.players)


def _context(question: Question) -> DeclareContext:
    """Return the context of a deal: `level` for all or `levels` of each, and who is `active`."""
    players, options = question.players, question.options
    if "levels" in question:
        levels = _per_seat(question, "levels", lambda fields, at: _level(question, fields, at))
    else:
        levels = [_level(question, question)] * players
    active = _per_seat(question, "active", Fields.flag) if "active" in question else [True] * players
    fixed = RULESETS[question.ruleset].teams == "fixed"
    round_level = _level(question, question) if "level" in question else levels[0]
    return DeclareContext(
        options=options,
        decks=question.decks,
        ranks=ranks_to_declare(options, levels, active, round_level),
        first_round=True,
        declarer=None,
        levels=tuple(levels),
        active=tuple(active),
        teams=tuple(seat % 2 for seat in range(players)) if fixed else None,
    )


def declare(question: Question) -> Answer:
    """Answer which of the events are accepted, and what is trumps in the end."""
    context = _context(question)
    shown: list[dict[str, Any]] = []
    accepted = []
    may_defend = False
    for event in question.inner_list("events"):
        if event.flag("wait"):
            may_defend = False
            accepted.append(True)
            continue
        seat, cards = event.seat("seat"), event.cards("cards")
        meant = event.choice("as", MEANINGS) if "as" in event else None
        try:
            meaning = judge(context, shown, seat, cards, may_defend=may_defend, meant=meant)
        except IllegalDeclaration:
            accepted.append(False)
            continue
        shown.append({"seat": seat, "cards": cards, "as": meaning})
        may_defend = meaning == "overcall"
        accepted.append(True)
    answer: Answer = {"expect": [{"accepted": each} for each in accepted], "final": None}
    made = trump_maker(context, shown)
    if made is None:
        return answer | {"then": question.options["no_declaration"] if any(context.ranks) else "no_trump_rank"}
    return answer | {"final": {"seat": made[0], "suit": made[1].suit, "rank": made[1].rank}}


def chao_di(question: Question) -> Answer:
    """Answer which overcalls for the kitty are accepted, who is asked, and who has the kitty in the end."""
    rank = rank_of_level(_level(question, question))
    holder = question.seat("declarer")
    declaration = question.inner("declaration")
    declared_last, standing = declaration.seat("seat"), declaration.cards("cards")
    suit = _suit_of(standing)
    waiting = chao_asked(question.players, holder=holder, declared_last=declared_last, overcalled=False)
    asked = waiting[:1]
    accepted = []
    for event in question.inner_list("events"):
        seat = event.seat("seat")
        passes = event.flag("pass")
        cards = [] if passes else event.cards("cards")
        if not waiting or seat != waiting[0]:
            accepted.append(False)
            continue
        if passes:
            waiting = waiting[1:]
        else:
            try:
                suit = chao_suit(question.options, rank, standing, cards)
            except IllegalDeclaration:
                accepted.append(False)
                continue
            standing, holder = cards, seat
            waiting = chao_asked(question.players, holder=holder, declared_last=declared_last, overcalled=True)
        accepted.append(True)
        asked += waiting[:1]
    return {
        "expect": [{"accepted": each} for each in accepted],
        "final": {"suit": suit, "kitty": holder},
        "asked": asked,
    }


def _suit_of(cards: Sequence[int]) -> str | None:
    return SUITS[cards[0] // len(RANKS)] if cards[0] < LJ else None


def _hand(question: Question) -> Counts:
    return counts_of(question.cards("hand", least=0))


def misdeal(question: Question) -> Answer:
    """Answer whether a hand may ask for a new deal; given its `caller` and the `starter`, also who draws first then."""
    answer: Answer = {"may_ask": may_redeal(question.options, question.trump(), _hand(question))}
    if "caller" in question:
        answer["starter"] = redeal_starter(question.options, question.seat("starter"), question.seat("caller"))
    return answer


def _checked_calls(question: Question) -> list[Call]:
    if not question.cards_in_game.calls:
        refuse("no_friends_here", "ruleset")
    calls: list[dict[str, Any]] = []
    for call in question.inner_list("calls"):
        named: dict[str, Any] = {"card": call.card("card")}
        if call.flag("other"):
            calls.append(named | {"other": True})
        else:
            calls.append(named | {"ordinal": call.integer("ordinal", 0, 2 * MOST_DECKS)})
    order = order_of(question.trump(), question.options["twos_always_trump"])
    hand = _hand(question) if "hand" in question else None
    return check_calls(calls, order, question.cards_in_game, question.options, hand)


def call_friends(question: Question) -> Answer:
    """Answer whether these cards may be called."""
    try:
        _checked_calls(question)
    except IllegalCall:
        return {"valid": False}
    return {"valid": True}


def friends(question: Question) -> Answer:
    """Answer who joins the declarer in these tricks, and what the attackers have so far."""
    calls = _checked_calls(question)
    players, declarer = question.players, question.seat("declarer")
    rules = trick_rules(question.trump(), question.options, question.absent)
    seen = [0] * KINDS
    filled: list[Answer] = []
    team, points = {declarer}, [0] * players
    for number, trick in enumerate(question.inner_list("tricks")):
        leader, plays = trick.seat("leader"), trick.plays("plays", players, players)
        for step, cards in enumerate(plays):
            seat = (leader + step) % players
            for call in joins(calls, seen, cards, by_declarer=seat == declarer):
                filled.append({"trick": number, "seat": seat, "call": call})
                team.add(seat)
            for kind in cards:
                seen[kind] += 1
        if max(seen) > question.decks:
            refuse("more_copies_than_decks", f"tricks/{number}", decks=question.decks)
        winner = (leader + rules.winner(rules.lead(plays[0]), plays)) % players
        points[winner] += sum(map(points_of, plays))
    return {
        "joins": filled,
        "declarers": sorted(team),
        "missing": max(0, question.cards_in_game.declarers_max - len(team)),
        "attackers_points": sum(points[seat] for seat in range(players) if seat not in team),
    }


def kitty(question: Question) -> Answer:
    """Answer what the kitty is worth."""
    last = question.inner("last_trick")
    cards, led = question.cards("kitty"), last.cards("lead")
    question.check_copies([*cards, *led], "kitty")
    lead = trick_rules(question.trump(), question.options, question.absent).lead(led)
    side = last.choice("winner_side", SIDES)
    return kitty_bonus(question.options, lead, cards, side, question.flag("revealed"))._asdict()


def score_points(question: Question) -> Answer:
    """Answer who gains what for these points; `team_size` is the largest if left out."""
    most = question.cards_in_game.declarers_max
    team = question.integer("team_size", 1, most) if "team_size" in question else most
    points = question.integer("points", 0, MOST_POINTS)
    return score(question.ruleset, question.options, question.cards_in_game, points, team)._asdict()


def levels(question: Question) -> Answer:
    """Answer where somebody stands after gaining levels."""
    if question.options["laps"] and question.integer("gained", 0, MOST_LEVELS) > MOST_LAPPED:
        raise TooComplex(budget=MOST_LAPPED)
    after = advance(
        question.ruleset,
        question.options,
        _level(question, question),
        question.integer("gained", 0, MOST_LEVELS),
        question.choice("role", SIDES),
        attempted=question.each("attempted", lambda fields, at: _level(question, fields, at))
        if "attempted" in question
        else (),
        penalty=question.integer("penalty", 0, MOST_LEVELS) if "penalty" in question else 0,
    )
    answer: Answer = {"level": after.level, "won": after.won}
    return answer | {"penalty": after.penalty} if "penalty" in question else answer


def next_declarer(question: Question) -> Answer:
    """Answer who declares next, where that is settled, and who draws first."""
    declarer = question.seat("declarer")
    declarers = question.each("declarers", Fields.seat, 1, question.players)
    if declarer not in declarers:
        refuse("declarer_is_a_declarer", "declarers")
    turned = question.options["first_draw"] == "pass_right"
    after = next_round(
        question.ruleset,
        question.options,
        question.players,
        declarer=declarer,
        declarers=declarers,
        side=question.choice("side", (*SIDES, None)),
        starter=question.seat("starter") if turned else declarer,
    )
    answer: Answer = {"starter": after.starter}
    return answer if after.declarer is None else answer | {"declarer": after.declarer}


def _plain(kinds: Sequence[int], field: str) -> None:
    """Refuse jokers: Arm's Length has none."""
    if any(kind >= LJ for kind in kinds):
        refuse("no_jokers_here", field)


def arms_follow(question: Question) -> Answer:
    """Answer whether a play of Arm's Length is legal, and if not, why."""
    trump = question.choice("trump", (*SUITS, None))
    trick, held = question.cards("trick", 0, 3), question.cards("hand")
    _plain([*trick, *held], "hand")
    question.check_copies([*trick, *held], "hand")
    play = question.cards("play", 1, 1)
    hand = counts_of(held)
    missing = missing_from(hand, play)
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
    try:
        arms_length.check(trump, trick, hand, play[0])
    except IllegalPlay as refusal:
        return {"legal": False, "rule": refusal.rule, "required": refusal.required, "example": refusal.example}
    return {"legal": True, "rule": None, "required": None, "example": None}


def arms_trick(question: Question) -> Answer:
    """Answer who wins a trick of Arm's Length, and what is trumps after it."""
    plays = question.cards("plays", 1, 4)
    _plain(plays, "plays")
    winner, trump = arms_length.winner(question.choice("trump", (*SUITS, None)), plays)
    return {"winner": winner, "trump": trump}


def arms_score(question: Question) -> Answer:
    """Answer a side's points in Arm's Length."""
    high = question.integer("high", 0, len(RANKS))
    return {"score": arms_length.score(high, question.integer("low", 0, len(RANKS) - high))}


#: Kind of question -> its handler.
HANDLERS: Final[Mapping[str, Callable[[Question], Answer]]] = {
    "setup": setup,
    "declare": declare,
    "chao_di": chao_di,
    "misdeal": misdeal,
    "call": call_friends,
    "friends": friends,
    "kitty": kitty,
    "score": score_points,
    "levels": levels,
    "next": next_declarer,
    "arms_follow": arms_follow,
    "arms_trick": arms_trick,
    "arms_score": arms_score,
}
