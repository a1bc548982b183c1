"""The rules that leads and follows can break (`service.rules.tricks.trick_rules`)."""

from typing import Final

from service.texts import Text


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh-Hans": zh}


#: Id of the rule -> what it says. Placeholders are names in what it `required` and in its other values.
RULES: Final[dict[str, Text]] = {
    # Leads
    "no_cards": _text("A lead takes at least one card.", "出牌至少要有一张。"),
    "one_suit": _text(
        "All cards of a lead are of one suit, and all trumps are one suit; these are of: {suits}.",
        "领出的牌必须同属一个花色，所有主牌算作一个花色；这些牌属于：{suits}。",
    ),
    "throw_same_count": _text(
        "At this table a throw must have equally many of each of its cards.", "本桌甩牌时，每种牌的张数必须相同。"
    ),
    "throws": _text(
        "At this table nothing is thrown: a lead is one single, set of identical cards or tractor.",
        "本桌不能甩牌：每次只能出单张、相同牌组或拖拉机。",
    ),
    "throws_of_trumps": _text(
        "At this table trumps are not thrown: lead one single, set of identical cards or tractor of them.",
        "本桌不能甩主牌：主牌每次只能出单张、相同牌组或拖拉机。",
    ),
    "proven_throws": _text(
        "At this table a throw must be sure: cards that you cannot see could beat a part of this one.",
        "本桌只能甩必大的牌：您未见的牌中有能管住其中一部分的。",
    ),
    "units_not_cards": _text(
        "The units must be made of exactly the cards that are led.", "所列的牌型必须恰好由打出的牌组成。"
    ),
    "no_unit": _text(
        "{unit} is no single, no set of identical cards and no tractor.", "{unit} 不是单张、相同牌组或拖拉机。"
    ),
    # Follows
    "card_count": _text(
        "Everybody plays as many cards as were led: {cards}.", "跟牌张数必须与领出的相同：{cards} 张。"
    ),
    "follow_suit": _text(
        "The suit led ({suit}) must be followed as far as you hold it: you have {held} of it, and {cards} are to be "
        "played.",
        "必须尽量跟出所领的花色（{suit}）：您有 {held} 张，应出 {cards} 张。",
    ),
    "follow_tractors": _text(
        "A tractor was led, and you hold an answer to it: of the suit led ({suit}), your play must contain {units}. "
        "Equal letters are identical cards, different letters in one word are consecutive.",
        "领出的是拖拉机而您能跟：所领花色（{suit}）中必须打出 {units}。"
        "相同字母表示相同的牌，同组的不同字母表示相连的牌。",
    ),
    "follow_tuples": _text(
        "Identical cards were led, and you hold an answer to them: of the suit led ({suit}), your play must contain "
        "{units}. Equal letters are identical cards, different letters in one word are consecutive.",
        "领出的是相同的牌而您能跟：所领花色（{suit}）中必须打出 {units}。"
        "相同字母表示相同的牌，同组的不同字母表示相连的牌。",
    ),
    "follow_rung": _text(
        "Of the suit led ({suit}), your play must answer as well as {units} do, and smaller sets that stay in your "
        "hand must not outnumber the parts of larger ones that stand in for them.",
        "所领花色（{suit}）中，所出的牌须不低于 {units}；手中留下的小牌组不得多到能代替拆开的大牌组。",
    ),
    "follow_rainbow": _text(
        "A rainbow was led, and you can answer it: play as many cards of one rank, of whatever suits, as each rainbow "
        "has: {units}.",
        "领出的是彩虹而您能跟：每个彩虹须跟同样张数的同一点数的牌，花色不限：{units}。",
    ),
    "ruff_must_match": _text(
        "At this table trumps alone must answer the lead as if trumps had been led: your play must contain {units}, or "
        "a card of another side suit.",
        "本桌只出主牌时，须像领出主牌那样跟牌型：必须打出 {units}，或带上一张其他副牌。",
    ),
}
