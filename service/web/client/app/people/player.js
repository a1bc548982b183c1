/** The name of a player. Another player's name opens their menu; in a new tab, it opens their profile. */
import { html } from "../../vendor/preact-htm.js";
import { shownName } from "./aiplayer.js";
import { theAccount } from "../api/account.js";
import { t } from "../texts/texts.js";

/** @typedef {{ player: string, name: string }} Person */

/** The player whose menu is open. @type {Person | null} */
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

/** The address of a profile that leads back here. @param {string} player */
export const profileOf = (player) =>
  `#/player/${player}?from=${encodeURIComponent(location.hash.replace(/^#\/?/, ""))}`;

/** The properties that make a name a link. @param {Person} person */
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

/**
 * @param {{
 *   player?: string | null,
 *   name: string,
 *   kind?: string,
 * }} props `player`: null for AI players and deleted players
 */
export const PlayerName = ({ player, name, kind = "ai" }) =>
  player
    ? html`
        <a class="player" ...${linkOf({ player, name })}>${name}</a>
      `
    : html`
        <span class="player">${kind === "ai" ? shownName(name) : t("player.deleted")}</span>
      `;
