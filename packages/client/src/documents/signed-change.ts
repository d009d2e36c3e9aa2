/**
 * Making one change of a document, with the message that makes every member believe it.
 *
 * @module
 */
import {
  type ActorId,
  CambiumError,
  type ChangeHash,
  type ChangeKey,
  type ChangeStatement,
  type KeyedWrite,
  signMessage,
} from "@cambium/core";
import * as A from "./automerge.js";
import { kindOf, withoutMirror } from "./without-mirror.js";

/** The last change of an actor: the next one has to say which number it is, and builds on it. */
export interface LastOwn {
  readonly seq: number;
  readonly hash: ChangeHash | undefined;
}

export interface SignedChange {
  readonly actor: ActorId;
  readonly last: LastOwn;
  readonly statement: ChangeStatement;
  readonly writes: readonly KeyedWrite[];
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** @param doc - has the actor of the change; given up for the one returned */
export function makeSignedChange(
  doc: A.Doc<unknown>,
  key: ChangeKey,
  { actor, last, statement, writes, time }: SignedChange,
): A.Doc<unknown> {
  const frame = { actor, seq: last.seq + 1, deps: depsOfNext(doc, last), time, writes };
  const message = signMessage(key, statement, frame);
  if (writes.length === 0) return A.emptyChange(doc, { message, time });
  return A.change(doc, { message, time }, () => putAll(doc, writes));
}

/**
 * Asked of Automerge by a change made on a copy and thrown away: 10 ms at 30,000 changes, where reading
 * the headers of all of them takes 340.
 */
export function lastOwnOf(doc: A.Doc<unknown>, actor: ActorId): LastOwn {
  const trial = A.emptyChange(A.clone(doc, { actor }), { time: 0 });
  try {
    const { seq, deps } = A.decodeChange(A.getLastLocalChange(trial) as Uint8Array);
    // Automerge names the actor's last change among the dependencies whether it is a head or not.
    const own = seq === 1 ? [] : deps.filter((dep) => A.inspectChange(doc, dep)?.actor === actor);
    return { seq: seq - 1, hash: own[0] as ChangeHash | undefined };
  } finally {
    A.free(trial);
  }
}

export function withActor(doc: A.Doc<unknown>, actor: ActorId): A.Doc<unknown> {
  return A.getActorId(doc) === actor ? doc : withoutMirror(A.clone(doc, { actor }));
}

/** What Automerge will build the next change on: the heads, and the actor's last change even if it is none. */
function depsOfNext(doc: A.Doc<unknown>, { hash }: LastOwn): readonly ChangeHash[] {
  const heads = A.getHeads(doc) as ChangeHash[];
  return hash === undefined || heads.includes(hash) ? heads : [...heads, hash];
}

const withoutBeginning = (key: string): CambiumError =>
  new CambiumError("CONTENT_NOT_HERE", `The document that ${key} belongs into has not arrived here whole.`, {
    hint: "Run `cambium sync` and try again; `cambium verify` says whether it is damaged.",
    details: { key },
  });

/** What the draft of a change would do, a third of whose time goes into finding the maps. */
function putAll(doc: A.Doc<unknown>, writes: readonly KeyedWrite[]): void {
  const backend = A.getBackend(doc);
  const kind = kindOf(doc);
  const maps = kind && A.mapIds(kind);
  for (const { key, value } of writes) {
    const end = key.lastIndexOf("/");
    const map = maps?.get(key.slice(0, end));
    if (map === undefined) throw withoutBeginning(key);
    backend.put(map, key.slice(end + 1), value, typeof value === "number" ? "int" : "bytes");
  }
}
