/** Sending the deal of a finished round to a friend, who plays the same cards. */
import { html, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { sharedLink } from "../texts/links.js";
import { t } from "../texts/texts.js";
import { useAttempt } from "../ui/hooks.js";
import { Qr } from "../ui/qr.js";
import { Refusal } from "../ui/refusal.js";
import { ShareLink } from "../ui/sharelink.js";

/** @param {{ game: string, round: number }} props */
export function SendDeal({ game, round }) {
  const [code, setCode] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const send = () =>
    attempt(async () =>
      setCode((await call("POST", `/games/${game}/rounds/${round}/deal-links`, undefined, { once: true })).code),
    );
  if (code)
    return html`
      <${DealToShare} code=${code}>
        <a href=${`#/deal/${code}`}>${t("deal.send.look")}</a>
      <//>
    `;
  return html`
    <button type="button" class="send-deal" disabled=${busy} onClick=${send}>${t("deal.send")}</button>
    <${Refusal} problem=${problem} />
  `;
}

/**
 * A link to a deal, to be shared.
 * @param {{ code: string, how?: string, children?: unknown }} props `how`: what the link does, if not the sender asks
 */
export function DealToShare({ code, how = t("deal.send.how"), children }) {
  const link = sharedLink("deal", `#/deal/${code}`);
  return html`
    <div class="invitation deal-link">
      <${Qr} text=${link} label=${t("deal.qr")} />
      <div>
        <p>${how}</p>
        <${ShareLink} link=${link} about=${t("deal.send.about")} label=${t("deal.send.link")} />
        ${children}
      </div>
    </div>
  `;
}
