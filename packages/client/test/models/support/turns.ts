import { setImmediate as nextTurn } from "node:timers/promises";

/** Lets the event loop turn until the condition holds; real I/O gets done meanwhile, and no time is waited for. */
export async function turnsUntil(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200_000; turn += 1) {
    if (holds()) return;
    await nextTurn();
  }
  throw new Error("The condition never came to hold");
}
