/** The page: which screen the address asks for, and how it looks. */
import { html, render, useEffect, useErrorBoundary, useState } from "../vendor/preact-htm.js";
import { theAccount } from "./api/account.js";
import { useAccount } from "./parts/hooks.js";
import { StartScreen } from "./screens/start.js";
import { TableScreen } from "./screens/table.js";
import { language, t } from "./texts/texts.js";

/**
 * The screen of an address such as `#/table/tb_1?code=K7`: everything is behind the `#`, so that any host can serve the
 * page and none learns what is looked at.
 * @param {string} hash
 */
function screenOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  const asked = Object.fromEntries(new URLSearchParams(query));
  if (name === "table" && rest[0]) return html`<${TableScreen} key=${rest[0]} table=${rest[0]} code=${asked.code} />`;
  return html`<${StartScreen} />`;
}

function App() {
  const [hash, setHash] = useState(location.hash);
  const account = useAccount();
  const [error] = useErrorBoundary((reason) => console.error(reason));
  useEffect(() => {
    const moved = () => {
      setHash(location.hash);
      scrollTo(0, 0);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const { theme = "auto", fourColours = false } = account;
  useEffect(() => {
    const root = document.documentElement;
    root.lang = language();
    root.dataset.theme = theme;
    root.dataset.colours = fourColours ? "four" : "two";
    document.title = t("title");
  });
  if (error) return html`<main class="page"><p role="alert">${t("broken")}</p><p><a href="" onClick=${() => location.reload()}>${t("reload")}</a></p></main>`;
  return screenOf(hash);
}

document.documentElement.lang = language();
const place = /** @type {Element} */ (document.getElementById("app"));
place.textContent = "";
render(html`<${App} />`, place);
if ("serviceWorker" in navigator && theAccount()) navigator.serviceWorker.register("service-worker.js").catch(() => {}); // plain http
