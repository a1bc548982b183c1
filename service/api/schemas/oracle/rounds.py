"""Questions to the rule oracle about a round as a whole: cards, declarations, friends, kitty, scores, levels."""

from typing import Final, Unpack

from service.api.schemas import fields as f
from service.api.schemas.oracle import questions as q
from service.api.schemas.rulesets import Composition, GameOfPlayers
from service.rules.oracle.inputs import MOST_CARDS, MOST_ENTRIES


class ShowEvent(f.Contract):
    """Cards shown, or no defence."""

    seat = f.integer("The seat.", 0, q.MOST_SEATS - 1, optional=True)
    cards = f.cards("The whole set that then lies on the table.", 1, MOST_CARDS, optional=True)
    meaning = f.choice(
        "What the cards are meant as.", "declare", "reinforce", "overcall", "defend", optional=True, data_key="as"
    )
    after_kitty = f.flag(
        "`true`: shown after a discard, if overcalls for the kitty come after the deal.", optional=True
    )
    wait = f.flag("`true` instead of the other fields: nobody defends.", optional=True)


class ShownSet(f.Contract):
    """Cards shown by a seat."""

    seat = f.integer("The seat.", 0, q.MOST_SEATS - 1)
    cards = f.cards("The cards.", 1, MOST_CARDS)


class KittyEvent(f.Contract):
    """An overcall for the kitty, or a pass."""

    seat = f.integer("The seat.", 0, q.MOST_SEATS - 1)
    cards = f.cards("The cards shown.", 1, MOST_CARDS, optional=True)
    passes = f.flag("`true` instead of cards: a pass.", optional=True, data_key="pass")


class AskedCall(f.Contract):
    """A card called for a friend."""

    card = f.card("The card.", example="AS")
    ordinal = f.integer("Which copy.", 0, 48, optional=True, example=1)
    other = f.flag("`true` instead of `ordinal`: the copy that the caller does not hold.", optional=True)


class PlayedTrick(f.Contract):
    """A trick."""

    leader = f.integer("Who led.", 0, q.MOST_SEATS - 1)
    plays = q.plays("In order of play.")


class AskedLastTrick(f.Contract):
    """The last trick."""

    lead = f.cards("The lead.", 1, MOST_CARDS)
    winning = f.cards("The winning play; left out: the lead.", 1, MOST_CARDS, optional=True)
    winner_side = f.choice("The side that won it.", *q.SIDES)


class Accepted(f.Contract):
    """Whether an event was accepted."""

    accepted = f.flag("Whether it was accepted; a refused one changes nothing.")


class FinalTrump(f.Contract):
    """The declaration that stands at the end."""

    seat = f.integer("The seat.")
    suit = f.text("The trump suit; null: none.", nullable=True)
    rank = f.text("The trump rank; null: none.", nullable=True)


class FinalKitty(f.Contract):
    """The outcome of the overcalls."""

    suit = f.text("The trump suit; null: none.", nullable=True)
    kitty = f.integer("The seat with the kitty.")


class Joining(f.Contract):
    """A call that was filled."""

    trick = f.integer("Index of the trick.")
    seat = f.integer("The seat that filled it.")
    call = f.integer("Index of the call.")


class SetupAnswer(Composition):
    """The cards of a game."""


class Choice(f.Contract):
    """What can be chosen for an option."""

    name = f.text("Its name.", example="overcall")
    value = f.anything("Its value in effect.", example="none")
    values = f.array(f.anything(""), "Values that fit the other options; null: any value of its schema.", nullable=True)
    pointless = f.flag("Whether there is nothing to choose, because of the other options.")


def _seats(about: str) -> f.Field:
    return f.array(f.integer("", 0, q.MOST_SEATS - 1), about, 1, q.MOST_SEATS)


def _level(about: str, **attributes: Unpack[f.Attributes]) -> f.Field:
    return f.text(about, 1, 40, **attributes)


def _suit_or_none(about: str) -> f.Field:
    return f.choice(about, *q.SUITS, nullable=True)


def _dealt_levels() -> dict[str, f.Field]:
    return {
        "level": _level("The level of the round.", optional=True),
        "levels": f.array(
            f.text("", 1, 40), "Instead of `level`: the level of each seat.", 1, q.MOST_SEATS, optional=True
        ),
        "active": f.array(
            f.flag(""), "Which seats are active, if the option `active_passive` is on.", 1, q.MOST_SEATS, optional=True
        ),
    }


def _calls(least: int = 1) -> f.Field:
    return f.array(f.nested(AskedCall), "The calls.", least, 20)


#: In the order of the document.
QUESTIONS: Final = (
    q.ask(
        "setup",
        "Ask which cards a game uses.",
        "Decks and jokers, removed cards, the sizes of hands and kitty, and the number of friends to call.",
        {},
        SetupAnswer,
        players=4,
    ),
    q.ask(
        "game",
        "Ask how house rules change a game.",
        "Its cards, options and score table, in the form that the catalogue has for the game without house rules.",
        {},
        GameOfPlayers,
        players=4,
        options={"decks": 3},
    ),
    q.ask(
        "options",
        "Ask what a table can choose.",
        "The options in effect, and for each that can be changed, the values that fit the others.",
        {},
        {
            "options": f.mapping("Every option with its value."),
            "choices": f.array(f.nested(Choice), "What can be chosen, option by option."),
        },
        players=4,
        options={"overcall": "none"},
    ),
    q.ask(
        "declare",
        "Ask which declarations are accepted.",
        "Each declaration, in order, is accepted or refused; the last accepted one makes trumps.",
        {**_dealt_levels(), "events": f.array(f.nested(ShowEvent), "In order.", 0, MOST_ENTRIES)},
        {
            "expect": f.array(f.nested(Accepted), "For each event, whether it was accepted."),
            "final": f.nested(FinalTrump, "The declaration that stands at the end; null: none.", nullable=True),
            "then": f.text("Without a declaration: what happens next.", optional=True),
        },
        players=4,
        level="2",
        events=[{"seat": 1, "cards": ["2H"], "as": "declare"}, {"seat": 3, "cards": ["2S", "2S"], "as": "overcall"}],
    ),
    q.ask(
        "chao_di",
        "Ask which overcalls for the kitty are accepted.",
        "After the kitty is buried, the others may show higher sets, one seat after the other, and take it.",
        {
            "level": _level("The level of the round."),
            "declarer": q.seat("The seat that has just buried the kitty."),
            "declaration": f.nested(ShownSet, "The declaration that stood at the end of the deal."),
            "events": f.array(f.nested(KittyEvent), "In order.", 0, MOST_ENTRIES),
        },
        {
            "expect": f.array(f.nested(Accepted), "For each event, whether it was accepted."),
            "final": f.nested(FinalKitty, "The outcome."),
            "asked": f.array(f.integer(""), "The seats asked, in order."),
        },
        players=4,
        options={"chao_di": True},
        level="2",
        declarer=0,
        declaration={"seat": 0, "cards": ["2H"]},
        events=[{"seat": 1, "cards": ["2S", "2S"]}, {"seat": 2, "pass": True}],
    ),
    q.ask(
        "misdeal",
        "Ask whether a hand may claim a misdeal.",
        "The option `misdeal` says which hands may.",
        {
            "trump": q.trump(),
            "hand": q.hand(),
            "redeals": f.integer("Redeals in this round so far.", 0, MOST_ENTRIES, optional=True),
            "caller": q.seat(
                "Who claims it. With this and `starter`, the answer says who draws first after the redeal.",
                optional=True,
            ),
            "starter": q.seat("Who drew first.", optional=True),
        },
        {
            "may_ask": f.flag("Whether it may claim one."),
            "starter": f.integer("Who draws first after the redeal.", optional=True),
        },
        players=4,
        options={"misdeal": {"no_points": True}},
        trump=q.HEARTS,
        hand=["3S", "4C", "7D"],
    ),
    q.ask(
        "call",
        "Ask whether cards may be called for friends.",
        "For rulesets with friends. Some cards, such as trumps, may not be called.",
        {
            "trump": q.trump(),
            "calls": _calls(),
            "hand": q.hand("The declarer's hand, if it matters.", optional=True),
        },
        {"valid": f.flag("Whether they may be called.")},
        players=5,
        trump=q.HEARTS,
        calls=[{"card": "AS", "ordinal": 1}],
    ),
    q.ask(
        "friends",
        "Ask who joins the declarer.",
        "For rulesets with friends. A player who plays a called card joins the declarer.",
        {
            "trump": q.trump(),
            "declarer": q.seat("The declarer."),
            "calls": _calls(0),
            "hand": q.hand("The declarer's hand, if it matters.", optional=True),
            "shown": f.cards(
                "The cards with which the declarer declared, if they matter (`friend_by`).",
                1,
                f.MOST_SHOWN,
                optional=True,
            ),
            "tricks": f.array(f.nested(PlayedTrick), "In order.", 0, MOST_ENTRIES),
        },
        {
            "joins": f.array(f.nested(Joining), "Calls that were filled, in order."),
            "declarers": f.array(f.integer(""), "The declarer's side so far."),
            "missing": f.integer("How many members the side is short of its maximum."),
            "attackers_points": f.integer("Points of tricks won by the others so far."),
        },
        players=5,
        trump=q.HEARTS,
        declarer=0,
        calls=[{"card": "AS", "ordinal": 1}],
        tricks=[{"leader": 0, "plays": [["3S"], ["KS"], ["AS"], ["5S"], ["4S"]]}],
    ),
    q.ask(
        "kitty",
        "Ask what the kitty is worth.",
        "If the attackers win the last trick, they get the kitty's points times a factor that grows with the lead.",
        {
            "trump": q.trump(),
            "kitty": f.cards("The cards buried.", 0, MOST_CARDS),
            "last_trick": f.nested(AskedLastTrick, "The last trick."),
            "revealed": f.flag("Whether it was revealed before the first lead.", optional=True),
        },
        {
            "points": f.integer("Points in it."),
            "factor": f.integer("The factor."),
            "bonus": f.integer("Points that the attackers get for it."),
        },
        players=4,
        trump=q.HEARTS,
        kitty=["KS", "5C", "3D", "4D", "6D", "7D", "8D", "9D"],
        last_trick={"lead": ["AS", "AS"], "winner_side": "attackers"},
    ),
    q.ask(
        "score",
        "Ask what points are worth.",
        "Which side wins the round, and how many levels it gains.",
        {
            "points": f.integer("Points of the attackers; below 0 with `negative_points`.", -10_000_000, 10_000_000),
            "team_size": f.integer(
                "Number of players on the declarer's side, if teams vary.", 1, q.MOST_SEATS, optional=True
            ),
            "last_trick_side": f.choice(
                "The side that won the last trick, for `last_trick_to_gain`; left out: the side that gains.",
                *q.SIDES,
                optional=True,
            ),
        },
        {
            "side": f.text("The side that gains; null: neither.", nullable=True),
            "levels": f.integer("How many levels."),
        },
        players=4,
        points=85,
    ),
    q.ask(
        "levels",
        "Ask for the level after a round.",
        "Must-play levels cannot be skipped. Passing the last level wins the game.",
        {
            "level": _level("The level before."),
            "gained": f.integer("Levels gained.", 0, 20_000),
            "role": f.choice("The side.", *q.SIDES),
            "attempted": f.array(
                f.text("", 1, 40), "Must-play levels already attempted as declarers.", 0, 50, optional=True
            ),
            "defended": f.array(f.text("", 1, 40), "Must-play levels won as declarers before.", 0, 50, optional=True),
            "penalty": f.integer("Levels owed.", 0, 20_000, optional=True),
            "taken_back": f.integer(
                "How often the side has taken back a play in the round (`take_back_level`).", 0, 20_000, optional=True
            ),
            "played_level": _level("The declarer's level in the round; left out: `level`.", optional=True),
            "trump": q.trump(optional=True),
            "points": f.integer("With `last_trick`: points of the attackers.", -10_000_000, 10_000_000, optional=True),
            "last_trick": f.nested(AskedLastTrick, "The last trick, if it may send declarers back.", optional=True),
        },
        {
            "level": f.text("The level after."),
            "won": f.flag("Whether the game is won."),
            "penalty": f.integer("Levels still owed.", optional=True),
        },
        players=4,
        level="K",
        gained=2,
        role="declarers",
    ),
    q.ask(
        "next",
        "Ask who declares next.",
        "Who declares in the next round, and who draws the first card.",
        {
            "declarer": q.seat("The last declarer."),
            "declarers": _seats("The declarer's side."),
            "side": f.choice("The side that won; null: neither.", *q.SIDES, nullable=True),
            "starter": q.seat("The seat that drew first, if it matters.", optional=True),
        },
        {
            "declarer": f.integer("The declarer, if already known.", optional=True),
            "starter": f.integer("Who draws first."),
        },
        players=4,
        declarer=0,
        declarers=[0, 2],
        side="declarers",
    ),
    q.ask(
        "arms_follow",
        "Ask whether a play of Arm's Length is legal.",
        "For `arms_length`: a play must follow suit, and beat the trick if it can.",
        {
            "trump": _suit_or_none("The trump suit; null: none yet."),
            "trick": f.cards("The trick so far.", 0, 3),
            "hand": q.hand(),
            "play": f.cards("The play in question: one card.", 1, 1),
        },
        q.verdict(),
        trump=None,
        trick=["7S"],
        hand=["9S", "3S", "KD"],
        play=["3S"],
    ),
    q.ask(
        "arms_trick",
        "Ask who wins a trick of Arm's Length.",
        "For `arms_length`. Without trumps, the first card of another suit than the one led makes its suit trumps.",
        {
            "trump": _suit_or_none("The trump suit before it; null: none yet."),
            "plays": f.cards("In order of play.", 1, 4),
        },
        {
            "winner": f.integer("Index of the best play."),
            "trump": f.text("The trump suit after it; null: none yet.", nullable=True),
        },
        trump=None,
        plays=["7S", "9S", "KD", "3S"],
    ),
    q.ask(
        "arms_score",
        "Ask what a side scores in Arm's Length.",
        "For `arms_length`: from the tricks of its high player and its low player.",
        {"high": f.integer("Tricks of the high player.", 0, 13), "low": f.integer("Tricks of the low player.", 0, 13)},
        {"score": f.integer("The score.")},
        high=7,
        low=2,
    ),
)
