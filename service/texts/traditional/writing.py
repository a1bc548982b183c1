"""Chinese in Traditional characters, made of the Simplified texts by a table of characters and phrases."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from service.texts.traditional.table import CHARACTERS, PHRASES


class Writing:
    """How Simplified Chinese is written otherwise. `known`: a character or phrase -> what stands for it."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known = known
        phrases = sorted((each for each in known if len(each) > 1), key=len, reverse=True)
        self._parts = re.compile("|".join([*phrases, f"[{''.join(each for each in known if len(each) == 1)}]"]))

    def of(self, text: str) -> str:
        """Return a text, of which the longest phrase counts at each place."""
        return self._parts.sub(lambda found: self.known[found[0]], text)


@cache
def _writing() -> Writing:
    words = PHRASES.split()
    pairs = [*zip(CHARACTERS[::2], CHARACTERS[1::2], strict=True), *zip(words[::2], words[1::2], strict=True)]
    return Writing(dict(pairs))


@lru_cache(maxsize=2_000)
def traditional(text: str) -> str:
    """Return a Simplified Chinese text of the service in Traditional Chinese."""
    return _writing().of(text)
