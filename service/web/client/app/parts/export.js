/** Downloads what is kept of the player. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { useAttempt } from "./hooks.js";
import { Refusal } from "./refusal.js";

export function Export() {
  const { attempt, busy, problem } = useAttempt();
  const download = () =>
    attempt(async () => {
      const kept = await call("GET", "/me/export", undefined, { once: true });
      const address = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 2)], { type: "application/json" }));
      const link = Object.assign(document.createElement("a"), { href: address, download: `shengji-${kept.exported_at.slice(0, 10)}.json` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  return html`${problem && html`<${Refusal} problem=${problem} />`}<div class="buttons"><button type="button" disabled=${busy} onClick=${download}>${t("export.button")}</button></div>`;
}
