/** After a game: another one, as soon as everybody wants it; and the way out. */
import { html } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";

/** @param {{ session: import("../table/session.js").Session, view: import("../types").View }} props */
export function Again({ session, view }) {
  const me = view.my && view.seats[view.my.seat];
  return html`${me && html`<button type="button" class="main" onClick=${() => session.send("PUT", "/seats/me/ready", {}, "ready")} disabled=${me.ready}>${t(me.ready ? "ready" : "game.again")}</button>`}
    <a class="button" href="#/">${t("home")}</a>`;
}
