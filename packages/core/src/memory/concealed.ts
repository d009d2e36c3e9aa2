/**
 * Memories that no view shows, of the present or the past. The catalog has one entry for each, among the settings:
 * nothing of the memory itself is changed, so everything is there again once it is revealed.
 *
 * @module
 */
import type { Catalog, SettingEntry } from "../catalog.js";
import type { Encodable } from "../format/encoding.js";
import { isUuid, type MemoryId, type ReplicaId } from "../format/ids.js";

/** Who concealed a memory, and when. */
export interface Concealment {
  /** The memory. */
  readonly id: MemoryId;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The replica on which it was done. */
  readonly by: ReplicaId;
  /** Absent for a person. */
  readonly agent?: string | undefined;
}

interface ConcealmentValue extends Omit<Concealment, "id"> {
  readonly concealed: boolean;
}

const PREFIX = "concealed:";

/** Where the catalog says of a memory whether it is concealed. */
export const concealmentKey = (id: MemoryId): string => PREFIX + id;

/** Returns the entry that conceals a memory, or reveals it. */
export function concealmentEntry(
  concealed: boolean,
  { at, by, agent }: Omit<Concealment, "id">,
): SettingEntry {
  const value: ConcealmentValue = { concealed, at, by, ...(agent === undefined ? {} : { agent }) };
  return { value: value as unknown as Encodable };
}

/** A catalog is never changed once it is read, and every answer asks. */
const known = new WeakMap<Catalog["settings"], ReadonlyMap<MemoryId, Concealment>>();

/** Returns what is concealed, by memory. Of what was concealed and revealed side by side, it stays concealed. */
export function concealmentsIn(settings: Catalog["settings"]): ReadonlyMap<MemoryId, Concealment> {
  const found = known.get(settings) ?? readConcealments(settings);
  known.set(settings, found);
  return found;
}

function readConcealments(settings: Catalog["settings"]): ReadonlyMap<MemoryId, Concealment> {
  const found = new Map<MemoryId, Concealment>();
  for (const [key, { value, others }] of settings) {
    const id = key.slice(PREFIX.length);
    if (!key.startsWith(PREFIX) || !isUuid(id)) continue;
    const values: readonly unknown[] = [value, ...others].map((one) => one.value);
    const concealing = values.find(isConcealing);
    if (concealing === undefined) continue;
    const { at, by, agent } = concealing;
    const memory = id as MemoryId;
    found.set(memory, { id: memory, at, by, ...(typeof agent === "string" ? { agent } : {}) });
  }
  return found;
}

/** Returns when each memory was revealed that is not concealed any more, in milliseconds since 1970. */
export function revealedIn(settings: Catalog["settings"]): ReadonlyMap<MemoryId, number> {
  const concealed = concealmentsIn(settings);
  const found = new Map<MemoryId, number>();
  for (const [key, { value }] of settings) {
    const id = key.slice(PREFIX.length) as MemoryId;
    if (!key.startsWith(PREFIX) || concealed.has(id)) continue;
    const { at } = (value.value ?? {}) as { readonly at?: unknown };
    if (typeof at === "number") found.set(id, at);
  }
  return found;
}

/** A later version may write other values. */
function isConcealing(value: unknown): value is ConcealmentValue {
  if (typeof value !== "object" || value === null) return false;
  const { concealed, at, by } = value as Partial<ConcealmentValue>;
  return concealed === true && typeof at === "number" && typeof by === "string";
}
