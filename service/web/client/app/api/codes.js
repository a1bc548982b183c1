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
