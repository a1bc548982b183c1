/**
 * Checks the shuffle of a finished round from its record, as docs/shuffle.md describes, without asking the service.
 *
 * @typedef {import("../types").RecordedRound} RecordedRound
 * @typedef {{ decks: number, little_jokers: number, big_jokers: number, hand: number, removed?: string[] }} Cards the
 *   cards of a game, as `POST /v1/rulesets/{ruleset}/setup` answers
 * @typedef {{ from?: string, little_joker?: boolean, big_joker?: boolean }} SpecialDeck
 * @typedef {object} Outcome
 * @property {"right" | "by_hand" | "sealed" | "seed" | "seal" | "card" | "insecure"} code `right`: seed, seal and all
 *   cards fit; `by_hand`: cards were dealt as somebody wanted them; `sealed`: the seed is not published yet; `seed`: it
 *   does not fit the seal; `seal`: the seal is not the one announced with the deal; `card`: a card was not where the
 *   shuffle put it; `insecure`: the browser has no cryptography here, since the address is not `https`
 * @property {boolean} [seen] whether this page has seen the seal before the cards were dealt
 * @property {number} [count] how many cards were shuffled
 * @property {string} [card] the first that does not fit
 * @property {number} [seat] who showed it
 */

import { isEarly, sealOf } from "./seals.js";

const RANKS = "23456789TJQKA";

/** @param {ArrayBuffer} buffer */
const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/**
 * All cards of a game, in the order in which they are before the shuffle.
 * @param {Cards} cards
 * @param {SpecialDeck[]} special decks of which cards are left out
 */
export function cardsOf({ decks, little_jokers, big_jokers, removed = [] }, special = []) {
  const copies = (/** @type {string} */ card) =>
    decks -
    removed.filter((each) => each === card).length -
    special.filter(({ from = "2" }) => RANKS.indexOf(card[0]) < RANKS.indexOf(from)).length;
  const suited = [..."SHDC"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const jokers = [...Array(little_jokers).fill("LJ"), ...Array(big_jokers).fill("BJ")];
  return [...suited.flatMap((card) => Array(copies(card)).fill(card)), ...jokers];
}

/**
 * The order of a deck: a permutation that follows from a seed and a message.
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {string} message
 * @param {string[]} cards
 */
export async function shuffled(seed, message, cards) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const deck = [...cards];
  let [block, at, counter] = [new DataView(new ArrayBuffer(0)), 0, 0];
  for (let size = deck.length; size > 1; size--) {
    const limit = Math.floor(2 ** 32 / size) * size;
    let number = limit;
    while (number >= limit) {
      if (at === block.byteLength) {
        const signed = new TextEncoder().encode(`${message}|${counter++}`);
        [block, at] = [new DataView(await crypto.subtle.sign("HMAC", key, signed)), 0];
      }
      number = block.getUint32(at);
      at += 4;
    }
    const other = number % size;
    [deck[size - 1], deck[other]] = [deck[other], deck[size - 1]];
  }
  return deck;
}

/**
 * What was shuffled last in the round, and who drew the first card of it.
 * @param {RecordedRound} record
 * @param {Record<string, any>} options
 */
function lastDeal({ starter, shuffle, actions }, options) {
  const misdeals = actions.map(({ type }) => type).lastIndexOf("redeal");
  const caller = misdeals >= 0 && options.misdeal_starter === "caller";
  return {
    attempt: shuffle.attempts - 1,
    starter: caller ? actions[misdeals].seat : starter,
    actions: actions.slice(misdeals + 1),
  };
}

/**
 * The first card of an action that was not in the hand of who showed it; undefined: all were.
 * @param {RecordedRound["actions"]} actions
 * @param {string[][]} hands seat -> its cards as dealt
 * @param {string[]} kitty
 */
function strayCard(actions, hands, kitty) {
  for (const { type, seat, cards = [] } of actions) {
    if (type === "discard") hands[seat].push(...kitty);
    const left = [...hands[seat]];
    for (const card of cards) {
      const at = left.indexOf(card);
      if (at < 0) return { card, seat };
      left.splice(at, 1);
    }
    if (type === "discard") [hands[seat], kitty] = [left, cards];
  }
}

/**
 * @param {RecordedRound} record
 * @param {{ id: string, players: number, options: Record<string, any>, cards: Cards }} game
 * @returns {Promise<Outcome>}
 */
export async function checkShuffle(record, { id, players, options, cards }) {
  const { server_seed, commitment, entropy, shuffle_name } = record.shuffle;
  if (record.deals) return { code: "by_hand" };
  if (!server_seed) return { code: "sealed" };
  if (!globalThis.crypto?.subtle) return { code: "insecure" };
  const seed = bytesOf(server_seed);
  if (`sha256:${hexOf(await crypto.subtle.digest("SHA-256", seed))}` !== commitment) return { code: "seed" };
  if ((sealOf(id, record.round) ?? commitment) !== commitment) return { code: "seal" };
  const added = Object.keys(entropy).sort((one, other) => Number(one) - Number(other));
  const { attempt, starter, actions } = lastDeal(record, options);
  const named = added.map((seat) => `${seat}=${entropy[seat]}`);
  const message = ["sj1", shuffle_name, record.round, ...named, `deck:${attempt}`].join("|");
  const deck = await shuffled(seed, message, cardsOf(cards, options.special_decks));
  const out = cards.hand * players;
  const hands = Array.from({ length: players }, (_, seat) =>
    deck.slice(0, out).filter((_, at) => at % players === (seat - starter + players) % players),
  );
  const stray = strayCard(actions, hands, deck.slice(out));
  return stray ? { code: "card", ...stray } : { code: "right", seen: isEarly(commitment), count: deck.length };
}
