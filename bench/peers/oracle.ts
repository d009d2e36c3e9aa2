/**
 * What the peers have to answer, from the plain list of writes.
 *
 * @module
 */
import type { Write } from "./plan.ts";

export class Oracle {
  readonly #versionsById = new Map<string, Write[]>();

  /** Written later than everything noted before, or at the same time. */
  note(write: Write): void {
    const versions = this.#versionsById.get(write.id);
    if (versions === undefined) this.#versionsById.set(write.id, [write]);
    else versions.push(write);
  }

  contentOf(id: string): string | undefined {
    return this.#versionsById.get(id)?.at(-1)?.content;
  }

  versionsOf(id: string): readonly string[] {
    return (this.#versionsById.get(id) ?? []).map(({ content }) => content);
  }

  stateAt(time: number): ReadonlyMap<string, string> {
    const state = new Map<string, string>();
    for (const [id, versions] of this.#versionsById) {
      const version = versions.findLast((candidate) => candidate.time <= time);
      if (version !== undefined) state.set(id, version.content);
    }
    return state;
  }

  /** Memories whose text, category or tags have any of the words in them, whatever stands around it. */
  containing(words: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const [id, versions] of this.#versionsById) {
      const text = textOf(versions.at(-1) as Write);
      if (words.some((word) => text.includes(word))) found.add(id);
    }
    return found;
  }

  /** Of one memory, in small letters, what a search may look at. */
  searchable(id: string): string {
    const write = this.#versionsById.get(id)?.at(-1);
    return write === undefined ? "" : textOf(write);
  }
}

const textOf = ({ content, category, tags }: Write): string =>
  `${content}\n${category}\n${tags.join("\n")}`.toLowerCase();
