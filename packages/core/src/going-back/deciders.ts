/**
 * Who decided a field, told from the graph of versions: equal values say nothing about that.
 *
 * An undo decides nothing of its own: it means the decision that it brought back.
 *
 * @module
 */
import type { Encodable } from "../format/encoding.js";
import type { RecordHash } from "../format/ids.js";
import { fieldValue, type StateField } from "../format/record.js";
import type { MemoryReading } from "../memory/read-memory.js";
import { combine } from "../merge/combine.js";
import { type Decision, decidesAt } from "../merge/decisions.js";
import { hasSameValue } from "../merge/field-values.js";
import { broughtBackBy, decisionsBefore } from "../merge/meaning.js";
import { ancestorsOf, buildGraph, type GraphNode, newestOf } from "../merge/memory-graph.js";

export type Deciders = readonly GraphNode[];

export interface Removal {
  /** Whose decision holds when the removed ones had not been. */
  readonly left: Deciders;
  /** Whether one of the removed ones decided. */
  readonly isRemoved: boolean;
  /** Whether one that is not removed decided beside them. */
  readonly isShared: boolean;
}

/** The versions of this memory that an undo took back; undefined where nobody noted it. */
export type TakenBackBy = (undo: RecordHash) => ReadonlySet<RecordHash> | undefined;

export class FieldDeciders {
  readonly #reading: MemoryReading;
  readonly #takenBackBy: TakenBackBy;
  readonly #nodes: ReadonlyMap<RecordHash, GraphNode>;

  constructor(reading: MemoryReading, takenBackBy: TakenBackBy = () => undefined) {
    this.#reading = reading;
    this.#takenBackBy = takenBackBy;
    const { nodes } = buildGraph(reading.shownTips, reading.records);
    this.#nodes = new Map(nodes.map((node) => [node.hash, node]));
  }

  /** Those whose decisions make the field what it is now. */
  now(field: StateField): Deciders {
    return this.#reading.resolved.decidedBy[field].flatMap((hash) => this.#nodes.get(hash) ?? []);
  }

  /** As if the decisions of `records` had not been. A first version has nothing before it, and is left out. */
  without(deciders: Deciders, records: ReadonlySet<RecordHash>, field: StateField): Removal {
    const left = new Set<GraphNode>();
    const seen = new Set<GraphNode>();
    let isRemoved = false;
    let isShared = false;
    const pending = deciders.map((node) => ({ node, isFirst: true }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { node, isFirst } = next;
      if (seen.has(node)) continue;
      seen.add(node);
      if (records.has(node.hash)) {
        isRemoved = true;
        for (const before of decisionsBefore(node, field)) pending.push({ node: before, isFirst: false });
        continue;
      }
      const meant = this.#meant(node, field);
      if (meant.length === 0) {
        left.add(node);
        isShared ||= isFirst;
      }
      for (const brought of meant) pending.push({ node: brought, isFirst });
    }
    return { left: newestOf([...left]), isRemoved, isShared };
  }

  /** @returns undefined when they are in conflict, or there are none */
  valueOf(deciders: Deciders, field: StateField): { readonly value: Encodable } | undefined {
    const combined = combine(
      field,
      deciders.flatMap((node) => decisionOf(node, field)),
    );
    return deciders.length === 0 || combined.kind === "conflict" ? undefined : { value: combined.value };
  }

  /**
   * What an undo brought back. Where nobody noted what it took back, it is what says the same, or what stood
   * before something that was undone.
   */
  #meant(node: GraphNode, field: StateField): Deciders {
    if (node.record?.type !== "undo") return [];
    const takenBack = this.#takenBackBy(node.hash);
    if (takenBack !== undefined) return this.without(decisionsBefore(node, field), takenBack, field).left;
    const saying = broughtBackBy(node, field);
    if (saying.length > 0) return saying;
    const value = fieldValue(node.record.fields, field);
    const ancestors = ancestorsOf(node);
    const newestFirst = [...this.#nodes.values()].toReversed();
    for (const undone of newestFirst.filter((each) => ancestors.has(each) && decidesAt(each, field))) {
      const before = decisionsBefore(undone, field);
      const told = this.valueOf(before, field);
      if (told !== undefined && hasSameValue(field, told.value, value)) return before;
    }
    return [];
  }
}

const decisionOf = (node: GraphNode, field: StateField): readonly Decision[] =>
  node.record === undefined
    ? []
    : [{ node, record: node.record, value: fieldValue(node.record.fields, field) }];
