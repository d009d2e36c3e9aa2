import { expect, test } from "vitest";
import { DocumentSteps, type DocumentStepsOptions } from "../src/stock/document-steps.js";
import type { Outcome } from "../src/stock/stock-documents.js";
import type { StockThread } from "../src/stock/stock-threads.js";
import type { Synced } from "../src/stock/synced-documents.js";

const NOTHING: Outcome = {
  ...{ added: [], heads: [], message: null, refused: [], isAhead: false, setAside: [], again: false },
};
const header = { hash: "", deps: [], actor: "", seq: 1, startOp: 1, maxOp: 1, objects: [] };

test("[RL197] what cannot be taken in, and what is larger than it came, costs the token's pace", async () => {
  const spent: number[] = [];
  const options = {
    ...{ member: { kind: "member", space: "space", role: "write" }, documents: { catchUp: async () => {} } },
    ...{ onEvent: () => {}, explain: () => {}, leave: () => {} },
    spend: (costBytes: number) => void spent.push(costBytes),
  };
  const steps = new DocumentSteps(options as unknown as DocumentStepsOptions);
  const synced: Synced = { documentId: "d", position: 0, loadedBytes: 0, isComing: false };
  const run = (outcome: Outcome, data?: Uint8Array) =>
    steps.run({ run: async () => outcome } as unknown as StockThread, "d", synced, data);
  const added = (bytes: number) => [{ ...header, bytes: new Uint8Array(bytes) }];
  await run({ ...NOTHING, added: added(100) }, new Uint8Array(200));
  expect(spent).toEqual([]);
  await run({ ...NOTHING, added: added(5_000) }, new Uint8Array(200));
  expect(spent.splice(0)).toEqual([5_000]);
  await run({ ...NOTHING, failure: { code: "BAD_INPUT", message: "Not so." } }, new Uint8Array(200));
  expect(spent).toEqual([]);
  const failure = { code: "TOO_LARGE", message: "More than may be." } as const;
  expect(await run({ ...NOTHING, failure }, new Uint8Array(200))).toBeUndefined();
  expect(spent.splice(0)).toEqual([32 * 1024 * 1024]);
  await run({ ...NOTHING, failure }); // what others have written is nobody's fault here
  expect(spent).toEqual([]);
});
