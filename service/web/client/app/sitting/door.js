/** In place of a table that cannot be seen yet: a name or a code lets people in. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { codeOf, pathOfCode, placeOf } from "../api/codes.js";
import { rulesets } from "../games/rules.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { ofCatalogue, t } from "../texts/texts.js";
import { Field } from "../ui/fields.js";

/** @typedef {import("../types").Problem} Problem */

/**
 * @typedef {object} DoorProps
 * @property {string} table
 * @property {string} [code]
 * @property {Problem} [problem] why the table cannot be seen; left out: the visitor has no name yet
 * @property {Record<string, string>} [invited] who invites to what, as the link says
 * @property {boolean} [wasSeen] whether it could be seen until now
 * @property {boolean} [watched] whether that was without a seat
 * @property {() => void} [onDone]
 */

/** @param {DoorProps} props */
export function Door({ table, code, problem, invited, wasSeen, watched, onDone }) {
  const stranger = (problem?.code ?? "unauthorized") === "unauthorized";
  const mayJoin = problem?.code === "private-table" || isRunning(problem);
  if (problem && !stranger && !mayJoin)
    return html`
      <main class="page">
        <${Refusal} problem=${problem} />
        <p><a href="#/">${t("home")}</a></p>
      </main>
    `;
  return html`
    <main class="page">
      <${PageBar} title=${t(watched ? "door.watched" : wasSeen ? "door" : "join.title")} />
      ${
        !wasSeen &&
        invited?.from &&
        html`
          <${Invited} invited=${invited} />
        `
      }
      ${
        stranger &&
        html`
          <${SignIn} onDone=${onDone} />
        `
      }
      ${
        mayJoin &&
        html`
          <${Join} table=${table} code=${code} problem=${problem} wasSeen=${wasSeen} onDone=${onDone} />
        `
      }
    </main>
  `;
}

/**
 * Whether a game runs that has no spectators. Between its rounds, a seat of an AI or of a player who has left may be
 * free. A board of an event has the same problem, and nobody joins it.
 * @param {Problem | undefined} problem
 */
const isRunning = (problem) => problem?.code === "no-spectators" && problem.params.reason !== "board";

/** Who invites to what. @param {{ invited: Record<string, string> }} props */
function Invited({ invited }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  const game = ofCatalogue(games.find(({ id }) => id === invited.game)?.names) || t("invite.title");
  return html`
    <p class="invited"><b>${t("invite.text", { host: invited.from, game, players: invited.of })}</b></p>
  `;
}

/** How somebody gets in. @param {Problem | undefined} problem @param {boolean} [wasSeen] */
function howToJoin(problem, wasSeen = false) {
  if (isRunning(problem)) return t("join.running");
  if (problem?.params?.reason === "kicked") return problem.detail;
  return t(wasSeen ? "door.private" : "join.how");
}

/** Sits down with a code, or begins to watch. @param {DoorProps} props */
function Join({ table, code = "", problem, wasSeen, onDone }) {
  const { token } = useAccount();
  const [text, setText] = useState(code);
  const [refusal, setRefusal] = useState(/** @type {Problem | null} */ (null));
  const join = async (/** @type {Event | undefined} */ event) => {
    event?.preventDefault();
    try {
      const given = codeOf(text);
      const place = await placeOf(text);
      if (place) {
        location.hash = place;
        return;
      }
      // A code is for a seat or for watching; the service tells which. Public tables need none.
      const { grants } = given ? await call("GET", pathOfCode(given)) : { grants: "seat" };
      if (grants === "watch") await call("PUT", `/tables/${table}/watchers/me`, { watch_code: given });
      else await call("POST", `/tables/${table}/seats`, given ? { join_code: given } : {});
      onDone?.();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.code === "already-seated") onDone?.();
      else setRefusal(error.problem);
    }
  };
  // With a link that has the code, nobody need type it; somebody who was here before may not want to sit down again.
  useEffect(() => {
    if (token && code && !wasSeen) join(undefined);
  }, [token]);
  return html`
    <p>${howToJoin(problem, wasSeen)}</p>
    <form class="name" onSubmit=${join}>
      <${Field}
        label=${t("join.code")}
        required=${!isRunning(problem)}
        maxlength="300"
        autocomplete="off"
        value=${text}
        onChange=${setText}
      />
      <button type="submit" class="main">${t("sit")}</button>
    </form>
    <${Refusal} problem=${refusal} onClose=${() => setRefusal(null)} />
  `;
}
