"""The rules that leads and follows can break (`service.rules.tricks.trick_rules`)."""

from typing import Final

from service.texts import Text, text

#: Id of the rule -> text. Placeholders are names in the refusal's `required` and in its other values.
RULES: Final[dict[str, Text]] = {
    # Leads
    "no_cards": text("A lead takes at least one card.", "出牌至少要有一张。"),
    "one_suit": text(
        "All cards of a lead must be of one suit (trumps count as one suit); these are of: {suits}.",
        "领出的牌必须同属一个花色，所有主牌算作一个花色；这些牌属于：{suits}。",
    ),
    "throw_same_count": text(
        "At this table a throw must have the same number of cards of each rank.", "本桌甩牌时，每种牌的张数必须相同。"
    ),
    "throws": text(
        "This table does not allow throws: lead one single, set of identical cards or tractor.",
        "本桌不能甩牌：每次只能出单张、相同牌组或拖拉机。",
    ),
    "throws_of_trumps": text(
        "This table does not allow throws of trumps: lead one single, set of identical cards or tractor.",
        "本桌不能甩主牌：主牌每次只能出单张、相同牌组或拖拉机。",
    ),
    "proven_throws": text(
        "This table allows only throws that cannot be beaten: cards that you cannot see could beat a part of this one.",
        "本桌只能甩必大的牌：您未见的牌中有能管住其中一部分的。",
    ),
    "units_not_cards": text(
        "The units must contain exactly the cards that you lead.", "所列的牌型必须恰好由打出的牌组成。"
    ),
    "no_unit": text(
        "{unit} is not a single, a set of identical cards or a tractor.", "{unit} 不是单张、相同牌组或拖拉机。"
    ),
    # Follows
    "card_count": text("Play as many cards as were led: {cards}.", "跟牌张数必须与领出的相同：{cards} 张。"),
    "follow_suit": text(
        "Follow the suit led ({suit}) as far as you can: you hold {held} cards of it and must play {cards} cards.",
        "必须尽量跟出所领的花色（{suit}）：您有 {held} 张，应出 {cards} 张。",
    ),
    "follow_tractors": text(
        "A tractor was led and you can answer it: your play must contain {units} of the suit led ({suit}). "
        "Equal letters are identical cards; different letters in one word are consecutive.",
        "领出的是拖拉机而您能跟：所领花色（{suit}）中必须打出 {units}。"
        "相同字母表示相同的牌，同组的不同字母表示相连的牌。",
    ),
    "follow_tuples": text(
        "Identical cards were led and you can answer them: your play must contain {units} of the suit led ({suit}). "
        "Equal letters are identical cards; different letters in one word are consecutive.",
        "领出的是相同的牌而您能跟：所领花色（{suit}）中必须打出 {units}。"
        "相同字母表示相同的牌，同组的不同字母表示相连的牌。",
    ),
    "follow_rung": text(
        "In the suit led ({suit}), your play must answer the lead at least as well as {units}. If larger sets in your "
        "play stand in for smaller ones, you must not keep as many of the smaller ones.",
        "所领花色（{suit}）中，所出的牌须不低于 {units}；手中留下的小牌组不得多到能代替拆开的大牌组。",
    ),
    "follow_rainbow": text(
        "A rainbow was led and you can answer it: for each rainbow play as many cards of one rank, of any suits: "
        "{units}.",
        "领出的是杂色同点而您能跟：每组杂色同点须跟同样张数的同一点数的牌，花色不限：{units}。",
    ),
    "ruff_must_match": text(
        "At this table a play of nothing but trumps must answer the lead as if trumps had been led: it must contain "
        "{units}. Or play a card of another side suit.",
        "本桌只出主牌时，须像领出主牌那样跟牌型：必须打出 {units}，或带上一张其他副牌。",
    ),
}
