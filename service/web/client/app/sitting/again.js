/** After a game: another one, once everybody wants it, unless the table is closed or was a board; and the way out. */
import { html } from "../../vendor/preact-htm.js";
import { listed, t } from "../texts/texts.js";
import { Closed } from "./closed.js";
import { isHost } from "../seats/seating.js";

/**
 * The levels of the sides if teams are fixed, else of all seats; none in a game without levels.
 * @param {import("../types").View} view
 */
function levelsOf(view) {
  // Only in games with friends is it known who is active.
  const seats = view.seats[0].active === null ? view.seats.slice(0, 2) : view.seats;
  return seats.flatMap(({ level }) => level ?? []);
}

/** The event, or the deal that somebody has sent, from whose page a board was opened; "": none. */
const event = () => new URLSearchParams(location.hash.split("?")[1]).get("from") ?? "";

/** @param {{ session: import("../live/session.js").Session, view: import("../types").View }} props */
export function Again({ session, view }) {
  const me = view.my && view.seats[view.my.seat];
  const levels = levelsOf(view);
  const chosen = view.settings.start_levels;
  const ready = () => session.send("PUT", "/seats/me/ready", {}, "ready");
  /** Play again on these levels; without any, all start on the first. @param {string[]} start_levels */
  const again = async (start_levels) => {
    const isSo = JSON.stringify(start_levels) === JSON.stringify(chosen ?? []);
    if (isSo || !isHost(view) || (await session.send("PATCH", "", { start_levels }, "levels", { "If-Match": "*" })))
      await ready();
  };
  if (view.closed)
    return html`
      <${Closed} view=${view} />
      <a class="button" href="#/">${t("home")}</a>
    `;
  // A board can be played only once, and so can a deal that somebody has sent.
  if (view.game?.ended === "one_round") {
    const from = event();
    const text = from.startsWith("deal/") ? "deal.compare" : from ? "event.back" : "home";
    return html`
      <a class="button main" href=${`#/${from}`}>${t(text)}</a>
    `;
  }
  return html`
    ${
      me &&
      html`
        <button type="button" class="main" onClick=${() => again([])} disabled=${me.ready}>
          ${t(me.ready ? "ready" : "game.again")}
        </button>
      `
    }
    ${
      me &&
      isHost(view) &&
      levels.length > 0 &&
      html`
        <button type="button" onClick=${() => again(levels)} disabled=${me.ready}>
          ${t("game.again.levels", { levels: listed(levels) })}
        </button>
      `
    }
    ${
      chosen &&
      html`
        <p class="hint">${t("game.again.next", { levels: listed(chosen) })}</p>
      `
    }
    <a class="button" href="#/">${t("home")}</a>
  `;
}
