/** A long press on an icon or a number explains it. Elements with an explanation have `data-about`. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { ABOUT } from "../texts/about.js";
import { ofCatalogue, t } from "../texts/texts.js";

/** How long a press is, ms, and how far a finger may move meanwhile, px. */
const LONG = 450;
const STILL = 12;

/** @param {EventTarget | null} target */
const askedAt = (target) =>
  /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest("[data-about]") : null);

export function About() {
  const [shown, show] = useState(/** @type {{ about: keyof typeof ABOUT, x: number, y: number } | null} */ (null));
  useEffect(() => {
    let timer = 0;
    /** Whether the click that ends this press has been handled. */
    let answered = false;
    let from = { x: 0, y: 0 };
    const down = (/** @type {PointerEvent} */ event) => {
      clearTimeout(timer);
      answered = false;
      show(null);
      const about = askedAt(event.target)?.dataset.about;
      if (!about || event.button) return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        answered = true;
        show({ about: /** @type {keyof typeof ABOUT} */ (about), ...from });
      }, LONG);
    };
    const move = (/** @type {PointerEvent} */ event) =>
      void (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL && clearTimeout(timer));
    const up = () => clearTimeout(timer);
    const swallow = (/** @type {Event} */ event) => {
      if (!answered) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const menu = (/** @type {Event} */ event) => void (askedAt(event.target) && event.preventDefault());
    const key = (/** @type {KeyboardEvent} */ event) => void (event.key === "Escape" && show(null));
    const listening = new AbortController();
    const how = { signal: listening.signal };
    addEventListener("pointerdown", down, how);
    addEventListener("pointermove", move, how);
    addEventListener("pointerup", up, how);
    addEventListener("pointercancel", up, how);
    addEventListener("contextmenu", menu, how);
    addEventListener("keydown", key, how);
    addEventListener("click", swallow, { ...how, capture: true });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, []);
  if (!shown) return null;
  const left = Math.max(8, Math.min(shown.x - 120, innerWidth - 248));
  const top = shown.y > 130 ? { bottom: `${innerHeight - shown.y + 24}px` } : { top: `${shown.y + 24}px` };
  return html`
    <p class="about" role="status" style=${{ left: `${left}px`, ...top }}>${ofCatalogue(ABOUT[shown.about])}</p>
  `;
}

/** A list of all explanations, for players who do not use long presses. */
export const Legend = () => html`
  <details class="legend">
    <summary>${t("legend")}</summary>
    <ul>
      ${Object.values(ABOUT).map(
        (about) => html`
          <li>${ofCatalogue(about)}</li>
        `,
      )}
    </ul>
  </details>
`;
