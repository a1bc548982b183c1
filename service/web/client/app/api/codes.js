/** Codes of tables, rooms and clubs as people type them, or paste them in the link that has them. */
import { call, Refused } from "./client.js";

/** The code in a text. @param {string} text */
export const codeOf = (text) => (/[?&]code=([^&#\s]+)/.exec(text)?.[1] ?? text).replaceAll("/", " ").trim();

/** Letters and digits of a code of a room or a club; those of tables are shorter. */
const LONG = 12;

/** Whether a code opens a room, or a club. @param {"room" | "club"} kind @param {string} code */
async function opens(kind, code) {
  try {
    await call("GET", `/${kind}-links/${code}`);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.problem.status === 404) return false;
    throw error;
  }
}

/**
 * The address of the room or the club to which a text leads, a code or its link; empty: the code is shorter. A code
 * that opens neither leads to where a room is looked for, which says so.
 * @param {string} text
 */
export async function placeOf(text) {
  const code = encodeURIComponent(codeOf(text));
  if (
    codeOf(text)
      .normalize("NFKC")
      .replace(/[^0-9A-Za-z]/g, "").length !== LONG
  )
    return "";
  const named = /#\/(room|club)\b/.exec(text)?.[1];
  const isClub = named ? named === "club" : !(await opens("room", code)) && (await opens("club", code));
  return `#/${isClub ? "club" : "room"}?code=${code}`;
}

/** The path that tells what a code opens; the service reads wide letters, blanks and hyphens. @param {string} code */
export const pathOfCode = (code) => `/join-codes/${encodeURIComponent(code)}`;

/** Screens to which a link that is pasted or shared may lead. */
const SCREENS = /#(\/(?:room|club|table|deal|event|teams|replay|friends)\b[^\s#]*)/;

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
