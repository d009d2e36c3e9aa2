import * as A from "@automerge/automerge";
import {
  actorId,
  type BranchId,
  bucketOf,
  type ChangeStatement,
  type MemoryId,
  memoryKey,
  type ReplicaId,
} from "@cambium/core";
import { genesis } from "@cambium/core/automerge";
import { beforeAll, expect, test } from "vitest";
import { loadAutomerge } from "../../src/documents/automerge.js";
import { loadInPieces } from "../../src/documents/in-pieces.js";
import { makeSignedChange } from "../../src/documents/signed-change.js";
import { withoutMirror } from "../../src/documents/without-mirror.js";

const DOCUMENT = "ab".repeat(16) as BranchId;
const REPLICA = "01900000-0000-7000-8000-0000000000aa" as ReplicaId;
const ACTOR = actorId({ document: DOCUMENT, replica: REPLICA, epoch: 1 });
const KEY = new Uint8Array(32).fill(7);
const STATEMENT: ChangeStatement = { type: "remember", memories: 3 };
const IDS = ["0a", "0a", "ff"].map(
  (end, index) => `01900000-0000-7000-8000-00000000${index}0${end}` as MemoryId,
);

beforeAll(loadAutomerge);

test("[RP30] a change made without a mirror is, byte for byte, the one that Automerge makes on a draft", () => {
  const writes = IDS.map((id, index) => ({ key: memoryKey(id), value: new Uint8Array(48).fill(index) }));
  const mirrored = A.load<{ memories: Record<string, Record<string, Uint8Array>> }>(genesis("branch"), {
    actor: ACTOR,
  });
  const plain = withoutMirror(A.clone(loadInPieces([genesis("branch")]), { actor: ACTOR }));
  const request = { actor: ACTOR, last: { seq: 0, hash: undefined }, statement: STATEMENT, writes, time: 5 };

  const ours = makeSignedChange(plain, KEY, request);
  const message = A.decodeChange(A.getLastLocalChange(ours) as Uint8Array).message as string;
  const theirs = A.change(mirrored, { message, time: 5 }, ({ memories }) => {
    for (const [index, id] of IDS.entries()) {
      (memories[bucketOf(id)] as Record<string, Uint8Array>)[id] = new Uint8Array(48).fill(index);
    }
  });

  expect(A.getLastLocalChange(ours)).toEqual(A.getLastLocalChange(theirs));
  expect(A.save(ours)).toEqual(A.save(theirs));
  expect(ours).toEqual({});
  expect(A.load(A.save(ours))).toEqual(theirs);
});
