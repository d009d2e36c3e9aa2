/**
 * Moving what came since a day from one branch to another.
 *
 * @module
 */
import { call } from "../../api/client.ts";

interface Moving {
  readonly space: string;
  readonly branch: string;
  /** The state that the branch goes back to. */
  readonly to: string;
  /** It begins with that state. */
  readonly made: string;
}

/** Both branches are back at the state then, and what came since can be brought to the new one. */
export interface RolledBack {
  /** What undoes it on the branch. */
  readonly change: string;
  /** The state with everything that came since, as the new branch has it among its past. */
  readonly everything: string;
}

/**
 * The new branch takes part in going back, and gets what was undone as something of its own. A mere copy of the branch
 * would only have what the branch has decided against since: nothing that could ever be brought home.
 *
 * @returns undefined when nothing came since
 */
export async function rollBackBoth({ space, branch, to, made }: Moving): Promise<RolledBack | undefined> {
  const { change, from } = await call("rollback", { space, branch, to });
  if (change === undefined) return undefined;
  await call("merge", { space, from: branch, into: made });
  return { change, everything: `${made}@heads:${from.heads.join(",")}` };
}
