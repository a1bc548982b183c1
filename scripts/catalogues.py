"""Show the texts of the service and of its page to translators' tools, as gettext catalogues (`make catalogues`).

    python -m scripts.catalogues write FOLDER     zh_Hans.po, and messages.pot without the Chinese
    python -m scripts.catalogues read FILE.po     put what is translated otherwise there into the sources

The sources are the truth: an English text and its Chinese stand side by side in them, and Traditional Chinese is made
of that. Catalogues are not kept. An entry is found again by its file and its English, so a catalogue that is older than
the sources can be read too; what has changed meanwhile is named and left out, as are entries that are fuzzy.
"""

import argparse
import ast
import itertools
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polib

ROOT: Final = Path(__file__).parents[1]
LANGUAGE: Final = "zh_Hans"
#: Function -> positions of its English and Chinese arguments.
PAIRS: Final = {
    "text": ((0, 1),),
    "_problem": ((0, 2), (1, 3)),
    "_level": ((0, 1), (2, 3)),
    "_ruleset": ((-2, -1),),
}
_PAGE: Final = Path("service", "web", "client", "app")
#: Texts of the page by key, in a module for each language.
_EN, _ZH = _PAGE / "texts" / "en.js", _PAGE / "texts" / "zh.js"
_JS_STRING: Final = r'("(?:[^"\\\n]|\\.)*")'
_JS_PAIR: Final = re.compile(rf"\btext\(\s*{_JS_STRING},\s*{_JS_STRING},?\s*\)")
_JS_ROW: Final = re.compile(rf'^  (?:"([^"\n]+)"|(\w+)):\s*{_JS_STRING}', re.MULTILINE)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_NAMES: Final = re.compile(r"\{\w+\}")
#: Characters of a line of Python, which are twice as wide as Latin ones.
_LINE: Final = 40


@dataclass(frozen=True)
class Entry:
    """A text of the sources.

    Attributes:
        path: its file, relative to the repository.
        key: its key in the modules of the page; "" elsewhere.
        english, chinese: the text.
        start, end: where the literal of the Chinese stands in the file (characters).
        line: the same, for people.
    """

    path: Path
    key: str
    english: str
    chinese: str
    start: int
    end: int
    line: int

    @property
    def context(self) -> str:
        """What tells it from other texts with the same English."""
        return f"{self.path.as_posix()}:{self.key}" if self.key else self.path.as_posix()


def entries(root: Path = ROOT) -> list[Entry]:
    """Return all texts, in the order of files and lines."""
    found: list[Entry] = []
    for path in sorted((root / "service").rglob("*.py")):
        found += _of_python(path.relative_to(root), path.read_text(encoding="utf-8"))
    for path in sorted((root / _PAGE).rglob("*.js")):
        found += _of_page(path.relative_to(root), path.read_text(encoding="utf-8"))
    found += _by_key((root / _EN).read_text(encoding="utf-8"), (root / _ZH).read_text(encoding="utf-8"))
    return found


def _of_python(path: Path, source: str) -> Iterator[Entry]:
    if not _HAN.search(source):
        return
    lines = source.split("\n")
    starts = [0, *itertools.accumulate(len(line) + 1 for line in lines)]

    def at(line: int, column: int) -> int:
        """Return the place in the source of a line and its column of bytes, as `ast` counts."""
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        for one, other in PAIRS.get(call.func.id, ()):
            if len(call.args) <= max(one, other, 1):
                continue  # another function of that name
            english, chinese = call.args[one], call.args[other]
            if _is_text(english) and _is_text(chinese):
                start = at(chinese.lineno, chinese.col_offset)
                end = at(chinese.end_lineno or 0, chinese.end_col_offset or 0)
                yield Entry(path, "", str(english.value), str(chinese.value), start, end, chinese.lineno)  # type: ignore[attr-defined]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of_page(path: Path, source: str) -> Iterator[Entry]:
    for found in _JS_PAIR.finditer(source):
        line = source.count("\n", 0, found.start(2)) + 1
        yield Entry(path, "", json.loads(found[1]), json.loads(found[2]), *found.span(2), line)


def _by_key(english: str, chinese: str) -> Iterator[Entry]:
    known = {found[1] or found[2]: json.loads(found[3]) for found in _JS_ROW.finditer(english)}
    for found in _JS_ROW.finditer(chinese):
        key = found[1] or found[2]
        line = chinese.count("\n", 0, found.start(3)) + 1
        yield Entry(_ZH, key, known[key], json.loads(found[3]), *found.span(3), line)


def grouped(texts: list[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """Return texts by what an entry of a catalogue is found by: its context and its English.

    The same text in several places of a file is one entry. Where its Chinese differs, each has an entry of its own.
    """
    numbers: dict[tuple[str, str], dict[str, int]] = {}
    found: dict[tuple[str, str], list[Entry]] = {}
    for text in texts:
        variants = numbers.setdefault((text.context, text.english), {})
        number = variants.setdefault(text.chinese, len(variants) + 1)
        context = text.context if number == 1 else f"{text.context}#{number}"
        found.setdefault((context, text.english), []).append(text)
    return found


def catalogue(texts: list[Entry], language: str | None = LANGUAGE) -> polib.POFile:
    """Return the catalogue of texts; for no language one that is to be translated."""
    made = polib.POFile(wrapwidth=100)
    made.metadata = {
        "Project-Id-Version": "shengji-service",
        "Language": language or "",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for (context, english), places in grouped(texts).items():
        made.append(
            polib.POEntry(
                msgctxt=context,
                msgid=english,
                msgstr=places[0].chinese if language else "",
                flags=["python-brace-format"] if _NAMES.search(english) else [],
                comment="one|many: forms by count" if "|" in english else "",
                occurrences=[(place.path.as_posix(), str(place.line)) for place in places],
            )
        )
    return made


def read(translated: polib.POFile, root: Path = ROOT) -> list[str]:
    """Put what is translated otherwise into the sources; return what was wrong with the rest, a line for each.

    Raises:
        ValueError: the catalogue is for another language than Chinese in Simplified characters.
    """
    language = translated.metadata.get("Language", "")
    if language.replace("-", "_") not in {LANGUAGE, "zh_CN", "zh"}:
        raise ValueError(f"its language is {language!r}, and the sources have a place for {LANGUAGE} alone")
    known = grouped(entries(root))
    wrong, changed = [], []
    for entry in translated:
        if entry.obsolete or entry.fuzzy or not entry.msgstr:
            continue
        places = known.get((entry.msgctxt or "", entry.msgid))
        if places is None:
            wrong.append(f"{entry.msgctxt}: the sources have no text {entry.msgid!r}")
        elif unknown := set(_NAMES.findall(entry.msgstr)) - set(_NAMES.findall(entry.msgid + places[0].chinese)):
            names = ", ".join(sorted(unknown))
            wrong.append(f"{entry.msgctxt}: {entry.msgstr!r} has {names}, which {entry.msgid!r} has not")
        elif entry.msgstr != places[0].chinese:
            changed += [(place, entry.msgstr) for place in places]
    # From the end of each file, so that places before stay true.
    for place, chinese in sorted(changed, key=lambda pair: (pair[0].path, -pair[0].start)):
        path = root / place.path
        source = path.read_text(encoding="utf-8")
        literal = _python(chinese) if path.suffix == ".py" else json.dumps(chinese, ensure_ascii=False)
        path.write_text(source[: place.start] + literal + source[place.end :], encoding="utf-8")
    return wrong


def _python(text: str) -> str:
    pieces = [text[at : at + _LINE] for at in range(0, len(text), _LINE)]
    return "\n".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)


def main() -> int:
    """Return the exit status: 1 if something could not be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("write", "read"))
    parser.add_argument("path", type=Path)
    options = parser.parse_args()
    if options.do == "write":
        options.path.mkdir(parents=True, exist_ok=True)
        texts = entries()
        for name, language in ((f"{LANGUAGE}.po", LANGUAGE), ("messages.pot", None)):
            catalogue(texts, language).save(str(options.path / name))
            print(options.path / name)
        return 0
    try:
        wrong = read(polib.pofile(str(options.path)))
    except (OSError, ValueError) as error:
        print(f"{options.path} was not read: {error}", file=sys.stderr)
        return 1
    print("\n".join([*wrong, "Next: make traditional format"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
