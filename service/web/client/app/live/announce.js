/** Lines that screen readers read out as they come. */
import { html } from "../../vendor/preact-htm.js";

/** How many lines stay, for reading them again. */
const MOST_LINES = 8;

/** Where such lines come in the page. Each dialog has such a place too, since it keeps the page behind it silent. */
export const Announcements = () => html`
  <div class="visually-hidden" role="log" data-announces></div>
`;

/** Have a line read out, by the topmost dialog if one is open; an empty one is none. @param {string} line */
export function announce(line) {
  const last = (/** @type {string} */ selector) =>
    [...document.querySelectorAll(`${selector} [data-announces]`)].at(-1);
  const place = last("dialog[open]") ?? last("main");
  if (!place || !line) return;
  const said = document.createElement("p");
  said.textContent = line;
  place.append(said);
  while (place.childElementCount > MOST_LINES) place.firstElementChild?.remove();
}
