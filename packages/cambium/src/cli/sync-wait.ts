/**
 * Waiting for a space to be in sync: tells how far it is, and gives up when the relay cannot be reached.
 *
 * @module
 */
import type { Space, SpaceStatus, SyncStatus } from "@cambium/client";
import { counted, messageOf, oneLine } from "@cambium/core/text";
import type { Context } from "./context.js";
import { Interrupted, type StoppedState, unlessStopped } from "./failure.js";
import { ProgressLine } from "./progress-line.js";
import { relayText } from "./render/status.js";

/** Nobody wonders before. */
const QUIET_MS = 800;
/** In a pipe, where each line stays. */
const EVERY_MS = 2_000;
/** What is fetched is counted while nothing else happens, too. */
const LOOK_MS = 1_000;
/** A relay that is slow is no reason to leave, one that sends nothing is. */
const STALLED_SECONDS = 30;

export interface WaitLimit {
  readonly seconds: number;
  /** Whether they are counted from the last progress, not from the beginning. */
  readonly isRenewed?: boolean;
}

/**
 * @returns the status right after, before the line to the relay is closed
 * @throws {CambiumError} TIMED_OUT, RELAY_UNREACHABLE, and what the relay refuses
 */
export function waitForSync(space: Space, context: Context, limit: WaitLimit): Promise<SyncStatus> {
  return unlessStopped(waitUntilSynced(space, context, limit), context.io, () => stoppedWaiting(space));
}

async function waitUntilSynced(space: Space, context: Context, limit: WaitLimit): Promise<SyncStatus> {
  const timeout = new Timeout(limit, context);
  const failure = new AbortController();
  space.sync.start();
  const stopWatching = watch(space, context, {
    giveUp: (reason) => failure.abort(reason),
    onLook: (seen) => timeout.renew(seen),
  });
  try {
    const signal = AbortSignal.any([timeout.signal, failure.signal, context.io.signal]);
    await space.sync.whenSynced({ signal });
    return await space.sync.status();
  } catch (error) {
    if (failure.signal.aborted) throw failure.signal.reason;
    if (!timeout.signal.aborted) throw error;
    throw await timedOut(limit.seconds, await space.sync.status(), error);
  } finally {
    // What was started ends with the space, where this process has opened it; a daemon goes on.
    stopWatching();
    timeout[Symbol.dispose]();
  }
}

export interface FirstSync {
  readonly isInSync: boolean;
  /** The space as it is then: its relay, and the memories of main. */
  readonly status: SpaceStatus;
  /** Why it is not in sync. */
  readonly reason?: string;
}

/** After a space was joined or linked, which is done whatever becomes of this. */
export async function firstSync(space: Space, context: Context): Promise<FirstSync> {
  try {
    await waitForSync(space, context, { seconds: STALLED_SECONDS, isRenewed: true });
    return { isInSync: true, status: await space.status() };
  } catch (error) {
    if (error instanceof Interrupted) throw error.after(`The space ${oneLine(space.name)} is linked.`);
    if (context.io.signal.aborted) throw error;
    const reason = messageOf(error);
    return { isInSync: false, status: await space.status(), reason };
  }
}

export function firstSyncText({ isInSync, status, reason = "" }: FirstSync, { style }: Context): string {
  if (isInSync) return inSyncText(status.relay, status, style);
  const { memories = 0 } = status.branch;
  const { pending, missing } = status.relay;
  return `Not in sync yet: ${memoriesText(memories)} here, ${pending} to send, ${missing} to fetch. ${oneLine(reason)}`;
}

export function inSyncText(
  relay: SyncStatus["relay"],
  { branch, conflicts }: Pick<SpaceStatus, "branch" | "conflicts">,
  style: Context["style"],
): string {
  const { name, memories = 0 } = branch;
  const open = conflicts === 0 ? "" : `, ${conflicts} in conflict: see \`cambium conflicts\``;
  return `In sync: ${relayText(relay, style)}; ${memoriesText(memories)} on ${oneLine(name)}${open}`;
}

const memoriesText = (count: number): string => counted(count, "memory", "memories");

async function stoppedWaiting(space: Space): Promise<StoppedState> {
  const { pending, missing } = (await space.sync.status()).relay;
  const left = `Stopped waiting: ${pending} to send, ${missing} to fetch.`;
  return {
    lines: [
      `${left} Nothing is lost. A running daemon goes on by itself; without one, run \`cambium sync\`.`,
    ],
    details: { pending, missing },
  };
}

class Timeout implements Disposable {
  readonly #limit: WaitLimit;
  readonly #timers: Context["io"]["timers"];
  readonly #controller = new AbortController();
  #cancel: () => void;
  #seen = "";

  constructor(limit: WaitLimit, { io }: Context) {
    this.#limit = limit;
    this.#timers = io.timers;
    this.#cancel = this.#begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @param seen - other than before: there is progress */
  renew(seen: string): void {
    if (this.#limit.isRenewed !== true || seen === this.#seen) return;
    this.#seen = seen;
    this.#cancel();
    this.#cancel = this.#begin();
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }

  #begin(): () => void {
    return this.#timers.after(this.#limit.seconds * 1_000, () => this.#controller.abort());
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

interface Watcher {
  readonly giveUp: (reason: Error) => void;
  readonly onLook: (seen: string) => void;
}

function watch(space: Space, { io, style, json }: Context, { giveUp, onLook }: Watcher): () => void {
  const line = new ProgressLine(io);
  const isPiped = !io.errors.isTerminal && !json;
  const attempts = new Attempts();
  let [isOver, shownAt] = [false, Number.POSITIVE_INFINITY];
  const look = async (): Promise<void> => {
    const { relay, documents } = await space.sync.status();
    if (isOver) return;
    const text = progressText(relay, documents, style);
    onLook(text);
    line.show(text);
    if (isPiped && io.now() - shownAt >= EVERY_MS) {
      shownAt = io.now();
      io.errors.write(`${text}\n`);
    }
    if (attempts.hasFailed(relay)) giveUp(await unreachable(relay));
  };
  // A courtesy: whatever goes wrong is reported by the sync itself.
  const lookQuietly = (): void => void look().catch(() => undefined);
  const unsubscribe = space.subscribe(lookQuietly);
  lookQuietly();
  let cancel = io.timers.after(QUIET_MS, () => {
    lookQuietly();
    shownAt = io.now();
    if (isPiped) io.errors.write("Syncing …\n");
    cancel = io.timers.after(LOOK_MS, lookAgain);
  });
  const lookAgain = (): void => {
    lookQuietly();
    cancel = io.timers.after(LOOK_MS, lookAgain);
  };
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
    ...(pending > 0 ? [`${pending} to send`] : []),
    ...(behind > 0 ? [`${behind} of ${documents.length} documents to fetch`] : []),
    ...(missing > 0 ? [`${missing} memories to fetch`] : []),
  ];
  return `Syncing ${colors.dim(counts.length === 0 ? "…" : counts.join(", "))}`;
}
