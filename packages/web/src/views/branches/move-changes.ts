/**
 * Moving what came since a day from one branch to another.
 *
 * @module
 */
import { useAddress } from "../../address/use-address.ts";
import { type Answer, ApiError, call } from "../../api/client.ts";
import { refusalText } from "../../i18n/refusals.ts";
import { useReader } from "../../i18n/text.ts";
import { useToasts } from "../../ui/toasts.tsx";
import { useWrite } from "../../ui/use-write.ts";

interface Moving {
  readonly space: string;
  readonly branch: string;
  /** The state that the branch goes back to. */
  readonly to: string;
  /** It begins with that state. */
  readonly made: string;
}

/** Both branches are back at the state then, and what came since can be brought to the new one. */
interface RolledBack {
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
async function rollBackBoth({ space, branch, to, made }: Moving): Promise<RolledBack | undefined> {
  const { change, from } = await call("rollback", { space, branch, to });
  if (change === undefined) return undefined;
  await call("merge", { space, from: branch, into: made });
  return { change, everything: `${made}@heads:${from.heads.join(",")}` };
}

type Made = Answer<"branchesCreate">;

/** @param remove - deletes the new branch, when all of it is undone */
export function useMoveChanges(remove: (id: string) => Promise<unknown>) {
  const { space, branch } = useAddress();
  const write = useWrite();
  const toasts = useToasts();
  const { language } = useReader();
  const bringBack = ({ change, everything }: RolledBack, { id, name }: Made) =>
    write(
      "rollback",
      { space, branch: name, to: everything },
      {
        done: "branches.moved",
        values: () => ({ name, branch }),
        undo: async () => {
          await call("undo", { space, branch, change });
          await remove(id);
        },
      },
    );
  return async (made: Made, to: string): Promise<void> => {
    try {
      const rolledBack = await rollBackBoth({ space, branch, to, made: made.name });
      if (rolledBack !== undefined) await bringBack(rolledBack, made);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toasts.show({ text: refusalText(error, language) });
    }
  };
}
