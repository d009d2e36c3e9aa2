/** Stores of replicas whose disk can be made to fail, or to take its time. */
import { type Medium, withFaults } from "../../../src/storage/testing.js";

export class WatchedStores {
  readonly #faults: { fail(): void }[] = [];
  #held: PromiseWithResolvers<void> | undefined;
  /** Commits that have reached a disk. */
  commits = 0;

  /** Commits wait from now on, until the returned function is called. */
  hold(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    return () => {
      this.#held = undefined;
      held.resolve();
    };
  }

  failNewest(): void {
    this.#faults.at(-1)?.fail();
  }

  watch(inner: Medium): Medium {
    const { medium, fail } = withFaults(inner);
    this.#faults.push({ fail });
    return {
      initial: medium.initial,
      commit: async (operations) => {
        await this.#held?.promise;
        await medium.commit(operations);
        this.commits += 1;
      },
      read: (key) => medium.read(key),
      readRange: (prefix) => medium.readRange(prefix),
      keys: (prefix) => medium.keys(prefix),
      request: (key) => medium.request(key),
      inspect: () => medium.inspect(),
      displaced: () => medium.displaced(),
      close: () => medium.close(),
    };
  }
}
