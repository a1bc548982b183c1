/** The start page: what waits for the player, and the doors to a game. */
import { html } from "../../vendor/preact-htm.js";
import { Bell } from "../account/bell.js";
import { RecoveryOffer } from "../account/recovery.js";
import { Settings } from "../account/settings.js";
import { SignIn } from "../account/signin.js";
import { API } from "../api/service.js";
import { Face } from "../cards/card.js";
import { Events, TeamEvents } from "../events/events.js";
import { useNews } from "../people/arrivals.js";
import { friends } from "../people/person.js";
import { enumerated, languageTag, t, written } from "../texts/texts.js";
import { useAccount, useLoaded, useOnline } from "../ui/hooks.js";
import { TheService } from "../ui/host.js";
import { Doors } from "./doors.js";
import { GoingOn } from "./goingon.js";
import { Playing } from "./playing.js";

/** @typedef {import("../types").Friend} Friend */

/** @param {{ door: string }} props `door`: the one to begin at, if a shortcut leads there */
export function StartScreen({ door }) {
  const { token, name, out } = useAccount();
  const online = useOnline();
  const { friends: changes } = useNews();
  const { value: people = [] } = useLoaded(async () => (token ? friends() : []), [token, changes]);
  return html`
    <main class="page start">
      <${Hero} name=${token && (name ?? "")} />
      <${TheService} />
      ${
        !online &&
        html`
          <p class="offline" role="status">
            ${t("offline")}${" "}
            <a href="#/alone">${t("alone.play")}</a>
          </p>
        `
      }
      ${
        token &&
        html`
          <${GoingOn} key=${token} />
        `
      }
      ${
        !out &&
        html`
          <${Doors} door=${door} />
        `
      }
      ${
        token
          ? html`
              <${Beside} key=${token} people=${people} />
            `
          : html`
              <section class="beside"><${SignIn} /></section>
            `
      }
      <footer>
        <${More} token=${token} people=${people} />
        <details>
          <summary>${t("settings")}</summary>
          <${Settings} />
        </details>
      </footer>
    </main>
  `;
}

/** What there is besides a game: who is there, notices, and events. @param {{ people: Friend[] }} props */
function Beside({ people }) {
  const there = people.filter(({ presence }) => presence === "online" || presence === "playing");
  return html`
    <div class="beside">
      ${
        there.length > 0 &&
        html`
          <p class="there">
            <span class="dot there" aria-hidden="true"></span>
            ${t("start.there", { names: enumerated(there.map((each) => each.name)) })}
          </p>
        `
      }
      <${Playing} />
      <${Bell} />
      <${RecoveryOffer} />
      <${Events} />
      <${TeamEvents} />
    </div>
  `;
}

/**
 * The title, with a fan of cards.
 * @param {{ name?: string }} props `name`: of the player; left out: a visitor, who is told what this is
 */
const Hero = ({ name }) => html`
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
      <span lang="zh">${written("升级")}</span>
    </h1>
    ${
      name === undefined
        ? html`
            <p>${t("start.about")}</p>
          `
        : html`
            <p class="hello">${t("start.hello", { name })}</p>
          `
    }
  </header>
`;

/** Links to the other screens. @param {{ token?: string, people: Friend[] }} props */
const More = ({ token, people }) => html`
  <nav class="more" aria-label=${t("start.more")}>
    <a class="button" href="#/lobby">${t("lobby")}</a>
    <a class="button" href="#/new">${t("create")}</a>
    ${
      token &&
      html`
        <${FriendsLink} people=${people} />
        <a class="button" href="#/tables">${t("start.mine")}</a>
        <a class="button" href="#/games">${t("games")}</a>
      `
    }
    <a class="button" href="#/leaderboard">${t("leaderboard")}</a>
    <a class="button" href="#/rules">${t("rules")}</a>
    <a class="button" href="#/alone">${t("alone")}</a>
    ${
      token &&
      html`
        <a class="button" href="#/devices">${t("devices")}</a>
      `
    }
    <a class="button" href=${`${API}/docs?lang=${languageTag()}`}>${t("start.developers")}</a>
  </nav>
`;

/** The link to the friends, with the number of requests. @param {{ people: Friend[] }} props */
function FriendsLink({ people }) {
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
