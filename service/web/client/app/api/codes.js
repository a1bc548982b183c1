/** Codes of tables and rooms as people type them, or paste them in the link that has them. */

/** The code in a text. @param {string} text */
export const codeOf = (text) => (/[?&]code=([^&#\s]+)/.exec(text)?.[1] ?? text).replaceAll("/", " ").trim();

/** Letters and digits of a code of a room; those of tables are shorter. */
const OF_ROOM = 12;

/** The address of the room whose code this is; empty: it is no code of a room. @param {string} code */
export const roomOf = (code) =>
  code.normalize("NFKC").replace(/[^0-9A-Za-z]/g, "").length === OF_ROOM
    ? `#/room?code=${encodeURIComponent(code)}`
    : "";

/** The path that tells what a code opens; the service reads wide letters, blanks and hyphens. @param {string} code */
export const pathOfCode = (code) => `/join-codes/${encodeURIComponent(code)}`;

/** Screens to which a link that is pasted or shared may lead. */
const SCREENS = /#(\/(?:room|table|deal|event|teams|replay|friends)\b[^\s#]*)/;

/** A code that stands alone in a text: groups of letters and digits. */
const CODE = /(?:^|[^A-Za-z0-9])([A-Z0-9]{4}[- ]?[A-Z0-9]{2,4}(?:[- ]?[A-Z0-9]{4})?)(?![A-Za-z0-9])/;

/**
 * Where a text leads that another app has shared with this page: the screen of a link, or the field for codes with the
 * code; empty: nowhere.
 * @param {string} query of the address
 */
export function sharedWith(query) {
  const given = new URLSearchParams(query);
  const text = [given.get("url"), given.get("text"), given.get("title")].filter(Boolean).join(" ");
  const link = SCREENS.exec(text)?.[1];
  if (link) return `#${link}`;
  const code = CODE.exec(text)?.[1];
  return code ? `#/lobby?code=${encodeURIComponent(code)}` : "";
}
