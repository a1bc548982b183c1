/** The page: which screen the address asks for, and how it looks. */
import { html, render, useEffect, useErrorBoundary, useState } from "../vendor/preact-htm.js";
import { theAccount } from "./api/account.js";
import { useAccount } from "./parts/hooks.js";
import { LinkScreen, RecoverScreen } from "./screens/comeback.js";
import { CreateScreen } from "./screens/create.js";
import { DevicesScreen } from "./screens/devices.js";
import { GamesScreen } from "./screens/games.js";
import { LeaderboardScreen } from "./screens/leaderboard.js";
import { LobbyScreen } from "./screens/lobby.js";
import { PlayerScreen } from "./screens/player.js";
import { ReplayScreen } from "./screens/replay.js";
import { RulesScreen } from "./screens/rules.js";
import { StartScreen } from "./screens/start.js";
import { TableScreen } from "./screens/table.js";
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

/** The screen of an address. @param {ReturnType<typeof addressOf>} address */
function screenOf({ path, name, rest, asked }) {
  if (name === "table" && rest[0]) return html`<${TableScreen} key=${rest[0]} table=${rest[0]} code=${asked.code} />`;
  if (name === "lobby") return html`<${LobbyScreen} />`;
  if (name === "new") return html`<${CreateScreen} key=${asked.ruleset} ruleset=${asked.ruleset} />`;
  if (name === "rules") return html`<${RulesScreen} ruleset=${rest[0]} asked=${asked} />`;
  if (name === "games") return html`<${GamesScreen} asked=${asked} />`;
  if (name === "player" && rest[0]) return html`<${PlayerScreen} key=${rest[0]} player=${rest[0]} from=${asked.from} />`;
  if (name === "leaderboard") return html`<${LeaderboardScreen} ruleset=${rest[0]} />`;
  if (name === "devices") return html`<${DevicesScreen} />`;
  if (name === "link") return html`<${LinkScreen} key=${path} code=${rest[0]} to=${asked.to} />`;
  if (name === "recover") return html`<${RecoverScreen} to=${asked.to} />`;
  if (name === "replay" && rest[1]) return html`<${ReplayScreen} key=${path} game=${rest[0]} round=${Number(rest[1])} asked=${asked} />`;
  if (name) return html`<main class="page"><p role="alert">${t("address.unknown")}</p><p><a href="#/">${t("home")}</a></p></main>`;
  return html`<${StartScreen} />`;
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
if ("serviceWorker" in navigator && theAccount()) navigator.serviceWorker.register("service-worker.js").catch(() => {}); // plain http
