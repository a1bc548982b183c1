/** A player, wherever one stands. Another player's name opens their menu; in a new tab, it opens their profile. */
import { html } from "../../vendor/preact-htm.js";
import { LevelMark, shownName } from "./aiplayer.js";
import { SmallFace } from "./face.js";
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
 * What is known of a player. What is left out is not drawn.
 * @typedef {object} PlayerProps
 * @property {string | null} [player] null for AI players and deleted players
 * @property {string} name
 * @property {string} [kind]
 * @property {number | null} [face] the picture; null: the one that follows from the id
 * @property {boolean} [there] whether the player is there
 * @property {string | null} [level] of the AI that plays
 * @property {boolean} [plain] whether the name leads nowhere
 * @property {unknown} [children] what else there is to say, beside the name
 */

/** @param {PlayerProps} props */
export const Player = ({ player, name, kind, face, there, level, plain = false, children }) => html`
  ${
    there !== undefined &&
    html`
      <span class=${`dot${there ? " there" : ""}`} aria-hidden="true"></span>
    `
  }
  ${
    face !== undefined &&
    html`
      <${SmallFace} player=${player} face=${face} />
    `
  }
  <span class="name">
    ${
      plain
        ? html`
            <span>${name}</span>
          `
        : html`
            <${Name} player=${player} name=${name} kind=${kind} />
          `
    }${children}${
      level &&
      html`
        ${" "}
        <${LevelMark} level=${level} />
      `
    }
  </span>
`;

/** @param {Pick<PlayerProps, "player" | "name" | "kind">} props */
const Name = ({ player, name, kind = "ai" }) =>
  player
    ? html`
        <a class="player" ...${linkOf({ player, name })}>${name}</a>
      `
    : html`
        <span class="player">${kind === "ai" ? shownName(name) : t("player.deleted")}</span>
      `;
