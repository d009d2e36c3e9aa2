/**
 * Who decided a field, by the graph of versions: equal values say nothing about that.
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
export type RevertedBy = (undo: RecordHash) => ReadonlySet<RecordHash> | undefined;

export class FieldDeciders {
  readonly #reading: MemoryReading;
  readonly #revertedBy: RevertedBy;
  readonly #known = new Map<string, Deciders>();
  readonly #nodes: ReadonlyMap<RecordHash, GraphNode>;

  constructor(reading: MemoryReading, revertedBy: RevertedBy = () => undefined) {
    this.#reading = reading;
    this.#revertedBy = revertedBy;
    const { nodes } = buildGraph(reading.shownTips, reading.records);
    this.#nodes = new Map(nodes.map((node) => [node.hash, node]));
  }

  /** Those whose decisions make the field what it is now. */
  now(field: StateField): Deciders {
    return this.#reading.resolved.decidedBy[field].flatMap((hash) => this.#nodes.get(hash) ?? []);
  }

  /** As if the decisions of `records` had not been. A first version has nothing before it, and is left out. */
  without(deciders: Deciders, records: ReadonlySet<RecordHash>, field: StateField): Removal {
    const { left: others, isRemoved: isOneRemoved } = strip(deciders, records, field);
    const left = new Set<GraphNode>();
    let isRemoved = isOneRemoved;
    let isShared = false;
    // An undo replaces what it took back: what it means is asked once it is known to stand.
    for (const node of others) {
      const intended = this.#computeIntent(node, field);
      const isFirst = deciders.includes(node);
      if (intended.length === 0) {
        left.add(node);
        isShared ||= isFirst;
        continue;
      }
      const inner = this.without(intended, records, field);
      for (const each of inner.left) left.add(each);
      isRemoved ||= inner.isRemoved;
      isShared ||= isFirst && inner.isShared;
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

  /** Undos follow undos: each is asked about once. */
  #computeIntent(node: GraphNode, field: StateField): Deciders {
    const name = `${field} ${node.hash}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const intended = this.#intended(node, field);
    this.#known.set(name, intended);
    return intended;
  }

  /**
   * What an undo brought back. Where nobody noted what it took back, it is what says the same, or what stood
   * before something that was undone.
   */
  #intended(node: GraphNode, field: StateField): Deciders {
    if (node.record?.type !== "undo") return [];
    const reverted = this.#revertedBy(node.hash);
    if (reverted !== undefined) return this.without(decisionsBefore(node, field), reverted, field).left;
    const sameValue = broughtBackBy(node, field);
    if (sameValue.length > 0) return sameValue;
    const value = fieldValue(node.record.fields, field);
    const ancestors = ancestorsOf(node);
    const newestFirst = [...this.#nodes.values()].toReversed();
    for (const undone of newestFirst.filter((each) => ancestors.has(each) && decidesAt(each, field))) {
      const before = decisionsBefore(undone, field);
      const described = this.valueOf(before, field);
      if (described !== undefined && hasSameValue(field, described.value, value)) return before;
    }
    return [];
  }
}

/** Puts in the place of each of `records` what it had replaced. */
function strip(
  deciders: Deciders,
  records: ReadonlySet<RecordHash>,
  field: StateField,
): Pick<Removal, "left" | "isRemoved"> {
  const left: GraphNode[] = [];
  const seen = new Set<GraphNode>();
  let isRemoved = false;
  const pending = [...deciders];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (records.has(node.hash)) {
      isRemoved = true;
      pending.push(...decisionsBefore(node, field));
    } else left.push(node);
  }
  return { left: newestOf(left), isRemoved };
}

const decisionOf = (node: GraphNode, field: StateField): readonly Decision[] =>
  node.record === undefined
    ? []
    : [{ node, record: node.record, value: fieldValue(node.record.fields, field) }];
