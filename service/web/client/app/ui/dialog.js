/** A dialog over the table, closed by Escape, its button, or a tap beside it. */
import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { Icon } from "./icon.js";

/**
 * Functions that close the open dialogs, the topmost last: Back closes a dialog instead of leaving the page.
 * @type {(() => void)[]}
 */
const open = [];
/** Whether a step back that this page took itself has not arrived yet. */
let returning = false;

addEventListener("popstate", () => {
  // All dialogs share one entry of the history, which exists while any of them is open.
  if (open.length > (returning ? 0 : 1)) history.pushState({ dialog: true }, "");
  if (returning) returning = false;
  else open.at(-1)?.();
});

/**
 * @param {{ title: string, onClose: () => void, children?: unknown, kind?: string, aside?: boolean }} props
 *   `aside`: what is beside the table stays in use
 */
export function Dialog({ title, onClose, children, kind = "", aside = false }) {
  const place = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    const dialog = place.current;
    const { activeElement: focused } = document;
    if (aside) dialog?.show();
    else dialog?.showModal();
    // Whoever writes a message goes on writing.
    if (aside && focused instanceof HTMLInputElement) focused.focus();
    let gone = false;
    const back = () => {
      gone = true;
      latest.current();
    };
    open.push(back);
    if (!history.state?.dialog) history.pushState({ dialog: true }, "");
    return () => {
      open.splice(open.indexOf(back), 1);
      dialog?.close();
      // A player who has gone to another page from here may come back to the table. While a step back is under way, a
      // second one would leave the table.
      if (gone || open.length || returning || !history.state?.dialog) return;
      returning = true;
      history.back();
    };
  }, []);
  const beside = (/** @type {Event} */ event) => event.target === place.current && onClose();
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    onClose();
  };
  // Only modal dialogs close with Escape by themselves.
  const press = (/** @type {KeyboardEvent} */ event) => aside && event.key === "Escape" && onClose();
  return html`
    <dialog
      ref=${place}
      class=${aside ? `${kind} aside` : kind}
      aria-label=${title}
      onClick=${beside}
      onCancel=${cancel}
      onKeyDown=${press}
    >
      <header>
        <h2 tabindex="-1" autofocus>${title}</h2>
        <button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}>
          <${Icon} name="close" />
        </button>
      </header>
      <div class="inside">${children}</div>
      <div class="visually-hidden" role="log" data-announces></div>
    </dialog>
  `;
}
