"""The client bundled: its modules in a few files, its styles in one, compressed once.

The client needs no build step, and any static host can serve its files as they are. But a browser discovers imports
only level by level, so the service concatenates modules into files named by a hash of their content. Each module keeps
its own scope.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from service.api.http.compression import at_rest

#: The page's entry, and the modules beside it that load parts: from these follows which parts there are.
_ENTRY: Final = "app/main.js"
_LOADERS: Final = (_ENTRY, "app/routes.js")
#: A part that the page loads as soon as it is there, and that others build on: in the modules above, it has a name.
_SOON: Final = re.compile(r'^const \w+ = \(\) => import\("\./([\w/]+\.js)"\);$', re.MULTILINE)

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_EXPORTS: Final = re.compile(r"(?<![\w.])export ?\{([^}]*)\};?\s*$")
#: Comments: types, and comments on their own lines. No string of the client contains their opening mark.
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n|/\*\*.*?\*/", re.MULTILINE | re.DOTALL)
#: Comments in styles.
_NOTE: Final = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
#: Indentation, and empty lines; htm ignores them in templates, and no other text of the client spans lines.
_INDENT: Final = re.compile(r"\n\s+")
#: Lines up to a break behind an opening bracket or a tag, or before a closing bracket; htm ignores such breaks, too. A
#: line with a comment at its end keeps its break.
_BREAK: Final = re.compile(r"^((?:(?!//).)*)(?:(?<=[\[({>])\n|\n(?=[\])}]))", re.MULTILINE)
#: Line breaks and spaces in styles that separate nothing.
_LOOSE: Final = re.compile(r"(?<=[{};,])\s+|\s+(?=[{}])|(?<=[\w-]:)\s+(?=[^{}]*[;}])")
#: Imports on demand, in modules beside the page's entry.
_LATER_IMPORT: Final = re.compile(r'import\("\./([\w/]+\.js)"\)')
#: The styles of the page, and the address of one.
_LINKS: Final = re.compile(r'(?:<link rel="stylesheet" href="[^"]+">\n)+')
_STYLE: Final = re.compile(r'<link rel="stylesheet" href="([^"]+)">')


class Packed(NamedTuple):
    """A bundled file.

    Attributes:
        name: file name, which changes with the content.
        coded: content by coding, including `identity`.
    """

    name: str
    coded: Mapping[str, bytes]


class _Parts(NamedTuple):
    """The parts of the page.

    Attributes:
        entries: name of the file -> entry module, in the order in which the page loads them.
        wanted: names of those loaded on demand. They depend on the parts before, but not on each other.
    """

    entries: Mapping[str, str]
    wanted: frozenset[str]


class Pack(NamedTuple):
    """The bundle that the page loads.

    Attributes:
        page: the HTML page.
        files: name -> file, of modules and styles.
    """

    page: str
    files: Mapping[str, Packed]


def pack_of(client: Path) -> Pack:
    """Return the bundle of a client's folder, cached until a file changes."""
    return _pack_of(client, _changed_at(str(client)))


def _changed_at(folder: str) -> int:
    """Return when a file below a folder last changed (ns).

    It is called for each visit; `rglob` would take three times as long.
    """
    with os.scandir(folder) as entries:
        times = [_changed_at(each.path) if each.is_dir() else each.stat().st_mtime_ns for each in entries]
    return max(times, default=0)


@lru_cache(maxsize=2)
def _pack_of(client: Path, _: int) -> Pack:
    names: dict[Path, str] = {}
    parts: dict[str, tuple[str, list[str]]] = {}
    of_page = _parts_of(client)
    for part, entry in of_page.entries.items():
        known = dict(names) if part in of_page.wanted else names
        count = len(names)
        parts[part] = _modules(client / entry, known), list(known.values())[count:]
    index = (client / "index.html").read_text("utf-8")
    styles = _styles(client, index)
    # Each file names the others, so one name is made of all contents.
    mark = hashlib.sha256("".join([*(text for text, _ in parts.values()), styles]).encode()).hexdigest()[:12]
    called = {part: f"all.{mark}.{part}.js".replace("..", ".") for part in parts}
    entries = {entry.removeprefix("app/"): part for part, entry in of_page.entries.items()}
    texts, before = {f"style/all.{mark}.css": styles}, ""
    for part, (text, own) in parts.items():
        shared = f"export {{ {', '.join(own)} }};\n"
        exported = _exported((client / of_page.entries[part]).read_text("utf-8"))
        shown = f"export const {{ {', '.join(exported)} }} = {own[-1]};\n" if exported else ""
        loads = _LATER_IMPORT.sub(lambda found: f'import("./{called[entries[found[1]]]}")', text)
        texts[f"app/{called[part]}"] = f"{before}{loads}\n{shared}{shown}"
        if part not in of_page.wanted:
            before += f'import {{ {", ".join(own)} }} from "./{called[part]}";\n'
    page = index.replace(_ENTRY, f"app/{called['']}")
    page = _LINKS.sub(f'<link rel="stylesheet" href="style/all.{mark}.css">\n', page)
    return Pack(page, {name: Packed(name, at_rest(text.encode())) for name, text in texts.items()})


def _parts_of(client: Path) -> _Parts:
    """Return the parts that the entry of the page loads.

    Raises:
        ValueError: two of them have one name.
    """
    texts = [code_of(client / name) for name in _LOADERS]
    soon = [name for text in texts for name in _SOON.findall(text)]
    every = dict.fromkeys([*soon, *(name for text in texts for name in _LATER_IMPORT.findall(text))])
    entries = {"": _ENTRY, **{Path(name).stem: f"app/{name}" for name in every}}
    if len(entries) <= len(every):
        raise ValueError(f"parts of the page need names of their own: {', '.join(every)}")
    return _Parts(entries, frozenset(entries) - {"", *(Path(name).stem for name in soon)})


def _styles(client: Path, index: str) -> str:
    """Return all styles that a page links to, in their order, without comments and what separates nothing."""
    texts = [(client / name).read_text("utf-8") for name in _STYLE.findall(index)]
    return _LOOSE.sub("", _NOTE.sub("", "\n".join(texts)))


def _modules(entry: Path, names: dict[Path, str]) -> str:
    """Return a module and its imports as functions that return their exports; add their names to `names`."""
    written = []
    for path in _in_order(entry):
        if path in names:
            continue
        text = code_of(path)
        exported = _exported(text)
        text = _EXPORT.sub("", _EXPORTS.sub("", text))

        def taken(found: re.Match[str], path: Path = path) -> str:
            parts = ", ".join(_property(own, shown) for own, shown in _renamed(found[1]))
            return f"const {{ {parts} }} = {names[(path.parent / found[2]).resolve()]};"

        text = _IMPORT.sub(taken, text)
        names[path] = f"module{len(names)}"
        given = ", ".join(_property(shown, own) for shown, own in exported.items())
        written.append(f"const {names[path]} = (() => {{\n{text}\nreturn {{ {given} }};\n}})();")
    return "\n".join(written)


def _property(name: str, value: str) -> str:
    """Write a property of an object literal, or of a pattern."""
    return name if name == value else f"{name}: {value}"


def code_of(path: Path) -> str:
    """Return a module without comments, indentation, and most line breaks inside brackets and tags."""
    return _BREAK.sub(r"\1", _INDENT.sub("\n", _COMMENT.sub("", path.read_text("utf-8"))))


def _exported(text: str) -> dict[str, str]:
    """Return what a module exports: name -> its own name for it."""
    lists = _EXPORTS.search(text)
    listed = {shown: own for own, shown in _renamed(lists[1])} if lists else {}
    return {name: name for name in _EXPORT.findall(text)} | listed


def _renamed(names: str) -> list[tuple[str, str]]:
    """Parse `a, b as c` into pairs: (a, a), (b, c)."""
    parts = (part.split() for part in names.split(",") if part.strip())
    return [(part[0], part[-1]) for part in parts]


def _in_order(path: Path, seen: dict[Path, bool] | None = None) -> Iterator[Path]:
    """Yield a module after all its imports, recursively.

    Raises:
        ValueError: modules import each other in a circle.
    """
    seen = {} if seen is None else seen
    if path in seen:
        if not seen[path]:
            raise ValueError(f"{path.name} imports itself")
        return
    seen[path] = False
    for _, name in _IMPORT.findall(path.read_text("utf-8")):
        yield from _in_order((path.parent / name).resolve(), seen)
    seen[path] = True
    yield path
