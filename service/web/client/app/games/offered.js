/** Which games are offered first, and with how many seats. */
import { listed, t } from "../texts/texts.js";

/** The number of seats with which a game is best known; by default its smallest. */
const SEATS = /** @type {Record<string, number>} */ ({ zhaopengyou: 6, zhaopengyou_80: 6, finding_friends: 5 });

/** Games of nearly one name, which are offered as ways to play one. */
const WAYS = ["zhaopengyou", "finding_friends", "zhaopengyou_80"];

/** The games in the order in which newcomers should meet them. */
const ORDER = ["shengji", ...WAYS.slice(0, 2)];

/** @typedef {import("../types").RulesetSummary} Game */

/** Whether a game is one of several ways to play; the games are not known at first. @param {string} id */
export const isWay = (id) => WAYS.includes(id);

/** The ways to play the same. @param {readonly Game[]} games */
export const ways = (games) => WAYS.flatMap((id) => games.find((game) => game.id === id) ?? []);

/** One game for each entry of a choice: of several ways to play, the first. @param {readonly Game[]} games */
export const entries = (games) => games.filter(({ id }) => !isWay(id) || id === ways(games)[0].id);

/** @param {Game} game */
export const seatsOf = (game) => SEATS[game.id] ?? game.players[0];

/** @param {readonly Game[]} games */
export const inOrder = (games) => [...games].sort((one, other) => placeOf(one) - placeOf(other));

/** @param {Game} game */
const placeOf = ({ id }) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);

/** "5–16 players". @param {number[]} players */
export function playersText(players) {
  const [first, last] = [players[0], players[players.length - 1]];
  const run = players.length > 2 && last - first === players.length - 1;
  return t("players", { players: run ? `${first}–${last}` : listed(players) });
}
