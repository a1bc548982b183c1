/** The name of a player. That of another one opens what can be done about them; a new tab shows their profile. */
import { html } from "../../vendor/preact-htm.js";
import { shownName } from "./aiplayer.js";
import { theAccount } from "../api/account.js";
import { t } from "../texts/texts.js";

/** @typedef {{ player: string, name: string }} Person */

/** Whose menu is open. @type {Person | null} */
let shown = null;
const listeners = new Set(/** @type {(() => void)[]} */ ([]));

export const theShown = () => shown;

/** Calls `listener` after each change. @param {() => void} listener */
export function onShown(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Open the menu of a player, or close it. @param {Person | null} person */
export function showPerson(person) {
  shown = person;
  for (const listener of listeners) listener();
}

/** The profile, which leads back here. @param {string} player */
export const profileOf = (player) => `#/player/${player}?from=${encodeURIComponent(location.hash.replace(/^#\/?/, ""))}`;

/** What makes a link of a name. @param {Person} person */
export function linkOf({ player, name }) {
  const href = profileOf(player);
  if (player === theAccount().player || !theAccount().token) return { href };
  const onClick = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showPerson({ player, name });
  };
  return { href, onClick, "aria-haspopup": "dialog" };
}

/** @param {{ player?: string | null, name: string, kind?: string }} props `player`: null of AI players, and of players who are deleted */
export const PlayerName = ({ player, name, kind = "ai" }) => (player ? html`<a class="player" ...${linkOf({ player, name })}>${name}</a>` : html`<span class="player">${kind === "ai" ? shownName(name) : t("player.deleted")}</span>`);
