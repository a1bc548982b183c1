"""The rule oracle's answers about cards, declarations, friends, kitty, scores and levels.

A handler takes a question with the input fields of a rule vector of its kind, and returns the vector's output fields.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from service.common.errors import IllegalCall, IllegalDeclaration, TooComplex
from service.rules.cards import KINDS, LJ, RANKS, SUITS, Counts, counts_of, points_of
from service.rules.composition import cards_as_json, composition
from service.rules.games import RULESETS
from service.rules.options.catalogue import game as game_with
from service.rules.options.selection import selection
from service.rules.oracle.inputs import MOST_DECKS, MOST_ENTRIES, MOST_LEVELS, MOST_POINTS, Fields, Question, refuse
from service.rules.rounds.chao_di import chao_asked, chao_suit
from service.rules.rounds.declarations import DeclareContext, Shown, judge, laid_out, ranks_to_declare, trump_maker
from service.rules.rounds.friends import Call, called_by_showing, check_calls, joins
from service.rules.rounds.kitty import kitty_bonus
from service.rules.rounds.levels import advance, check_level, hook, next_round, rank_of_level
from service.rules.rounds.redeals import may_redeal, redeal_starter
from service.rules.rounds.scoring import ATTACKERS, DECLARERS, score
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import ranking

Answer = dict[str, object]
T = TypeVar("T")

SIDES: Final = (DECLARERS, ATTACKERS)
#: Most levels gained at once with the option `laps`, where each lap makes the name of a level longer.
MOST_LAPPED: Final = 500
MEANINGS: Final = ("declare", "reinforce", "overcall", "defend")


def setup(question: Question) -> Answer:
    """Answer with the cards of the game; the field `decks` of the question is ignored."""
    cards = composition(question.ruleset, question.players, question.options)
    return cards_as_json(cards, RULESETS[question.ruleset].teams)


def game(question: Question) -> Answer:
    """Answer with the cards, options and score table of the game; the field `decks` of the question is ignored."""
    return game_with(RULESETS[question.ruleset], question.players, question.options)


def options(question: Question) -> Answer:
    """Answer with the effective options, and the values that can be chosen with them."""
    overrides = question.inner("options").fields if "options" in question else {}
    return {"options": question.options, "choices": selection(question.ruleset, question.players, overrides)}


def _level(question: Question, fields: Fields, field: str = "level") -> str:
    return check_level(question.options, fields.value(field), fields.place(field))


def _per_seat(question: Question, field: str, read: Callable[[Fields, str], T]) -> list[T]:
    return question.each(field, read, question.players, question.players)


def _context(question: Question) -> DeclareContext:
    """Return the context of a deal from the fields `level` (of all seats) or `levels` (of each), and `active`."""
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
        jokers=(question.cards_in_game.little_jokers, question.cards_in_game.big_jokers),
        ranks=ranks_to_declare(options, levels, active, round_level),
        first_round=True,
        declarer=None,
        levels=tuple(levels),
        active=tuple(active),
        teams=tuple(seat % 2 for seat in range(players)) if fixed else None,
    )


def declare(question: Question) -> Answer:
    """Answer which of the events are accepted, and who makes which trumps in the end."""
    context = _context(question)
    declarations: list[Shown] = []
    accepted = []
    may_defend = False
    for event in question.inner_list("events"):
        if event.flag("wait"):
            may_defend = False
            accepted.append(True)
            continue
        seat, cards = event.seat("seat"), laid_out(event.cards("cards"))
        meant = event.choice("as", MEANINGS) if "as" in event else None
        try:
            late = event.flag("after_kitty")
            meaning = judge(context, declarations, seat, cards, may_defend=may_defend, meant=meant, after_kitty=late)
        except IllegalDeclaration:
            accepted.append(False)
            continue
        declarations.append({"seat": seat, "cards": cards, "as": meaning})
        may_defend = meaning == "overcall"
        accepted.append(True)
    answer: Answer = {"expect": [{"accepted": each} for each in accepted], "final": None}
    maker_and_trump = trump_maker(context, declarations)
    if maker_and_trump is None:
        return answer | {"then": question.options["no_declaration"] if any(context.ranks) else "no_trump_rank"}
    maker, trump = maker_and_trump
    return answer | {"final": {"seat": maker, "suit": trump.suit, "rank": trump.rank}}


def chao_di(question: Question) -> Answer:
    """Answer which overcalls for the kitty are accepted, who is asked, and who has the kitty in the end."""
    declaration = question.inner("declaration")
    holder, last = question.seat("declarer"), declaration.seat("seat")
    bids: list[Shown] = [{"seat": last, "cards": laid_out(declaration.cards("cards")), "as": "declare"}]
    waiting = chao_asked(question.players, holder=holder, declared_last=last, overcalled=False)
    seats = waiting[:1]
    accepted = []
    for event in question.inner_list("events"):
        seat = event.seat("seat")
        if event.flag("pass"):
            accepted.append(seat in waiting[:1])
            waiting = waiting[accepted[-1] :]
            seats += waiting[: accepted[-1]]
            continue
        cards = laid_out(event.cards("cards"))
        meaning = _for_the_kitty(question, bids, seat, cards, is_asked=seat in waiting[:1])
        accepted.append(meaning is not None)
        if meaning is not None:
            bids.append({"seat": seat, "cards": cards, "as": meaning})
        if meaning not in (None, "reinforce"):
            holder = seat
            waiting = chao_asked(question.players, holder=holder, declared_last=last, overcalled=True)
            seats += waiting[:1]
    return {
        "expect": [{"accepted": each} for each in accepted],
        "final": {"suit": _suit_of(bids[-1]["cards"]), "kitty": holder},
        "asked": seats,
    }


def _for_the_kitty(
    question: Question, bids: Sequence[Shown], seat: int, cards: Sequence[int], *, is_asked: bool
) -> str | None:
    """Return what these cards mean when shown after a discard, or None if they are refused."""
    try:
        if question.options["chao_di_rule"] == "pairs_by_suit":
            chao_suit(question.options, rank_of_level(_level(question, question)), bids[-1]["cards"], cards)
            return "overcall" if is_asked else None
        meaning = judge(_context(question), bids, seat, cards, may_defend=True, after_kitty=True)
    except IllegalDeclaration:
        return None
    return meaning if is_asked or meaning == "reinforce" else None


def _suit_of(cards: Sequence[int]) -> str | None:
    return SUITS[cards[0] // len(RANKS)] if cards[0] < LJ else None


def _hand(question: Question) -> Counts:
    return counts_of(question.cards("hand", least=0))


def misdeal(question: Question) -> Answer:
    """Answer whether a hand may ask for a new deal; given `caller` and `starter`, also who then draws first."""
    redeals = question.integer("redeals", 0, MOST_ENTRIES) if "redeals" in question else 0
    answer: Answer = {"may_ask": may_redeal(question.options, question.trump(), _hand(question), redeals)}
    if "caller" in question:
        answer["starter"] = redeal_starter(question.options, question.seat("starter"), question.seat("caller"))
    return answer


def _checked_calls(question: Question) -> list[Call]:
    if RULESETS[question.ruleset].teams != "friends":
        refuse("no_friends_here", "ruleset")
    if "shown" in question:
        by_showing = called_by_showing(question.options, laid_out(question.cards("shown")))
        if by_showing:
            return by_showing
    calls: list[dict[str, object]] = []
    for call in question.inner_list("calls"):
        named: dict[str, object] = {"card": call.card("card")}
        if call.flag("other"):
            calls.append(named | {"other": True})
        else:
            calls.append(named | {"ordinal": call.integer("ordinal", 0, 2 * MOST_DECKS)})
    order = ranking(question.trump(), question.options)
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
    """Answer who joins the declarer in these tricks, and how many points the attackers have so far."""
    calls = _checked_calls(question)
    players, declarer = question.players, question.seat("declarer")
    rules = trick_rules(question.trump(), question.options, question.absent)
    counts = [0] * KINDS
    filled: list[dict[str, int]] = []
    double_join = question.options["double_join"]
    team, points = {declarer}, [0] * players
    for number, trick in enumerate(question.inner_list("tricks")):
        leader, plays = trick.seat("leader"), trick.plays("plays", players, players)
        for step, cards in enumerate(plays):
            seat = (leader + step) % players
            for call in joins(
                calls,
                counts,
                cards,
                by_declarer=seat == declarer,
                on_side=seat in team,
                filled=[each["call"] for each in filled],
                double_join=double_join,
            ):
                filled.append({"trick": number, "seat": seat, "call": call})
                team.add(seat)
            for kind in cards:
                counts[kind] += 1
        if max(counts) > question.decks:
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
    """Answer with points, factor and bonus of the kitty."""
    last = question.inner("last_trick")
    cards, led = question.cards("kitty", least=0), last.cards("lead")
    question.check_copies([*cards, *led], "kitty")
    rules = trick_rules(question.trump(), question.options, question.absent)
    winning = rules.read_play(last.cards("winning")) if "winning" in last else None
    side = last.choice("winner_side", SIDES)
    revealed = question.flag("revealed")
    return kitty_bonus(question.options, rules.lead(led), cards, side, revealed, winning=winning)._asdict()


def score_points(question: Question) -> Answer:
    """Answer which side gains how many levels for these points; `team_size` is the largest possible if left out."""
    most = question.cards_in_game.declarers_max
    team = question.integer("team_size", 1, most) if "team_size" in question else most
    least = -MOST_POINTS if question.options["negative_points"] else 0
    points = question.integer("points", least, MOST_POINTS)
    last = question.choice("last_trick_side", SIDES) if "last_trick_side" in question else None
    return score(question.ruleset, question.options, question.cards_in_game, points, team, last)._asdict()


def levels(question: Question) -> Answer:
    """Answer with the level of a player or team after gaining levels."""
    gained = question.integer("gained", 0, MOST_LEVELS)
    if question.options["laps"] and gained > MOST_LAPPED:
        raise TooComplex(budget=MOST_LAPPED)
    after = advance(
        question.options,
        _level(question, question),
        gained,
        question.choice("role", SIDES),
        attempted=_levels(question, "attempted"),
        defended=_levels(question, "defended"),
        penalty=question.integer("penalty", 0, MOST_LEVELS) if "penalty" in question else 0,
        taken_back=question.integer("taken_back", 0, MOST_LEVELS) if "taken_back" in question else 0,
        sent_back=_sent_back(question),
        played=_level(question, question, "played_level") if "played_level" in question else None,
        fixed_teams=RULESETS[question.ruleset].teams == "fixed",
    )
    answer: Answer = {"level": after.level, "won": after.won}
    return answer | {"penalty": after.penalty} if "penalty" in question else answer


def _levels(question: Question, field: str) -> list[str]:
    if field not in question:
        return []
    return question.each(field, lambda fields, at: _level(question, fields, at))


def _sent_back(question: Question) -> str | None:
    """Return the level to which the last trick sends a declarer back; None if it does not, or is not given."""
    if "last_trick" not in question or question.value("role") != DECLARERS:
        return None
    last, trump = question.inner("last_trick"), question.trump()
    rules = trick_rules(trump, question.options, question.absent)
    won = last.cards("winning" if "winning" in last else "lead")
    most = question.cards_in_game.declarers_max
    points = question.integer("points", -MOST_POINTS, MOST_POINTS)
    return hook(
        question.options,
        _level(question, question),
        trump=trump,
        side=score(question.ruleset, question.options, question.cards_in_game, points, most).side,
        winner_side=last.choice("winner_side", SIDES),
        unit=rules.winning_unit(rules.lead(last.cards("lead")), won),
        winning=won,
        played=_level(question, question, "played_level") if "played_level" in question else None,
    )


def next_declarer(question: Question) -> Answer:
    """Answer who declares next, if that is known before the deal, and who draws first."""
    declarer = question.seat("declarer")
    declarers = question.each("declarers", Fields.seat, 1, question.players)
    if declarer not in declarers:
        refuse("declarer_is_a_declarer", "declarers")
    passes_right = question.options["first_draw"] == "pass_right"
    after = next_round(
        question.ruleset,
        question.options,
        question.players,
        declarer=declarer,
        declarers=declarers,
        side=question.choice("side", (*SIDES, None)),
        starter=question.seat("starter") if passes_right else declarer,
    )
    answer: Answer = {"starter": after.starter}
    return answer if after.declarer is None else answer | {"declarer": after.declarer}


#: Kind of question -> its handler.
HANDLERS: Final[Mapping[str, Callable[[Question], Answer]]] = {
    "setup": setup,
    "game": game,
    "options": options,
    "declare": declare,
    "chao_di": chao_di,
    "misdeal": misdeal,
    "call": call_friends,
    "friends": friends,
    "kitty": kitty,
    "score": score_points,
    "levels": levels,
    "next": next_declarer,
}
