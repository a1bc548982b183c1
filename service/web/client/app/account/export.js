/** Downloads the player's stored data. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { t } from "../texts/texts.js";
import { download } from "../ui/download.js";
import { useAttempt } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";

export function Export() {
  const { attempt, busy, problem } = useAttempt();
  const save = () =>
    attempt(async () => {
      const kept = await call("GET", "/me/export", undefined, { once: true });
      download(JSON.stringify(kept, null, 2), "application/json", `shengji-${kept.exported_at.slice(0, 10)}.json`);
    });
  return html`
    <${Refusal} problem=${problem} />
    <div class="buttons"><button type="button" disabled=${busy} onClick=${save}>${t("export.button")}</button></div>
  `;
}
