/**
 * Whether a stretch of a log continues what a session was sent. Where others can change the store, the entries behind a
 * position may be those of another log: a backup was restored, or a server took over that had not got the last ones.
 *
 * @module
 */
import { type LogPoint, nextPoint } from "@cambium/core/wire";
import { chunkTools } from "../chunk-tools.js";
import type { Stretch } from "./space-feed.js";

/** The mark before each stretch that was looked at: many sessions are sent the same one. */
const marksBefore = new WeakMap<Stretch, Uint8Array>();

export function continues(stretch: Stretch, from: LogPoint): boolean {
  const known = stretch.markBefore ?? marksBefore.get(stretch);
  if (known !== undefined) return from.position === stretch.after && Buffer.compare(known, from.mark) === 0;
  const [first] = stretch.entries;
  if (first?.mark === undefined) return first === undefined;
  const next = nextPoint(from, first, chunkTools.sha256);
  const isNext = next.position === first.position && Buffer.compare(next.mark, first.mark) === 0;
  if (isNext) marksBefore.set(stretch, from.mark);
  return isNext;
}
