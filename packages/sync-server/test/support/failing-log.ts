/**
 * A log that refuses to store while told so, as a full disk does.
 *
 * @module
 */
import type { RelayLog } from "../../src/index.js";

export function failingLog(log: RelayLog): RelayLog & { isFull: boolean } {
  const refuseWhenFull = <Input, Output>(store: (input: Input) => Promise<Output>) => {
    return async (input: Input): Promise<Output> => {
      if (failing.isFull) throw new Error("database or disk is full");
      return store(input);
    };
  };
  const failing = {
    ...log,
    isFull: false,
    spaces: { ...log.spaces, append: refuseWhenFull(log.spaces.append) },
    probe: refuseWhenFull<void, void>(() => log.probe()),
  };
  return failing;
}
