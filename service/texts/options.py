"""All that is said about options: phases, titles, meanings, values, and why a combination is refused."""

from typing import Final

from service.texts import Text, option_reasons, option_texts, round_option_texts
from service.texts.option_titles import PHASES, TITLES

__all__ = ["MEANINGS", "OWN_NUMBER", "PHASES", "REASONS", "TITLES", "VALUES"]

#: What null is as a value: always the same.
OWN_NUMBER: Final[Text] = {"en": "The ruleset's own.", "zh-Hans": "按本规则。"}
#: Option -> what it decides.
MEANINGS: Final[dict[str, Text]] = {**round_option_texts.MEANINGS, **option_texts.MEANINGS}
#: Option -> value -> what it does. Options of true and false need none.
VALUES: Final[dict[str, dict[str, Text]]] = {**round_option_texts.VALUES, **option_texts.VALUES}
#: Reason of an `invalid-option` -> the sentence. Placeholders: `option`, `value`, `accepted`.
REASONS: Final[dict[str, Text]] = {**option_reasons.REASONS, **option_texts.REASONS}
