import type { Space, SyncStatus } from "@cambium/client";
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
      return await context.answer(after, () => syncText(after, context));
    }),
};

/** @returns the status right after, before the line to the relay is closed */
async function syncWithin(timeoutSeconds: number, space: Space, context: Context): Promise<SyncStatus> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  const stopReporting = reportProgress(space, context);
  space.sync.start();
  try {
    await space.sync.whenSynced({ signal: AbortSignal.any([timeout, context.io.signal]) });
    return await space.sync.status();
  } catch (error) {
    if (!timeout.aborted) throw error;
    throw await timedOut(timeoutSeconds, await space.sync.status(), error);
  } finally {
    // What was started ends with the space, where this process has opened it; a daemon goes on.
    stopReporting();
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

function reportProgress(space: Space, { io, style }: Context): () => void {
  const line = new ProgressLine(io);
  if (!line.isWanted) return () => undefined;
  const show = async (): Promise<void> => {
    const { relay } = await space.sync.status();
    line.show(relayText(relay, style));
  };
  // Progress is a courtesy: whatever goes wrong is reported by the sync itself.
  const showQuietly = (): void => void show().catch(() => undefined);
  const unsubscribe = space.subscribe(showQuietly);
  showQuietly();
  return () => {
    unsubscribe();
    line[Symbol.dispose]();
  };
}

function syncText({ relay }: SyncStatus, { style }: Context): string {
  if (relay.url !== null) return `In sync: ${relayText(relay, style)}`;
  return "This space has no relay: it is on this device only. To give it one: cambium link <url of the relay> --token <admin token of the relay>";
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError("Give a number of seconds above 0.");
  return number;
}
