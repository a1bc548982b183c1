/**
 * Everything that people read, in their language: `t("play.button", { count: 2 })`. Texts of the rules come from the
 * catalogue of the API in both languages, and refusals from the API in the language of the player.
 */
import { theAccount } from "../api/account.js";
import { en } from "./en.js";
import { zh } from "./zh.js";

/** @typedef {keyof typeof en} Key */

const TEXTS = { en, "zh-Hans": zh };

/** The language of a page until the player chooses one: `?lang=`, or else that of the browser. */
const OF_PAGE = new URLSearchParams(location.search).get("lang") ?? navigator.language;

/** The language in which texts are written. @returns {"en" | "zh-Hans"} */
export const language = () => theAccount().language ?? (OF_PAGE.startsWith("zh") ? "zh-Hans" : "en");

/** The language of who reads the page. @returns {"en" | "zh-Hans" | "zh-Hant"} */
export function languageTag() {
  const account = theAccount();
  return (account.language ? account.traditional : /^zh-(?!hans).*(hant|tw|hk|mo)/i.test(OF_PAGE))
    ? "zh-Hant"
    : language();
}

/** The rules of the language of the page. */
const locale = () => (languageTag() === "en" ? "en-GB" : languageTag());

/** Turns texts into Traditional characters, once that part of the page is loaded. @type {(text: string) => string} */
let traditional = (text) => text;

/** @param {typeof traditional} how */
export const writeTraditional = (how) => void (traditional = how);

/** A text of the page in the characters of who reads it. @param {string} text */
export const written = (text) => (languageTag() === "zh-Hant" ? traditional(text) : text);

/**
 * @param {Key} key
 * @param {Record<string, string | number>} [values] for the `{names}` in the text
 */
export const t = (key, values) => said(TEXTS[language()][key], values);

/**
 * A text in the form that its count takes, with values in place of the `{names}`.
 * @param {string} text "one|many", or the same for each count
 * @param {Record<string, string | number>} [values]
 */
export function said(text, values = {}) {
  const [one, many = one] = written(text).split("|");
  return filled(new Intl.PluralRules(locale()).select(Number(values.count)) === "one" ? one : many, values);
}

/**
 * A text with values in place of the `{names}`.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/**
 * A text whose key is made of parts; the last part itself if there is none.
 * @param {string} group
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export const named = (group, name, values) =>
  `${group}.${name}` in en ? t(/** @type {Key} */ (`${group}.${name}`), values) : name;

/** A game in a sentence; a general one for games that this page does not know yet. @param {string} id */
export const aboutGame = (id) => (`about.${id}` in en ? named("about", id) : t("about.unknown"));

/** Facts or numbers in a row: "4, 6, 8" or "4、6、8". @param {(string | number)[]} items */
export const listed = (items) => items.join(t("list.comma"));

/** Names or things in a sentence: "Lin, Mei and Bo". @param {string[]} names */
export const enumerated = (names) => new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);

/** Who has won a trick, with its points if it has any. @param {{ points?: number | null }} trick @param {string} who */
export const wonText = ({ points }, who) =>
  points ? t("trick.won", { who, count: points }) : t("trick.won.alone", { who });

/** One of the texts of the catalogue. @param {Record<string, unknown> | undefined} texts */
export const ofCatalogue = (texts) => written(String(texts?.[language()] ?? texts?.en ?? ""));

/** The spoken name of a card. @param {string} card */
export function spoken(card) {
  if (card === "BJ" || card === "LJ") return named("card", card);
  return t("card.name", { rank: named("rank", card[0]), suit: named("suit", card[1]) });
}

/** "1st", "第 1 张": which copy of a card. @param {number} number */
export const ordinal = (number) =>
  named("ordinal", new Intl.PluralRules(locale(), { type: "ordinal" }).select(number), { number });

/** A time in the device's time zone. @param {string} time RFC 3339 */
export const momentText = (time) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(Date.parse(time));

/**
 * A time in the device's time zone, with its day if that is not today.
 * @param {string} time RFC 3339
 * @param {boolean} seconds
 */
export function soonText(time, seconds) {
  const at = new Date(time);
  const dateStyle = at.toDateString() === new Date().toDateString() ? undefined : "short";
  return new Intl.DateTimeFormat(locale(), { dateStyle, timeStyle: seconds ? "medium" : "short" }).format(at);
}

/** A day. @param {string} day `2026-11-20`, in UTC */
export const dayText = (day) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day));

/** The day of a time, in the device's time zone. @param {string} time RFC 3339 */
export const dateText = (time) => new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(Date.parse(time));

/** A time in the device's time zone, for the API. @param {string} time `2026-11-20T20:00:00` */
function zoned(time) {
  const east = (Date.parse(`${time}Z`) - Date.parse(time)) / 60_000; // minutes
  const digits = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, "0");
  return `${time}${east < 0 ? "-" : "+"}${digits(Math.abs(east) / 60)}:${digits(Math.abs(east) % 60)}`;
}

/** The beginning of a day in the device's time zone. @param {string} day `2026-11-20` */
export const startOfDay = (day) => zoned(`${day}T00:00:00.000`);

/** The end of a day in the device's time zone. @param {string} day `2026-11-20` */
export const endOfDay = (day) => zoned(`${day}T23:59:59.999`);

/** A number with so many decimal places, and a sign if it is wanted. @param {number} number @param {number} places @param {"exceptZero"} [signDisplay] */
export const decimal = (number, places, signDisplay) =>
  new Intl.NumberFormat(locale(), { minimumFractionDigits: places, maximumFractionDigits: places, signDisplay }).format(
    number,
  );

/** A number with its sign, such as a gain or loss. @param {number} number */
export const signed = (number) => new Intl.NumberFormat(locale(), { signDisplay: "exceptZero" }).format(number);

/** A rating with one decimal place; a dash: none yet. @param {number | null} rating */
export const ratingText = (rating) => (rating === null ? "–" : decimal(rating, 1));
