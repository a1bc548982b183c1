/**
 * Make `service/web/python` from the npm package of Pyodide: `npm pack pyodide@VERSION`, unpack it, then
 *
 *     node scripts/python_runtime.mjs FOLDER/package
 *
 * The files are those of the package, compressed. The standard library is what the engine of tables in the page imports
 * (service/api/alone), compiled: a browser would take several times as long to start from its sources. Tests play with
 * it in a browser, so a module that is missing here fails them.
 */
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const AS_THEY_ARE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
const LIBRARY = "python_stdlib.zip";
const FOLDER = resolve(import.meta.dirname, "../service/web/python");

/** Modules of the standard library that Pyodide and the engine import. */
const KEPT = `__future__ _collections_abc _colorize _opcode_metadata _py_warnings _pyodide _pyodide._base
  _pyodide._core_docs _pyodide._future_helper _pyodide._importhook _pyodide.docs_argspec _pyodide.docstring
  _pyodide.jsbind _sitebuiltins _weakrefset abc annotationlib ast asyncio asyncio.base_events asyncio.base_futures
  asyncio.base_subprocess asyncio.base_tasks asyncio.constants asyncio.coroutines asyncio.events asyncio.exceptions
  asyncio.format_helpers asyncio.futures asyncio.graph asyncio.locks asyncio.log asyncio.mixins asyncio.protocols
  asyncio.queues asyncio.runners asyncio.selector_events asyncio.sslproto asyncio.staggered asyncio.streams
  asyncio.subprocess asyncio.taskgroups asyncio.tasks asyncio.threads asyncio.timeouts asyncio.transports
  asyncio.trsock asyncio.unix_events base64 bisect bz2 codecs codeop collections compression
  compression._common compression._common._streams compression.zstd compression.zstd._zstdfile concurrent
  concurrent.futures concurrent.futures._base contextlib contextvars copy copyreg dataclasses datetime dis encodings
  encodings.aliases encodings.utf_8 encodings.latin_1 encodings.ascii enum fnmatch functools genericpath glob hashlib
  heapq hmac importlib importlib._abc importlib._bootstrap importlib._bootstrap_external importlib.abc
  importlib.machinery importlib.util inspect io json json.decoder json.encoder json.scanner keyword linecache locale
  logging lzma ntpath opcode operator os pathlib pathlib._os posixpath pyodide pyodide._package_loader pyodide._state
  pyodide.code pyodide.common pyodide.ffi pyodide.webloop random re re._casefix re._compiler re._constants re._parser
  reprlib selectors shutil signal site socket ssl stat string struct subprocess tempfile textwrap threading token
  tokenize traceback types typing warnings weakref zipfile zipfile._path zipfile._path.glob zipimport`.split(/\s+/);

/** Writes an archive of compiled modules; it is compressed as a whole afterwards. Nothing in it depends on the time. */
const COMPILE = `
import importlib.util, marshal, sys, zipfile

def compiled(source, name):
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)
    return importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)

with zipfile.ZipFile("/whole.zip") as whole, zipfile.ZipFile("/small.zip", "w", zipfile.ZIP_STORED) as small:
    names = set(whole.namelist())
    for module in kept.split():
        path = module.replace(".", "/")
        name = next((each for each in (path + "/__init__.py", path + ".py") if each in names), "")
        if not name:
            print(module)
            continue
        small.writestr(zipfile.ZipInfo(name + "c", (1980, 1, 1, 0, 0, 0)), compiled(whole.read(name), name))
`;

const folder = resolve(process.argv[2]);
const { loadPyodide } = await import(join(folder, "pyodide.mjs"));
const python = await loadPyodide();
python.FS.writeFile("/whole.zip", readFileSync(join(folder, LIBRARY)));
python.globals.set("kept", KEPT.join(" "));
python.runPython(COMPILE);

mkdirSync(FOLDER, { recursive: true });
const contents = Object.fromEntries(AS_THEY_ARE.map((name) => [name, readFileSync(join(folder, name))]));
for (const [name, content] of Object.entries({ ...contents, [LIBRARY]: python.FS.readFile("/small.zip") })) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(join(FOLDER, `${name}.br`), brotliCompressSync(content, { params }));
}
