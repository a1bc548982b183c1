"""All texts about options: phases, titles, meanings, values, and reasons why a combination is refused."""

from typing import Final

from service.texts import Text, option_reasons, round_option_texts, trick_options
from service.texts.option_shapes import FEWER, NUMBERS, NUMBERS_AND, SHAPES
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
MEANINGS: Final[dict[str, Text]] = {**round_option_texts.MEANINGS, **trick_options.MEANINGS}
#: Option -> value -> its effect. True and false are not listed.
VALUES: Final[dict[str, dict[str, Text]]] = {**round_option_texts.VALUES, **trick_options.VALUES}
#: Reason of an `invalid-option` -> the sentence. Placeholders: `option`, `value`, `accepted`.
REASONS: Final[dict[str, Text]] = {**option_reasons.REASONS, **trick_options.REASONS}
