/** In place of every screen while the account is suspended: why, and until when. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { changeAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { Settings } from "../account/settings.js";
import { Export } from "../account/export.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { momentText, named, t } from "../texts/texts.js";

/** @param {{ loadAppeal: () => Promise<typeof import("./appeal.js")> }} props */
export function SuspendedScreen({ loadAppeal }) {
  const { language, traditional, token } = useAccount();
  // Any request returns the reason in the current language; if one succeeds, the suspension is over.
  const { value, error, again } = useLoaded(
    () => call("GET", "/me/tables", undefined, { once: true }),
    [language, traditional, token],
  );
  useEffect(() => onReturn(again), []);
  useEffect(() => void (value && changeAccount({ suspended: undefined })), [value]);
  const { value: appeals } = useLoaded(loadAppeal, []);
  const { title, params: { until, cause, note } = {} } = error?.problem ?? {};
  return html`
    <main class="page">
      <h1>${title ?? t("suspended")}</h1>
      ${
        until &&
        html`
          <p role="alert">${t("suspended.until", { until: momentText(until), cause: named("why", cause) })}</p>
          ${
            note &&
            html`
              <blockquote>${note}</blockquote>
            `
          }
          <p>${t("suspended.kept")}</p>
        `
      }
      <div class="buttons"><button type="button" onClick=${again}>${t("suspended.again")}</button></div>
      ${
        appeals &&
        html`
          <${appeals.Appeal} />
        `
      }
      <section class="box">
        <h2>${t("export")}</h2>
        <p>${t("export.what")}</p>
        <${Export} />
      </section>
      <details>
        <summary>${t("settings")}</summary>
        <${Settings} />
      </details>
    </main>
  `;
}
