"""What people type, read as they meant it: keyboards of phones write wide letters, blanks, hyphens and any case."""

import re
import unicodedata
from typing import Final

_OTHERS: Final = re.compile(r"[^0-9A-Z]+")


def code(text: str) -> str:
    """Return the letters and digits of a code, narrow and in upper case; nothing else in it has a meaning."""
    return _OTHERS.sub("", unicodedata.normalize("NFKC", text).upper())


def fault(meant: str, alphabet: str, length: int) -> dict[str, object]:
    """Return what one can see to be wrong with a code, as params of its refusal: `reason` and more; {}: nothing."""
    wrong = sorted(set(meant) - set(alphabet))
    if wrong:
        return {"reason": "code_letters", "letters": ", ".join(wrong)}
    if len(meant) != length:
        return {"reason": "code_length", "length": len(meant), "expected": length}
    return {}


def sought(text: str) -> str:
    """Return a text in the form in which texts are searched: width, case and the kind of blanks make no difference."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
