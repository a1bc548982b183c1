/** An invitation: a link, and the same as a QR code. The join code stays behind the `#`, which browsers do not send. */
import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { copied as isCopied } from "../parts/copy.js";
import { Qr } from "../parts/qr.js";
import { t } from "../texts/texts.js";

/** @param {import("../types").View} view @param {string} [code] to sit down, or to watch */
export const linkTo = (view, code = view.join_code) => `${location.href.split("#")[0]}#/table/${view.id}${code ? `?code=${code}` : ""}`;

/** @param {{ view: import("../types").View }} props */
export function Invitation({ view }) {
  const link = linkTo(view);
  const [copied, setCopied] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const share = async () => {
    try {
      if (navigator.share) await navigator.share({ url: link, title: t("invite.title") });
      else if (!(await isCopied(link, field.current))) return;
      setCopied(true);
    } catch {
      // Not shared after all; the link is there to be copied by hand.
    }
  };
  return html`<div class="invitation">
    <${Qr} text=${link} label=${t("invite.qr")} />
    <div><p>${t("invite.how")}</p>
      ${view.join_code && html`<p>${t("invite.code")} <code class="code">${view.join_code}</code></p>`}
      <p><input ref=${field} readonly aria-label=${t("invite.link")} value=${link} onFocus=${(/** @type {any} */ event) => event.target.select()} /></p>
      ${view.watch_code && html`<p>${t("invite.watch")} <input readonly aria-label=${t("invite.watch")} value=${linkTo(view, String(view.watch_code))} /></p>`}
      <p><button type="button" class="main" onClick=${share}>${t(copied ? "invite.copied" : "invite.share")}</button></p></div>
  </div>`;
}
