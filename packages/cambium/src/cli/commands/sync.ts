import type { Space, SpaceStatus, SyncStatus } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import { InvalidArgumentError, Option } from "commander";
import type { CommandDefinition } from "../command.js";
import type { Context, ContextOptions } from "../context.js";
import { spaceOption } from "../options.js";
import { ProgressLine } from "../progress-line.js";
import { relayText } from "../render/status.js";

interface Options extends ContextOptions {
  readonly timeout: number;
}

const DEFAULT_TIMEOUT_SECONDS = 30;
/** Nobody wonders before. */
const QUIET_MS = 800;

export const sync: CommandDefinition<Options> = {
  about: "Send and fetch all changes. Returns when the relay has confirmed all of them",
  examples: ["cambium sync", "cambium sync --timeout 120"],
  options: (command) =>
    spaceOption(command).addOption(
      new Option("--timeout <seconds>", "stop after this time")
        .argParser(seconds)
        .default(DEFAULT_TIMEOUT_SECONDS),
    ),
  act: async (context, _args, { timeout }) =>
    await context.withSpace(async ({ space }) => {
      const before = await space.sync.status();
      const after = before.relay.url === null ? before : await syncWithin(timeout, space, context);
      return await context.answer(after, async () => syncText(after, await space.status(), context));
    }),
};

/** @returns the status right after, before the line to the relay is closed */
async function syncWithin(timeoutSeconds: number, space: Space, context: Context): Promise<SyncStatus> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  const failure = new AbortController();
  space.sync.start();
  const stopWatching = watch(space, context, (reason) => failure.abort(reason));
  try {
    const signal = AbortSignal.any([timeout, failure.signal, context.io.signal]);
    await space.sync.whenSynced({ signal });
    return await space.sync.status();
  } catch (error) {
    if (failure.signal.aborted) throw failure.signal.reason;
    if (!timeout.aborted) throw error;
    throw await timedOut(timeoutSeconds, await space.sync.status(), error);
  } finally {
    // What was started ends with the space, where this process has opened it; a daemon goes on.
    stopWatching();
  }
}

async function timedOut(timeoutSeconds: number, { relay }: SyncStatus, cause: unknown): Promise<Error> {
  const { CambiumError } = await import("@cambium/core/errors");
  const state = { url: relay.url, state: relay.state, pending: relay.pending, missing: relay.missing };
  return new CambiumError("TIMED_OUT", `Not in sync after ${timeoutSeconds} s. ${whyNot(relay)}`, {
    hint: "Nothing is lost. Run `cambium sync` again, with a longer --timeout if needed.",
    details: state,
    cause,
  });
}

function whyNot({ url, state, reason, pending, missing }: SyncStatus["relay"]): string {
  if (state === "offline")
    return `The relay at ${url} did not answer${reason === undefined ? "" : ` (${reason})`}.`;
  if (pending + missing === 0) return "The relay has not confirmed yet that everything is here.";
  return `Changes to send: ${pending}; records to fetch: ${missing}.`;
}

/** Tells how far it is, and gives up when the relay cannot be reached. */
function watch(space: Space, { io, style, json }: Context, giveUp: (reason: Error) => void): () => void {
  const line = new ProgressLine(io);
  const attempts = new Attempts();
  let isOver = false;
  const look = async (): Promise<void> => {
    const { relay, documents } = await space.sync.status();
    if (isOver) return;
    line.show(progressText(relay, documents, style));
    if (attempts.hasFailed(relay)) giveUp(await unreachable(relay));
  };
  // A courtesy: whatever goes wrong is reported by the sync itself.
  const lookQuietly = (): void => void look().catch(() => undefined);
  const unsubscribe = space.subscribe(lookQuietly);
  lookQuietly();
  const cancel = io.timers.after(QUIET_MS, () => {
    lookQuietly();
    if (!io.errors.isTerminal && !json) io.errors.write("Syncing …\n");
  });
  return () => {
    isOver = true;
    cancel();
    unsubscribe();
    line[Symbol.dispose]();
  };
}

/** The line may break and be there again at once; an attempt that fails means that nobody is there. */
class Attempts {
  #wasOnline = false;

  hasFailed({ state, reason }: SyncStatus["relay"]): boolean {
    const isLost = state === "offline" && reason !== undefined;
    const hasFailed = isLost && !this.#wasOnline;
    this.#wasOnline = !isLost && (this.#wasOnline || state !== "offline");
    return hasFailed;
  }
}

async function unreachable({ url, pending, reason }: SyncStatus["relay"]): Promise<Error> {
  const { CambiumError } = await import("@cambium/core/errors");
  return new CambiumError("RELAY_UNREACHABLE", reason ?? `The relay at ${url} cannot be reached.`, {
    hint: `Nothing is lost: ${pending === 0 ? "nothing waits to be sent" : `${pending} to send`}. A running daemon syncs by itself when the relay is back; without one, run \`cambium sync\` then.`,
    details: { url, pending },
  });
}

function progressText(
  { url, state, pending, missing }: SyncStatus["relay"],
  documents: SyncStatus["documents"],
  { colors }: Context["style"],
): string {
  const behind = documents.filter((document) => document.behind > 0).length;
  if (state === "offline") return `Connecting to ${oneLine(url ?? "the relay")} …`;
  const counts = [
    `${pending} to send`,
    ...(behind > 0 ? [`${behind} of ${documents.length} documents to fetch`] : []),
    ...(missing > 0 ? [`${missing} memories to fetch`] : []),
  ];
  return `Syncing ${colors.dim(counts.join(", "))}`;
}

function syncText({ relay }: SyncStatus, { branch }: SpaceStatus, { style }: Context): string {
  const { name, memories = 0 } = branch;
  const count = `${memories} ${memories === 1 ? "memory" : "memories"} on ${oneLine(name)}`;
  if (relay.url !== null) return `In sync: ${relayText(relay, style)}; ${count}`;
  return "This space has no relay: it is on this device only. To give it one: cambium link <url of the relay> --token <admin token of the relay>";
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError("Give a number of seconds above 0.");
  return number;
}
