"""The reference of both packages as Markdown: their exports with the documentation in the sources."""

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CLIENTS: Final = Path(__file__).parents[1] / "clients"
#: Modules of the package for Python, and the documented names: those exported by the package, or all.
MODULES: Final = ("client", "table", "streams", "folding", "examples", "problems", "protocol", "testing")
SOURCES: Final = ("client", "table", "streams", "fold", "examples", "problems", "testing", "types")
#: A doc comment, at the margin or indented like a member of a class.
COMMENT: Final = re.compile(
    r"^( {2})?/\*\*((?:(?!\*/).)*?)\*/\n((?: {2})?(?! )[^\n]*(?:\n {2,6}(?!/)[ )|}][^\n]*)*)", re.MULTILINE | re.DOTALL
)
#: A declaration and its name.
DECLARED: Final = re.compile(
    r"(?:export )?(?:(?:async|class|interface|type|const|function\*?|readonly|static|get)\b\*? ?)*\W*(\w+)"
)


def python() -> str:
    """Return the reference of the package for Python."""
    package = CLIENTS / "python" / "shengji_client"
    exported = _exported(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    parts = [
        "# The package for Python",
        "",
        "[Your first bot in ten minutes](../bots.md) shows how to install and use it.",
        "`shengji_client.asyncio` has the same `Client`, `Table` and `follow`, to be awaited.",
        "",
    ]
    for name in MODULES:
        tree = ast.parse((package / f"{name}.py").read_text(encoding="utf-8"))
        where = "shengji_client" if name != "testing" else "shengji_client.testing"
        for node in tree.body:
            is_public = isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
            if is_public and (node.name in exported or name == "testing"):
                parts += _python(node, where)
    return "\n".join(parts) + "\n"


def _exported(tree: ast.Module) -> set[str]:
    [names] = (node.value for node in tree.body if isinstance(node, ast.Assign))
    return set(ast.literal_eval(names))


def _python(node: ast.ClassDef | ast.FunctionDef, where: str) -> Iterator[str]:
    yield from (f"## `{node.name}`", "", f"From `{where}`.", "")
    if isinstance(node, ast.FunctionDef):
        yield from (*_code(node.name, node), *_text(node))
        return
    members = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    for member in members:
        if member.name == "__init__":
            yield from _code(node.name, member)
    yield from _text(node)
    for member in members:
        if not member.name.startswith("_"):
            yield from (f"### `{node.name}.{member.name}`", "")
            kinds = {getattr(each, "id", "") for each in member.decorator_list}
            if "property" not in kinds:
                yield from _code(f"{node.name}.{member.name}", member)
            yield from _text(member)


def _code(name: str, node: ast.FunctionDef) -> Iterator[str]:
    node.args.args = [each for each in node.args.args if each.arg not in ("self", "cls")]
    gives = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    yield from ("```python", f"{name}({ast.unparse(node.args)}){gives}", "```", "")


def _text(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """Yield a docstring, with arguments and errors as lists."""
    for line in (ast.get_docstring(node) or "").splitlines():
        if re.fullmatch(r"(Args|Raises|Attributes):", line):
            yield from (f"**{line.rstrip(':')}**", "")
        elif match := re.fullmatch(r" {4}(\w+): (.*)", line):
            yield f"- `{match[1]}`: {match[2]}"
        else:
            yield line if not line.startswith("    ") else f"  {line.strip()}"
    yield ""


def typescript() -> str:
    """Return the reference of the package for TypeScript."""
    source = CLIENTS / "typescript" / "src"
    index = (source / "index.ts").read_text(encoding="utf-8")
    exported = set(re.findall(r"\b[A-Za-z]\w*\b", " ".join(re.findall(r"\{(.*?)\}", index))))
    parts = [
        "# The package for TypeScript",
        "",
        "[Your first app in thirty minutes](../app.md) shows how to install and use it.",
        "",
    ]
    for name in SOURCES:
        is_public = False
        for member, comment, code in COMMENT.findall((source / f"{name}.ts").read_text(encoding="utf-8")):
            # Omit the bodies of classes and functions, but not those of types.
            head = re.sub(r"\s+", " ", code if code.startswith("export type") else code.split("{\n")[0]).strip()
            if head.startswith(("export const", "readonly")) and ": " in head.split(" = ")[0]:
                head = head.split(" = ")[0]
            match = DECLARED.match(head)
            if match is None or head.startswith("private"):
                continue
            if not member:
                is_public = head.startswith("export") and (match[1] in exported or name == "testing")
            if is_public:
                parts += [f"{'###' if member else '##'} `{match[1]}`", ""]
                if not member and name == "testing":
                    parts += ["From `shengji-client/testing`.", ""]
                parts += ["```typescript", head.rstrip(" {;="), "```", "", _comment(comment), ""]
    return "\n".join(parts)


def _comment(text: str) -> str:
    lines = textwrap.dedent(re.sub(r"^ *\* ?", "", text, flags=re.MULTILINE)).strip().splitlines()
    lines = [re.sub(r"^@throws (\w+)", r"- throws `\1`:", line) for line in lines]
    return "\n".join(re.sub(r"^@param (\w+)", r"- `\1`:", line) for line in lines)
