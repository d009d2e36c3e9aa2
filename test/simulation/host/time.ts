/**
 * Clocks and timers: `Date`, `performance.now`, `setTimeout` and its kin run on virtual time.
 *
 * @module
 */
import { currentWorld } from "./current-world.ts";
import type { QueuedEvent } from "./event-queue.ts";

export function installTime(require: NodeJS.Require): void {
  installDate();
  installTimers();
  installPromisedTimers(require);
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (delayMs) => {
    if (currentWorld() === undefined) return realTimeout(delayMs);
    const controller = new AbortController();
    const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    setTimeout(() => controller.abort(reason), delayMs);
    return controller.signal;
  };
}

function installDate(): void {
  const RealDate = Date;
  const realNow = Date.now.bind(Date);
  const now = (): number => currentWorld()?.wallClock() ?? realNow();
  const simulated = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as object,
  });
  RealDate.now = now;
  globalThis.Date = simulated;
  const realPerformanceNow = performance.now.bind(performance);
  performance.now = () => currentWorld()?.nowMs ?? realPerformanceNow();
}

/** What `setTimeout` returns. */
class VirtualTimer {
  event: QueuedEvent;
  readonly #again: () => QueuedEvent;
  isDone = false;

  constructor(again: () => QueuedEvent) {
    this.#again = again;
    this.event = again();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.event.isCancelled = true;
    this.event = this.#again();
    return this;
  }

  close(): this {
    this.event.isCancelled = true;
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Callback = (...values: readonly unknown[]) => void;

function installTimers(): void {
  const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
  const start = (
    fallback: Callback,
    again: (callback: () => void) => QueuedEvent,
    run: () => void,
  ): unknown => (currentWorld() === undefined ? fallback() : new VirtualTimer(() => again(run)));
  const inCurrent = (delayMs: number) => (run: () => void) => {
    const world = currentWorld();
    if (world === undefined) throw new Error("A virtual timer outlived its world.");
    return world.schedule(world.current, delayMs, run);
  };
  const timeout = (run: Callback, delayMs = 0, ...values: readonly unknown[]): unknown =>
    start(
      () => real.setTimeout(run, delayMs, ...values),
      inCurrent(Math.max(1, delayMs || 0)),
      () => run(...values),
    );
  const immediate = (run: Callback, ...values: readonly unknown[]): unknown => {
    const world = currentWorld();
    return start(
      () => real.setImmediate(run, ...values),
      (call) => {
        if (world === undefined) throw new Error("Only called where there is a world.");
        return world.scheduleSoon(world.current, call);
      },
      () => run(...values),
    );
  };
  const interval = (run: Callback, periodMs = 1, ...values: readonly unknown[]): unknown => {
    if (currentWorld() === undefined) return real.setInterval(run, periodMs, ...values);
    const timer: VirtualTimer = new VirtualTimer(() =>
      inCurrent(Math.max(1, periodMs))(() => {
        timer.refresh();
        run(...values);
      }),
    );
    return timer;
  };
  const clear = (fallback: (timer: never) => void) => (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.close();
    else fallback(timer as never);
  };
  Object.assign(globalThis, {
    setTimeout: timeout,
    setInterval: interval,
    setImmediate: immediate,
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
    clearImmediate: clear(real.clearImmediate),
  });
}

function installPromisedTimers(require: NodeJS.Require): void {
  Object.assign(require("node:timers/promises") as object, {
    setTimeout: (delayMs: number, value: unknown) =>
      new Promise((resolve) => setTimeout(() => resolve(value), delayMs)),
    setImmediate: (value: unknown) => new Promise((resolve) => setImmediate(() => resolve(value))),
  });
}
