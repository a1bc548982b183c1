/** The page: the screen of the address, and the theme. */
import { html, render, useEffect, useErrorBoundary, useState } from "../vendor/preact-htm.js";
import { theAccount } from "./api/account.js";
import { followKept } from "./api/kept.js";
import { wait } from "./api/network.js";
import { followNews } from "./api/news.js";
import { followPush } from "./api/push.js";
import { followSearch } from "./api/quickplay.js";
import { isRefused } from "./api/service.js";
import { Arrivals } from "./parts/arrivals.js";
import { useAccount } from "./parts/hooks.js";
import { StartScreen } from "./screens/start.js";
import { SuspendedScreen } from "./screens/suspended.js";
import { language, t } from "./texts/texts.js";

/** A part of an address that would lead elsewhere in the path of a request, where parts become ids. */
const LEADS_AWAY = /[\\/?#%&]|^\.+$/;

/**
 * An address such as `#/table/tb_1?code=K7`: everything is behind the `#`, so that any host can serve the page and none
 * learns what is viewed. Whoever made the link has written it.
 * @param {string} hash
 */
function addressOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").map(decoded);
  const [name, ...rest] = parts.some((part) => LEADS_AWAY.test(part)) ? ["unknown"] : parts;
  return { path, name, rest, asked: Object.fromEntries(new URLSearchParams(query)) };
}

/** @typedef {ReturnType<typeof addressOf>} Address */

/**
 * The table, and the other screens, once they are loaded.
 * @type {typeof import("./screens/table.js").TableScreen | null}
 */
let table = null;
/** @type {typeof import("./screens/later.js").laterScreen | null} */
let later = null;
/** Screens that are loaded only when opened. */
const WANTED = {
  consent: async () => (await import("./screens/consent.js")).consentScreen,
  devices: async () => (await import("./screens/devices.js")).devicesScreen,
  learn: async () => (await import("./screens/learn.js")).learnScreen,
  operator: async () => (await import("./screens/operator.js")).operatorScreen,
  teams: async () => (await import("./screens/teams.js")).teamsScreen,
  ways: async () => (await import("./screens/ways.js")).waysScreen,
};
/** @typedef {keyof typeof WANTED} Wanted */
/** Those loaded so far. @type {Partial<Record<Wanted, (address: Address) => unknown>>} */
const wanted = {};

/**
 * Load the other screens, trying until it succeeds.
 * @param {() => void} loaded called after each step
 * @returns {Promise<void>}
 */
async function loadLater(loaded) {
  try {
    ({ TableScreen: table } = await import("./screens/table.js"));
    loaded();
    ({ laterScreen: later } = await import("./screens/later.js"));
    loaded();
  } catch {
    await wait(1000);
    return loadLater(loaded);
  }
}

/**
 * Load screens when they are opened, trying until it succeeds.
 * @param {Wanted} name
 * @param {() => void} loaded
 * @returns {Promise<void>}
 */
async function loadWanted(name, loaded) {
  try {
    wanted[name] = await WANTED[name]();
    loaded();
  } catch {
    await wait(1000);
    return loadWanted(name, loaded);
  }
}

/**
 * Where an address leads: the table of a lesson is shown with its coach.
 * @param {Address} address
 * @returns {Address}
 */
function led(address) {
  const { open } = theAccount().lessons ?? {};
  return open && address.name === "table" && address.rest[0] === open.table
    ? { ...address, name: "learn", rest: [open.id] }
    : address;
}

/** The screen of an address. @param {Address} address */
function screenOf(address) {
  const { name, rest, asked } = address;
  if (!name)
    return html`
      <${StartScreen} />
    `;
  const isTable = name === "table" && rest[0];
  const drawn = wanted[/** @type {Wanted} */ (name)];
  if (drawn) return drawn(address);
  if (name in WANTED || (isTable ? !table : !later))
    return html`
      <main class="page"><p class="loading" role="status">${t("loading")}</p></main>
    `;
  if (isTable)
    return html`
      <${table} key=${rest[0]} table=${rest[0]} code=${asked.code} invited=${asked} />
    `;
  return (
    later?.(address) ??
    html`
      <main class="page">
        <p role="alert">${t("address.unknown")}</p>
        <p><a href="#/">${t("home")}</a></p>
      </main>
    `
  );
}

/** A part of an address, decoded; unchanged if it is not valid. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function App() {
  const [at, setAddress] = useState(() => addressOf(location.hash));
  const account = useAccount();
  const address = led(at);
  const [error] = useErrorBoundary((reason) => console.error(reason));
  useEffect(() => {
    const moved = () => {
      setAddress(addressOf(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const [, draw] = useState(0);
  useEffect(() => void loadLater(() => draw((count) => count + 1)), []);
  const asked = /** @type {Wanted} */ (address.name);
  useEffect(
    () => void (asked in WANTED && !wanted[asked] && loadWanted(asked, () => draw((count) => count + 1))),
    [asked],
  );
  const { theme = "auto", fourColours = false, token, suspended } = account;
  useEffect(() => {
    if (!token || suspended) return;
    const over = new AbortController();
    const stop = followSearch();
    followNews(over.signal);
    return () => {
      over.abort();
      stop();
    };
  }, [token, suspended]);
  useEffect(() => {
    const root = document.documentElement;
    root.lang = language();
    root.dataset.theme = theme;
    root.dataset.colours = fourColours ? "four" : "two";
  });
  useEffect(() => void (document.title = t("title")), [account.language]);
  if (error)
    return html`
      <main class="page">
        <p role="alert">${t("broken")}</p>
        <p><a href="" onClick=${() => location.reload()}>${t("reload")}</a></p>
      </main>
    `;
  if (token && suspended)
    return html`
      <${SuspendedScreen} />
    `;
  return html`
    ${
      token &&
      html`
        <${Arrivals} at=${address.name} table=${address.rest[0]} />
      `
    }${screenOf(address)}
  `;
}

document.documentElement.lang = language();
const place = /** @type {Element} */ (document.getElementById("app"));
place.textContent = "";
if (isRefused) import("./screens/refused.js").then(({ refusedScreen }) => render(refusedScreen(), place));
else {
  render(
    html`
      <${App} />
    `,
    place,
  );
  followKept();
  followPush();
}
if ("serviceWorker" in navigator && theAccount()) navigator.serviceWorker.register("service-worker.js").catch(() => {}); // plain http
