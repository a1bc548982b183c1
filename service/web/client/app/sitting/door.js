/** In place of a table that cannot be seen yet: a name or a code lets people in. */
import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { call, Refused } from "../api/client.js";
import { codeOf, pathOfCode } from "../api/codes.js";
import { rulesets } from "../games/rules.js";
import { useAccount, useLoaded } from "../ui/hooks.js";
import { PageBar } from "../ui/pagebar.js";
import { Refusal } from "../ui/refusal.js";
import { SignIn } from "../account/signin.js";
import { ofCatalogue, t } from "../texts/texts.js";

/**
 * @param {{
 *   table: string,
 *   code?: string,
 *   problem?: import("../types").Problem,
 *   invited?: Record<string, string>,
 *   wasSeen?: boolean,
 *   watched?: boolean,
 *   onDone?: () => void,
 * }} props `problem`: why the table cannot be seen; left out: the visitor has no name yet. `invited`: who invites to
 * what, as the link says; `wasSeen`: it could be seen until now; `watched`: by somebody without a seat
 */
export function Door({ table, code = "", problem, invited, wasSeen = false, watched = false, onDone }) {
  const { value: games = [] } = useLoaded(rulesets, []);
  const gameName = ofCatalogue(games.find(({ id }) => id === invited?.game)?.names) || t("invite.title");
  const { token } = useAccount();
  const [text, setText] = useState(code);
  const [refusal, setRefusal] = useState(/** @type {import("../types").Problem | null} */ (null));
  const join = async (/** @type {Event | undefined} */ event) => {
    event?.preventDefault();
    try {
      const given = codeOf(text);
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
  const isPrivate = problem?.code === "private-table";
  const isKicked = isPrivate && problem?.params?.reason === "kicked";
  // Between the rounds of a game, a seat of an AI or of a player who has left may be free.
  const isRunning = problem?.code === "no-spectators";
  const mayJoin = isPrivate || isRunning;
  // With a link that has the code, nobody need type it; somebody who was here before may not want to sit down again.
  useEffect(() => {
    if (token && mayJoin && code && !wasSeen) join(undefined);
  }, [token, mayJoin]);
  const stranger = !problem || problem.code === "unauthorized";
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
          <p class="invited"><b>${t("invite.text", { host: invited.from, game: gameName, players: invited.of })}</b></p>
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
          <p>${t(isRunning ? "join.running" : isKicked ? "door.kicked" : wasSeen ? "door.private" : "join.how")}</p>
          <form class="name" onSubmit=${join}>
            <label>
              ${t("join.code")}
              <input
                type="text"
                required=${isPrivate}
                maxlength="300"
                autocomplete="off"
                value=${text}
                onInput=${(/** @type {any} */ event) => setText(event.target.value)}
              />
            </label>
            <button type="submit" class="main">${t("sit")}</button>
          </form>
        `
      }
      ${
        refusal &&
        html`
          <${Refusal} problem=${refusal} onClose=${() => setRefusal(null)} />
        `
      }
    </main>
  `;
}
