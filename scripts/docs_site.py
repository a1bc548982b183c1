"""Generated pages of the documentation site (a hook of `mkdocs.yml`).

The README is the start page. Added are the other pages of the repository's root, the source of every linked file, and
the API document, also as a collection for API tools. Each ruleset gets a page made from the tables of the engine, and
each package of `clients` one made from its sources.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scripts import reference  # noqa: E402 (the path is set first)
from scripts.collection import collection  # noqa: E402
from service.rules.options.catalogue import catalogue, summary  # noqa: E402

#: Page of the site -> file of the repository. The README links to all except the first.
PAGES = {name: name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "README.zh-CN.md")}
PAGES |= {"index.md": "README.md"}
#: The conformance kit stands alone. Nothing else links to what tunes AI players but the page about them.
PAGES |= {"clients/conformance/README.md": "clients/conformance/README.md"}
PAGES |= {f"laboratory/{path.name}": f"laboratory/{path.name}" for path in (ROOT / "laboratory").glob("*.md")}
#: Files served unchanged.
FILES = {name: name for name in ("openapi.yaml", "asyncapi.yaml", "docker-compose.yml", "LICENSE")} | {
    "icon.svg": "service/web/assets/icon.svg",
    "api/swagger-ui.css": "service/web/assets/swagger-ui/swagger-ui.css",
    "api/swagger-ui-bundle.js": "service/web/assets/swagger-ui/swagger-ui-bundle.js",
}
#: All requests for Postman, Bruno and Insomnia.
COLLECTION = "shengji.postman_collection.json"
#: Swagger UI without buttons for sending requests, since there is no service behind the site.
API_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Sheng Ji service</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
<p><a href="../">Sheng Ji service</a> · <a href="../openapi.yaml">openapi.yaml</a> ·
<a href="../shengji.postman_collection.json" download>collection for Postman, Bruno and Insomnia</a></p>
<div id="docs"></div>
<script src="swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({url: "../openapi.yaml", dom_id: "#docs", deepLinking: true, docExpansion: "list",
  defaultModelsExpandDepth: 0, supportedSubmitMethods: [], validatorUrl: null});
</script>
</body>
</html>
"""

#: libyaml, if available, is ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def on_config(config: MkDocsConfig) -> None:
    """Fill in the generated parts of the navigation."""
    rulesets = [f"rulesets/{ruleset['id']}.md" for ruleset in summary()]
    decisions = [f"decisions/{path.name}" for path in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))]
    _fill(config.nav, {"Rulesets": rulesets, "Decisions": ["decisions/README.md", *decisions, "decisions/tried.md"]})


def _fill(items: list[Any] | None, pages: dict[str, list[str]]) -> None:
    for item in items or ():
        for title, content in item.items() if isinstance(item, dict) else ():
            if title in pages:
                item[title] = pages[title]
            elif isinstance(content, list):
                _fill(content, pages)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the files that are not in `docs/`."""
    for name, source in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    for name, source in FILES.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    files.append(File.generated(config, "api/index.html", content=API_PAGE))
    document = yaml.load((ROOT / "openapi.yaml").read_text(encoding="utf-8"), _LOADER)  # noqa: S506 (both are safe)
    files.append(File.generated(config, COLLECTION, content=collection(document)))
    files.append(File.generated(config, "reference/python.md", content=reference.python()))
    files.append(File.generated(config, "reference/typescript.md", content=reference.typescript()))
    for ruleset in summary():
        text = "\n".join(_ruleset(catalogue(ruleset["id"])))
        files.append(File.generated(config, f"rulesets/{ruleset['id']}.md", content=text))


def on_post_build(config: MkDocsConfig) -> None:
    """Teach the search Chinese, and leave to it the sections of pages alone: browsers index them when a page opens."""
    folder = Path(config.site_dir) / "search"
    with (folder / "lunr.js").open("a", encoding="utf-8") as library:
        library.write((ROOT / "scripts" / "docs_search.js").read_text(encoding="utf-8"))
    index = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))
    divided = {each["location"].partition("#")[0] for each in index["docs"] if "#" in each["location"]}
    index["docs"] = [each for each in index["docs"] if each["location"] not in divided]
    (folder / "search_index.json").write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Rewrite links between `docs/` and the repository's root for the site; links to folders go to their README."""
    if page.file.src_uri in PAGES:
        markdown = markdown.replace("](README.md)", "](index.md)")
        return re.sub(r"\]\(((?:\.\./)*)docs/", r"](\1", markdown)
    above = "../" * page.file.src_uri.count("/")
    return re.sub(rf"\]\({re.escape(above)}\.\./(?=[A-Za-z])", f"]({above}", markdown)


def _ruleset(rules: dict[str, Any]) -> Iterator[str]:
    yield f"# {rules['names']['en']} ({rules['names']['zh-Hans']})"
    yield ""
    yield f"Ruleset `{rules['id']}`; source: {rules['source']}. [The rules](../rules.md) explain the terms."
    yield ""
    yield "## Players and cards"
    yield ""
    games = {players: game["composition"] for players, game in rules["games"].items()}
    columns = list(dict.fromkeys(name for game in games.values() for name in game))
    yield from _table(
        ["players", *(name.replace("_", " ") for name in columns)],
        ([players, *(_cell(game.get(name)) for name in columns)] for players, game in games.items()),
    )
    if any(game["scores"] for game in rules["games"].values()):
        yield "## Levels gained"
        yield ""
        yield "By attackers' points, if the points per level are not changed."
        yield ""
        rows = {_scores(game["scores"]): game["composition"]["decks"] for game in rules["games"].values()}
        yield from _table(["decks", "points: gain"], ([decks, text] for text, decks in rows.items()))
    yield "## Options"
    yield ""
    for option in rules["options"]:
        if option["changeable"]:
            yield from _option(option)
    if fixed := [option for option in rules["options"] if not option["changeable"]]:
        yield "## Fixed options"
        yield ""
        yield from _table(["option", "value"], ([f"`{each['name']}`", _cell(each["default"])] for each in fixed))


def _scores(bands: list[dict[str, Any]]) -> str:
    def gain(band: dict[str, Any]) -> str:
        more = f", +1 for every further {band['every']}" if band.get("every") else ""
        return f"{band['side']} +{band['levels']}{more}" if band["side"] else "nobody"

    return "; ".join(f"{band['points']}: {gain(band)}" for band in bands)


def _option(option: dict[str, Any]) -> Iterator[str]:
    yield f"### `{option['name']}`"
    yield ""
    default = "" if option["default"] is None else f" Default: {_cell(option['default'])}."
    yield f"{option['meaning']['en']}{default}"
    yield ""
    values = [[_cell(each["value"]), each["meaning"].get("en", "")] for each in option["values"]]
    if any(meaning for _, meaning in values):
        yield from _table(["value", "meaning"], values)
    elif values:
        yield f"Values: {', '.join(value for value, _ in values)}."
        yield ""
    else:
        yield f"Values: `{json.dumps(option['schema'])}` (JSON Schema)."
        yield ""


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return "" if value is None else f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _table(head: list[str], rows: Any) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""
