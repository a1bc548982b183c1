"""Write what follows from rows of the code into pages (`make tables`).

These are the keys of Redis, what is kept of a player, the settings, what the service is tried on, events, the fields of
records, and the cases of the conformance kit.

Each block begins after a comment that names it and ends at the next empty line.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

from scripts import record_fields, tried
from service.account_events.catalogue import ROWS
from service.common.settings import Settings
from service.store.keys import KEYS

ROOT: Final = Path(__file__).parents[1]
KIT: Final = ROOT / "clients" / "conformance" / "shengji_conformance" / "data"


def _row(*cells: str) -> str:
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def keys(*, of_queues: bool) -> Iterator[str]:
    """Yield the table of the keys of the tables' Redis, or of those of the queues."""
    yield _row("key", "type", "what", "bound", "backup", "export", "erased with a player")
    yield "|---|---|---|---|---|---|---|"
    for key in KEYS.values():
        if key.is_of_queues == of_queues:
            exported, is_erased, why = key.personal
            saved = "yes" if key.is_saved and key.kind != "channel" else ""
            yield _row(
                f"`{key.pattern}`",
                key.kind,
                key.text,
                key.bound,
                saved,
                f"`{exported}`" if exported else "",
                "yes" if is_erased else "" if why in ("not personal", key.bound) else f"no: {why}",
            )


def exported() -> Iterator[str]:
    """Yield the table of what is kept of a player and exported."""
    yield _row("in the export", "what", "how much, or how long", "deleted with the account")
    yield "|---|---|---|---|"
    for key in KEYS.values():
        name, is_erased, why = key.personal
        if name is not None:
            yield _row(f"`{name}`", key.text, key.bound or "as long as the account", "yes" if is_erased else why)


def outliving() -> Iterator[str]:
    """Yield the table of what the erasure of a player leaves, except what expires with something above."""
    yield _row("what", "why it stays, and how long")
    yield "|---|---|"
    for key in KEYS.values():
        name, is_erased, why = key.personal
        if name is None and not is_erased and key.kind != "channel" and not why.startswith("not personal"):
            yield _row(key.text, why)


def settings() -> Iterator[str]:
    """Yield the table of the settings."""
    yield _row("variable", "default", "bounds", "")
    yield "|---|---|---|---|"
    for one in fields(Settings):
        default = _text_of(one.default)
        metadata = one.metadata
        yield _row(
            f"`{one.name.upper()}`",
            f"`{default}`" if default else "",
            metadata["bounds"],
            metadata["help"],
        )


def _text_of(value: object) -> str:
    """Return a value as it is written into the environment."""
    if isinstance(value, tuple):
        return ("/" if hasattr(value, "_fields") else ",").join(map(str, value))
    return str(value)


def environment() -> Iterator[str]:
    """Yield what the containers of `docker-compose.yml` have in their environment."""
    for one in fields(Settings):
        default = one.metadata["compose"]
        if default is not None:
            yield f"    {one.name.upper()}: {default}".rstrip()


def account_events() -> Iterator[str]:
    """Yield the table of the events of an account."""
    yield _row("type", "what happened", "`data`", "scope", "notice")
    yield "|---|---|---|---|---|"
    for kind, row in ROWS.items():
        notice = "" if row.notice is None else _SENT[row.notice.level]
        yield _row(f"`{kind}`", row.about, ", ".join(f"`{field}`" for field in row.fields), f"`{row.scope}`", notice)


def fields_of(rows: Callable[[], Iterator[tuple[str, ...]]], *, in_text: bool) -> Iterator[str]:
    """Yield a table of fields of a record; `in_text`: with their tags."""
    yield _row("field", *(("in the text",) if in_text else ()), "value", "meaning")
    yield "|---|---|---|---|" if in_text else "|---|---|---|"
    for row in rows():
        yield _row(*row)


def _cases() -> dict[str, list[dict[str, str]]]:
    """Return the cases of the conformance kit by subject."""
    subjects = json.loads((KIT / "subjects.json").read_text(encoding="utf-8"))
    return {each: json.loads((KIT / "cases" / f"{each}.json").read_text(encoding="utf-8")) for each in subjects}


def subjects_of_cases() -> Iterator[str]:
    """Yield the table of the subjects of the conformance kit."""
    about = json.loads((KIT / "subjects.json").read_text(encoding="utf-8"))
    yield _row("subject", "cases", "about")
    yield "|---|---:|---|"
    for subject, cases in _cases().items():
        yield _row(f"`{subject}`", str(len(cases)), about[subject])
    yield _row("", str(sum(map(len, _cases().values()))), "")


def cases_of_kit() -> Iterator[str]:
    """Yield the table of the cases of the conformance kit; those about problems, which are alike, in one row."""
    yield _row("case", "shows")
    yield "|---|---|"
    for subject, cases in _cases().items():
        if subject == "problems":
            yield _row(f"`{subject}/…`", f"The problem is told or waited out, as its status asks: {len(cases)} codes.")
        else:
            yield from (_row(f"`{case['id']}`", case["shows"]) for case in cases)


#: Level of a notice -> who gets it.
_SENT: Final = {"turns": "`turns`, `all`", "all": "`all`", "alarm": "all devices"}

#: Page and block -> its lines.
BLOCKS: Final[dict[tuple[str, str], Callable[[], Iterator[str]]]] = {
    ("clients/conformance/README.md", "subjects"): subjects_of_cases,
    ("clients/conformance/README.md", "cases"): cases_of_kit,
    ("docs/architecture.md", "keys"): lambda: keys(of_queues=False),
    ("docs/architecture.md", "keys of the queues"): lambda: keys(of_queues=True),
    ("docs/clients.md", "events of the account"): account_events,
    ("docs/operations.md", "settings"): settings,
    ("docs/operations.md", "tried"): tried.table,
    ("docs/privacy.md", "exported"): exported,
    ("docs/record-format.md", "fields of a record"): lambda: fields_of(record_fields.of_record, in_text=True),
    ("docs/record-format.md", "fields of a round"): lambda: fields_of(record_fields.of_round, in_text=True),
    ("docs/record-format.md", "fields of the parts"): lambda: fields_of(record_fields.of_parts, in_text=False),
    ("docs/privacy.md", "outliving"): outliving,
    ("docker-compose.yml", "settings"): environment,
}


def written(page: str, text: str) -> str:
    """Return a page with its blocks as they are to be."""
    for (name, block), lines in BLOCKS.items():
        if name == page:
            head = re.search(rf"(<!--|#) {block}: written by scripts/tables.py( -->\n)?\n", text)
            if head is None:
                raise ValueError(f"{page} lacks a comment `{block}: written by scripts/tables.py`")
            _, end, after = text[head.end() :].partition("\n\n")
            text = "\n".join([text[: head.end() - 1], *lines()]) + end + after
    return text


def main() -> None:
    """Write all pages."""
    for page in dict.fromkeys(page for page, _ in BLOCKS):
        path = ROOT / page
        path.write_text(written(page, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
