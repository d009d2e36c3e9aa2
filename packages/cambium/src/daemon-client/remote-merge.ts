/**
 * A merge whose conflicts are put to a function of the caller: it cannot be sent, so it is asked here, after a
 * preview, and its answers are sent.
 *
 * @module
 */

import type { MemoryResolution, MergeOptions, MergeResult, Resolver, SpaceReader } from "@cambium/client";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import type { Calls } from "../operations/calls.js";
import type { RemoteCaller } from "./remote-caller.js";
import { remoteMethods } from "./remote-methods.js";

type Conflict = Parameters<Resolver>[0];
type Sent = Omit<Calls["merge"]["input"], "space">;

/** Branches that move all the time are not chased for ever. */
const MOST_ATTEMPTS = 8;

export async function remoteMerge(caller: RemoteCaller, options: MergeOptions): Promise<MergeResult> {
  const { resolver, signal, onProgress, ...sent } = options;
  const strategy = sent.strategy ?? (resolver === undefined ? "manual" : "resolver");
  if (strategy !== "resolver") return await caller.call("merge", sent, { signal, onProgress });
  if (resolver === undefined)
    throw new CambiumError("BAD_INPUT", "The strategy resolver needs a resolver function.");
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answered = await withAnswers(caller, { ...sent, strategy: "manual" }, resolver, signal);
      return await caller.call("merge", answered, { signal, onProgress });
    } catch (error) {
      const hasMoved = sent.expect === undefined && isCambiumError(error, "STALE_EXPECTATION");
      if (!hasMoved || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** The merge as it was previewed, with what the resolver says about each memory in conflict. */
async function withAnswers(
  caller: RemoteCaller,
  merge: Sent,
  resolver: Resolver,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const preview = await caller.call("merge", { ...merge, preview: true }, { signal });
  const [source, target] = [preview.from, preview.to].map(({ branch, heads }) =>
    remoteMethods("reader", caller, { at: `${branch}@heads:${heads.join(",")}` }),
  ) as [SpaceReader, SpaceReader];
  const answers: Record<string, MemoryResolution> = {};
  for (const conflict of preview.conflicts) {
    const { id } = conflict;
    const both = { source: await source.get(id), target: await orNothing(target.get(id)) };
    answers[id] = await resolver({ ...conflict, ...both } satisfies Conflict);
  }
  const expect = { from: preview.from.heads, into: preview.to.heads };
  return { ...merge, resolutions: { ...answers, ...merge.resolutions }, expect };
}

const orNothing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isCambiumError(error, "MEMORY_NOT_FOUND")) return undefined;
    throw error;
  });
