/**
 * A replica in a process of its own, to be killed. It is asked by messages and answers by messages; an answer is given
 * when the replica has given its own, so that what was answered was acknowledged.
 *
 * @module
 */
import type { Replica, Space } from "@cambium/client";
import { breachesOfLaws } from "../checks/laws.ts";
import { builtProduct } from "./built-product.ts";
import { askState, observe } from "./observe.ts";
import { perform } from "./operations.ts";
import type { AnswerMessage, CallMessage, CallName, Calls, OpenOptions } from "./protocol.ts";

const { openReplica } = await builtProduct();
let replica: Replica | undefined;
let space: Space | undefined;
let clockOffsetMs = 0;

const opened = (): Space => {
  if (space === undefined) throw new Error("The space is not open.");
  return space;
};

type Handlers = {
  readonly [Name in CallName]: (argument: never) => Promise<ReturnType<Calls[Name]>>;
};

const handlers: Handlers = {
  async open({ create, invitation, connect, ...options }: OpenOptions) {
    clockOffsetMs = options.clockOffsetMs;
    const { dir, stateDir, name } = options;
    replica = await openReplica({ dir, stateDir, name, connect, clock: () => Date.now() + clockOffsetMs });
    if (create !== undefined) space = await replica.createSpace({ name: "chaos", relay: create });
    else if (invitation !== undefined) space = await replica.joinSpace(invitation);
    else space = await replica.openSpace();
    return replica.id;
  },
  step: async (step: Parameters<Calls["step"]>[0]) => perform(opened(), step, replica?.name ?? ""),
  async synced(timeoutMs: number) {
    try {
      await opened().sync.whenSynced({ signal: AbortSignal.timeout(timeoutMs) });
      return null;
    } catch (error) {
      return String(error);
    }
  },
  observe: (questions: Parameters<Calls["observe"]>[0]) => observe(opened(), questions),
  ask: (state: Parameters<Calls["ask"]>[0]) => askState(opened(), state),
  laws: () => breachesOfLaws(opened()),
  invite: () => opened().invite({ role: "write" }),
  async connect() {
    opened().sync.start();
    return null;
  },
  async reindex() {
    await opened().reindex();
    return null;
  },
  async setClock(offsetMs: number) {
    clockOffsetMs = offsetMs;
    return null;
  },
  async status() {
    const { relay, documents, replica: self, notices, missing } = await opened().status();
    const late = documents.filter(({ pending, behind }) => pending > 0 || behind > 0);
    return JSON.stringify({ relay, late, self, notices, missing });
  },
  async close() {
    await replica?.close();
    return null;
  },
};

function answer(message: AnswerMessage): void {
  process.send?.(message);
}

process.on("message", ({ id, call, argument }: CallMessage) => {
  handlers[call](argument as never).then(
    (value) => answer({ id, value }),
    (error: { readonly code?: string; readonly stack?: string }) =>
      answer({
        id,
        error: {
          ...(error.code === undefined ? {} : { code: error.code }),
          message: error.stack ?? String(error),
        },
      }),
  );
});
// Nobody is left to ask.
process.on("disconnect", () => process.exit(0));
