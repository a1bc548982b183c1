/** The page: the screen of the address, and the theme. */
import { html, render, useEffect, useErrorBoundary, useState } from "../vendor/preact-htm.js";
import { theAccount } from "./api/account.js";
import { sharedWith } from "./api/codes.js";
import { followKept } from "./api/kept.js";
import { wait } from "./api/network.js";
import { followNews } from "./api/news.js";
import { followPush } from "./api/push.js";
import { followSearch } from "./api/quickplay.js";
import { isRefused } from "./api/service.js";
import { Arrivals } from "./people/arrivals.js";
import { useAccount } from "./ui/hooks.js";
import { loadAppeal, loadTraditional, ROUTES, SOON } from "./routes.js";
import { StartScreen } from "./start/start.js";
import { SuspendedScreen } from "./suspended/suspended.js";
import { languageTag, t } from "./texts/texts.js";

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

/** @typedef {import("./routes.js").Address} Address */

/** Parts of the page loaded so far, by what loads them. @type {Map<() => Promise<any>, any>} */
const parts = new Map();

/**
 * Load a part of the page, trying until it succeeds.
 * @param {() => Promise<any>} load
 * @returns {Promise<void>}
 */
async function loaded(load) {
  try {
    parts.set(load, await load());
  } catch {
    await wait(1000);
    return loaded(load);
  }
}

/** Load parts one after the other, and draw after each. @param {(() => Promise<any>)[]} wanted */
function useParts(wanted) {
  const [, draw] = useState(0);
  useEffect(() => {
    (async () => {
      for (const load of wanted.filter((each) => !parts.has(each))) {
        await loaded(load);
        draw((count) => count + 1);
      }
    })();
  }, wanted);
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

/** The screen of an address. @param {Address} address @param {import("./routes.js").Route | undefined} route */
function screenOf(address, route) {
  // A shortcut of the installed page leads to a door of the start page.
  if (!address.name || address.name === "solo")
    return html`
      <${StartScreen} door=${address.name ? "alone" : ""} />
    `;
  const part = route && parts.get(route.load);
  if (route && !part)
    return html`
      <main class="page"><p class="loading" role="status">${t("loading")}</p></main>
    `;
  const screen = route?.screen(part, address);
  // The menu of a player whose name was tapped is beside every screen of a part that has it.
  if (screen)
    return part.PersonDialog
      ? html`
          ${screen}
          <${part.PersonDialog} />
        `
      : screen;
  return html`
    <main class="page">
      <p role="alert">${t("address.unknown")}</p>
      <p><a href="#/">${t("home")}</a></p>
    </main>
  `;
}

/** A part of an address, decoded; unchanged if it is not valid. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address, as it changes; at the top of each screen. */
function useAddress() {
  const [address, set] = useState(() => addressOf(location.hash));
  useEffect(() => {
    const moved = () => {
      set(addressOf(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return led(address);
}

/** What is announced to the account, while it may play. @param {boolean} plays @param {string | undefined} token */
function useAnnounced(plays, token) {
  useEffect(() => {
    if (!plays) return;
    const over = new AbortController();
    const stop = followSearch();
    followNews(over.signal);
    return () => {
      over.abort();
      stop();
    };
  }, [plays, token]);
}

/** The language and the colours that the player has chosen. @param {ReturnType<typeof theAccount>} account */
function useLooks({ theme = "auto", fourColours = false, language: chosen, traditional }) {
  useEffect(() => {
    const root = document.documentElement;
    root.lang = languageTag();
    root.dataset.theme = theme;
    root.dataset.colours = fourColours ? "four" : "two";
  });
  useEffect(() => void (document.title = t("title")), [chosen, traditional]);
}

const Broken = () => html`
  <main class="page">
    <p role="alert">${t("broken")}</p>
    <p><a href="" onClick=${() => location.reload()}>${t("reload")}</a></p>
  </main>
`;

function App() {
  const account = useAccount();
  const address = useAddress();
  const [error] = useErrorBoundary((reason) => console.error(reason));
  const route = ROUTES.find((each) => each.address === address.name);
  useParts(languageTag() === "zh-Hant" ? [loadTraditional, ...SOON] : SOON);
  useParts(route ? [route.load] : []);
  const { token, suspended } = account;
  useAnnounced(Boolean(token && !suspended), token);
  useLooks(account);
  if (error)
    return html`
      <${Broken} />
    `;
  if (token && suspended)
    return html`
      <${SuspendedScreen} loadAppeal=${loadAppeal} />
    `;
  return html`
    ${
      token &&
      html`
        <${Arrivals} at=${address.name} table=${address.rest[0]} />
      `
    }${screenOf(address, route)}
  `;
}

const given = sharedWith(location.search);
// A shared text is taken once: a reload does not open it again.
if (given) history.replaceState(null, "", location.pathname + given);
const place = /** @type {Element} */ (document.getElementById("app"));

/** Draw the page. */
function begin() {
  place.textContent = "";
  if (isRefused) import("./start/refused.js").then(({ refusedScreen }) => render(refusedScreen(), place));
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
}

// Texts are in the right characters at once, unless that part takes long to come.
if (languageTag() === "zh-Hant") Promise.race([loaded(loadTraditional), wait(3_000)]).then(begin);
else begin();
if ("serviceWorker" in navigator && theAccount()) navigator.serviceWorker.register("service-worker.js").catch(() => {}); // plain http
