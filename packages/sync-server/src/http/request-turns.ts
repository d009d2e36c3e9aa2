/**
 * What requests do for a space, in turns with what its sessions and other spaces do: much is read for some, and what an
 * admin changes waits for the disk.
 *
 * @module
 */
import type { Turns } from "../sessions/turns.js";

/** Does work when its turn has come. Turns go round the spaces, then round those who ask. */
export type InTurn = <Result>(space: string, who: string, work: () => Promise<Result>) => Promise<Result>;

export function requestTurns(turns: Pick<Turns, "add">): InTurn {
  /** Of those of whom something waits. */
  const lines = new Map<string, { waiting: number }>();
  return async (space, who, work) => {
    const name = `${space} ${who}`;
    const line = lines.get(name) ?? { waiting: 0 };
    lines.set(name, line);
    line.waiting += 1;
    try {
      return await new Promise((resolve, reject) => {
        turns.add(space, line, () => work().then(resolve, reject));
      });
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) lines.delete(name);
    }
  };
}

/** What is asked of an iterator, each time in a turn. */
export async function* eachInTurn<Item>(
  items: AsyncIterator<Item>,
  inTurn: (work: () => Promise<IteratorResult<Item>>) => Promise<IteratorResult<Item>>,
): AsyncGenerator<Item> {
  for (;;) {
    const next = await inTurn(() => items.next());
    if (next.done) return;
    yield next.value;
  }
}
