/** A replica in a directory of its own, which goes with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Replica } from "../../src/api.js";
import { openReplica } from "../../src/replica/open-replica.js";

export interface ReplicaHere extends AsyncDisposable {
  readonly replica: Replica;
  readonly dir: string;
}

export async function replicaHere(clock: () => number = ticking()): Promise<ReplicaHere> {
  const dir = mkdtempSync(join(tmpdir(), "cambium-mcp-"));
  const replica = await openReplica({ dir: join(dir, "home"), stateDir: join(dir, "state"), clock });
  return {
    replica,
    dir,
    [Symbol.asyncDispose]: async () => {
      await replica.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A minute passes between any two looks at the clock. */
function ticking(start = Date.parse("2026-08-01T09:00:00Z")): () => number {
  let now = start;
  return () => {
    now += 60_000;
    return now;
  };
}
