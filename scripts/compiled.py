"""Compile the simulation of AI players with Cython into build/compiled (`workers/ai/compiled.py`).

    scripts/compiled.py [--if-possible]

The moves are the same as without. This needs a C compiler and the headers of Python; with `--if-possible` it says in a
line what is missing, and everything goes on without.
"""

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
#: A product and a sum must not be rounded at once, or scores would differ from those of Python.
FLAGS = ["-O2", "-g0", "-ffp-contract=off"]
if platform.machine() in {"x86_64", "AMD64"}:
    # All processors of the last fifteen years count bits.
    FLAGS.append("-mpopcnt")
#: `float` in an annotation does not make a variable one; types are in the `.pxd` files.
#: Hints are for who tunes these modules: Cython's annotated pages show them (`cython --annotate`).
DIRECTIVES = {"language_level": 3, "annotation_typing": False, "show_performance_hints": False}
#: Modules without checks of indices, which have no negative ones.
UNCHECKED = (".simulation.", ".exchanges")
UNCHECKING = {"boundscheck": False, "wraparound": False, "initializedcheck": False}


def layout() -> ModuleType:
    """Return `workers.ai.compiled`, loaded without its package, which needs all requirements."""
    spec = spec_from_file_location("compiled", ROOT / "workers" / "ai" / "compiled.py")
    module = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def missing() -> str:
    """Return what is missing to compile; empty: nothing."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(os.environ.get("CC", compiler)):
        return f"no C compiler ({compiler}; Debian: apt install gcc libc6-dev)"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return "no Python.h (Debian: apt install python3-dev)"
    absent = [name for name in ("Cython", "setuptools") if find_spec(name) is None]
    return f"no {' and no '.join(absent)} (make setup)" if absent else ""


def build(where: ModuleType) -> None:
    """Compile all modules into the folder of their digest, and remove older results."""
    from Cython.Build import cythonize  # noqa: PLC0415 - known only after `missing`
    from setuptools import Extension, setup  # noqa: PLC0415

    where.RESULTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=where.RESULTS) as text:
        folder = Path(text)
        (folder / "c").mkdir()
        shared = folder / "c" / f"{where.SHARED.rpartition('.')[2]}.c"
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={shared}"], check=True)
        extensions = [
            Extension(where.name_of(source), [str(source.relative_to(ROOT))], extra_compile_args=FLAGS)
            for source in where.sources()
        ]
        for extension in extensions:
            extension.cython_directives = UNCHECKING if any(part in extension.name for part in UNCHECKED) else {}
        os.chdir(ROOT)
        modules = cythonize(
            extensions,
            build_dir=str(folder / "c"),
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=where.SHARED,
            quiet=True,
            force=True,
        )
        modules.append(Extension(where.SHARED, [str(shared)], extra_compile_args=FLAGS))
        output = ["--build-lib", str(folder / "made"), "--build-temp", str(folder / "o")]
        output += ["--parallel", str(os.cpu_count())]
        setup(name="compiled", packages=[], ext_modules=modules, script_args=["--quiet", "build_ext", *output])
        for old in where.RESULTS.iterdir():
            if old != folder:
                shutil.rmtree(old)
        (folder / "made").rename(where.RESULTS / where.digest())


def main() -> None:
    """Compile, unless the results are there."""
    # `scripts/wheel.py` would hide the package `wheel` from setuptools.
    sys.path.remove(str(Path(__file__).parent))
    where, absent = layout(), missing()
    if where.results():
        sys.stderr.write("AI players are compiled.\n")
    elif not absent:
        sys.stderr.write("Compiling AI players, once for each change of their sources. This takes a minute or so …\n")
        began = time.monotonic()
        build(where)
        sys.stderr.write(f"Done in {time.monotonic() - began:.0f} s.\n")
    elif "--if-possible" in sys.argv:
        sys.stderr.write(f"AI players stay uncompiled, which takes more CPU for the same moves: {absent}.\n")
    else:
        sys.exit(f"Cannot compile: {absent}.")


if __name__ == "__main__":
    main()
