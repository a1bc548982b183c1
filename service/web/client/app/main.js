/** The page: which screen the address asks for, and how it looks. */
import { html, render, useEffect, useErrorBoundary, useState } from "../vendor/preact-htm.js";
import { theAccount } from "./api/account.js";
import { wait } from "./api/network.js";
import { followPush } from "./api/push.js";
import { useAccount } from "./parts/hooks.js";
import { StartScreen } from "./screens/start.js";
import { language, t } from "./texts/texts.js";

/**
 * An address such as `#/table/tb_1?code=K7`: everything is behind the `#`, so that any host can serve the page and none
 * learns what is looked at.
 * @param {string} hash
 */
function addressOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decoded);
  return { path, name, rest, asked: Object.fromEntries(new URLSearchParams(query)) };
}

/** @typedef {ReturnType<typeof addressOf>} Address */

/** The screens that are not needed first, once they are loaded. @type {typeof import("./screens/later.js").laterScreen | null} */
let later = null;

/** Load the other screens, as often as it takes. @returns {Promise<void>} */
async function loadLater() {
  try {
    ({ laterScreen: later } = await import("./screens/later.js"));
  } catch {
    await wait(1000);
    return loadLater();
  }
}

/** The screen of an address. @param {Address} address */
function screenOf(address) {
  if (!address.name) return html`<${StartScreen} />`;
  if (!later) return html`<main class="page"><p class="loading" role="status">${t("loading")}</p></main>`;
  return later(address) ?? html`<main class="page"><p role="alert">${t("address.unknown")}</p><p><a href="#/">${t("home")}</a></p></main>`;
}

/** A part of an address; as it is, if nobody can have encoded it so. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function App() {
  const [address, setAddress] = useState(() => addressOf(location.hash));
  const account = useAccount();
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
  useEffect(() => void loadLater().then(() => draw(1)), []);
  const { theme = "auto", fourColours = false } = account;
  useEffect(() => {
    const root = document.documentElement;
    root.lang = language();
    root.dataset.theme = theme;
    root.dataset.colours = fourColours ? "four" : "two";
  });
  useEffect(() => void (document.title = t("title")), [account.language]);
  if (error) return html`<main class="page"><p role="alert">${t("broken")}</p><p><a href="" onClick=${() => location.reload()}>${t("reload")}</a></p></main>`;
  return screenOf(address);
}

document.documentElement.lang = language();
const place = /** @type {Element} */ (document.getElementById("app"));
place.textContent = "";
render(html`<${App} />`, place);
followPush();
if ("serviceWorker" in navigator && theAccount()) navigator.serviceWorker.register("service-worker.js").catch(() => {}); // plain http
