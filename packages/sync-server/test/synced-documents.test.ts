import { expect, test } from "vitest";
import type { SpaceLog } from "../src/log/space-log.js";
import { SyncedDocuments } from "../src/stock/synced-documents.js";

const MB = 1024 * 1024;

test("[RL196] what a stock client's thread holds is bounded, whatever the client asks for", () => {
  const documents = new SyncedDocuments({} as SpaceLog, "space");
  const held = new Map<string, number>();
  const thread = { forget: (document: string): void => void held.delete(document) };
  for (let step = 0; step < 300; step += 1) {
    const document = `d${(step * 7) % 40}`;
    const synced = documents.use(document, document);
    if (synced === undefined) throw new Error("Not so many.");
    synced.position = step;
    synced.loadedBytes = (1 + (step % 9)) * MB;
    held.set(document, synced.loadedBytes);
    documents.makeRoom(thread, document);
    expect([...held.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(32 * MB);
    expect(held.has(document)).toBe(true); // not what is at work
    expect(documents.loaded).toBe(held.size);
  }
  documents.letGoOfAll();
  expect(documents.loaded).toBe(0);
});
