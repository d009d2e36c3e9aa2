/**
 * Which texts of a memory a merge may still need, whatever its branches and devices write from now on.
 *
 * A merge needs the text of a version when that version stands, or when it is the nearest one that several standing
 * versions build upon, or when it is that for such nearest ones: after criss-cross merges several layers of them. Two
 * facts decide which those can be:
 *
 * - Whatever is written later on a branch builds upon everything that every device has of it.
 * - A version that lies below a single other one, as seen from everything that may still meet in a merge, is never
 *   the nearest: the other one is nearer.
 *
 * @module
 */
import type { PartHash, RecordHash } from "../format/ids.js";
import { decidesField, type RecordHeader } from "../format/record.js";

/** As much of a record as says whether its text is needed. */
export interface RetentionRecord extends Pick<RecordHeader, "parents" | "decides" | "type" | "at"> {
  /** Names the record. */
  readonly hash: RecordHash;
  /** Its text. Other records may name the same. */
  readonly content: PartHash;
}

/** What of a memory a branch holds. */
export interface LiveBranch {
  /** Records that stand, or once stood, on the branch here. */
  readonly known: ReadonlySet<RecordHash>;
  /** Those of them that every device has that may write on it: with each, all that it builds upon. */
  readonly common: ReadonlySet<RecordHash>;
}

/** The records of one memory, parents first. */
export class RetentionGraph {
  readonly nodes: readonly RetentionRecord[];
  /** Everything that a record descends from, by its place; one bit each. */
  readonly #above: readonly Uint32Array[];
  readonly #places: ReadonlyMap<RecordHash, number>;

  /** @param records - of one memory; @returns undefined when one of them builds upon a record that is not here */
  static of(records: readonly RetentionRecord[]): RetentionGraph | undefined {
    const byHash = new Map(records.map((record) => [record.hash, record]));
    if (records.some(({ parents }) => parents.some((parent) => !byHash.has(parent)))) return undefined;
    return new RetentionGraph(parentsFirst(records, byHash));
  }

  private constructor(nodes: readonly RetentionRecord[]) {
    this.nodes = nodes;
    this.#places = new Map(nodes.map(({ hash }, place) => [hash, place]));
    const above: Uint32Array[] = [];
    for (const { parents } of nodes) {
      const set = new Uint32Array(Math.ceil(nodes.length / 32));
      for (const parent of parents) {
        const place = this.#places.get(parent) as number;
        orInto(set, above[place] as Uint32Array);
        add(set, place);
      }
      above.push(set);
    }
    this.#above = above;
  }

  /** Whether the record at `place` builds upon the one at `other`. */
  isAbove(other: number, place: number): boolean {
    return has(this.#above[place] as Uint32Array, other);
  }

  /** The set of everything that a record descends from; with the record itself where that is asked for. */
  ancestors(place: number, withItself: boolean): Uint32Array {
    const set = (this.#above[place] as Uint32Array).slice();
    if (withItself) add(set, place);
    return set;
  }
}

/** Returns the records whose texts have to stay for merges. */
export function neededForMerges(
  graph: RetentionGraph,
  branches: readonly LiveBranch[],
): ReadonlySet<RecordHash> {
  const { nodes } = graph;
  const decides = nodes.map((node) => decidesField(node, "content"));
  const needed = standingSomewhere(graph, decides, branches);
  const meeting = new Set([...needed].filter((place) => decides[place]));
  for (let place = nodes.length - 1; place >= 0; place -= 1) {
    if (!decides[place] || meeting.has(place)) continue;
    if (isNearest(graph, place, decides, meeting)) {
      meeting.add(place);
      needed.add(place);
    }
  }
  for (const place of comparedByUndo(graph, decides, meeting, branches)) needed.add(place);
  return new Set([...needed].map((place) => (nodes[place] as RetentionRecord).hash));
}

/** What stands now somewhere, or may stand on a device that lacks the rest. */
function standingSomewhere(
  graph: RetentionGraph,
  decides: readonly boolean[],
  branches: readonly LiveBranch[],
): Set<number> {
  const { nodes } = graph;
  const standing = new Set<number>();
  for (const { known, common } of branches) {
    const shared = nodes.flatMap(({ hash }, place) => (common.has(hash) ? [place] : []));
    for (const [place, { hash }] of nodes.entries()) {
      if (!known.has(hash)) continue;
      const followers = decides[place] ? shared.filter((other) => decides[other]) : shared;
      const isFollowed = common.has(hash) && followers.some((other) => graph.isAbove(place, other));
      if (!isFollowed) standing.add(place);
    }
  }
  return standing;
}

/** Whether nothing that decides the text lies between a record and all that may meet above it. */
function isNearest(
  graph: RetentionGraph,
  place: number,
  decides: readonly boolean[],
  meeting: ReadonlySet<number>,
): boolean {
  const above = [...meeting].filter((other) => graph.isAbove(place, other));
  const [first, ...others] = above;
  if (first === undefined) return false;
  const between = graph.ancestors(first, true);
  for (const other of others) andInto(between, graph.ancestors(other, true));
  return !graph.nodes.some(
    (_, other) => decides[other] && has(between, other) && graph.isAbove(place, other),
  );
}

/**
 * An undo means what it brought back, which is found by comparing texts: so those that it builds upon stay, until
 * everything that may meet in a merge builds upon the undo.
 */
function comparedByUndo(
  graph: RetentionGraph,
  decides: readonly boolean[],
  meeting: ReadonlySet<number>,
  branches: readonly LiveBranch[],
): ReadonlySet<number> {
  const compared = new Set<number>();
  for (const [place, { type, hash }] of graph.nodes.entries()) {
    if (type !== "undo" || !decides[place]) continue;
    const isSettled =
      !meeting.has(place) &&
      branches.every(({ known, common }) => known.size === 0 || common.has(hash)) &&
      [...meeting].every((other) => graph.isAbove(place, other) || graph.isAbove(other, place));
    if (isSettled) continue;
    for (const other of graph.nodes.keys())
      if (decides[other] && graph.isAbove(other, place)) compared.add(other);
  }
  return compared;
}

const has = (set: Uint32Array, place: number): boolean =>
  ((set[place >>> 5] as number) & (1 << (place & 31))) !== 0;

function add(set: Uint32Array, place: number): void {
  set[place >>> 5] = (set[place >>> 5] as number) | (1 << (place & 31));
}

function orInto(set: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < set.length; at += 1) set[at] = (set[at] as number) | (other[at] as number);
}

function andInto(set: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < set.length; at += 1) set[at] = (set[at] as number) & (other[at] as number);
}

/** With a stack of its own: a memory may have more versions than the call stack has frames. */
function parentsFirst(
  records: readonly RetentionRecord[],
  byHash: ReadonlyMap<RecordHash, RetentionRecord>,
): readonly RetentionRecord[] {
  const ordered = new Set<RetentionRecord>();
  const sorted = records.toSorted((a, b) => a.at - b.at || (a.hash < b.hash ? -1 : 1));
  for (const first of sorted) {
    const path = [first];
    for (let record = path.at(-1); record !== undefined; record = path.at(-1)) {
      const parent = record.parents.map((hash) => byHash.get(hash)).find((one) => one && !ordered.has(one));
      if (parent !== undefined && !ordered.has(record)) path.push(parent);
      else {
        ordered.add(record);
        path.pop();
      }
    }
  }
  return [...ordered];
}
