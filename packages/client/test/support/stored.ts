/** What a closed home has on its disk, read without the replica. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as A from "@automerge/automerge";
import { type ActorParts, type DocumentId, parseActorId, type SpaceId } from "@cambium/core";
import { openSqliteStore } from "../../src/storage/sqlite-store.js";
import type { Home } from "./world.js";

/** The genesis is by no replica. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

export interface StoredChange extends ActorParts {
  readonly hash: string;
  readonly seq: number;
  readonly time: number;
}

export const storePath = (home: Home, space: SpaceId): string =>
  join(home.dir, "spaces", space, "store.sqlite");

/** The document that its chunks add up to. */
export async function storedDocument(
  home: Home,
  space: SpaceId,
  document: DocumentId,
): Promise<A.Doc<unknown>> {
  await using store = await openSqliteStore({ path: storePath(home, space) });
  const chunks = await store.loadRange([document]);
  const bytes = chunks
    .filter(({ key }) => key[1] !== "sync-state")
    .flatMap(({ data }) => (data === undefined ? [] : [data]));
  return A.loadIncremental(A.init(), Buffer.concat(bytes));
}

/** Changes that replicas made, oldest first; not the genesis. */
export async function storedChanges(
  home: Home,
  space: SpaceId,
  document: DocumentId,
): Promise<readonly StoredChange[]> {
  const doc = await storedDocument(home, space, document);
  return A.getChangesMetaSince(doc, []).flatMap(({ actor, hash, seq, time }) => {
    const parts = parseActorId(actor);
    return parts === undefined || parts.replica === NOBODY ? [] : [{ ...parts, hash, seq, time }];
  });
}

/** Every file and directory under a path, with its permission bits. */
export function modesUnder(
  path: string,
): ReadonlyMap<string, { readonly isDirectory: boolean; readonly mode: number }> {
  const modes = new Map<string, { isDirectory: boolean; mode: number }>();
  const note = (at: string): void => {
    const stats = statSync(at);
    modes.set(at, { isDirectory: stats.isDirectory(), mode: stats.mode & 0o777 });
  };
  note(path);
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) note(join(path, name));
  return modes;
}
