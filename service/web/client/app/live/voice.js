/**
 * Talking with others at a table: one connection to each page of theirs, always over the TURN server of the service,
 * which hides addresses. The service says again and again who may be heard; connections to all others are closed.
 *
 * @typedef {import("../types").VoiceSignal} Signal
 * @typedef {object} Peer
 * @property {string} player
 * @property {RTCPeerConnection} connection
 * @property {HTMLAudioElement} audio
 * @property {number} loudAt when it was last loud
 * @typedef {object} State
 * @property {"joining" | "on" | "over"} phase
 * @property {boolean} talks whether the microphone is on
 * @property {string[]} partners players who are connected
 * @property {string[]} heard those of them who talk now
 * @property {import("../types").Problem | null} problem why it is over, if the service says so
 */
import { call, Refused } from "../api/client.js";
import { onAccountEvent, onNews } from "../api/news.js";

/** How often to ask who may be heard, and to greet those who are not connected, ms. */
const LOOK_MS = 20_000;
/** How often to look who talks, ms, and from which level on somebody does. */
const LISTEN_MS = 300;
const LOUD = 0.01;
/** Longest pause of somebody who goes on talking, ms. */
const PAUSE_MS = 1_000;
/** How long to wait for the addresses of a connection, ms: there is one for each way to the TURN server. */
const GATHER_MS = 5_000;
/** States of a connection that may still carry sound. */
const ALIVE = new Set(["new", "connecting", "connected", "disconnected"]);
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** A random name for this page. */
const freshName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => LETTERS[byte & 31]).join("");

export class VoiceCall {
  /** @param {string} table @param {(state: State) => void} onChange */
  constructor(table, onChange) {
    this.table = table;
    this.path = `/tables/${table}/voice`;
    this.onChange = onChange;
    this.session = freshName();
    /** Page of somebody else -> the connection to it. @type {Map<string, Peer>} */
    this.peers = new Map();
    /** @type {State} */
    this.state = { phase: "joining", talks: false, partners: [], heard: [], problem: null };
    /** @type {(() => void)[]} */
    this.stops = [];
    /** @type {MediaStream | null} */
    this.microphone = null;
    /** @type {import("../types").Voice | null} */
    this.terms = null;
  }

  /**
   * Ask for the microphone, and begin.
   * @throws {DOMException} there is no microphone, or the player refuses
   */
  async open() {
    const wanted = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: wanted });
    this.microphone = microphone;
    this.talk(false);
    await this.look();
    if (this.isOver) return;
    const looking = setInterval(() => void this.greet(), LOOK_MS);
    const listening = setInterval(() => this.listen(), LISTEN_MS);
    this.stops.push(
      onAccountEvent(({ type, data }) => void (type === "voice" && this.take(data))),
      // Somebody may have been blocked here.
      onNews(() => void this.look()),
      () => clearInterval(looking),
      () => clearInterval(listening),
    );
    this.change({ phase: "on" });
    await this.send({ kind: "hello" });
  }

  get isOver() {
    return this.state.phase === "over";
  }

  /** End it. @param {import("../types").Problem | null} [problem] */
  close(problem = null) {
    if (this.isOver) return;
    if (!problem) this.send({ kind: "bye" });
    for (const stop of this.stops) stop();
    for (const session of [...this.peers.keys()]) this.drop(session);
    for (const track of this.microphone?.getTracks() ?? []) track.stop();
    this.change({ phase: "over", talks: false, heard: [], problem });
  }

  /** Switch the microphone on or off. @param {boolean} on */
  talk(on) {
    for (const track of this.microphone?.getAudioTracks() ?? []) track.enabled = on;
    if (on !== this.state.talks) this.change({ talks: on });
  }

  /** Ask who may be heard, and close the connections to all others. */
  async look() {
    try {
      this.terms = await call("GET", this.path, undefined, { once: true });
    } catch (error) {
      // Without an answer it goes on; a refusal ends it.
      if (error instanceof Refused && error.problem.status < 429) this.close(error.problem);
      return;
    }
    for (const [session, { player }] of this.peers) if (!this.mayHear(player)) this.drop(session);
  }

  /** Look, and greet those who are not connected: a message may have been lost. */
  async greet() {
    await this.look();
    const connected = new Set(this.state.partners);
    if (!this.isOver && this.terms?.partners.some(({ player }) => !connected.has(player)))
      await this.send({ kind: "hello" });
  }

  /** @param {string} player */
  mayHear(player) {
    return Boolean(this.terms?.partners.some((each) => each.player === player));
  }

  /** @param {Omit<Signal, "session">} signal */
  async send(signal) {
    try {
      await call("POST", `${this.path}/signals`, { ...signal, session: this.session }, { once: true });
    } catch (error) {
      if (error instanceof TypeError) throw error; // it is sent again when others are greeted
    }
  }

  /**
   * A message of another page.
   * @param {import("../types").AccountEventOf<"voice">["data"]} signal
   */
  async take({ table, player, session, kind, to_session, sdp }) {
    if (table !== this.table || (to_session && to_session !== this.session)) return;
    if (!this.mayHear(player)) await this.look();
    if (this.isOver || !this.mayHear(player)) return;
    if (kind === "bye") this.drop(session);
    if (kind === "hello" && !this.isConnected(session)) await this.offer(player, session);
    if (kind === "offer" && sdp) await this.answer(player, session, sdp);
    if (kind === "answer" && sdp) await this.complete(session, sdp);
  }

  /** Whether there is a connection to a page, or may be soon. @param {string} session */
  isConnected(session) {
    const peer = this.peers.get(session);
    return Boolean(peer && ALIVE.has(peer.connection.connectionState));
  }

  /** Take the other half of a connection that was offered. @param {string} session @param {string} sdp */
  async complete(session, sdp) {
    const connection = this.peers.get(session)?.connection;
    if (connection?.signalingState === "have-local-offer")
      await connection.setRemoteDescription({ type: "answer", sdp });
  }

  /** @param {string} player @param {string} session */
  async offer(player, session) {
    const { connection } = this.connect(player, session);
    await connection.setLocalDescription();
    await gathered(connection);
    await this.send({ kind: "offer", to: player, to_session: session, sdp: connection.localDescription?.sdp });
  }

  /**
   * Of two offers that cross, that of the page whose name is smaller counts.
   * @param {string} player
   * @param {string} session
   * @param {string} sdp
   */
  async answer(player, session, sdp) {
    const crossed = this.peers.get(session)?.connection.signalingState === "have-local-offer";
    if (crossed && this.session < session) return;
    const { connection } = this.connect(player, session);
    await connection.setRemoteDescription({ type: "offer", sdp });
    await connection.setLocalDescription();
    await gathered(connection);
    await this.send({ kind: "answer", to: player, to_session: session, sdp: connection.localDescription?.sdp });
  }

  /**
   * A new connection to a page, in place of any before.
   * @param {string} player
   * @param {string} session
   * @returns {Peer}
   */
  connect(player, session) {
    this.drop(session);
    const connection = new RTCPeerConnection({
      iceServers: this.terms?.ice_servers,
      iceTransportPolicy: "relay",
    });
    const audio = new Audio();
    const peer = { player, connection, audio, loudAt: -Infinity };
    this.peers.set(session, peer);
    const microphone = /** @type {MediaStream} */ (this.microphone);
    for (const track of microphone.getAudioTracks()) connection.addTrack(track, microphone);
    connection.addEventListener("track", ({ streams: [stream] }) => {
      audio.srcObject = stream;
      audio.play().catch(() => {}); // closed meanwhile
    });
    connection.addEventListener("connectionstatechange", () => {
      this.count();
      if (ALIVE.has(connection.connectionState) || this.peers.get(session) !== peer) return;
      // Its network has changed, or it is gone: in the first case it answers.
      this.drop(session);
      if (!this.isOver) this.send({ kind: "hello" });
    });
    return peer;
  }

  /** @param {string} session */
  drop(session) {
    const peer = this.peers.get(session);
    if (!peer) return;
    this.peers.delete(session);
    peer.connection.close();
    peer.audio.srcObject = null;
    this.count();
  }

  /** Tell who is connected. */
  count() {
    const connected = [...this.peers.values()].filter(({ connection }) => connection.connectionState === "connected");
    this.change({ partners: [...new Set(connected.map(({ player }) => player))] });
  }

  /** Tell who talks: nobody breathes without a pause. */
  listen() {
    const now = performance.now();
    for (const peer of this.peers.values()) if (isLoud(peer.connection)) peer.loudAt = now;
    const heard = [...this.peers.values()].filter(({ loudAt }) => now - loudAt < PAUSE_MS).map(({ player }) => player);
    if (heard.join() !== this.state.heard.join()) this.change({ heard });
  }

  /** @param {Partial<State>} changes */
  change(changes) {
    this.state = { ...this.state, ...changes };
    this.onChange(this.state);
  }
}

/** Whether sound arrives by a connection. @param {RTCPeerConnection} connection */
const isLoud = (connection) =>
  connection
    .getReceivers()
    .flatMap((receiver) => receiver.getSynchronizationSources())
    .some(({ audioLevel = 0 }) => audioLevel > LOUD);

/** Wait for the addresses of a connection. @param {RTCPeerConnection} connection */
const gathered = (connection) =>
  new Promise((done) => {
    const look = () => void (connection.iceGatheringState === "complete" && done(undefined));
    connection.addEventListener("icegatheringstatechange", look);
    setTimeout(done, GATHER_MS);
    look();
  });
