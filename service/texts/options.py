"""All texts about options: phases, titles, meanings, values, and reasons why a combination is refused."""

from typing import Final

from service.texts import Text, level_options, option_reasons, round_option_texts, text, trick_options
from service.texts.option_titles import PHASES, TITLES

__all__ = [
    "FEWER",
    "MEANINGS",
    "NUMBERS",
    "NUMBERS_AND",
    "OWN_NUMBER",
    "PHASES",
    "REASONS",
    "SHAPES",
    "TITLES",
    "VALUES",
]

#: Meaning of the value null, the same for every option.
OWN_NUMBER: Final[Text] = {"en": "As in the ruleset.", "zh-Hans": "按本规则。"}
#: Option -> its meaning.
MEANINGS: Final[dict[str, Text]] = {
    **round_option_texts.MEANINGS,
    **level_options.MEANINGS,
    **trick_options.MEANINGS,
}
#: Option -> value -> its effect. True and false are not listed.
VALUES: Final[dict[str, dict[str, Text]]] = {
    **round_option_texts.VALUES,
    **level_options.VALUES,
    **trick_options.VALUES,
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
