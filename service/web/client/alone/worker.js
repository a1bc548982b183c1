/**
 * Tables in the page: the rules and AI players of the service, in Python, and what is stored of each table. Requests
 * come from `app/api/alone.js`; `service/api/alone/engine.py` answers them.
 *
 * @typedef {object} Engine
 * @property {(request: string) => string} answer
 * @property {(table: string, request: string) => string} step
 * @typedef {{ occupant: object, language: string }} Who
 * @typedef {Who & { id: number, method: string, path: string, body?: object }} Request
 */
import { loadPyodide } from "./pyodide.mjs";

/** Name of the database and of the lock: only one tab of a browser plays at these tables. */
const STORE = "shengji-alone";
const TABLES = "tables";

const worker = /** @type {any} */ (self);

// --- what is stored ---

/**
 * Do something with the stored tables.
 * @template Value
 * @param {IDBTransactionMode} mode
 * @param {(tables: IDBObjectStore) => IDBRequest<Value>} task
 * @returns {Promise<Value>}
 */
function stored(mode, task) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(STORE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TABLES);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const done = db.transaction(TABLES, mode);
      const wish = task(done.objectStore(TABLES));
      done.oncomplete = () => {
        db.close();
        resolve(wish.result);
      };
      done.onabort = done.onerror = () => {
        db.close();
        reject(done.error);
      };
    };
  });
}

/** All stored tables: name -> JSON text. @returns {Promise<Record<string, string>>} */
async function allStored() {
  const [names, texts] = await Promise.all([
    stored("readonly", (tables) => tables.getAllKeys()),
    stored("readonly", (tables) => tables.getAll()),
  ]);
  return Object.fromEntries(names.map((name, at) => [String(name), texts[at]]));
}

/** Store a table, or remove it. @param {string} name @param {string | null} text */
const keep = (name, text) =>
  stored("readwrite", (tables) => (text === null ? tables.delete(name) : tables.put(text, name)));

// --- Python ---

/** Where its modules are, in its own files. */
const FOLDER = "/modules";
/** No package is loaded besides the modules of the service; the version is that of `service/web/python`. */
const NO_PACKAGES = { info: { abi_version: "2026_0", arch: "wasm32", platform: "", python: "" }, packages: {} };

/** Start Python with the tables. @param {Record<string, string>} kept @returns {Promise<Engine>} */
async function start(kept) {
  const [python, modules] = await Promise.all([
    loadPyodide({ indexURL: new URL(".", location.href).href, lockFileContents: JSON.stringify(NO_PACKAGES) }),
    fetch("modules.json").then((answer) => answer.json()),
  ]);
  for (const [path, text] of Object.entries(modules)) {
    const whole = `${FOLDER}/${path}`;
    python.FS.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
    python.FS.writeFile(whole, text);
  }
  python.globals.set("kept", JSON.stringify(kept));
  return python.runPython(`
import json, os, sys
sys.path.insert(0, "${FOLDER}")
sys.dont_write_bytecode = True
from service.api.alone.engine import Engine
Engine(os.urandom, json.loads(kept))`);
}

// --- requests ---

/** The engine, once this tab has the lock; it is kept until the tab is closed. @returns {Promise<Engine>} */
function started() {
  return new Promise((resolve, reject) => {
    const run = async () => {
      try {
        resolve(await start(await allStored()));
      } catch (error) {
        reject(error);
      }
      return new Promise(() => {});
    };
    navigator.locks.request(STORE, run).catch(reject);
  });
}

/** @type {Promise<Engine> | null} */
let engine = null;
/** Table -> the timer of what is due there next. @type {Map<string, number>} */
const timers = new Map();
/** Table -> who is asked about it. @type {Map<string, Who>} */
const people = new Map();

/** The table of a path. @param {string} path */
const tableOf = (path) => path.split(/[/?]/)[2];

/**
 * Store what has changed at a table, and plan what is due next.
 * @param {string} table
 * @param {{ kept: string | null, due_at: number | null }} told nothing is stored if `kept` is empty
 */
async function goOn(table, { kept, due_at: at }) {
  clearTimeout(timers.get(table));
  if (at !== null)
    timers.set(
      table,
      setTimeout(() => void step(table), Math.max(0, at - Date.now())),
    );
  if (kept !== "") await keep(table, kept).catch(() => {}); // without storage, a table lasts as long as the tab
}

/** Do what is due at a table. @param {string} table */
async function step(table) {
  const python = await /** @type {Promise<Engine>} */ (engine);
  const told = JSON.parse(python.step(table, JSON.stringify({ now: Date.now(), ...people.get(table) })));
  worker.postMessage({ table, events: told.events });
  await goOn(table, told);
}

/**
 * What is told to the page: status 0 if nothing here can answer.
 * @param {Request} request
 */
async function answerTo({ method, path, body, occupant, language }) {
  try {
    engine ??= started();
    const request = { method, path, body: body ?? null, now: Date.now(), occupant, language };
    return JSON.parse((await engine).answer(JSON.stringify(request)));
  } catch (error) {
    console.error(error);
    return { status: 0, body: null, events: [], kept: "", due_at: null };
  }
}

worker.addEventListener("message", async (/** @type {MessageEvent<Request>} */ { data }) => {
  const { id, path, occupant, language } = data;
  const table = tableOf(path);
  people.set(table, { occupant, language });
  const told = await answerTo(data);
  worker.postMessage({ id, table, events: told.events, status: told.status, body: told.body });
  await goOn(table, told);
});
