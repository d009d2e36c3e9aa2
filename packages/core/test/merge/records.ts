/** Small records for merge tests: names instead of hashes, and only what a test is about. */
import type { PackId, PartHash, RecordHash, ReplicaId } from "../../src/format/ids.js";
import type {
  MemoryFields,
  MemoryRecord,
  RecordType,
  Reference,
  StateField,
} from "../../src/format/record.js";
import type { Rank } from "../../src/merge/rank.js";
import { type ResolvedMemory, resolveMemory } from "../../src/merge/resolve-memory.js";

export const EMPTY_FIELDS: MemoryFields = {
  content: "",
  tags: [],
  aliases: [],
  pins: [],
  links: [],
  deleted: false,
};

const PACK = "00" as PackId;
const PART = { hash: "00" as PartHash, pack: PACK };

export interface RecordSketch {
  readonly name: string;
  readonly parents?: readonly string[];
  readonly decides?: readonly StateField[];
  readonly fields?: Partial<MemoryFields>;
  readonly type?: RecordType | undefined;
  /** Also the rank. */
  readonly at?: number;
}

function sketch({
  name,
  parents = [],
  decides = [],
  fields = {},
  type = "update",
  at = 0,
}: RecordSketch): MemoryRecord {
  return {
    hash: hashOf(name),
    pack: PACK,
    space: "space" as MemoryRecord["space"],
    memory: "memory" as MemoryRecord["memory"],
    parents: parents.map(hashOf),
    at,
    type,
    decides,
    author: { replica: "replica" as ReplicaId },
    fields: { ...EMPTY_FIELDS, ...fields },
    notes: {},
    parts: { content: PART, meta: PART },
  };
}

export const hashOf = (name: string): RecordHash => name as RecordHash;
export const referenceTo = (name: string): Reference => ({ record: hashOf(name), pack: PACK });

/** A memory told as the list of its records, in the order they were written. */
export class Story {
  readonly records = new Map<RecordHash, MemoryRecord>();

  /** Writes a record that carries what its writer saw, the merge of its parents, and decides `decided`. */
  write(
    name: string,
    parents: readonly string[],
    decided: Partial<MemoryFields>,
    type: RecordType = "update",
  ): this {
    const seen = parents.length === 0 ? EMPTY_FIELDS : this.at(...parents).fields;
    const decides = Object.keys(decided) as StateField[];
    return this.add({ name, parents, decides, fields: { ...seen, ...decided }, type });
  }

  add(told: RecordSketch): this {
    const record = sketch({ at: this.records.size, ...told });
    this.records.set(record.hash, record);
    return this;
  }

  /** The story as someone sees it to whom these records have not arrived. */
  without(...names: readonly string[]): Story {
    const partial = new Story();
    for (const [hash, record] of this.records) if (!names.includes(hash)) partial.records.set(hash, record);
    return partial;
  }

  at(...tips: readonly string[]): ResolvedMemory {
    return resolveMemory({ tips: tips.map(hashOf), records: this.records, rank: this.rank });
  }

  readonly rank = (hash: RecordHash): Rank => ({
    time: this.records.get(hash)?.at ?? -1,
    counter: 0,
    actor: "",
  });
}

/** Conflicts as field → values, greatest first. */
export function conflictsOf(memory: ResolvedMemory): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    memory.conflicts.map(({ field, values }) => [field, values.map(({ value }) => value)]),
  );
}
