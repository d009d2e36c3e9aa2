/**
 * How many memories differ, in the same words for people and for models.
 *
 * @module
 */

/** A memory that differs. */
interface Differing {
  /** Of the memory. */
  readonly id: string;
  /** What differs. */
  readonly fields: readonly string[];
}

/** What differs, or was done. */
export interface ChangesToCount<Changed extends Differing = Differing> {
  /** New. */
  readonly created: readonly unknown[];
  /** Different. */
  readonly changed: readonly Changed[];
  /** Hidden. */
  readonly deleted: readonly unknown[];
  /** Shown again. */
  readonly broughtBack?: readonly unknown[];
  /** Undecided fields of memories. */
  readonly conflicts: readonly {
    readonly id: string;
    readonly fields: readonly { readonly field: string }[];
  }[];
}

/** Returns what changed; what is undecided is told as a conflict, and not as a change as well. */
export function withoutConflicts<Changed extends Differing>({
  changed,
  conflicts,
}: ChangesToCount<Changed>): readonly Changed[] {
  const open = new Map(conflicts.map(({ id, fields }) => [id, new Set(fields.map(({ field }) => field))]));
  return changed.flatMap((change) => {
    const fields = change.fields.filter((field) => open.get(change.id)?.has(field) !== true);
    return fields.length === 0 ? [] : [{ ...change, fields }];
  });
}

/** Returns such as `1 created, 2 changed, 1 conflict open`, or `no differences`. */
export function changesInWords(changes: ChangesToCount): string {
  const { created, deleted, broughtBack = [], conflicts } = changes;
  return countsInWords({
    created: created.length,
    changed: withoutConflicts(changes).length,
    broughtBack: broughtBack.length,
    deleted: deleted.length,
    conflicts: conflicts.length,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  broughtBack: "brought back",
  deleted: "forgotten",
  hidden: "forgotten",
};

/** Returns the same from numbers. */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  const phrases = Object.entries(counts).flatMap(([name, count]) => {
    const conflicts = count === 1 ? "conflict open" : "conflicts open";
    return count > 0 ? [`${count} ${name === "conflicts" ? conflicts : (WORDS[name] ?? name)}`] : [];
  });
  return phrases.length === 0 ? "no differences" : phrases.join(", ");
}
