/**
 * Changes as the space's rules see them: an Automerge change decoded, its writes placed, its message
 * verified. A change that no member made for this place is kept in the graph, since others may depend
 * on it, but its writes count for nothing.
 *
 * @module
 */
import type { DecodedChange } from "@automerge/automerge";
import { decodeChange } from "@automerge/automerge";
import type { DocumentKind } from "../format/documents.js";
import { mapPaths } from "../format/genesis.js";
import type { ActorId, ChangeHash } from "../format/ids.js";
import type { ChangeKey } from "../format/keys.js";
import { type ChangeStatement, isOfUnknownEpoch, verifyMessage } from "../format/message.js";
import type { Digest } from "../platform.js";

/** An Automerge change, decoded and verified. */
export interface Change {
  /** Names the change on every device. */
  readonly hash: ChangeHash;
  /** Who made it, and in which document. */
  readonly actor: ActorId;
  /** Which of its actor's changes it is, counted from 1. */
  readonly seq: number;
  /** Milliseconds since 1970, by the writer's clock. */
  readonly time: number;
  /** The changes that it follows. */
  readonly deps: readonly ChangeHash[];
  /** Undefined: no member vouches for it. The genesis change says nothing and writes nothing. */
  readonly statement: ChangeStatement | undefined;
  /** Empty if no member vouches for it. */
  readonly writes: readonly Write[];
  /** Keys that a change nobody vouches for wrote or removed. */
  readonly disowned: readonly string[];
  /** Nobody vouches for it, because it says to be signed in an epoch of which no key is here yet. */
  readonly awaitsKey?: true;
}

/** One value that a change set. */
export interface Write {
  /** Path in the document, such as `memories/1f/<memory id>`. */
  readonly key: string;
  /** A reference or sealed bytes; a count in a usage document. */
  readonly value: Uint8Array | number;
  /** First half of the operation id. Grows along the history. */
  readonly counter: number;
  /** Automerge operation id, `counter@actor`. */
  readonly id: string;
  /** The operations whose values this one replaced. */
  readonly replaces: readonly string[];
}

/**
 * @param key - the space's key for changes, or those of all its epochs
 * @param digest - SHA-256, where the machine has a faster one than we bring along
 */
export function readChange(kind: DocumentKind, key: ChangeKey, bytes: Uint8Array, digest?: Digest): Change {
  const decoded = decodeChange(bytes);
  const { seq, time, message } = decoded;
  const about = {
    hash: decoded.hash as ChangeHash,
    actor: decoded.actor as ActorId,
    deps: decoded.deps as ChangeHash[],
    seq,
    time,
  };
  const writes = writesOf(kind, decoded);
  const statement = writes && verifyMessage(key, message, { ...about, writes }, digest);
  if (writes === undefined || statement === undefined) {
    const awaits = isOfUnknownEpoch(key, message) ? ({ awaitsKey: true } as const) : {};
    return { ...about, statement: undefined, writes: [], disowned: keysOf(kind, decoded), ...awaits };
  }
  return { ...about, statement, writes, disowned: [] };
}

/** @returns undefined when the change does anything but write bytes or numbers into known maps */
function writesOf(kind: DocumentKind, change: DecodedChange): readonly Write[] | undefined {
  const paths = mapPaths(kind);
  const writes: Write[] = [];
  for (const [index, operation] of change.ops.entries()) {
    const { action, obj, key, value, pred } = operation as unknown as DecodedOperation;
    const path = paths.get(obj);
    const stored = action === "set" ? storedValue(value) : undefined;
    if (path === undefined || key === undefined || stored === undefined) return undefined;
    const counter = change.startOp + index;
    writes.push({
      key: `${path}/${key}`,
      value: stored,
      counter,
      id: `${counter}@${change.actor}`,
      replaces: pred,
    });
  }
  return writes;
}

/** Every key of a known map that the change touches, in whatever way. */
function keysOf(kind: DocumentKind, change: DecodedChange): readonly string[] {
  const paths = mapPaths(kind);
  return (change.ops as unknown as readonly DecodedOperation[]).flatMap(({ obj, key }) => {
    const path = paths.get(obj);
    return path === undefined || key === undefined ? [] : [`${path}/${key}`];
  });
}

/** What `decodeChange` really gives for an operation on a map. */
interface DecodedOperation {
  readonly action: string;
  readonly obj: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly pred: readonly string[];
}

function storedValue(value: unknown): Uint8Array | number | undefined {
  if (typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  return Array.isArray(value) ? Uint8Array.from(value as number[]) : undefined;
}
