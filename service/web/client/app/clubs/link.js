/** The link of a club, which every member passes on. */
import { html } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { sharedLink } from "../texts/links.js";
import { Qr } from "../ui/qr.js";
import { ShareLink } from "../ui/sharelink.js";
import { Sure } from "../ui/sure.js";
import { say } from "./words.js";

/** @param {import("./club.js").ClubProps} props */
export function Link({ club, again }) {
  const link = sharedLink("club", `#/club?code=${club.code}`);
  const renew = async () => {
    await call("POST", `/clubs/${club.club}/link`);
    again();
  };
  return html`
    <section aria-label=${say("link")}>
      <h2>${say("link")}</h2>
      <div class="invitation">
        <${Qr} text=${link} label=${say("qr")} />
        <div>
          <p>${say("link_how")}</p>
          <${ShareLink} link=${link} about=${say("share_text", { name: club.name })} label=${say("link_label")} />
          <p class="hint">${say("code", { code: club.code ?? "" })}</p>
          ${
            club.role !== "member" &&
            html`
              <${Sure} label=${say("renew")} question=${say("renew_sure")} yes=${say("renew_yes")} act=${renew} />
            `
          }
        </div>
      </div>
    </section>
  `;
}
