/**
 * A process that writes numbered batches until it is killed or its disk is full, and says so on each line.
 * Runs on the build. Each batch: a chunk in each of two documents, the removal of one of an old batch, and a row.
 */
import { openFsStore } from "../../dist/storage/fs-store.js";
import { openSqliteStore } from "../../dist/storage/sqlite-store.js";

const [kind, place] = process.argv.slice(2);
const store =
  kind === "SQLite"
    ? await openSqliteStore({ path: `${place}/store.sqlite` })
    : await openFsStore({ dir: place });
const KEPT_BATCHES = 4;
const say = (line) => process.stdout.write(`${line}\n`);

for (
  let batch = Number(store.row("first-document")?.localHeads[0] ?? 0) + 1;
  store.failure === undefined;
  batch++
) {
  store.transact(() => {
    const bytes = Buffer.alloc((batch * 7919) % 20_000, batch % 251);
    for (const documentId of ["first-document", "second-document"]) {
      void store.save([documentId, "incremental", String(batch)], bytes);
      void store.remove([documentId, "incremental", String(batch - KEPT_BATCHES)]);
    }
    store.putRow({
      documentId: "first-document",
      localHeads: [String(batch)],
      receiptedHeads: [],
      receiptedAt: undefined,
    });
  });
  await store.flushed().then(
    () => say(batch),
    (error) => say(error.code),
  );
}
