/**
 * What the list of memories shows, in order: days, and the memories last written on each.
 *
 * @module
 */
import type { Memory } from "../../api/client.ts";
import { dayOf } from "../../i18n/dates.ts";

export type Row =
  | { readonly kind: "day"; readonly key: string; readonly day: string }
  | { readonly kind: "memory"; readonly key: string; readonly memory: Memory };

/** @param isByDay - false where the best come first */
export function rowsOf(memories: readonly Memory[], isByDay: boolean): readonly Row[] {
  const rows: Row[] = [];
  let day: string | undefined;
  for (const memory of memories) {
    const own = dayOf(memory.at);
    if (isByDay && own !== day) {
      day = own;
      rows.push({ kind: "day", key: own, day: own });
    }
    rows.push({ kind: "memory", key: memory.id, memory });
  }
  return rows;
}
