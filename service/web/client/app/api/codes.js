/** Codes of tables as people type them, or paste them in the link that has them. */

/** The code in a text. @param {string} text */
export const codeOf = (text) => (/[?&]code=([^&#\s]+)/.exec(text)?.[1] ?? text).replaceAll("/", " ").trim();

/** The path that tells what a code opens; the service reads wide letters, blanks and hyphens. @param {string} code */
export const pathOfCode = (code) => `/join-codes/${encodeURIComponent(code)}`;
