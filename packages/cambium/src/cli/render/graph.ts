/**
 * A graph of changes in text, newest first, one lane per line of work, in the manner of Jujutsu and Sapling:
 *
 *     ○    merge of b and c
 *     ├─╮
 *     │ ○  c
 *     ○ │  b
 *     ├─╯
 *     ○  a
 *
 * A lane is a column that waits for one node. A node stands in the lane that waits for it, or in a new one; a
 * parent that some lane waits for already is joined to that lane at once, any other takes this node's lane or
 * a free one. So every node is awaited by at most one lane, and each node needs at most one row of links.
 *
 * Pure.
 *
 * @module
 */

export interface GraphNode {
  readonly id: string;
  readonly parents: readonly string[];
  /** One column wide, apart from colours. */
  readonly glyph: string;
  /** Text beside the node; the first line stands in the node's own row. */
  readonly lines: readonly string[];
}

export interface GraphLook {
  readonly unicode: boolean;
  /** Whether history goes on below the last node given. */
  readonly more?: boolean;
  /** Paints the lines of the graph; the glyphs of nodes are left alone. */
  readonly paint?: (line: string) => string;
}

/** What each column waits for; null where nothing runs. */
type Lanes = readonly (string | null)[];

interface Step {
  readonly before: Lanes;
  readonly after: Lanes;
  readonly column: number;
  /** The columns that the links of this node end in. */
  readonly targets: readonly number[];
}

/** @param nodes - each above its parents, as `newestFirst` orders them */
export function drawGraph(nodes: readonly GraphNode[], look: GraphLook): string {
  const shown = new Set(nodes.map(({ id }) => id));
  const paint = look.paint ?? ((line: string): string => line);
  const rows: string[] = [];
  let lanes: Lanes = [];
  for (const node of nodes) {
    const parents = [...new Set(node.parents)].filter((parent) => shown.has(parent));
    const step = advance(lanes, node.id, parents);
    const graphRows = [nodeRow(step, node.glyph, look, paint)];
    if (step.targets.some((target) => target !== step.column)) graphRows.push(paint(linkRow(step, look)));
    const isCut = look.more === true && parents.length === 0 && node.parents.length > 0;
    if (isCut) graphRows.push(paint(passingRow(withLane(step.after, step.column, null), look, step.column)));
    const height = Math.max(graphRows.length, node.lines.length);
    for (let row = 0; row < height; row += 1) {
      const graph = graphRows[row] ?? paint(passingRow(step.after, look));
      const text = node.lines[row] ?? "";
      rows.push((text === "" ? graph : `${graph}  ${text}`).trimEnd());
    }
    lanes = step.after;
  }
  return rows.join("\n");
}

/** Puts the node into its lane and hands that lane on to the node's parents. */
function advance(lanes: Lanes, id: string, parents: readonly string[]): Step {
  const awaited = lanes.indexOf(id);
  const column = awaited >= 0 ? awaited : freeColumn(lanes, 0);
  const before = withLane(lanes, column, id);
  let after = withLane(before, column, null);
  const targets: number[] = [];
  for (const parent of parents) {
    const known = after.indexOf(parent);
    if (known >= 0) targets.push(known);
    // A lane to the right moves over when this one ends, so that the oldest work stays on the left.
    const moves = known > column && after[column] === null;
    if (moves) after = withLane(after, known, null);
    if (moves || known < 0) {
      const target = freeColumn(after, column);
      after = withLane(after, target, parent);
      targets.push(target);
    }
  }
  return { before, after: trimmed(after), column, targets };
}

function freeColumn(lanes: Lanes, from: number): number {
  const free = lanes.indexOf(null, from);
  return free >= 0 ? free : lanes.length;
}

function withLane(lanes: Lanes, column: number, waitsFor: string | null): Lanes {
  const wider: (string | null)[] = [...lanes];
  while (wider.length < column) wider.push(null);
  wider[column] = waitsFor;
  return wider;
}

const trimmed = (lanes: Lanes): Lanes => lanes.slice(0, lanes.findLastIndex((lane) => lane !== null) + 1);

const [UP, DOWN, LEFT, RIGHT] = [1, 2, 4, 8] as const;

/** By the directions in which a cell is connected. */
const BOX = " ╵╷│╴╯╮┤╶╰╭├─┴┬┼";
const ASCII = " '.|-'.|-'.|-'.+";

const lineOf = (look: GraphLook): string => (look.unicode ? "│" : "|");

function nodeRow(
  { before, column }: Step,
  glyph: string,
  look: GraphLook,
  paint: (line: string) => string,
): string {
  return before
    .map((lane, at) => (at === column ? glyph : lane === null ? " " : paint(lineOf(look))))
    .join(" ");
}

/** @param cut - the column whose line of work goes on below, unseen */
function passingRow(lanes: Lanes, look: GraphLook, cut?: number): string {
  return lanes.map((lane, at) => (at === cut ? "~" : lane === null ? " " : lineOf(look))).join(" ");
}

function linkRow({ before, after, column, targets }: Step, look: GraphLook): string {
  const first = Math.min(column, ...targets);
  const last = Math.max(column, ...targets);
  const glyphs = look.unicode ? BOX : ASCII;
  let row = "";
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
    const isEnd = at === column || targets.includes(at);
    const comes = (before[at] ?? null) !== null;
    const goesOn = (after[at] ?? null) !== null;
    // A lane that is merely crossed is drawn as if it ran in front.
    const reaches = isEnd || !comes;
    const directions =
      (comes ? UP : 0) |
      (goesOn ? DOWN : 0) |
      (reaches && at > first && at <= last ? LEFT : 0) |
      (reaches && at >= first && at < last ? RIGHT : 0);
    row += glyphs[directions] ?? " ";
    row += at >= first && at < last ? (glyphs[LEFT | RIGHT] ?? "-") : " ";
  }
  return row.trimEnd();
}
