/** Copying codes and links. */
import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";

/**
 * Copy a text; return whether it was copied. Over plain HTTP there is no clipboard API, but selected text can be
 * copied.
 * @param {string} text
 * @param {HTMLElement | null} shown where the text is shown
 */
export async function copied(text, shown) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    if (shown instanceof HTMLInputElement) shown.select();
    else if (shown) getSelection()?.selectAllChildren(shown);
    return document.execCommand("copy");
  } catch {
    return false; // it can be copied by hand
  }
}

/**
 * A code, in groups that can be read aloud, with a button that copies it.
 * @param {{ code: string, label: string }} props
 */
export function Code({ code, label }) {
  const [done, setDone] = useState(false);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const size = code.length % 5 ? 4 : 5;
  const parts = (code.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join("-");
  return html`
    <p class="secret">
      <code class="code" ref=${place} aria-label=${label}>${parts}</code>
      <button type="button" onClick=${async () => setDone(await copied(parts, place.current))}>
        ${t(done ? "copied" : "copy")}
      </button>
    </p>
  `;
}
