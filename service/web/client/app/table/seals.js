/** The seals of shuffles that this page has seen while it was open; docs/shuffle.md calls them commitments. */

/** Those seen while the next round was not dealt yet. @type {Set<string>} */
const early = new Set();
/** Game and round -> the seal announced with the deal. @type {Map<string, string>} */
const announced = new Map();

/** @param {import("../types").View} view */
export function rememberSeals({ game, round, next_commitment }) {
  if (next_commitment) early.add(next_commitment);
  if (round) announced.set(`${game?.id} ${round.number}`, round.commitment);
}

/** @param {string} game @param {number} round */
export const sealOf = (game, round) => announced.get(`${game} ${round}`);

/** Whether the page has seen a seal before the cards of its round were dealt. @param {string} seal */
export const isEarly = (seal) => early.has(seal);
