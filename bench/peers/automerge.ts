/**
 * The naive way with Automerge: one document, one flat map from memory to text, appended to one file.
 * Strings are immutable ones; as text objects a document of this size does not load any more.
 *
 * @module
 */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { copyFile, open, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as A from "@automerge/automerge";
import type { Differences, Found, Merged, Operations, Peer } from "./peer.ts";
import { pinnedVersion } from "./pinned-version.ts";
import type { BranchMerge, Period, Write } from "./plan.ts";

interface Stored {
  content: A.ImmutableString;
  category: A.ImmutableString;
  tags: A.ImmutableString[];
}

interface Memories {
  memories: Record<string, Stored>;
}

type Document = A.Doc<Memories>;

/** One writer here, one on every branch. */
const actor = (number: number): string => number.toString(16).padStart(32, "0");

export async function makeAutomerge(dir: string): Promise<Peer> {
  return new NaiveAutomerge(dir, await pinnedVersion("@automerge/automerge"));
}

class NaiveAutomerge implements Peer {
  readonly name = "automerge";
  readonly version: string;
  readonly loading = "one change per write in memory, then saved whole";
  readonly operations: Operations;
  readonly #dir: string;
  readonly #file: string;
  #doc: Document = A.change(A.init<Memories>(actor(1)), { time: 0 }, (doc) => {
    doc.memories = {};
  });
  #descriptor = -1;
  /** Which heads it had when: nothing in Automerge finds them by time. */
  readonly #timeline: { readonly time: number; readonly heads: A.Heads }[] = [];
  readonly #branches = new Map<string, Document>();

  constructor(dir: string, version: string) {
    this.version = version;
    this.#dir = dir;
    this.#file = join(dir, "memories.automerge");
    this.operations = {
      remember: [{ name: "change, append, fsync", run: async (write) => this.#writeOne(write) }],
      revise: [{ name: "change, append, fsync", run: async (write) => this.#writeOne(write) }],
      read: [{ name: "property", run: async (id) => this.#read(id) }],
      search: [{ name: "scan", run: async (words) => this.#search(words) }],
      stateAt: [{ name: "view", run: async (time) => this.#stateAt(time) }],
      history: [{ name: "walk over all changes", run: async (id) => this.#history(id) }],
      diff: [{ name: "two views compared", run: async (period) => this.#diff(period) }],
      branch: [{ name: "clone, and a copy of the file", run: (name) => this.#branch(name) }],
      merge: [{ name: "merge, append, fsync", run: async (task) => this.#merge(task) }],
    };
  }

  async load(writes: readonly Write[], onProgress: (done: number) => void): Promise<void> {
    for (const [index, write] of writes.entries()) {
      this.#doc = apply(this.#doc, write);
      this.#timeline.push({ time: write.time, heads: A.getHeads(this.#doc) });
      if (index % 1_000 === 0) onProgress(index);
    }
    await writeFile(this.#file, A.save(this.#doc), { flush: true });
    A.saveIncremental(this.#doc); // what follows is appended to what was just saved
    this.#descriptor = openSync(this.#file, "a");
  }

  async disk() {
    return [{ name: "the document's file", bytes: (await stat(this.#file)).size }];
  }

  async prepareMerge({ branch, onBranch, onMain }: BranchMerge): Promise<void> {
    await this.#branch(branch);
    const fork = this.#branches.get(branch) as Document;
    this.#branches.set(branch, onBranch.reduce(apply, fork));
    this.#doc = onMain.reduce(apply, this.#doc);
    this.#append();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
  }

  #writeOne(write: Write): () => void {
    this.#doc = apply(this.#doc, write);
    this.#append();
    this.#timeline.push({ time: write.time, heads: A.getHeads(this.#doc) });
    return () => {};
  }

  #append(): void {
    writeSync(this.#descriptor, A.saveIncremental(this.#doc));
    fsyncSync(this.#descriptor);
  }

  #read(id: string): () => string {
    const content = this.#doc.memories[id]?.content.val;
    return () => content ?? "";
  }

  #search(words: readonly string[]): () => Found {
    const ids = Object.entries(this.#doc.memories)
      .filter(([, { content, category, tags }]) => {
        const text = [content, category, ...tags]
          .map(({ val }) => val)
          .join("\n")
          .toLowerCase();
        return words.some((word) => text.includes(word));
      })
      .map(([id]) => id);
    return () => ({ kind: "all", ids });
  }

  #stateAt(time: number): () => ReadonlyMap<string, string> {
    const state = this.#textsAt(time);
    return () => state;
  }

  #textsAt(time: number): ReadonlyMap<string, string> {
    const heads = this.#timeline.findLast((entry) => entry.time <= time)?.heads ?? [];
    const { memories } = A.view(this.#doc, heads);
    return new Map(Object.entries(memories).map(([id, { content }]) => [id, content.val]));
  }

  /** Looks into every change for those that set this memory's text. */
  #history(id: string): () => readonly string[] {
    const memory = A.getObjectId(this.#doc.memories[id]);
    const texts = A.getAllChanges(this.#doc)
      .flatMap((change) => A.decodeChange(change).ops)
      .filter(({ obj, key }) => obj === memory && key === "content")
      .map(({ value }) => String(value));
    return () => texts;
  }

  #diff({ from, to }: Period): () => Differences {
    const [before, after] = [this.#textsAt(from), this.#textsAt(to)];
    const changed = [...after].filter(([id, content]) => before.get(id) !== content);
    return () =>
      new Map(changed.map(([id, content]) => [id, { before: before.get(id) ?? null, after: content }]));
  }

  async #branch(name: string): Promise<() => void> {
    this.#branches.set(name, A.clone(this.#doc, { actor: actor(this.#branches.size + 2) }));
    const copy = join(this.#dir, `${name}.automerge`);
    await copyFile(this.#file, copy);
    await using file = await open(copy, "r+");
    await file.sync();
    return () => {};
  }

  #merge({ branch, expected }: BranchMerge): () => Merged {
    this.#doc = A.merge(this.#doc, this.#branches.get(branch) as Document);
    this.#append();
    return () => ({ conflicts: this.#conflictsAmong([...expected.keys()]) });
  }

  #conflictsAmong(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
    return new Map(
      ids.flatMap((id) => {
        const sides = A.getConflicts(this.#doc.memories[id] as A.Doc<Stored>, "content");
        return sides === undefined ? [] : [[id, Object.values(sides).map(String)] as const];
      }),
    );
  }
}

function apply(doc: Document, { id, type, content, category, tags, time }: Write): Document {
  return A.change(doc, { time }, ({ memories }) => {
    if (type === "revise") (memories[id] as Stored).content = new A.ImmutableString(content);
    else {
      memories[id] = {
        content: new A.ImmutableString(content),
        category: new A.ImmutableString(category),
        tags: tags.map((tag) => new A.ImmutableString(tag)),
      };
    }
  });
}
