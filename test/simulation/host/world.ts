/**
 * Virtual time and the one queue of everything that happens. An event belongs to a simulated process; what it
 * starts belongs to that process too, since everything an event sets off is done before the next one begins.
 *
 * @module
 */
import { setImmediate as realImmediate } from "node:timers";
import { Dice, mixSeed } from "../random.ts";
import { EventQueue, type QueuedEvent } from "./event-queue.ts";
import { Network } from "./network.ts";
import type { Scheduler } from "./scheduler.ts";
import { type MachineClock, SimulatedProcess } from "./simulated-process.ts";

/** When simulated time begins: 1 March 2026. */
const EPOCH_MS = Date.UTC(2026, 2, 1, 8);
/** So long an event of a busy machine may wait for its turn. */
const MAX_JITTER_MS = 0.3;

export class World implements Scheduler {
  readonly dice: Dice;
  /** For libraries that draw more or fewer numbers after what ran before in this Node, and use none for what is seen. */
  readonly entropy: Dice;
  readonly network: Network = new Network(this);
  nowMs = 0;
  current: SimulatedProcess;
  /** The world outside: whoever runs the simulation. */
  readonly outside = new SimulatedProcess("outside", 1, { offsetMs: 0, drift: 0 });
  /** Errors that no one caught, with the process in which they happened. */
  readonly uncaught: { readonly process: SimulatedProcess; readonly error: unknown }[] = [];
  eventCount = 0;
  readonly #queue = new EventQueue();
  #pids = 100;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    this.entropy = new Dice(mixSeed(seed, 0));
    this.current = this.outside;
  }

  startProcess(name: string, clock: MachineClock): SimulatedProcess {
    this.#pids += 1;
    return new SimulatedProcess(name, this.#pids, clock);
  }

  /** What the clock on the wall of a process's machine shows, in whole milliseconds since 1970. */
  wallClock(process: SimulatedProcess = this.current): number {
    const { offsetMs, drift } = process.clock;
    return Math.floor(EPOCH_MS + this.nowMs * (1 + drift) + offsetMs);
  }

  /** Runs something in a process, after a time. */
  schedule(process: SimulatedProcess, delayMs: number, run: () => void): QueuedEvent {
    return this.#queue.add(this.nowMs + Math.max(0, delayMs), process, run);
  }

  /** Runs something soon, behind everything that the process is to do soon already. */
  scheduleSoon(process: SimulatedProcess, run: () => void): QueuedEvent {
    const at = Math.max(process.busyUntil, this.nowMs + this.dice.fraction() * MAX_JITTER_MS);
    process.busyUntil = at;
    return this.#queue.add(at, process, run);
  }

  cancel(event: QueuedEvent): void {
    event.isCancelled = true;
  }

  /** Ends a process at once: nothing of it happens any more. */
  kill(process: SimulatedProcess): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    for (const end of process.endings.splice(0)) end();
  }

  /**
   * Lets things happen until `isDone`, and no longer than until `limitMs` of virtual time.
   *
   * @returns whether it was done by then
   */
  async runUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
    while (!isDone()) {
      const event = this.#queue.take(limitMs);
      if (event === undefined) {
        this.nowMs = Math.max(this.nowMs, limitMs);
        return isDone();
      }
      if (event.isCancelled || !event.process.isAlive) continue;
      this.nowMs = Math.max(this.nowMs, event.at);
      await this.#run(event);
    }
    return true;
  }

  async #run(event: QueuedEvent): Promise<void> {
    this.eventCount += 1;
    this.current = event.process;
    try {
      event.run();
    } catch (error) {
      // What a process meets in the event that ends it, nobody sees.
      if (event.process.isAlive) this.uncaught.push({ process: event.process, error });
    }
    // By then, every promise that could go on has done so.
    await new Promise((resolve) => realImmediate(resolve));
    this.current = this.outside;
  }
}
