/** The ways into a room: making one, and following its link. */
import { html, useEffect } from "../../vendor/preact-htm.js";
import { Named } from "../account/signin.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { useGameNames } from "../games/hooks.js";
import { seatsOf } from "../games/offered.js";
import { rulesets } from "../games/rules.js";
import { t } from "../texts/texts.js";
import { useAccount, useAttempt, useLoaded } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { MyRooms } from "./myrooms.js";
import { say } from "./words.js";

/** Longest name of a room. */
const MOST_NAME = 40;

/** Go on to a room; the step before it is not kept in the history. @param {string} room */
const goTo = (room) => location.replace(`#/room/${room}`);

/** Make a room for the game last chosen on this device, and go there. */
async function makeRoom() {
  const { name = "", game = "shengji" } = theAccount();
  const games = await rulesets();
  const chosen = games.find(({ id }) => id === game) ?? games[0];
  const named = say("made", { name });
  const { room } = await call("POST", "/rooms", {
    name: [...named].length > MOST_NAME ? name : named,
    rules: { ruleset: chosen.id, players: seatsOf(chosen) },
  });
  goTo(room);
}

/** Makes a room: with a name, that is all; its rules are changed there. */
export function NewRoom() {
  const { token } = useAccount();
  const { attempt, busy, problem } = useAttempt();
  const make = () => attempt(makeRoom);
  return html`
    <main class="page">
      <${PageBar} title=${t("start.friends")} />
      <p>${say("about")}</p>
      <${Named} what=${say("make")} busy=${busy} onDo=${make} />
      <${Refusal} problem=${problem} />
      ${
        token &&
        html`
          <${MyRooms} key=${token} />
        `
      }
      <p><a href="#/new">${say("one_table")}</a></p>
    </main>
  `;
}

/** A link to a room: where it leads, and the way in. @param {{ code: string }} props */
export function Invited({ code }) {
  const { token } = useAccount();
  const { value, error } = useLoaded(
    async () =>
      /** @type {import("../types").RoomPreview} */ (await call("GET", `/room-links/${encodeURIComponent(code)}`)),
    [code, token],
  );
  const { attempt, busy, problem } = useAttempt();
  const enter = () => attempt(async () => goTo((await call("POST", "/me/rooms", { code })).room));
  // Whoever belongs to the room is shown it at once.
  useEffect(() => void (value?.room && goTo(value.room)), [value]);
  const nameOf = useGameNames();
  return html`
    <main class="page">
      <${PageBar} title=${t("join.title")} />
      <${Refusal} problem=${error?.problem} />
      ${
        value &&
        html`
          <section class="invited">
            <p><b>${say("invites", { name: value.name })}</b></p>
            <p>${say("play_there", { game: nameOf(value.ruleset), count: value.members })}</p>
            ${
              value.grants === "watcher" &&
              html`
                <p>${say("watch_there")}</p>
              `
            }
          </section>
          <${Named} what=${say("enter")} busy=${busy} onDo=${enter} />
        `
      }
      <${Refusal} problem=${problem} />
    </main>
  `;
}
