/** Friends: who is online, who asks, how to add others; playing with them; and blocked players. */
import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { answered } from "../api/news.js";
import { askForGame } from "../api/quickplay.js";
import { rulesets } from "../games/rules.js";
import { seatsOf } from "../games/offered.js";
import { makeTable } from "../games/setup.js";
import { useNews } from "./arrivals.js";
import { copied } from "../ui/copy.js";
import { useAttempt, useLoaded, useRepeated } from "../ui/hooks.js";
import { sharedLink } from "../texts/links.js";
import { blocks, codeIn, friends } from "./person.js";
import { Player } from "./player.js";
import { Qr } from "../ui/qr.js";
import { Refusal } from "../ui/refusal.js";
import { GameChoice, useChosenGame, useSearch } from "./search.js";
import { PlayersPage } from "../account/signin.js";
import { enumerated, named, t } from "../texts/texts.js";
import { Field, Select } from "../ui/fields.js";

/** @typedef {import("../types").Friend} Friend */

/** How often presence is read, ms: presence itself lags about as much. */
const EVERY_MS = 15_000;

/** @param {{ code?: string }} props `code`: from the link of a player, if one was opened */
export const FriendsScreen = ({ code }) => html`
  <${PlayersPage} title=${t("friends")}><${Friends} code=${code} /><//>
`;

/** In place of the list. @param {boolean} loaded whether there is nobody on it; else it is not there yet */
const none = (loaded) =>
  loaded
    ? html`
        <p class="hint">${t("friends.none")}</p>
      `
    : html`
        <p class="loading" role="status">${t("loading")}</p>
      `;

/** @param {{ code?: string }} props */
function Friends({ code }) {
  const { friends: changes } = useNews();
  const { value: people, error, again } = useLoaded(friends, [changes]);
  useRepeated(again, EVERY_MS);
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const choose = (/** @type {string} */ player) =>
    setChosen(chosen.includes(player) ? chosen.filter((each) => each !== player) : [...chosen, player]);
  const picked = (people ?? []).filter(({ player, state }) => state === "friend" && chosen.includes(player));
  return html`
    ${
      code &&
      (people || error) &&
      html`
        <${Ask} key=${code} code=${code} tie=${people?.find(({ player }) => player === code)?.state} onDone=${again} />
      `
    }
    <${Refusal} problem=${error?.problem} />
    ${!error && !people?.length && none(people !== undefined)}
    <ul class="friends" aria-label=${t("friends")}>
      ${people?.map(
        (each) => html`
          <${Row}
            key=${each.player}
            friend=${each}
            chosen=${chosen.includes(each.player)}
            onChoose=${() => choose(each.player)}
          />
        `,
      )}
    </ul>
    ${
      picked.length > 0 &&
      html`
        <${Together} people=${picked} />
      `
    }
    <section class="box">
      <h2>${t("friends.add")}</h2>
      <${AddForm} />
      <${MyLink} />
    </section>
    <details class="box">
      <summary>${t("friends.who")}</summary>
      <${Shown} />
    </details>
    <${Blocked} />
  `;
}

/** What ties a player to the viewer, and whether a friend is there. @param {Friend} friend */
function tieText({ state, presence }) {
  if (state === "friend") return named("friend", presence ?? "offline");
  return t(state === "asks" ? "friends.asks_me" : "friends.asked");
}

/**
 * @typedef {object} RowProps
 * @property {Friend} friend
 * @property {boolean} chosen whether to play with
 * @property {() => void} onChoose
 */

/** @param {RowProps} props */
function Row({ friend, chosen, onChoose }) {
  const { player, name, state, presence, face } = friend;
  const isThere = presence === "online" || presence === "playing";
  return html`
    <li>
      <${Player} player=${player} name=${name} face=${face ?? null} there=${state === "friend" ? isThere : undefined}>
        <span class="hint">${tieText(friend)}</span>
      <//>
      ${
        state === "friend"
          ? html`
              <${FriendButtons} friend=${friend} chosen=${chosen} onChoose=${onChoose} />
            `
          : html`
              <${Answers} friend=${friend} />
            `
      }
    </li>
  `;
}

/** Watch a friend, or choose them to play with. @param {RowProps} props */
const FriendButtons = ({ friend: { name, table }, chosen, onChoose }) => html`
  ${
    table &&
    html`
      <a class="button" href=${`#/table/${table}`}>${t("friends.watch")}</a>
    `
  }
  <button
    type="button"
    aria-pressed=${chosen ? "true" : "false"}
    aria-label=${t("friends.with", { names: name })}
    onClick=${onChoose}
  >
    ${t("friends.choose")}
  </button>
`;

/** Answers a player who asks to be a friend, or takes one's own question back. @param {{ friend: Friend }} props */
function Answers({ friend: { player, state } }) {
  const { attempt, busy, problem } = useAttempt();
  const answer = (/** @type {"PUT" | "DELETE"} */ method) =>
    attempt(async () => {
      await call(method, `/me/friends/${player}`, undefined, { once: true });
      answered(player);
    });
  return html`
    ${
      state === "asks"
        ? html`
            <span class="answers">
              <button type="button" class="main" disabled=${busy} onClick=${() => answer("PUT")}>
                ${t("friends.accept")}
              </button>
              <button type="button" disabled=${busy} onClick=${() => answer("DELETE")}>${t("friends.decline")}</button>
            </span>
          `
        : html`
            <button type="button" disabled=${busy} onClick=${() => answer("DELETE")}>${t("untie.asked")}</button>
          `
    }
    <${Refusal} problem=${problem} />
  `;
}

/** Playing with the chosen friends. @param {{ people: Friend[] }} props */
function Together({ people }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  const game = useChosenGame(games);
  const { ticket } = useSearch();
  const { attempt, busy, problem } = useAttempt();
  if (!game) return null;
  const what = { ruleset: /** @type {any} */ (game.id), players: seatsOf(game) };
  const away = people.filter(({ presence }) => presence === "offline");
  const look = () =>
    attempt(async () => {
      await askForGame({ ...what, with: people.map(({ player }) => player) });
      scrollTo({ top: 0 });
    });
  const invite = () =>
    attempt(async () => {
      const table = await makeTable(what);
      for (const { player } of people) await call("POST", `/tables/${table}/invitations`, { player }, { once: true });
      location.hash = `#/table/${table}`;
    });
  return html`
    <section class="box">
      <h2>${t("friends.with", { names: enumerated(people.map(({ name }) => name)) })}</h2>
      <${GameChoice} games=${games} />
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" class="main" disabled=${busy || away.length > 0 || ticket !== null} onClick=${look}>
          ${t("friends.look")}
        </button>
        <button type="button" disabled=${busy} onClick=${invite}>${t("friends.table")}</button>
      </div>
      <p class="hint">
        ${away.length ? t("friends.away", { names: enumerated(away.map(({ name }) => name)) }) : t("friends.look.how")}
      </p>
    </section>
  `;
}

function AddForm() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const code = codeIn(text);
    setWrong(!code);
    if (code) location.hash = `#/friends/${code}`;
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field}
        label=${t("friends.code")}
        name="friend"
        required
        maxlength="300"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <div class="buttons"><button type="submit">${t("friends.find")}</button></div>
      ${
        wrong &&
        html`
          <p role="alert">${t("friends.code.wrong")}</p>
        `
      }
    </form>
  `;
}

/**
 * A player whose link was opened.
 * @param {{ code: string, tie: Friend["state"] | undefined, onDone: () => void }} props `tie`: their existing relation
 */
function Ask({ code, tie, onDone }) {
  const { value, error } = useLoaded(
    async () =>
      /** @type {import("../types").PublicPlayer} */ (await call("GET", `/players/${encodeURIComponent(code)}`)),
    [code],
  );
  const [done, setDone] = useState(false);
  const { attempt, busy, problem } = useAttempt();
  const ask = () =>
    attempt(async () => {
      await call("PUT", `/me/friends/${code}`, undefined, { once: true });
      setDone(true);
      onDone();
    });
  if (error?.problem)
    return html`
      <${Refusal} problem=${error.problem} />
    `;
  if (!value) return null;
  const mine = code === theAccount().player;
  const asked = done || tie === "asked";
  const { name } = value;
  return html`
    <section class="box arrival">
      <p role="status">
        <b>
          ${mine ? t("friends.mine") : tie === "friend" ? t("friends.already", { name }) : asked ? t("friends.ask.done", { name }) : t("friends.ask.sure", { name })}
        </b>
      </p>
      <${Refusal} problem=${problem} />
      ${
        !mine &&
        !asked &&
        tie !== "friend" &&
        html`
          <div class="buttons">
            <button type="button" class="main" disabled=${busy} onClick=${ask}>${t("friends.ask")}</button>
            <a class="button" href="#/friends">${t("cancel")}</a>
          </div>
        `
      }
    </section>
  `;
}

/** How others find this player. The code is no secret. */
function MyLink() {
  const { player = "", name = "" } = theAccount();
  const link = sharedLink("friend", `#/friends/${player}`);
  const [done, setDone] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const share = async () => {
    try {
      if (navigator.share)
        await navigator.share({ url: link, title: t("invite.title"), text: t("friends.link.text", { name }) });
      else if (!(await copied(link, field.current))) return;
      setDone(true);
    } catch {
      // Not shared after all; the link can be copied by hand.
    }
  };
  return html`
    <div class="addition">
      <${Qr} text=${link} label=${t("friends.qr")} />
      <div>
        <p>${t("friends.link.how")}</p>
        <p>
          <input
            ref=${field}
            readonly
            aria-label=${t("friends.link")}
            value=${link}
            onFocus=${(/** @type {any} */ event) => event.target.select()}
          />
        </p>
        <p><button type="button" onClick=${share}>${t(done ? "invite.copied" : "invite.share")}</button></p>
      </div>
    </div>
  `;
}

/** What the player decides about others, and for whom. */
const CIRCLES = /** @type {const} */ ([
  ["presence", ["friends", "nobody"]],
  ["invitations", ["anyone", "friends", "nobody"]],
]);

/** Who may see that the player is online, and who may invite them. */
function Shown() {
  const { value } = useLoaded(() => call("GET", "/me"), []);
  const [changed, setChanged] = useState(/** @type {{ presence: string, invitations: string } | null} */ (null));
  const { attempt, problem } = useAttempt();
  const me = changed ?? value;
  if (!me) return null;
  const change = (/** @type {object} */ changes) =>
    attempt(async () => setChanged(await call("PATCH", "/me", changes, { once: true })));
  return html`
    <div class="settings">
      ${CIRCLES.map(
        ([what, circles]) => html`
          <label>
            ${t(`friends.${what}`)}
            <${Select}
              name=${what}
              value=${me[what]}
              options=${circles.map((each) => [each, t(`people.${each}`)])}
              onChange=${(/** @type {string} */ circle) => change({ [what]: circle })}
            />
          </label>
        `,
      )}
      <${Refusal} problem=${problem} />
    </div>
  `;
}

/** The players who are blocked, if any. */
function Blocked() {
  const { friends: changes } = useNews();
  const { value: people = [], again } = useLoaded(blocks, [changes]);
  const { attempt, busy, problem } = useAttempt();
  const unblock = (/** @type {string} */ player) =>
    attempt(() => call("DELETE", `/me/blocks/${player}`, undefined, { once: true })).finally(again);
  if (!people.length) return null;
  return html`
    <details class="box blocked">
      <summary>${t("friends.blocked", { count: people.length })}</summary>
      <${Refusal} problem=${problem} />
      <ul class="friends">
        ${people.map(
          ({ player, name }) => html`
            <li key=${player}>
              <${Player} player=${player} name=${name} />
              <button type="button" disabled=${busy} onClick=${() => unblock(player)}>${t("person.unblock")}</button>
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}
