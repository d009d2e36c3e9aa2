/**
 * A `Repo` that keeps documents and syncs none: the relay's log does that.
 *
 * @module
 */
import type { Repo } from "@automerge/automerge-repo";

export function withoutNetwork({ synchronizer }: Repo): void {
  synchronizer.addDocument = (handle) => {
    // Nobody else has it: those who wait for it need not wait longer.
    if (handle.inState(["requesting"])) handle.unavailable();
  };
  synchronizer.removeDocument = () => {};
}
