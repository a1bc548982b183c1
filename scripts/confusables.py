"""Convert Unicode's confusables.txt to `service/game/confusables.txt`.

    python scripts/confusables.py < confusables.txt > service/game/confusables.txt

The source is https://www.unicode.org/Public/security/latest/confusables.txt (Technical Standard 39). Each line of the
result has a target, a space, and the characters that look like it: only those allowed in names that NFKD does not
unify.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from service.game.legible import shows
from service.game.names import without_marks


def _pairs(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        fields = line.partition("#")[0].removeprefix("\ufeff").split(";")
        if len(fields) > 1:
            source, target = ("".join(chr(int(code, 16)) for code in field.split()) for field in fields[:2])
            letters = "".join(char for char in without_marks("NFD", target) if shows(char))
            if shows(source) and without_marks("NFD", source) == source != letters and letters:
                yield source, letters


def _is_new(source: str, target: str, known: Mapping[str, str]) -> bool:
    spelt = without_marks("NFKD", source)
    return spelt == source or "".join(known.get(char, char) for char in spelt) != target


def main() -> None:
    """Convert standard input."""
    known = dict(_pairs(sys.stdin))
    groups: dict[str, list[str]] = defaultdict(list)
    for source, target in known.items():
        if _is_new(source, target, known):
            groups[target].append(source)
    for target, sources in sorted(groups.items()):
        sys.stdout.write(f"{target} {''.join(sorted(sources))}\n")


if __name__ == "__main__":
    main()
