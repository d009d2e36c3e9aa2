/**
 * The network between simulated machines: connections whose messages arrive in order, each after a time of its own,
 * and which break when told to.
 *
 * @module
 */
import type { Scheduler } from "./scheduler.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

const LEAST_LATENCY_MS = 0.2;

/** One side of a connection, as the other side's messages reach it. */
export interface Receiver {
  receive(message: WireMessage): void;
  /** The connection is gone; nothing more comes. */
  broken(): void;
}

export type WireMessage =
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  | { readonly kind: "ping" | "pong" }
  | { readonly kind: "close"; readonly code: number }
  | { readonly kind: "request"; readonly request: WireRequest }
  | { readonly kind: "response"; readonly response: WireResponse };

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether it asks for a socket. */
  readonly isUpgrade: boolean;
}

export interface WireResponse {
  /** 101 for a socket. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface NetworkConditions {
  /** A message takes up to so long. */
  latencyMs: number;
  /** Of one in so many messages, the connection breaks while it is on its way; 0 for never. */
  breaksOnceIn: number;
  /** Of one in so many messages, a bit is turned, as by a relay or a member that means harm; 0 for never. */
  garblesOnceIn: number;
}

type Listener = (from: Connection) => void;

export class Network {
  readonly world: Scheduler;
  readonly conditions: NetworkConditions = { latencyMs: 20, breaksOnceIn: 0, garblesOnceIn: 0 };
  readonly #listeners = new Map<number, { readonly process: SimulatedProcess; readonly accept: Listener }>();
  readonly #connections = new Set<Connection>();
  /** Machines, by name, that reach nobody. */
  readonly #cutOff = new Set<string>();
  /** Of those that are to be cut off, how many messages they still get. */
  readonly #lastMessages = new Map<string, number>();
  /** Of those that are to be lost, how many more messages they get or have others get, and what happens then. */
  readonly #doomed = new Map<string, { left: number; readonly happen: () => void }>();
  /** Hears every message that is sent, before anything happens to it. */
  onSent: ((from: SimulatedProcess, to: SimulatedProcess, message: WireMessage) => void) | undefined;
  messageCount = 0;
  #ports = 40_000;

  constructor(world: Scheduler) {
    this.world = world;
  }

  listen(process: SimulatedProcess, port: number, accept: Listener): number {
    this.#ports += 1;
    const taken = port === 0 ? this.#ports : port;
    this.#listeners.set(taken, { process, accept });
    process.endings.push(() => this.close(taken, process));
    return taken;
  }

  close(port: number, process: SimulatedProcess): void {
    if (this.#listeners.get(port)?.process === process) this.#listeners.delete(port);
  }

  /** Whether messages reach a machine. */
  isCutOff(process: SimulatedProcess): boolean {
    return this.#cutOff.has(process.name);
  }

  isCutOffByName(name: string): boolean {
    return this.#cutOff.has(name);
  }

  cutOff(name: string): void {
    this.#cutOff.add(name);
    for (const connection of [...this.#connections]) {
      if (connection.sides.some((side) => side.process.name === name)) connection.break();
    }
  }

  /** Cuts a machine off once it has got so many more messages. */
  cutOffAfter(name: string, messages: number): void {
    this.#lastMessages.set(name, messages);
  }

  arrived(name: string): void {
    const left = this.#lastMessages.get(name);
    if (left === undefined) return;
    this.#lastMessages.set(name, left - 1);
    if (left > 1) return;
    this.#lastMessages.delete(name);
    this.cutOff(name);
  }

  /** Calls back once so many more messages of a machine have arrived, at it or at others. */
  onceDelivered(name: string, messages: number, happen: () => void): void {
    this.#doomed.set(name, { left: messages, happen });
  }

  delivered(...names: readonly string[]): void {
    for (const name of names) {
      const doomed = this.#doomed.get(name);
      if (doomed === undefined) continue;
      doomed.left -= 1;
      if (doomed.left > 0) continue;
      this.#doomed.delete(name);
      doomed.happen();
    }
  }

  rejoin(name: string): void {
    this.#doomed.delete(name);
    this.#lastMessages.delete(name);
    this.#cutOff.delete(name);
  }

  /** Breaks all connections of a machine, with what was on its way. */
  breakConnectionsOf(name: string): void {
    for (const connection of [...this.#connections]) {
      if (connection.sides.some((side) => side.process.name === name)) connection.break();
    }
  }

  /** Opens a connection from the current process; `failed` is called where nobody answers. */
  connect(port: number, { opened, failed }: { opened(connection: Connection): void; failed(): void }): void {
    const { world } = this;
    const from = world.current;
    world.schedule(from, this.latencyMs(), () => {
      const listener = this.#listeners.get(port);
      const isReached =
        listener?.process.isAlive === true && !this.isCutOff(from) && !this.isCutOff(listener.process);
      if (listener === undefined || !isReached) {
        failed();
        return;
      }
      const connection = new Connection(this, from, listener.process);
      this.#connections.add(connection);
      // What a process had sent when it ended may still arrive.
      const breakOff = (): void => connection.break(world.dice.chance(0.5));
      from.endings.push(breakOff);
      listener.process.endings.push(breakOff);
      opened(connection);
      world.schedule(listener.process, 0, () => listener.accept(connection));
    });
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
  }

  latencyMs(): number {
    return LEAST_LATENCY_MS + this.world.dice.fraction() * this.conditions.latencyMs;
  }
}

export class ConnectionSide {
  readonly process: SimulatedProcess;
  receiver: Receiver | undefined;
  /** When the last message to this side arrives. */
  arrivesMs = 0;
  isPaused = false;
  /** Arrived while nobody read, in order. */
  readonly waiting: (() => void)[] = [];

  constructor(process: SimulatedProcess) {
    this.process = process;
  }
}

export class Connection {
  readonly client: ConnectionSide;
  readonly server: ConnectionSide;
  readonly #network: Network;
  isBroken = false;
  #lingers = false;

  constructor(network: Network, client: SimulatedProcess, server: SimulatedProcess) {
    this.#network = network;
    this.client = new ConnectionSide(client);
    this.server = new ConnectionSide(server);
  }

  get sides(): readonly ConnectionSide[] {
    return [this.client, this.server];
  }

  /** @param arrived - called at the sender when the message has left */
  send(to: ConnectionSide, message: WireMessage, arrived: () => void = () => {}): void {
    const network = this.#network;
    const { world } = network;
    if (this.isBroken) return;
    network.messageCount += 1;
    network.onSent?.(to === this.client ? this.server.process : this.client.process, to.process, message);
    const { breaksOnceIn } = network.conditions;
    if (breaksOnceIn > 0 && world.dice.below(breaksOnceIn) === 0) {
      world.schedule(to.process, network.latencyMs(), () => this.break());
      return;
    }
    const { garblesOnceIn } = network.conditions;
    if (garblesOnceIn > 0 && message.kind === "data" && world.dice.below(garblesOnceIn) === 0) {
      const at = world.dice.below(message.bytes.length);
      message.bytes[at] = (message.bytes[at] ?? 0) ^ (1 << world.dice.below(8));
    }
    to.arrivesMs = Math.max(to.arrivesMs, world.nowMs + network.latencyMs());
    const from = to === this.client ? this.server : this.client;
    world.schedule(to.process, to.arrivesMs - world.nowMs, () => {
      if (this.isBroken && !this.#lingers) return;
      const deliver = (): void => to.receiver?.receive(message);
      if (to.isPaused) to.waiting.push(deliver);
      else deliver();
      network.arrived(to.process.name);
      network.delivered(to.process.name, from.process.name);
    });
    world.schedule(from.process, to.arrivesMs - world.nowMs, arrived);
  }

  /**
   * Both sides hear of it, each when it does.
   *
   * @param lingers - what is on its way arrives before that
   */
  break(lingers = false): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.#lingers = lingers;
    this.#network.forget(this);
    const { world } = this.#network;
    for (const side of this.sides) {
      const afterMs = lingers ? Math.max(0, side.arrivesMs - world.nowMs) : 0;
      world.schedule(side.process, afterMs + this.#network.latencyMs(), () => side.receiver?.broken());
    }
  }
}
