/** Which games are offered first, and with how many seats. */

/** The number of seats with which a game is best known; by default its smallest. */
const SEATS = /** @type {Record<string, number>} */ ({ zhaopengyou: 6, zhaopengyou_80: 6, finding_friends: 5 });

/** The games in the order in which newcomers should meet them. */
const ORDER = ["shengji", "zhaopengyou", "finding_friends"];

/** @typedef {import("../types").RulesetSummary} Game */

/** @param {Game} game */
export const seatsOf = (game) => SEATS[game.id] ?? game.players[0];

/** @param {readonly Game[]} games */
export const inOrder = (games) => [...games].sort((one, other) => placeOf(one) - placeOf(other));

/** @param {Game} game */
const placeOf = ({ id }) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);
