/**
 * Names of checkpoints. Those made by hand have one that someone chose; the others are named by why they were made,
 * when, in UTC, and by digits of their id: every device shows the same, and none comes to mean another checkpoint.
 *
 * @module
 */
import type { AutomaticCause } from "../catalog.js";
import { compareText } from "../format/bytes.js";
import { weekName } from "./iso-week.js";

/** What naming has to know about a checkpoint. */
export interface NamedCheckpoint {
  /** The smaller id keeps a name that two checkpoints have. */
  readonly id: string;
  /** As it was named. */
  readonly ownName: string;
  /** A deleted one gives up its name. */
  readonly state: "kept" | "deleted";
}

const SUFFIX_DIGITS = 4;

const BEFORE = {
  bulk: "before-bulk",
  import: "before-import",
  merge: "before-merge",
  rollback: "before-rollback",
  consolidate: "before-consolidation",
  forget: "before-forget",
  upgrade: "before-upgrade",
  erase: "before-erasure",
} as const satisfies Record<Exclude<AutomaticCause, "weekly">, string>;

/** @param at - when it was made, in milliseconds since 1970 */
export function automaticName(id: string, cause: AutomaticCause, at: number): string {
  const digits = id.slice(0, SUFFIX_DIGITS);
  if (cause === "weekly") return `weekly-${weekName(at)}-${digits}`;
  const [date = "", time = ""] = new Date(at).toISOString().split("T");
  return `${BEFORE[cause]}-${date}-${time.slice(0, 2)}${time.slice(3, 5)}-${digits}`;
}

/** The name each is shown under. Of several kept under one name the smallest id has it; the others read `name~ab12`. */
export function shownNames(checkpoints: readonly NamedCheckpoint[]): ReadonlyMap<string, string> {
  const holder = new Map<string, string>();
  for (const { id, ownName, state } of checkpoints.toSorted((a, b) => compareText(a.id, b.id))) {
    if (state === "kept" && !holder.has(ownName)) holder.set(ownName, id);
  }
  return new Map(
    checkpoints.map(({ id, ownName }) => {
      const isHolder = (holder.get(ownName) ?? id) === id;
      return [id, isHolder ? ownName : `${ownName}~${id.slice(0, SUFFIX_DIGITS)}`];
    }),
  );
}
