/** Icons, drawn in the colour of the text around them. */
import { html } from "../../vendor/preact-htm.js";

/** In a box of 24 by 24; strokes. @type {Record<string, string>} */
const PATHS = {
  crown: "M4 18h16M5 15 3 7l5 3 4-5 4 5 5-3-2 8z",
  hands: "M12 20s-7-4.4-7-9.4A3.6 3.6 0 0 1 12 8a3.6 3.6 0 0 1 7 2.6c0 5-7 9.4-7 9.4z",
  cards: "M4 7l8-3 6 14-8 3zM14 4h6v13",
  robot: "M6 9h12v9H6zM12 9V5M9.5 13h.01M14.5 13h.01M3.5 12v3M20.5 12v3",
  back: "M15 5l-7 7 7 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  chat: "M4 5h16v11H9l-5 4z",
  close: "M6 6l12 12M18 6 6 18",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9V15h7v-1.1A6 6 0 0 0 12 3z",
  trick: "M5 6h9v12H5zM10 6l6-2 4 11-6 2",
  share: "M12 15V4M8 7l4-4 4 4M5 12v8h14v-8",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  next: "M9 5l7 7-7 7",
  first: "M18 5l-9 7 9 7zM6 5v14",
  plus: "M12 5v14M5 12h14",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 20.5h4",
  partner:
    "M8 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 19c.5-3 2.5-4.5 5.5-4.5 1.6 0 3 .4 4 1.3 1-.9 2.4-1.3 4-1.3 3 0 5 1.5 5.5 4.5",
  swap: "M7 4v14M7 4 3.5 8M7 4l3.5 4M17 20V6M17 20l-3.5-4M17 20l3.5-4",
  voice: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
};

/** The same element each time, so that rendering need not compare it with the previous one. */
const icons = Object.fromEntries(
  Object.entries(PATHS).map(([name, path]) => [
    name,
    html`
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>
    `,
  ]),
);

/** @param {{ name: string }} props */
export const Icon = ({ name }) => icons[name];
