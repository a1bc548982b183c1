"""All texts about options: phases, titles, meanings, values, and reasons why a combination is refused."""

from typing import Final

from service.texts import OptionText, Text, level_options, option_reasons, round_option_texts, text, trick_options

#: Phase -> title and description.
PHASES: Final[dict[str, tuple[Text, Text]]] = {
    "cards": (text("Cards", "用牌"), text("Which cards are used.", "用哪些牌打。")),
    "deal": (text("Deal", "发牌"), text("How the cards are dealt.", "牌怎样发到各家。")),
    "declaring": (text("Declaring", "亮主"), text("Who makes trumps, and how.", "谁定主，怎样定。")),
    "kitty": (text("Kitty", "底牌"), text("Who takes the kitty, and what it is worth.", "谁拿底牌，底牌值多少。")),
    "friends": (text("Friends", "找朋友"), text("How the declarer calls friends.", "庄家怎样叫朋友。")),
    "leads": (text("Leads and throws", "出牌与甩牌"), text("What may be led.", "首家可以出什么。")),
    "following": (text("Following", "跟牌"), text("What the others must play.", "其他人须怎样跟牌。")),
    "winning": (text("Winning", "比较大小"), text("Which play takes the trick.", "哪手牌赢得一轮。")),
    "scoring": (text("Scoring", "计分"), text("How points become levels.", "分数怎样折算成级数。")),
    "levels": (
        text("Levels", "升级"),
        text("Which levels are played, and how players advance.", "打哪些级，怎样升级。"),
    ),
}
#: Meaning of the value null, the same for every option.
OWN_NUMBER: Final[Text] = text("As in the ruleset.", "按本规则。")
#: Option -> its texts.
OPTIONS: Final[dict[str, OptionText]] = {
    **round_option_texts.OPTIONS,
    **level_options.OPTIONS,
    **trick_options.OPTIONS,
}
#: Reason of an `invalid-option` -> the sentence. Placeholders: `option`, `value`, `accepted`.
REASONS: Final[dict[str, Text]] = {**option_reasons.REASONS, **trick_options.REASONS}
#: Numeric values. Placeholders: `minimum`, `maximum`, and `other` (an additional value, as JSON).
NUMBERS: Final[Text] = text("integers from {minimum} to {maximum}", "{minimum} 到 {maximum} 的整数")
NUMBERS_AND: Final[Text] = text(
    "{other} and the integers from {minimum} to {maximum}", "{other}，以及 {minimum} 到 {maximum} 的整数"
)
#: An array of limited length. Placeholder: `maxItems`.
FEWER: Final[Text] = text("at most {maxItems}", "最多 {maxItems} 项")
#: Option -> its values.
SHAPES: Final[dict[str, Text]] = {
    "special_decks": text(
        'an array of objects, each with any of "from" (a rank, "2" to "A"), "little_joker" and "big_joker" (true or '
        "false)",
        '对象的数组，每个对象可含 "from"（点数，"2" 到 "A"）、"little_joker" 和 "big_joker"（true 或 false）',
    ),
    "misdeal": text(
        'an object with any of "no_points" and "no_trumps" (true or false), "points_below" and "trumps_below" '
        '(integers from 1) and "most" (an integer from 0)',
        '对象，可含 "no_points" 和 "no_trumps"（true 或 false），"points_below" 和 "trumps_below"（不小于 1 的整数），'
        '以及 "most"（不小于 0 的整数）',
    ),
    "points_per_level": text("null and the positive multiples of 5", "null，以及 5 的正整数倍"),
    "level_ladder": text(
        '[], or an array of two or more different ranks in ascending order, from "2" to "A"',
        '[]，或两个以上互不相同的点数的数组，从低到高排列（"2" 到 "A"）',
    ),
    "must_play": text('an array of different ranks, "2" to "A"', '互不相同的点数的数组（"2" 到 "A"）'),
    "hooks": text(
        'an object of ranks ("2" to "A"), each with a lower rank as its value',
        '对象，键为点数（"2" 到 "A"），值为更低的点数',
    ),
}
