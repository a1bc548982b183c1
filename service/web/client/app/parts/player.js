/** The name of a player, which leads to the player's profile and from there back here. */
import { html } from "../../vendor/preact-htm.js";
import { shownName } from "./aiplayer.js";

/** @param {string} player */
export const profileOf = (player) => `#/player/${player}?from=${encodeURIComponent(location.hash.replace(/^#\/?/, ""))}`;

/** @param {{ player?: string | null, name: string }} props `player`: null of AI players, and of players who are deleted */
export const PlayerName = ({ player, name }) => (player ? html`<a class="player" href=${profileOf(player)}>${name}</a>` : html`<span class="player">${shownName(name)}</span>`);
