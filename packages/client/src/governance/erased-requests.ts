/**
 * Requests that an erasure has closed: what they are about is gone, so nobody can decide them any more. That follows from
 * the catalog alone, and so every device sees it alike, whatever it was doing when the erasure was written.
 *
 * @module
 */
import { bytesToHex, type Catalog, type ErasureEntry, type RequestEntry, uuidFromBytes } from "@cambium/core";
import type { ApprovalRequest } from "../api.js";

const [ID_BYTES, HASH_BYTES] = [16, 32];

/**
 * Returns the erasure that took the words of a request, or each of the memories that it would erase.
 *
 * @param catalog - also with erasures that wait for a person here: they have been carried out elsewhere
 */
export function closingErasure(
  catalog: Pick<Catalog, "erasures" | "replicas">,
  request: RequestEntry,
): ApprovalRequest["erasure"] {
  if (catalog.erasures.size === 0) return undefined;
  const left = new Set<string>(memoriesToErase(request));
  const isErasing = left.size > 0;
  for (const [key, { value, others }] of catalog.erasures) {
    for (const entry of [value, ...others]) {
      const { memories, records } = namesIn(entry);
      for (const id of left) if (memories.has(id)) left.delete(id);
      const isGone = records.has(request.text.record) || (isErasing && left.size === 0);
      if (isGone) return shown(catalog, entry.of ?? key);
    }
  }
  return undefined;
}

/** Empty where there are more than the catalog names. */
function memoriesToErase({ operation, preview: { counts, ids } }: RequestEntry): readonly string[] {
  return operation === "erase" && counts.memories === ids.length ? ids : [];
}

function shown(
  { erasures, replicas }: Pick<Catalog, "erasures" | "replicas">,
  id: string,
): ApprovalRequest["erasure"] {
  const { at, by } = erasures.get(id)?.value ?? {};
  if (at === undefined || by === undefined) return undefined;
  const { replica, agent } = by;
  const device = replicas.get(replica)?.value.name ?? replica;
  return { id, at, by: { replica, device, ...(agent === undefined ? {} : { agent }) } };
}

interface Names {
  readonly memories: ReadonlySet<string>;
  readonly records: ReadonlySet<string>;
}

/** An entry is never changed once it is read. */
const known = new WeakMap<ErasureEntry, Names>();

function namesIn(entry: ErasureEntry): Names {
  const found = known.get(entry) ?? readNames(entry);
  known.set(entry, found);
  return found;
}

const NOTHING: ReadonlySet<string> = new Set();

function readNames({ memories, records, cause }: ErasureEntry): Names {
  if (cause !== undefined) return { memories: NOTHING, records: NOTHING }; // nobody wanted anything to be gone
  return {
    memories: new Set([...pieces(memories, ID_BYTES)].map(uuidFromBytes)),
    records: new Set([...pieces(records, HASH_BYTES)].map(bytesToHex)),
  };
}

function* pieces(bytes: Uint8Array = new Uint8Array(), length: number): Iterable<Uint8Array> {
  for (let start = 0; start + length <= bytes.length; start += length)
    yield bytes.subarray(start, start + length);
}
