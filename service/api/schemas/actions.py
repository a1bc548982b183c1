"""Actions: the answers to a decision."""

from service.api.schemas import fields as f


class _Answer(f.Contract):
    decision_id = f.text("Id of the decision that this answers.", 1, 40, example="dc_481")


class DeclareAction(_Answer):
    """Cards shown to declare trumps."""

    cards = f.cards(
        "The whole set that lies on the table afterwards, including cards shown before, and the joker that the option "
        "`joker_beside` asks for.",
        1,
        f.MOST_SHOWN,
        example=["7H", "7H"],
    )


class PassAction(_Answer):
    """No (further) declaration, defence or kitty overcall."""


class RedealAction(_Answer):
    """A claim of a misdeal."""


class DiscardAction(_Answer):
    """Cards buried as the kitty."""

    cards = f.cards(
        "As many as the kitty has.", 1, f.MOST_KITTY, example=["3C", "3C", "4S", "6D", "8D", "9C", "9S", "JC"]
    )
    reveal = f.flag("Whether to show the discard, where the option `kitty_reveal` allows it.", default=False)


class OvercallKittyAction(_Answer):
    """Cards shown to take the kitty (chao di)."""

    cards = f.cards("The set shown.", 1, f.MOST_SHOWN, example=["7S", "7S"])


class CardCall(f.Contract):
    """A card called for a friend."""

    card = f.card("The card.", example="AS")
    ordinal = f.integer("Which copy makes its player a friend, counted in the order of play.", 1, 32, optional=True)
    other = f.flag("`true` instead of `ordinal`: the copy that the caller does not hold.", optional=True)


class CallAction(_Answer):
    """Cards called for friends."""

    calls = f.array(
        f.nested(CardCall),
        "As many as the table's composition has `calls`.",
        1,
        f.MOST_CALLS,
        example=[{"card": "AS", "ordinal": 1}],
    )


class RoadAction(_Answer):
    """Arm's Length: the road that the player takes."""

    road = f.choice("The road.", "high", "low", "either")


class PlayAction(_Answer):
    """Cards led or followed with."""

    cards = f.cards("The cards.", 1, example=["KD", "KD"])
    units = f.array(
        f.cards("", 1),
        "How to read a lead, if not longest unit first.",
        1,
        f.MOST_CARDS,
        optional=True,
        example=[["KD", "KD"]],
    )


class ClaimAction(_Answer):
    """A claim of all tricks that are left."""


class LegalPlaysQuery(f.Contract):
    """How many plays to list."""

    limit = f.integer("Maximum number of plays.", 1, 1_000, query=True, default=200)
