import { actorId, type BranchId, type ReplicaId } from "@cambium/core";
import { genesis } from "@cambium/core/automerge";
import { beforeAll, expect, test } from "vitest";
import * as A from "../../src/documents/automerge.js";
import { loadInPieces } from "../../src/documents/in-pieces.js";
import { lastOwnOf, makeSignedChange } from "../../src/documents/signed-change.js";
import { reissueChanges } from "../../src/sync/reissue.js";

const KEY = new Uint8Array(32).fill(7);
const DOCUMENT = "ab".repeat(16) as BranchId;
const [LOST, SECOND, THIRD, MENDER] = ["1", "2", "3", "4"].map(
  (digit) => `01900000-0000-7000-8000-00000000000${digit}` as ReplicaId,
) as [ReplicaId, ReplicaId, ReplicaId, ReplicaId];

beforeAll(A.loadAutomerge);

function written(doc: A.Doc<unknown>, replica: ReplicaId, time: number): A.Doc<unknown> {
  const actor = actorId({ document: DOCUMENT, replica, epoch: 0 });
  const last = lastOwnOf(doc, actor);
  const statement = { type: "remember", memories: [] } as const;
  return makeSignedChange(A.clone(doc, { actor }), KEY, { actor, last, statement, writes: [], time });
}

test("[RP11] makes again what several writers built on a lost change without knowing each other", () => {
  const empty = loadInPieces([genesis("branch")]);
  const before = written(empty, LOST, 1000);
  const second = written(written(before, SECOND, 2000), SECOND, 3000);
  const third = written(written(before, THIRD, 2000), THIRD, 3000);
  const [local] = A.applyChanges(second, A.getAllChanges(third));
  const remote = written(empty, LOST, 4000);

  const writers: string[] = [];
  const epochFor = (writer: string): number => {
    if (!writers.includes(writer)) writers.push(writer);
    return writers.indexOf(writer) + 1;
  };
  const request = { kind: "branch", local, remote, replica: MENDER, changeKey: KEY } as const;
  const { doc, madeAgain } = reissueChanges({ ...request, epochFor });

  expect(madeAgain.size).toBe(5);
  expect(A.getAllChanges(doc)).toHaveLength(A.getAllChanges(remote).length + 5);
  expect(A.getHeads(doc)).toHaveLength(3); // what did not know each other still does not
  expect(writers).toHaveLength(3);
});
