/** A deal that somebody has sent: what it is, a button to play it, and afterwards everybody's lines. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call } from "../api/client.js";
import { onAccountEvent } from "../api/news.js";
import { SignIn } from "../account/signin.js";
import { useGameNames } from "../games/hooks.js";
import { DealToShare } from "../games/senddeal.js";
import { Player } from "../people/player.js";
import { listed, momentText, named } from "../texts/texts.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { Loading } from "../ui/loading.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { Comparison } from "./comparedlines.js";
import { say } from "./dealwords.js";
import { SentDeals } from "./sentdeals.js";

/** @typedef {import("../types").DealLink} DealLink */

/** Without a code, the deals that the player has sent. @param {import("../routes.js").Address} address */
export const dealScreen = ({ path, rest: [code] }) =>
  code
    ? html`
        <${SentDeal} key=${path} code=${code} />
      `
    : html`
        <${SentDeals} />
      `;

/** @param {{ code: string }} props */
function SentDeal({ code }) {
  const { token } = useAccount();
  const path = `/deal-links/${encodeURIComponent(code)}`;
  const { value, error, again } = useLoaded(async () => /** @type {DealLink} */ (await call("GET", path)), [token]);
  // A line is stored a moment after the last card.
  useEffect(() => onAccountEvent(({ type }) => void (type === "game_kept" && again())), []);
  return html`
    <main class="page deal">
      <${PageBar} title=${say("title")} />
      ${
        value
          ? html`
              <${About} deal=${value} />
              <${Part} deal=${value} path=${path} />
            `
          : html`
              <${Loading} error=${error} />
            `
      }
    </main>
  `;
}

/** What is played, and who has sent it. @param {{ deal: DealLink }} props */
function About({ deal }) {
  const nameOf = useGameNames();
  const { sender, mine } = deal;
  const levels = deal.others.flatMap((level) => (level ? [named("level.of", level)] : []));
  const what = say("about", { game: nameOf(deal.ruleset), players: deal.players, seat: deal.seat + 1 });
  return html`
    <section class="box">
      <h2>
        ${
          mine.part === "sender"
            ? say("yours")
            : html`
                <${Player} plain name=${say("from", { name: sender.name })} face=${sender.face} />
              `
        }
      </h2>
      <p>
        <b>${what}</b>
        ${deal.level !== null && ` · ${say("level", { level: deal.level })}`}
      </p>
      ${
        mine.part === null &&
        html`
          <p>${say("how", { name: sender.name })}</p>
        `
      }
      <p class="hint">${say("others", { levels: listed(levels) })}</p>
      ${
        deal.people > 0 &&
        html`
          <p class="hint">${say("people", { count: deal.people })}</p>
        `
      }
      <p class="hint">
        ${deal.played > 0 && `${say("played", { count: deal.played })} `}
        ${say("until", { until: momentText(deal.expires_at) })}
      </p>
    </section>
  `;
}

/** What the player can do with a deal. @param {{ deal: DealLink, path: string }} props */
function Part({ deal, path }) {
  const { part, table } = deal.mine;
  if (part === "playing" && table)
    return html`
      <a class="button main" href=${tableOf(table, deal.code)}>${say("go.on")}</a>
    `;
  if (part === null || part === "playing")
    return html`
      <${Play} deal=${deal} path=${path} />
    `;
  return html`
    ${
      part === "knows" &&
      html`
        <p class="hint">${say("knows")}</p>
      `
    }
    ${
      part === "sender" &&
      deal.played === 0 &&
      html`
        <p>${say("nobody")}</p>
      `
    }
    <${Comparison} path=${path} isAlone=${part === "sender" && deal.played === 0} />
    <${DealToShare} code=${deal.code} how=${part === "sender" ? undefined : say("pass.on")} />
    ${
      part === "sender" &&
      html`
        <${TakeBack} path=${path} />
      `
    }
  `;
}

/** @param {string} table @param {string} code */
const tableOf = (table, code) => `#/table/${table}?from=deal/${code}`;

/**
 * The button that plays; somebody without an account gives a name first.
 * @param {{ deal: DealLink, path: string }} props
 */
function Play({ deal, path }) {
  const { token } = useAccount();
  const { attempt, busy, problem } = useAttempt();
  const play = () =>
    attempt(async () => {
      const { mine } = await call("POST", `${path}/entries`);
      location.hash = tableOf(mine.table, deal.code);
    });
  return html`
    <${Refusal} problem=${problem} />
    ${
      token
        ? html`
            <button type="button" class="main" disabled=${busy} onClick=${play}>${say("play")}</button>
          `
        : html`
            <p>${say("name")}</p>
            <${SignIn} onDone=${play} />
          `
    }
  `;
}

/** @param {{ path: string }} props */
function TakeBack({ path }) {
  const [isSure, setSure] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const takeBack = () =>
    attempt(async () => {
      await call("DELETE", path);
      location.hash = "#/deal";
    });
  return html`
    <div class="buttons">
      <a class="button" href="#/deal">${say("sent")}</a>
      ${
        isSure
          ? html`
              <p class="hint">${say("back.how")}</p>
              <button type="button" class="danger" disabled=${busy} onClick=${takeBack}>${say("back.sure")}</button>
            `
          : html`
              <button type="button" onClick=${() => setSure(true)}>${say("back")}</button>
            `
      }
    </div>
    <${Refusal} problem=${problem} />
  `;
}
