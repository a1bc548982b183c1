/** The start page: a name, one click to a game, and the tables that wait for the player. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { onReturn } from "../api/network.js";
import { showTurns } from "../api/push.js";
import { API } from "../api/service.js";
import { rulesets } from "../games/rules.js";
import { seatsOf, playersText } from "../games/offered.js";
import { makeTable, QUICK_DEAL } from "../games/setup.js";
import { useNews } from "../people/arrivals.js";
import { MyRooms } from "../people/myrooms.js";
import { Bell } from "../account/bell.js";
import { Face } from "../cards/card.js";
import { Events, TeamEvents } from "../events/events.js";
import { useAccount, useAttempt, useLoaded, useOnline } from "../ui/hooks.js";
import { TheService } from "../ui/host.js";
import { Icon } from "../ui/icon.js";
import { registerGuest } from "../account/name.js";
import { RecoveryOffer } from "../account/recovery.js";
import { Refusal } from "../ui/refusal.js";
import { Play, useSearch } from "../people/search.js";
import { TableLink } from "../people/tablelink.js";
import { SignIn } from "../account/signin.js";
import { Settings } from "../account/settings.js";
import { aboutGame, language, ofCatalogue, t } from "../texts/texts.js";

/** Create a table with AI players and open it. @param {string} id @param {number} players */
async function playAlone(id, players) {
  const table = await makeTable({ ruleset: /** @type {any} */ (id), players, clock: QUICK_DEAL }, { ai: "easy" });
  location.hash = `#/table/${table}`;
}

/** One button for a game with people, and one for a game without; players without a name get one. */
function PlayNow() {
  const { token } = useAccount();
  const { ticket } = useSearch();
  const { attempt, busy, problem } = useAttempt();
  const play = () =>
    attempt(async () => {
      if (!token) await registerGuest();
      await playAlone("shengji", 4);
    });
  return html`
    <section class="play-now">
      <${Play} />
      ${
        !ticket &&
        html`
          <button type="button" class="alone" disabled=${busy} onClick=${play}>
            <${Icon} name="robot" />
            ${t("start.now")}
          </button>
          <p class="hint">${t("start.now.how")}</p>
        `
      }
      <${Refusal} problem=${problem} />
    </section>
  `;
}

export function StartScreen() {
  const { token, name, out } = useAccount();
  const online = useOnline();
  return html`
    <main class="page start">
      <${Hero} />
      <${TheService} />
      ${
        !online &&
        html`
          <p class="offline" role="status">${t("offline")}</p>
        `
      }
      ${
        token &&
        html`
          <p class="hello">${t("start.hello", { name: name ?? "" })}</p>
          <${MyTables} key=${token} />
          <${MyRooms} key=${token} />
        `
      }
      ${
        !out &&
        html`
          <${PlayNow} />
        `
      }
      <a class="button learn-way" href="#/learn">${t("learn")}</a>
      ${
        token
          ? html`
              <${Bell} />
              <${RecoveryOffer} />
              <${Events} />
              <${TeamEvents} />
              <${Games} />
            `
          : html`
              <h2>${t("start.friends")}</h2>
              <${SignIn} />
              <${Games} preview />
            `
      }
      <${More} token=${token} />
      <details>
        <summary>${t("settings")}</summary>
        <${Settings} />
      </details>
    </main>
  `;
}

/** The title, with a fan of cards. */
const Hero = () => html`
  <header class="hero">
    <div class="fan" aria-hidden="true">
      ${["BJ", "2S", "AH", "KC", "TD"].map(
        (card) => html`
          <span class="card"><${Face} card=${card} /></span>
        `,
      )}
    </div>
    <h1>
      ${"Sheng Ji "}
      <span lang="zh-Hans">升级</span>
    </h1>
    <p>${t("start.about")}</p>
  </header>
`;

/** Links to the other screens. @param {{ token?: string }} props */
const More = ({ token }) => html`
  <nav class="more" aria-label=${t("start.more")}>
    <a class="button" href="#/room">${t("start.friends")}</a>
    <a class="button" href="#/lobby">${t("lobby")}</a>
    <a class="button" href="#/new">${t("create")}</a>
    ${
      token &&
      html`
        <${FriendsLink} key=${token} />
        <a class="button" href="#/tables">${t("start.mine")}</a>
        <a class="button" href="#/games">${t("games")}</a>
      `
    }
    <a class="button" href="#/leaderboard">${t("leaderboard")}</a>
    <a class="button" href="#/rules">${t("rules")}</a>
    ${
      token &&
      html`
        <a class="button" href="#/devices">${t("devices")}</a>
      `
    }
    <a class="button" href=${`${API}/docs?lang=${language()}`}>${t("start.developers")}</a>
  </nav>
`;

/** The link to the friends, with the number of requests. */
function FriendsLink() {
  const { friends: changes } = useNews();
  const { value: people = [] } = useLoaded(
    async () => /** @type {import("../types").Friend[]} */ ((await call("GET", "/me/friends")).items),
    [changes],
  );
  const count = people.filter(({ state }) => state === "asks").length;
  return html`
    <a class="button" href="#/friends">
      ${t("friends")}${
        count > 0 &&
        html`
          ${" "}
          <span class="badge">
            <span aria-hidden="true">${count}</span>
            <span class="visually-hidden">${t("friends.asking", { count })}</span>
          </span>
        `
      }
    </a>
  `;
}

/** The games, each with one click to play. @param {{ preview?: boolean }} props */
function Games({ preview = false }) {
  const { value: items = [] } = useLoaded(rulesets, []);
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState(/** @type {import("../types").Problem | null} */ (null));
  const start = async (/** @type {import("../types").RulesetSummary} */ game) => {
    setBusy(game.id);
    try {
      await playAlone(game.id, seatsOf(game));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.problem);
    } finally {
      setBusy("");
    }
  };
  return html`
    <section>
      <h2>${t("start.games")}</h2>
      <${Refusal} problem=${problem} onClose=${() => setProblem(null)} />
      <ul class="games" aria-label=${t("start.games")}>
        ${items.map(
          (game) => html`
            <li key=${game.id}>
              <h3>${ofCatalogue(game.names)}</h3>
              <p>${aboutGame(game.id)}</p>
              <p class="hint">
                ${playersText(game.players)}${" · "}
                <a href=${`#/rules/${game.id}`}>${t("rules")}</a>
                ${" · "}
                <a href=${`#/new?ruleset=${game.id}`}>${t("start.other")}</a>
              </p>
              ${
                !preview &&
                html`
                  <button type="button" class="main" disabled=${busy !== ""} onClick=${() => start(game)}>
                    <${Icon} name="play" />
                    ${t("start.play", { count: seatsOf(game) })}
                  </button>
                `
              }
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** Tables that the player sits at, those that wait first. */
function MyTables() {
  const { value: items = [], again } = useLoaded(
    async () => /** @type {import("../types").MyTable[]} */ ((await call("GET", "/me/tables")).items),
    [],
  );
  useEffect(() => onReturn(again), []);
  useEffect(() => showTurns(items.filter((each) => each.my_turn).length), [items]);
  const shown = items.filter((each) => each.seat !== null || each.status !== "finished").slice(0, 6);
  if (!shown.length) return null;
  return html`
    <section>
      <h2>${t("start.mine")}</h2>
      <ul class="my-tables" aria-label=${t("start.mine")}>
        ${shown.map(
          (each) => html`
            <li key=${each.table}>
              <${TableLink} table=${each}>
                ${
                  each.my_turn &&
                  html`
                    <span class="badge">${t("start.turn")}</span>
                  `
                }
              <//>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
