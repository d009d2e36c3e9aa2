/**
 * The graph of one memory's records: its tips and everything they descend from.
 *
 * A record that is named as a parent but has not arrived is a node without a record: its own parents
 * are unknown, but what descends from it is known.
 *
 * @module
 */
import type { RecordHash } from "../format/ids.js";
import type { MemoryRecord } from "../format/record.js";

export interface GraphNode {
  readonly hash: RecordHash;
  readonly record: MemoryRecord | undefined;
  readonly parents: readonly GraphNode[];
  readonly children: readonly GraphNode[];
}

export interface MemoryGraph {
  /** Every node once, parents before children. */
  readonly nodes: readonly GraphNode[];
}

interface GrowingNode extends GraphNode {
  readonly parents: GrowingNode[];
  readonly children: GrowingNode[];
}

/** Walks from the tips; tips that are not among `records` are left out. Takes time linear in the graph. */
export function buildGraph(
  tips: readonly RecordHash[],
  records: ReadonlyMap<RecordHash, MemoryRecord>,
): MemoryGraph {
  const nodeByHash = new Map<RecordHash, GrowingNode>();
  const nodes: GrowingNode[] = [];
  const addNode = (hash: RecordHash): GrowingNode => {
    const node: GrowingNode = { hash, record: records.get(hash), parents: [], children: [] };
    nodeByHash.set(hash, node);
    return node;
  };
  // Depth first with a stack of our own: a memory may have more versions than the call stack has frames.
  const path: GrowingNode[] = [];
  for (const tip of tips) {
    if (records.has(tip) && !nodeByHash.has(tip)) path.push(addNode(tip));
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const parentHash = node.record?.parents[node.parents.length];
      if (parentHash === undefined) {
        nodes.push(node);
        path.pop();
        continue;
      }
      const known = nodeByHash.get(parentHash);
      const parent = known ?? addNode(parentHash);
      node.parents.push(parent);
      parent.children.push(node);
      if (known === undefined) path.push(parent);
    }
  }
  return { nodes };
}

/** Everything the node descends from, itself not included. */
export function ancestorsOf(node: GraphNode): ReadonlySet<GraphNode> {
  return reach(node, "parents");
}

/** Everything that descends from the node, itself not included. */
export function descendantsOf(node: GraphNode): ReadonlySet<GraphNode> {
  return reach(node, "children");
}

/** Returns those of `nodes` that no other one of them descends from. */
export function newestOf(nodes: readonly GraphNode[]): readonly GraphNode[] {
  if (nodes.length < 2) return nodes;
  const followed = new Set(nodes.flatMap((node) => [...ancestorsOf(node)]));
  return nodes.filter((node) => !followed.has(node));
}

/** The nodes nothing descends from. */
export function graphTips({ nodes }: MemoryGraph): readonly GraphNode[] {
  return nodes.filter(({ children }) => children.length === 0);
}

/** Returns how many nodes the longest way from a first record to a tip has, missing ones included. */
export function longestPath({ nodes }: MemoryGraph): number {
  const lengthByNode = new Map<GraphNode, number>();
  let longest = 0;
  for (const node of nodes) {
    let length = 1;
    for (const parent of node.parents) length = Math.max(length, 1 + (lengthByNode.get(parent) ?? 0));
    lengthByNode.set(node, length);
    longest = Math.max(longest, length);
  }
  return longest;
}

function reach(from: GraphNode, direction: "parents" | "children"): ReadonlySet<GraphNode> {
  const found = new Set<GraphNode>();
  const pending = [...from[direction]];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    for (const next of node[direction]) pending.push(next);
  }
  return found;
}
