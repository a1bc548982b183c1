// Adapter of the client that openapi-generator makes for TypeScript (fetch), for the conformance kit.
//
// The generated code sends no request twice and has no streams: `patiently` adds what the guide asks of every client, and
// `follow` and `fold` are not tried.
import { ActionsApi, Configuration, EventsApi, PlayersApi, ResponseError, SeatsApi, TablesApi } from "./index.js";
import type { OpenDecision, Outcome, TableSetup } from "./index.js";
// @ts-ignore: without the types of Node
import { createInterface } from "node:readline";

declare const process: { stdin: unknown; stdout: { write(text: string): void } };

interface Task {
  goal: string;
  url: string;
  token: string;
  table: string;
  setup: TableSetup;
  count: number;
  after: number;
  limit: number;
  wait: number;
}

const PASSING = [429, 502, 503, 504];
const ATTEMPTS = 6;
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Give a request up when it is not answered, and follow no redirect. */
const fetchApi: typeof fetch = (url, init) => fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(5000) });

/** Send a request until it is answered. */
async function patiently<Body>(send: () => Promise<Body>): Promise<Body> {
  for (let attempt = 0; ; attempt++) {
    let pause = attempt && (0.5 + Math.random() / 2) * 1000 * 2 ** attempt;
    try {
      return await send();
    } catch (error) {
      const refused = error instanceof ResponseError;
      if (attempt === ATTEMPTS - 1 || (refused && !PASSING.includes(error.response.status))) throw error;
      const after = refused && error.response.headers.get("Retry-After");
      if (after) pause = 1000 * Number(after);
    }
    await sleep(pause);
  }
}

class Player {
  private readonly actions: ActionsApi;
  private readonly events: EventsApi;
  private readonly players: PlayersApi;
  private readonly seats: SeatsApi;
  private readonly tables: TablesApi;

  constructor({ url, token }: Task) {
    const me = new Configuration({ basePath: url, accessToken: token, fetchApi });
    [this.actions, this.events, this.players] = [new ActionsApi(me), new EventsApi(me), new PlayersApi(me)];
    [this.seats, this.tables] = [new SeatsApi(me), new TablesApi(me)];
  }

  async register() {
    const request = { registration: { name: "Lin" }, idempotencyKey: crypto.randomUUID() };
    return { token: (await patiently(() => this.players.register(request))).token };
  }

  async create({ setup, count }: Task) {
    const tables: string[] = [];
    while (tables.length < count) {
      const request = { tableSetup: setup, idempotencyKey: crypto.randomUUID() };
      tables.push((await patiently(() => this.tables.createTable(request))).id);
    }
    return { tables };
  }

  async view({ table }: Task) {
    const { version, status, decision } = await patiently(() => this.tables.getTable({ table }));
    return { version, status, decision: decision?.kind ?? null };
  }

  async act({ table }: Task) {
    const { decision } = await patiently(() => this.tables.getTable({ table }));
    return { version: decision && (await this.answer(table, decision)).version };
  }

  async play({ table }: Task) {
    let { view } = await patiently(() => this.seats.ready({ table, readyState: {} }));
    for (let after = 0; !view || view.status !== "finished" || after < view.version; ) {
      const page = await patiently(() => this.events.listEvents({ table, after, wait: 20 }));
      after = page?.nextAfter ?? after;
      view = await patiently(() => this.tables.getTable({ table }));
      const isMine = view.status === "playing" && after >= view.version && view.decision?.seats.includes(0);
      if (view.decision && isMine) await this.answer(table, view.decision);
    }
    return { version: view.version, status: view.status, winners: view.game?.winners };
  }

  async poll({ table, after, limit, wait }: Task) {
    const seqs: number[] = [];
    for (let version: number | undefined; after !== version; ) {
      const page = await patiently(() => this.events.listEvents({ table, after, limit, wait }));
      if (!page) throw new Error("no page");
      seqs.push(...page.events.map(({ seq }) => seq));
      [after, version] = [page.nextAfter, page.version];
    }
    return { seqs };
  }

  /** Answer a decision by its hints, which have a type for each kind. */
  private answer(table: string, open: OpenDecision): Promise<Outcome> {
    const decisionId = open.id;
    const send = (): Promise<Outcome> => {
      if (open.kind === "ready") return this.seats.ready({ table, readyState: {} });
      if (open.kind === "play" && open.hints) return this.actions.play({ table, playAction: { decisionId, cards: open.hints.example } });
      if (open.kind === "discard" && open.hints) return this.actions.discard({ table, discardAction: { decisionId, cards: open.hints.example } });
      if (open.kind === "call" && open.hints) return this.actions.callFriends({ table, callAction: { decisionId, calls: open.hints.example } });
      if (open.kind === "road" && open.hints) return this.actions.stateRoad({ table, roadAction: { decisionId, road: open.hints.example as "either" } });
      return this.actions.passDecision({ table, passAction: { decisionId } });
    };
    return patiently(send);
  }
}

const GOALS = ["register", "create", "view", "act", "play", "poll"] as const;

async function report(task: Task): Promise<object> {
  try {
    const goal = GOALS.find((name) => name === task.goal);
    return goal ? await new Player(task)[goal](task) : {};
  } catch (error) {
    if (!(error instanceof ResponseError)) return { failed: String(error) };
    const { status } = error.response;
    const { code = "", detail = `status ${status}` } = await error.response.json().catch(() => ({}));
    return { problem: { status, code, text: detail } };
  }
}

const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
write({ client: "openapi-generator typescript-fetch", can: GOALS });
for await (const line of createInterface({ input: process.stdin })) write(await report(JSON.parse(line)));
