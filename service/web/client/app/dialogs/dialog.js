/** A dialog over the table, closed by Escape, its button, or a tap beside it. */
import { html, useEffect, useRef } from "../../vendor/preact-htm.js";
import { t } from "../texts/texts.js";
import { Icon } from "../parts/icon.js";

/** @param {{ title: string, onClose: () => void, children?: unknown, kind?: string }} props */
export function Dialog({ title, onClose, children, kind = "" }) {
  const place = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const beside = (/** @type {Event} */ event) => event.target === place.current && onClose();
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    onClose();
  };
  return html`<dialog ref=${place} class=${kind} aria-label=${title} onClick=${beside} onCancel=${cancel}>
    <header><h2 tabindex="-1" autofocus>${title}</h2><button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}><${Icon} name="close" /></button></header>
    <div class="inside">${children}</div>
  </dialog>`;
}
