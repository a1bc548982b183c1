"""Generates clients in many languages, compiles them, plays with some, and writes the results to docs/clients.md.

    make clients (ARGS="go rust" selects some)

Needs Go, Rust, a JDK with Maven, and Node with npm. A row stops at the first program that is missing, and says so.
Everything goes to `build/clients`. The nightly tests run the quick rows (`test_generated.py`).
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.document import DOCUMENT, document
from harness.make_run import running
from tools.clients.toolchain import ROOT, Tools, installed

BUILD = ROOT / "build" / "clients"
GUIDE = ROOT / "docs" / "clients.md"
PROGRAMS = ROOT / "tests" / "clients" / "programs"
#: Adapters of generated clients for the conformance kit.
ADAPTERS = ROOT / "clients" / "conformance" / "adapters"
#: A game with friends: every kind of decision but `road` may come.
GAME = ("zhaopengyou", "6")
#: Stand-ins for programs that the tools bring along.
BUNDLED = frozenset({"KIT", "NODE", "NPM", "PYTHON", "TSC"})
_TABLE = re.compile(r"(?<=<!-- make clients writes this table -->\n).*?(?=<!-- end of the table -->)", re.DOTALL)
_PATIENCE_S = 1_200
#: Code of clients; documentation beside it may name what the code has not.
_CODE = frozenset({".go", ".rs", ".ts", ".java", ".kt", ".py", ".swift", ".dart", ".cs"})


@dataclass(frozen=True)
class Step:
    """A command that compiles a client, plays with it, or tries it by the conformance kit (`KIT`).

    `URL` stands for the address of the service.
    """

    command: tuple[str, ...]
    does: str = "compiles"


@dataclass(frozen=True)
class Row:
    """A client: how it is generated, and what is done with it.

    Attributes:
        generator: name of a generator of openapi-generator, or the command of another tool; `OUT` stands for the
            folder, `FLAGS` for the flags, `DOCUMENT` for openapi.yaml.
        flags: additional properties for openapi-generator; for another tool what stands for `FLAGS`.
        options: other options of openapi-generator.
        tool: the other tool and its version.
        packages: what npm installs into the folder first.
        files: file of `programs`, or path of another one -> where it goes.
        missing: why there are no steps, or what is removed before them.
    """

    language: str
    name: str
    generator: str
    flags: str = ""
    options: tuple[str, ...] = ()
    tool: str = ""
    packages: tuple[str, ...] = ()
    files: tuple[tuple[str | Path, str], ...] = ()
    prepare: Callable[[Path], None] | None = None
    steps: tuple[Step, ...] = ()
    missing: str = ""


def _append(name: str, text: str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return prepare


def _write(**files: object) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        for name, value in files.items():
            (folder / f"{name}.json").write_text(json.dumps(value))

    return prepare


def _guide_program(folder: Path) -> None:
    """Copy the TypeScript program of docs/clients.md, and the compiler settings of the guide."""
    programs = re.findall(r"^```typescript\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (folder / "game.ts").write_text(programs[0], encoding="utf-8")
    shutil.copy(PROGRAMS / "tsconfig.json", folder)


_STRICT = {
    "compilerOptions": {
        "strict": True,
        "target": "es2022",
        "module": "es2022",
        "moduleResolution": "bundler",
        "lib": ["es2022", "dom", "dom.iterable"],
        "types": [],
        "outDir": "built",
        "skipLibCheck": True,
    },
    "include": ["**/*.ts"],
    "exclude": ["built", "node_modules"],
}
_MODULE = {"private": True, "type": "module"}


def _without_webhooks(folder: Path) -> None:
    """Remove the requests that the service itself sends: this generator imports their schemas without names."""
    _write(tsconfig=_STRICT, package=_MODULE)(folder)
    (folder / "apis" / "NoticesToWebhooksApi.ts").unlink()
    index = folder / "apis" / "index.ts"
    index.write_text(re.sub(r".*NoticesToWebhooksApi.*\n", "", index.read_text(encoding="utf-8")), encoding="utf-8")


_TSC = Step(("TSC", "-p", "."))
_OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
#: Leaves out lists that were not given: Java would send them empty, which the service refuses.
_JAVA = "useOneOfDiscriminatorLookup=true,containerDefaultToNull=true"
_MAVEN = Step(("mvn", "-q", "-B", "-DskipTests", "compile"))
_NO_COMPILER = "not compiled: PyPI, npm, Maven Central and Debian 12 have no compiler for it"
_NO_SDK = "not compiled: PyPI, npm, Maven Central and Debian 12 have no .NET SDK"

ROWS = (
    Row(
        # Go has one scope for the values of all enums, and two have `all`.
        *("Go", "go", "go", "enumClassPrefix=true"),
        files=(("player.go", "player/main.go"), (ADAPTERS / "generated_go.go", "adapter/main.go")),
        steps=(
            Step(("go", "mod", "tidy")),
            Step(("go", "build", "./...")),
            Step(("go", "run", "./player", "URL", *GAME), "plays"),
            Step(("go", "build", "-o", "built/", "./adapter")),
            Step(("KIT", "built/adapter"), "passes"),
        ),
    ),
    Row(
        *("Go", "oapi-codegen", f"go run {_OAPI_CODEGEN} FLAGS -package api -o OUT/api.go DOCUMENT"),
        # Without `skip-prune` it drops the schemas that only `webhooks` use, and still refers to them.
        flags="-generate types,client,skip-prune",
        tool="oapi-codegen 2.8.2",
        steps=tuple(Step(("go", *words.split())) for words in ("mod init api", "mod tidy", "build ./...")),
    ),
    Row(
        *("Go", "ogen", "go run github.com/ogen-go/ogen/cmd/ogen@v1.25.0 --target OUT/api --package api DOCUMENT"),
        tool="ogen 1.25.0",
        steps=tuple(Step(("go", *words.split())) for words in ("mod init api", "mod tidy", "build ./...")),
    ),
    Row(
        *("Rust", "rust", "rust"),
        # It escapes `move`, a word of the language, in the names of types, too, where nothing may be escaped.
        options=("--operation-id-name-mappings", "move=movePlayer"),
        files=(("player.rs", "src/bin/player.rs"),),
        prepare=_append(
            "Cargo.toml", '\n[dependencies.tokio]\nversion = "1"\nfeatures = ["macros", "rt-multi-thread"]\n'
        ),
        steps=(
            Step(("cargo", "build", "-q")),
            Step(("cargo", "run", "-q", "--bin", "player", "URL", *GAME), "plays"),
        ),
    ),
    Row(
        *("TypeScript", "typescript-fetch", "typescript-fetch", "importFileExtension=.js"),
        files=(("player.ts", "player.ts"), (ADAPTERS / "generated_typescript.ts", "adapter.ts")),
        prepare=_without_webhooks,
        steps=(
            _TSC,
            Step(("NODE", "built/player.js", "URL", *GAME), "plays"),
            Step(("KIT", "NODE", "built/adapter.js"), "passes"),
        ),
        missing="after removing `apis/NoticesToWebhooksApi.ts`, whose imports have no names, and its line in "
        "`apis/index.ts`",
    ),
    Row(
        *("TypeScript", "typescript-axios", "typescript-axios"),
        packages=("axios@1",),
        prepare=_write(tsconfig=_STRICT),
        steps=(_TSC,),
    ),
    Row(
        *("TypeScript", "hey-api", "OUT/node_modules/.bin/openapi-ts -i DOCUMENT -o OUT/client --silent"),
        tool="@hey-api/openapi-ts 0.99.0",
        packages=("@hey-api/openapi-ts@0.99.0", "typescript@5.9.3", "esbuild@0.25"),
        files=(("hey.ts", "player.ts"),),
        prepare=_write(tsconfig=_STRICT),
        steps=(
            _TSC,
            # Its modules import each other without `.js`, which only bundlers understand.
            Step(("node_modules/.bin/esbuild", "player.ts", "--bundle", "--format=esm", "--outfile=built/player.js")),
            Step(("NODE", "built/player.js", "URL", *GAME), "plays"),
        ),
    ),
    Row(
        *("TypeScript", "orval", "OUT/node_modules/.bin/orval --input DOCUMENT --output OUT/client.ts FLAGS"),
        flags="--client fetch",
        tool="orval 8.38.0",
        packages=("orval@8.38.0", "typescript@5.9.3"),
        prepare=_write(tsconfig=_STRICT),
        steps=(_TSC,),
    ),
    Row(
        *("TypeScript", "openapi-typescript", "OUT/node_modules/.bin/openapi-typescript DOCUMENT -o OUT/api.ts"),
        tool="openapi-typescript 7.13.0",
        packages=("openapi-typescript@7.13.0", "typescript@5.9.3"),
        prepare=_guide_program,
        steps=(_TSC, Step(("NODE", "built/game.js", "URL", *GAME), "plays")),
    ),
    Row(
        *("Java", "java-native", "java", f"library=native,{_JAVA}"),
        files=(("Player.java", "player/Player.java"),),
        steps=(
            Step(
                ("mvn", "-q", "-B", "-DskipTests", "compile", "dependency:build-classpath", "-Dmdep.outputFile=cp.txt")
            ),
            Step(("sh", "-c", "javac -d built -cp target/classes:$(cat cp.txt) player/Player.java")),
            Step(("sh", "-c", 'java -cp built:target/classes:$(cat cp.txt) Player "$@"', "-", "URL", *GAME), "plays"),
        ),
    ),
    Row(*("Java", "java-okhttp-gson", "java", f"library=okhttp-gson,{_JAVA}"), steps=(_MAVEN,)),
    Row(*("Kotlin", "kotlin", "kotlin"), files=(("kotlin.xml", "pom.xml"),), steps=(_MAVEN,)),
    Row(
        *("Python", "openapi-python-client"),
        "openapi-python-client generate --overwrite --path DOCUMENT --output-path OUT",
        tool="openapi-python-client 0.29.1",
        files=(("generated_player.py", "player.py"), (ADAPTERS / "generated_python.py", "adapter.py")),
        steps=(
            Step(("PYTHON", "player.py", "URL", *GAME), "plays"),
            Step(("KIT", "PYTHON", "adapter.py"), "passes"),
        ),
    ),
    Row(*("Python", "python", "python"), steps=(Step(("PYTHON", "-m", "compileall", "-q", ".")),)),
    Row(*("Swift 5", "swift5", "swift5"), missing=_NO_COMPILER),
    Row(*("Swift 6", "swift6", "swift6"), missing=_NO_COMPILER),
    Row(*("Dart", "dart", "dart"), missing=_NO_COMPILER),
    Row(*("C#", "csharp", "csharp"), missing=_NO_SDK),
)


def _run(tools: Tools, folder: Path, command: tuple[str, ...], url: str) -> str:
    node = str(tools.node)
    stand_ins = {
        "KIT": [sys.executable, "-m", "shengji_conformance", "clients", "--jobs", "6", "--"],
        "URL": [url],
        "NODE": [node],
        "NPM": [node, str(tools.npm_program)],
        "PYTHON": [str(tools.python)],
        "TSC": [node, str(tools.folder / "node_modules" / "typescript" / "bin" / "tsc")],
    }
    words = [word for each in command for word in stand_ins.get(each, [each])]
    kit = {"PYTHONPATH": str(ROOT / "clients" / "conformance")}
    environment = tools.environment() | {"CARGO_TARGET_DIR": str(BUILD / "cargo")} | kit
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
    )
    output = (done.stdout + done.stderr).strip()
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {output[-1500:]}")
    return output


def _generate(tools: Tools, row: Row, folder: Path) -> None:
    if row.packages:
        folder.mkdir()
        _write(package=_MODULE)(folder)
        _run(tools, folder, ("NPM", "install", "--silent", "--no-audit", "--no-fund", *row.packages), "")
    if row.tool:
        command = row.generator.replace("FLAGS", row.flags).replace("DOCUMENT", str(DOCUMENT))
        folder.mkdir(exist_ok=True)
        tools.run(*(word.replace("OUT", str(folder)) for word in command.split()))
    else:
        flags = ("--additional-properties", row.flags) if row.flags else ()
        tools.generator("generate", "-i", DOCUMENT, "-g", row.generator, "-o", folder, *flags, *row.options)
    for source, target in row.files:
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROGRAMS / source, folder / target)
    if row.prepare is not None:
        row.prepare(folder)
    if lost := operations_without_a_name(folder):
        raise RuntimeError(f"it has no {', '.join(lost)}")


def operations_without_a_name(folder: Path) -> list[str]:
    """Return the ids of the operations of `paths` that no file of a generated client names, in any spelling."""
    files = (file for file in folder.rglob("*") if file.suffix in _CODE and "node_modules" not in file.parts)
    # A module of an operation may name it nowhere else.
    text = re.sub("_", "", "\n".join(f"{file.stem}\n{file.read_text(encoding='utf-8')}" for file in files)).lower()
    words = set(re.findall(r"[a-z0-9]+", text))
    ids = [
        operation["operationId"]
        for item in document()["paths"].values()
        for operation in item.values()
        if "operationId" in operation
    ]
    return [each for each in ids if not words & {f"{before}{each.lower()}" for before in ("", "operation", "get")}]


def result_of(tools: Tools, row: Row, url: str) -> str:
    """Generate, compile and run one client; return what it does, or where it fails."""
    folder = BUILD / row.name
    shutil.rmtree(folder, ignore_errors=True)
    does = ["generates"]
    try:
        _generate(tools, row, folder)
        for step in row.steps:
            program = step.command[0]
            if program not in BUNDLED and "/" not in program and shutil.which(program) is None:
                return f"{', '.join(does)}; no `{program}` on this machine"
            output = _run(tools, folder, step.command, url)
            if step.does not in does:
                does.append(step.does)
            if step.does in ("plays", "passes"):
                print(f"  {output.splitlines()[-1][:200]}", flush=True)
    except (RuntimeError, AssertionError, subprocess.TimeoutExpired) as failure:
        print(failure, flush=True)
        return f"{', '.join(does)}; then **fails**"
    return "; ".join(filter(None, [", ".join(does), row.missing]))


def _table(results: dict[str, str], before: str) -> Iterator[str]:
    """Yield the table; rows that were not selected stay as they were."""
    yield "| language | generator | flags | result |"
    yield "|---|---|---|---|"
    for row in ROWS:
        words = " ".join(filter(None, [row.flags, *row.options]))
        flags = f"`{words}`" if words else "none"
        name = row.tool.rpartition(" ")[0] or row.generator
        start = f"| {row.language} | `{name}` | {flags} | "
        if row.name in results:
            yield f"{start}{results[row.name]} |"
        else:
            yield from (line for line in before.splitlines() if line.startswith(start))


def _versions(tools: Tools) -> str:
    versions = [f"openapi-generator {tools.generator('version').split()[-1]}", *(row.tool for row in ROWS if row.tool)]
    for command in (("go", "version"), ("rustc", "--version"), ("javac", "--version")):
        if shutil.which(command[0]):
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
            versions.append(re.sub(r" [(\[].*|go version | linux.*", "", output))
    typescript = tools.run(tools.node, tools.folder / "node_modules" / "typescript" / "bin" / "tsc", "--version")
    return ", ".join([*versions, f"TypeScript {typescript.split()[-1]}"])


def main(selected: list[str]) -> int:
    """Run the rows whose names are given, or all, and return the exit status: 1 if one fails."""
    tools = installed()
    (BUILD / "service").mkdir(parents=True, exist_ok=True)
    results = {}
    with running(BUILD / "service") as service:
        for row in ROWS:
            if selected and row.name not in selected:
                continue
            print(row.name, flush=True)
            results[row.name] = result_of(tools, row, service.url)
            print(f"  {results[row.name]}", flush=True)
    guide = GUIDE.read_text(encoding="utf-8")
    written = "\n".join(["", f"With {_versions(tools)}:", "", *_table(results, guide), "", ""])
    GUIDE.write_text(_TABLE.sub(lambda _: written, guide), encoding="utf-8")
    return any("fails" in result for result in results.values())


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
