/**
 * An event that is shown: the boards that nobody has to play any more, with the words of commentators; for its
 * director, whether and how it is shown.
 *
 * @typedef {import("../types").TeamEvent} TeamEvent
 * @typedef {import("../types").ShownBoard} Board
 */
import { html, useState } from "../../vendor/preact-htm.js";
import { PlayersPage } from "../account/signin.js";
import { theAccount } from "../api/account.js";
import { call } from "../api/client.js";
import { boardText, resultText } from "../events/boardresult.js";
import { teamNamed } from "../teams/entries.js";
import { sidesOf } from "../teams/matches.js";
import { codeIn } from "../people/person.js";
import { Player } from "../people/player.js";
import { t } from "../texts/texts.js";
import { Field, Select } from "../ui/fields.js";
import { useAttempt, useLoaded, useRepeated } from "../ui/hooks.js";
import { Refusal } from "../ui/refusal.js";
import { say } from "./words.js";

/** How often boards are looked for, ms. */
const EVERY_MS = 15_000;
/** Delays that a director chooses from, minutes. */
const DELAYS = [0, 5, 15, 30, 60];

/** @param {{ id: string }} props */
export const WatchScreen = ({ id }) => html`
  <${PlayersPage} title=${say("watch")} from=${`#/teams/${id}`}><${Watched} id=${id} /><//>
`;

/** @param {{ id: string }} props */
function Watched({ id }) {
  // Null: the latest round that has something to show.
  const [round, setRound] = useState(/** @type {number | null} */ (null));
  const { value: event, again: read } = useLoaded(
    async () => /** @type {TeamEvent} */ (await call("GET", `/team-events/${id}`)),
    [id],
  );
  const {
    value,
    error,
    again: look,
  } = useLoaded(
    async () =>
      event?.showing
        ? /** @type {import("../types").ShownBoards} */ (
            await call("GET", `/team-events/${id}/showing${round ? `?round=${round}` : ""}`)
          )
        : null,
    [event, round],
  );
  useRepeated(read, EVERY_MS);
  if (!event)
    return html`
      <p class="loading" role="status">${t("loading")}</p>
    `;
  return html`
    <h2>${event.name}</h2>
    ${
      event.mine.directs &&
      event.status !== "over" &&
      html`
        <${Settings} key=${JSON.stringify(event.showing)} event=${event} onChange=${read} />
      `
    }
    ${
      !event.showing &&
      html`
        <p class="hint">${say("watch.off")}</p>
      `
    }
    <${Refusal} problem=${error?.problem} />
    ${
      value &&
      !error &&
      html`
        <${Boards} event=${event} value=${value} round=${round} onRound=${setRound} onChange=${look} />
      `
    }
  `;
}

/**
 * @param {{
 *   event: TeamEvent,
 *   value: import("../types").ShownBoards,
 *   round: number | null,
 *   onRound: (round: number) => void,
 *   onChange: () => void,
 * }} props `round`: the one that was chosen
 */
const Boards = ({ event, value: { delay_ms, may_comment, round: shown, boards }, round, onRound, onChange }) => html`
  <p class="hint">${say("watch.how", { count: delay_ms / 60_000 })}</p>
  ${
    event.played.length > 1 &&
    html`
      <label>
        ${say("watch.round")}
        <${Select}
          name="round"
          value=${round ?? shown ?? event.played.length}
          options=${event.played.map((each) => [each.round, say("round", { round: each.round })])}
          onChange=${(/** @type {string} */ text) => onRound(Number(text))}
        />
      </label>
    `
  }
  ${
    boards.length === 0 &&
    html`
      <p role="status">${say("watch.none")}</p>
    `
  }
  ${boards.map(
    (board) => html`
      <${Shown}
        key=${board.number}
        event=${event}
        board=${board}
        comments=${may_comment}
        onStay=${() => onRound(board.round)}
        onChange=${onChange}
      />
    `,
  )}
`;

/**
 * @param {{ event: TeamEvent, board: Board, comments: boolean, onStay: () => void, onChange: () => void }} props
 *   `onStay`: something is being written here, so no other round takes its place
 */
function Shown({ event, board, comments, onStay, onChange }) {
  const title = boardText(board);
  return html`
    <section class="box shown-board">
      <h3>${say("round", { round: board.round })} · ${title}</h3>
      <ul aria-label=${title}>
        ${board.rooms.map(({ match, room, teams, game, ...result }) => {
          const [first, second] = sidesOf(
            event,
            teams.map((team) => teamNamed(event, team)),
          );
          return html`
            <li key=${`${match} ${room}`}>
              <span>${first} – ${second}</span>
              ${" "}
              <span class="hint">${game ? resultText(result) : say("late")}</span>
              ${" "}
              ${
                game &&
                html`
                  <a href=${`#/replay/${game}/1?hands=open&shown=${event.event}.${board.number}.${match}.${room}`}>
                    ${say("watch.see")}
                  </a>
                `
              }
            </li>
          `;
        })}
      </ul>
      ${
        board.comments.length > 0 &&
        html`
          <ul class="remarks" aria-label=${say("comments")}>
            ${board.comments.map(
              (each) => html`
                <${Said} key=${each.comment} event=${event} said=${each} onChange=${onChange} />
              `,
            )}
          </ul>
        `
      }
      ${
        comments &&
        html`
          <${Words} event=${event} board=${board.number} onStay=${onStay} onChange=${onChange} />
        `
      }
    </section>
  `;
}

/**
 * What a commentator has said.
 * @param {{ event: TeamEvent, said: Board["comments"][number], onChange: () => void }} props
 */
function Said({ event, said, onChange }) {
  const { attempt, busy, problem } = useAttempt();
  const [done, setDone] = useState(false);
  const mine = said.player === theAccount().player;
  const path = `/team-events/${event.event}`;
  const take = () => attempt(() => call("DELETE", `${path}/showing/comments/${said.comment}`).then(onChange));
  const report = () =>
    attempt(async () => {
      await call("POST", `${path}/reports`, { comment: said.comment, reason: "chat" });
      setDone(true);
    });
  return html`
    <li>
      <b><${Player} player=${said.player} name=${said.name} /></b>
      ${" "}${said.text}${" "}
      ${
        mine || event.mine.directs
          ? html`
              <button type="button" disabled=${busy} onClick=${take}>${say("comment.remove")}</button>
            `
          : html`
              <button type="button" disabled=${busy || done} onClick=${report}>
                ${say(done ? "comment.reported" : "comment.report")}
              </button>
            `
      }
      <${Refusal} problem=${problem} />
    </li>
  `;
}

/**
 * Says something of a board.
 * @param {{ event: TeamEvent, board: number, onStay: () => void, onChange: () => void }} props
 */
function Words({ event, board, onStay, onChange }) {
  const [text, setText] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const write = (/** @type {string} */ written) => {
    onStay();
    setText(written);
  };
  const submit = (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    attempt(async () => {
      await call("POST", `/team-events/${event.event}/showing/boards/${board}/comments`, { text: text.trim() });
      setText("");
      onChange();
    });
  };
  return html`
    <form class="inline" onSubmit=${submit}>
      <${Field} label=${say("comment")} name="comment" required maxlength="200" value=${text} onChange=${write} />
      <${Refusal} problem=${problem} />
      <div class="buttons"><button type="submit" disabled=${busy}>${say("comment.send")}</button></div>
    </form>
  `;
}

/** Whether and how the event is shown. @param {{ event: TeamEvent, onChange: () => void }} props */
function Settings({ event, onChange }) {
  const { delay_ms = 0, commentators = [] } = event.showing ?? {};
  const [minutes, setMinutes] = useState(delay_ms / 60_000);
  const [names, setNames] = useState(commentators.join(" "));
  const { attempt, busy, problem } = useAttempt();
  const path = `/team-events/${event.event}/showing`;
  const show = () => {
    const people = names.split(/[\s,，、;；]+/).filter(Boolean);
    const body = { delay_ms: minutes * 60_000, commentators: people.map((each) => codeIn(each) ?? each) };
    attempt(() => call("PUT", path, body, { once: true })).finally(onChange);
  };
  const hide = () => attempt(() => call("DELETE", path, undefined, { once: true })).finally(onChange);
  const delays = DELAYS.includes(minutes) ? DELAYS : [...DELAYS, minutes];
  return html`
    <section class="box">
      <p class="hint">${say("show.how")}</p>
      <label>
        ${say("show.delay")}
        <${Select}
          name="delay"
          value=${minutes}
          options=${delays.map((each) => [each, each ? t("create.minutes", { count: each }) : say("show.at_once")])}
          onChange=${(/** @type {string} */ text) => setMinutes(Number(text))}
        />
      </label>
      <${Field}
        label=${say("show.commentators")}
        name="commentators"
        autocomplete="off"
        value=${names}
        onChange=${setNames}
      />
      <${Refusal} problem=${problem} />
      <div class="buttons">
        <button type="button" class="main" disabled=${busy} onClick=${show}>
          ${say(event.showing ? "show.change" : "show")}
        </button>
        ${
          event.showing &&
          html`
            <button type="button" disabled=${busy} onClick=${hide}>${say("hide")}</button>
          `
        }
      </div>
    </section>
  `;
}
