/** A table for a player. */
import { answer, type Client } from "./client.js";
import { fold } from "./fold.js";
import { Problem } from "./problems.js";
import { type Following, follow, type Message } from "./streams.js";
import type { Action, Decision, Event, EventPage, Outcome, Schemas, TableSetup, View } from "./types.js";

/** A view, and the event that led to it, if any. */
export interface Watched {
  view: View;
  event?: Event;
}

/** A decision that waits for the player. */
export interface Turn {
  view: View;
  decision: Decision;
  /** Answer it; null: the table has moved on meanwhile, so the decision is over. */
  answer(action: Action): Promise<Outcome | null>;
}

/** Codes of problems after which to look at the table again. */
const MOVED_ON = ["stale-decision", "not-your-turn", "wrong-phase"];

/** A table, for the player of `client`. Each method sends a request, and throws as `Client.request`. */
export class Table {
  constructor(
    readonly client: Client,
    readonly id: string,
  ) {}

  /** Create a table. */
  static async create(client: Client, setup: TableSetup): Promise<Table> {
    return new Table(client, (await answer(client.api.POST("/v1/tables", { body: setup }))).id);
  }

  /** The table of a code. A join code is for `sit`, too; a watch code is used at once: the player may read the table then. */
  static async byCode(client: Client, code: string): Promise<Table> {
    const found = await answer(client.api.GET("/v1/join-codes/{code}", { params: { path: { code } } }));
    const table = new Table(client, found.table);
    if (found.grants === "watch") await answer(client.api.PUT("/v1/tables/{table}/watchers/me", { ...table.here, body: { watch_code: code } }));
    return table;
  }

  /** The current view of the player. */
  async view(): Promise<View> {
    return (await answer(this.client.api.GET("/v1/tables/{table}", this.here))) as View;
  }

  /** Answer a decision. */
  act(decisionId: string, { type, ...fields }: Action): Promise<Outcome> {
    if (type === "ready") return this.ready();
    const body = { decision_id: decisionId, ...fields };
    return this.client.request("POST", `/v1/tables/${this.id}/${type.replace("_", "-")}`, body);
  }

  /** Take a seat, by default the first possible one. */
  sit(seat?: number, joinCode?: string): Promise<Outcome> {
    const body = { ...(seat !== undefined && { seat }), ...(joinCode !== undefined && { join_code: joinCode }) };
    return answer(this.client.api.POST("/v1/tables/{table}/seats", { ...this.here, body }));
  }

  /** Put an AI player on a seat, as host. */
  seatAi(seat: number, level?: Schemas["AiSeat"]["level"]): Promise<Outcome> {
    const params = { path: { table: this.id, seat } };
    return answer(this.client.api.PUT("/v1/tables/{table}/seats/{seat}/ai", { params, body: level ? { level } : {} }));
  }

  /** Become ready for the game, the next round, or another game. */
  ready(): Promise<Outcome> {
    return answer(this.client.api.PUT("/v1/tables/{table}/seats/me/ready", { ...this.here, body: { ready: true } }));
  }

  /** Take the seat back after an AI player has taken over. */
  resume(): Promise<Outcome> {
    return answer(this.client.api.POST("/v1/tables/{table}/seats/me/resume", this.here));
  }

  /** Give up the seat. */
  async leave(): Promise<void> {
    await this.client.api.DELETE("/v1/tables/{table}/seats/me", this.here);
  }

  /** Close the table, as host. */
  async close(): Promise<void> {
    await this.client.api.DELETE("/v1/tables/{table}", this.here);
  }

  /** A page of the log; with `wait` (s), as soon as there are events. */
  async events(after = 0, { wait = 0, limit = 100 } = {}): Promise<EventPage> {
    const params = { ...this.here.params, query: { after, wait, limit } };
    return (await answer(this.client.api.GET("/v1/tables/{table}/events", { params }))) as EventPage;
  }

  /** The messages of the table's stream (`follow`) after a seq; by default, from a `reset` with the view. */
  follow(following: Following = {}): AsyncGenerator<Message<Event>, void> {
    return follow<Event>(this.client, `/v1/tables/${this.id}/events`, following);
  }

  /** The current view, and the view after each event, until the game is over or the table is hidden from the player. */
  async *watch(signal?: AbortSignal): AsyncGenerator<Watched, void> {
    let view: View | undefined;
    for await (const message of this.follow(signal ? { signal } : {})) {
      if (message.name === "reset") yield { view: (view = message.data.view) };
      if (message.name !== "message" || !view) continue;
      view = fold(view, message.data);
      // These change what a spectator may see, which no event brings. The new view may be ahead of the next events.
      if (!view.my && ["seat_taken", "settings_changed"].includes(message.data.type)) view = await this.view();
      yield { view, event: message.data };
    }
  }

  /** Each decision that waits for the player, once, until `watch` ends. */
  async *turns(signal?: AbortSignal): AsyncGenerator<Turn, void> {
    let asked = "";
    for await (const { view } of this.watch(signal)) {
      const { decision, my } = view;
      if (!decision || !my || decision.id === asked || !decision.seats.includes(my.seat)) continue;
      asked = decision.id;
      yield { view, decision, answer: (action) => this.unlessOver(decision.id, action) };
    }
  }

  private async unlessOver(decisionId: string, action: Action): Promise<Outcome | null> {
    try {
      return await this.act(decisionId, action);
    } catch (error) {
      if (error instanceof Problem && MOVED_ON.includes(error.code)) return null;
      throw error;
    }
  }

  private get here() {
    return { params: { path: { table: this.id } } };
  }
}
