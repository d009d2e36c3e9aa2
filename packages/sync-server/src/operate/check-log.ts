/**
 * Reads the logs of all spaces to their end, and says where one is not what its marks say.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core/errors";
import { LOG_START, nextPoint, samePoint } from "@cambium/core/wire";
import { chunkTools } from "../chunk-tools.js";
import type { RelayLog } from "../log/relay-log.js";

const READ_BYTES = 1024 * 1024;

export async function checkLog({
  listSpaces,
  spaces,
}: Pick<RelayLog, "listSpaces" | "spaces">): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { space } of await listSpaces()) {
    const problem = await checkSpace(spaces, space).catch(damageOf);
    if (problem !== undefined) problems.push(`space ${space}: ${problem}`);
  }
  return problems;
}

/** What cannot be read is told, and the other spaces are read. */
function damageOf(error: unknown): string {
  if (isCambiumError(error, "STORE_DAMAGED")) return error.message;
  throw error;
}

async function checkSpace(spaces: RelayLog["spaces"], space: string): Promise<string | undefined> {
  const end = await spaces.end(space);
  for (let point = LOG_START; ; ) {
    const entries = await spaces.read({ space, after: point.position, maxBytes: READ_BYTES });
    for (const entry of entries) {
      point = nextPoint(point, entry, chunkTools.sha256);
      if (!samePoint(point, entry))
        return `the entry at position ${entry.position} does not follow those before it`;
      if (point.position === end.position)
        return samePoint(point, end) ? undefined : "its last mark is not that of its last entry";
    }
    if (entries.length === 0)
      return end.position === 0 ? undefined : `it ends at ${point.position} and not at ${end.position}`;
  }
}
