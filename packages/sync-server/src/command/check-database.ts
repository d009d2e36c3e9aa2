/**
 * The check of a log in a database, and of the segments that it has elsewhere.
 *
 * @module
 */
import type { BlobStore } from "../log/blobs/blob-store.js";
import { openPostgres } from "../log/postgres/postgres-log.js";
import { checkLog } from "../operate/check-log.js";
import type { VerbAnswer } from "./verb.js";

/** Of more, the number says enough. */
const MOST_NAMED = 10;

/** Beside relays that use it: what they add meanwhile is not read. */
export async function checkDatabase(url: string, blobs: BlobStore | undefined): Promise<VerbAnswer> {
  const { packing, ...log } = await openPostgres(url, {
    connections: 3,
    ...(blobs === undefined ? {} : { blobs }),
  });
  try {
    const problems = [...(await checkLog(log))];
    const { missing, unnamed } = blobs === undefined ? { missing: [], unnamed: [] } : await packing.compare();
    for (const name of missing) problems.push(`the segment ${name} is not in ${blobs?.where}`);
    const left = unnamed.length === 0 ? [] : [unnamedText(blobs?.where ?? "", unnamed)];
    const document = { ok: problems.length === 0, problems, unnamed };
    if (problems.length === 0)
      return { document, text: ["The log in the database is whole.", ...left].join("\n") };
    const list = problems.map((problem) => `  ${problem}`);
    return { document, text: ["The log in the database is damaged:", ...list, ...left].join("\n"), exit: 6 };
  } finally {
    await log.close();
  }
}

function unnamedText(where: string, names: readonly string[]): string {
  const listed = names.slice(0, MOST_NAMED).map((name) => `  ${name}`);
  const more = names.length > MOST_NAMED ? [`  and ${names.length - MOST_NAMED} more`] : [];
  return [
    `${where} has ${names.length} that this log does not name. They may be deleted if no other log is kept there:`,
    ...listed,
    ...more,
  ].join("\n");
}
