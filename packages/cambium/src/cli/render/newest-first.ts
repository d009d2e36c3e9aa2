/**
 * The order in which a graph is drawn.
 *
 * @module
 */

export interface Placed {
  readonly id: string;
  readonly parents: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Orders entries so that each stands above its parents and, as far as that allows, the newest first.
 * Clocks differ between devices: a child may bear an earlier time than its parent.
 */
export function newestFirst<Entry extends Placed>(entries: readonly Entry[]): readonly Entry[] {
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  const waitingById = new Map<string, number>();
  for (const { parents } of entries) {
    for (const parent of new Set(parents)) waitingById.set(parent, (waitingById.get(parent) ?? 0) + 1);
  }
  const ready = entries.filter(({ id }) => !waitingById.has(id)).sort(byAge);
  const ordered: Entry[] = [];
  for (let entry = ready.pop(); entry !== undefined; entry = ready.pop()) {
    ordered.push(entry);
    for (const parent of new Set(entry.parents)) {
      const waiting = (waitingById.get(parent) ?? 0) - 1;
      waitingById.set(parent, waiting);
      const next = entryById.get(parent);
      if (waiting === 0 && next !== undefined) insert(ready, next);
    }
  }
  return ordered;
}

const byAge = (a: Placed, b: Placed): number => a.at - b.at || (a.id < b.id ? -1 : 1);

function insert<Entry extends Placed>(sorted: Entry[], entry: Entry): void {
  const at = sorted.findIndex((other) => byAge(entry, other) < 0);
  sorted.splice(at < 0 ? sorted.length : at, 0, entry);
}
