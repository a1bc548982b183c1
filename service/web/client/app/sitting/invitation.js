/** An invitation: a link, and the same as a QR code. The join code stays behind the `#`, which browsers do not send. */
import { html } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { sharedLink } from "../texts/links.js";
import { Qr } from "../ui/qr.js";
import { ShareLink } from "../ui/sharelink.js";
import { enumerated, t } from "../texts/texts.js";

/**
 * A link that says who invites to which table; all of it is behind the `#`.
 * @param {import("../types").View} view
 * @param {string} [code] to sit down, or to watch
 */
export function linkTo(view, code = view.join_code) {
  const asked = new URLSearchParams({
    ...(code && { code }),
    from: hostOf(view),
    game: view.ruleset,
    of: String(view.players),
  });
  return sharedLink("table", `#/table/${view.id}?${asked}`);
}

/** The name of the host, who may have no seat. @param {import("../types").View} view */
const hostOf = (view) =>
  view.seats.find(({ occupant }) => occupant?.player === view.host)?.occupant?.name ?? theAccount().name ?? "";

/** @param {{ view: import("../types").View, game?: string }} props `game`: its name */
export function Invitation({ view, game = "" }) {
  const names = view.seats.flatMap(({ occupant }) => (occupant && occupant.kind !== "ai" ? [occupant.name] : []));
  const about = t("invite.text", { host: hostOf(view), game: game || t("invite.title"), players: view.players });
  const link = linkTo(view);
  return html`
    <div class="invitation">
      <${Qr} text=${link} label=${t("invite.qr")} />
      <div>
        <p>
          <b>${about}</b>
          ${
            names.length > 1 &&
            html`
              <br />
              ${t("invite.there", { names: enumerated(names) })}
            `
          }
        </p>
        <p>${t("invite.how")}</p>
        ${
          view.join_code &&
          html`
            <p>
              ${t("invite.code")}${" "}
              <code class="code">${view.join_code}</code>
            </p>
          `
        }
        <${ShareLink} link=${link} about=${about}>
          ${
            view.watch_code &&
            html`
              <p>
                ${t("invite.watch")}${" "}
                <input readonly aria-label=${t("invite.watch")} value=${linkTo(view, String(view.watch_code))} />
              </p>
            `
          }
        <//>
      </div>
    </div>
  `;
}
