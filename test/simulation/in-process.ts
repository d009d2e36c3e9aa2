/**
 * Calling from outside into a simulated process, and waiting for the answer in virtual time.
 *
 * @module
 */
import type { SimulatedProcess } from "./host/simulated-process.ts";
import type { World } from "./host/world.ts";

/** A call into a process that may die under it. */
export interface PendingCall<Result> {
  readonly startedMs: number;
  outcome:
    | { readonly kind: "pending" }
    | { readonly kind: "answered"; readonly result: Result }
    | { readonly kind: "failed"; readonly error: unknown }
    /** The process ended first. */
    | { readonly kind: "lost" };
}

export class HangError extends Error {}
export class ProcessEndedError extends Error {}

/** Virtual time that nothing needs unless it hangs. */
const LIMIT_MS = 10 * 60_000;

export function startCall<Result>(
  world: World,
  process: SimulatedProcess,
  run: () => Promise<Result>,
): PendingCall<Result> {
  const call: PendingCall<Result> = { startedMs: world.nowMs, outcome: { kind: "pending" } };
  const settle = (outcome: PendingCall<Result>["outcome"]): void => {
    if (call.outcome.kind === "pending" && process.isAlive) call.outcome = outcome;
  };
  process.endings.push(() => {
    if (call.outcome.kind === "pending") call.outcome = { kind: "lost" };
  });
  world.scheduleSoon(process, () => {
    run().then(
      (result) => settle({ kind: "answered", result }),
      (error: unknown) => settle({ kind: "failed", error }),
    );
  });
  return call;
}

/** @throws what the call throws; HangError, ProcessEndedError */
export async function inProcess<Result>(
  world: World,
  process: SimulatedProcess,
  run: () => Promise<Result>,
): Promise<Result> {
  return finishCall(world, startCall(world, process, run));
}

export async function finishCall<Result>(world: World, call: PendingCall<Result>): Promise<Result> {
  await world.runUntil(() => call.outcome.kind !== "pending", call.startedMs + LIMIT_MS);
  const { outcome } = call;
  switch (outcome.kind) {
    case "answered":
      return outcome.result;
    case "failed":
      throw outcome.error;
    case "lost":
      throw new ProcessEndedError("The process ended before it answered.");
    case "pending":
      throw new HangError("A call did not end within ten minutes of virtual time.");
  }
}
