/** Playing without a network: what is stored for it on this device, and the games played there. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { changeAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { useGameNames } from "../games/hooks.js";
import { seatsOf } from "../games/offered.js";
import { rulesetOf, rulesets } from "../games/rules.js";
import { makeTable, QUICK_DEAL } from "../games/setup.js";
import { GameChoice, useChosenGame } from "../people/search.js";
import { TableScreen } from "../sitting/table.js";
import { useAccount, useAttempt, useLoaded, useOnline } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { Sure } from "../ui/sure.js";
import { drop, isAble, isElsewhere, offered, renew, store, stored } from "./files.js";
import { say } from "./words.js";

/**
 * @typedef {{
 *   id: string,
 *   ruleset: string,
 *   players: number,
 *   status: string,
 *   game: string | null,
 *   rounds: number,
 * }} Listed a table in the page, as its worker lists it
 */

/** Most tables that are stored; the oldest goes when there is another one. */
const MOST = 5;

/** The page, or a table. @param {import("../routes.js").Address} address */
export const aloneScreen = ({ rest: [table] }) =>
  table
    ? html`
        <${TableScreen} key=${table} table=${table} invited=${{}} />
      `
    : html`
        <${AloneScreen} />
      `;

/** Megabytes, as people are told them. @param {number} bytes */
const sizeText = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function AloneScreen() {
  const { value, again } = useLoaded(
    async () => ({ mine: await stored(), theirs: isAble ? await offered() : null }),
    [],
  );
  useEffect(() => void renew(), []);
  return html`
    <main class="page">
      <${PageBar} title=${say("title")} />
      ${
        value?.mine
          ? html`
              <${Ready} onDrop=${again} />
            `
          : html`
              <p>${say("about")}</p>
              ${
                value &&
                html`
                  <${Offer} files=${value.theirs} onStored=${again} />
                `
              }
            `
      }
    </main>
  `;
}

/** @param {{ files: import("./files.js").Files | null, onStored: () => void }} props */
function Offer({ files, onStored }) {
  const [state, set] = useState(/** @type {"" | "loading" | "failed"} */ (""));
  if (!isAble || !files)
    return html`
      <p role="status">${say(isAble ? "missing" : "unable")}</p>
    `;
  const size = sizeText(files.bytes);
  const load = async () => {
    set("loading");
    try {
      await store(files);
      await keepRules();
      onStored();
    } catch {
      set("failed");
    }
  };
  return html`
    <div class="buttons">
      <button type="button" class="main" disabled=${state === "loading"} onClick=${load}>
        ${say("load", { size })}
      </button>
    </div>
    <p role="status">${state === "loading" ? say("loading", { size }) : state && say("failed")}</p>
  `;
}

/** Read what the catalogue says about all games, which the service worker keeps. */
async function keepRules() {
  for (const { id } of await rulesets()) await rulesetOf(id);
}

/** What works now, with and without a network. @param {{ onDrop: () => void }} props */
function Ready({ onDrop }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  const game = useChosenGame(games);
  const { value: elsewhere } = useLoaded(isElsewhere, []);
  const { value: tables = [], again } = useLoaded(listed, []);
  const { attempt, busy, problem } = useAttempt();
  const play = () =>
    attempt(async () => {
      for (const { id } of tables.slice(MOST - 1)) await call("DELETE", `/tables/${id}`);
      const spec = { ruleset: /** @type {any} */ (game?.id ?? "shengji"), players: game ? seatsOf(game) : 4 };
      const path = `/tables/alone-${Date.now().toString(36)}`;
      location.hash = `#/alone/${await makeTable({ ...spec, chat: false, clock: QUICK_DEAL }, { ai: "easy", path })}`;
    });
  const remove = async () => {
    for (const { id } of tables) await call("DELETE", `/tables/${id}`);
    await drop();
    onDrop();
  };
  return html`
    <p>${say("stored")}</p>
    ${
      elsewhere &&
      html`
        <p class="offline" role="status">${say("elsewhere")}</p>
      `
    }
    <${GameChoice} games=${games} />
    <div class="buttons">
      <button type="button" class="main" disabled=${busy} onClick=${play}>${say("play")}</button>
      <a class="button" href="#/learn">${say("lessons")}</a>
    </div>
    <p role="status">${busy && say("starting")}</p>
    <${Refusal} problem=${problem} />
    ${
      tables.length > 0 &&
      html`
        <section aria-labelledby="alone-games">
          <h2 id="alone-games">${say("games")}</h2>
          <ul class="my-tables">
            ${tables.map(
              (each) => html`
                <li key=${each.id}><${Played} table=${each} onRemoved=${again} /></li>
              `,
            )}
          </ul>
          <p class="hint">${say("keep_how")}</p>
        </section>
      `
    }
    <${Sure} label=${say("drop")} question=${say("drop_sure")} yes=${say("remove")} act=${remove} />
  `;
}

/**
 * A table on this device: to go on with it, and to keep its finished rounds with the past games of the account.
 * @param {{ table: Listed, onRemoved: () => void }} props
 */
function Played({ table, onRemoved }) {
  const nameOf = useGameNames();
  const online = useOnline();
  const { token, sent = {} } = useAccount();
  const { attempt, busy, problem } = useAttempt();
  const { id, rounds } = table;
  const kept = sent[id]?.rounds === rounds ? sent[id] : null;
  const keep = () =>
    attempt(async () => {
      const answer = await call("POST", "/records", { record: await call("GET", `/tables/${id}/record`) });
      changeAccount({ sent: { ...sent, [id]: { rounds, game: answer.game } } });
    });
  const remove = () => call("DELETE", `/tables/${id}`).then(onRemoved);
  return html`
    <div class="box" role="group" aria-label=${say("game", { game: nameOf(table.ruleset), count: rounds })}>
      <p>${say("game", { game: nameOf(table.ruleset), count: rounds })}</p>
      <div class="buttons">
        <a class="button main" href=${`#/alone/${id}`}>${say("go_on")}</a>
        ${
          kept &&
          html`
            <span role="status">${say("kept")}</span>
            <a class="button" href=${`#/replay/${kept.game}/1`}>${say("look")}</a>
          `
        }
        ${
          !kept &&
          rounds > 0 &&
          online &&
          token &&
          html`
            <button type="button" disabled=${busy} onClick=${keep}>${say("keep")}</button>
          `
        }
        <button type="button" onClick=${remove}>${say("remove")}</button>
      </div>
      <${Refusal} problem=${problem} />
    </div>
  `;
}

/** @returns {Promise<Listed[]>} the tables on this device, the newest first */
async function listed() {
  return (await call("GET", "/tables/alone")).items.reverse();
}
