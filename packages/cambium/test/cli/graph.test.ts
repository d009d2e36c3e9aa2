import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawGraph, type GraphLook, type GraphNode } from "../../src/cli/render/graph.js";
import { newestFirst } from "../../src/cli/render/newest-first.js";

const UNICODE: GraphLook = { unicode: true };

/** `c<ab` is a node c with parents a and b; text lines follow after colons. */
function nodes(...specs: readonly string[]): readonly GraphNode[] {
  return specs.map((spec) => {
    const [head = "", ...lines] = spec.split(":");
    const [id = "", parents = ""] = head.split("<");
    return { id, parents: [...parents], glyph: "○", lines: lines.length > 0 ? lines : [id] };
  });
}

const drawing = (lines: readonly string[]): string => lines.join("\n");

describe("drawGraph", () => {
  test("[CL8] one line of work is one lane", () => {
    expect(drawGraph(nodes("c<b", "b<a", "a"), UNICODE)).toBe(drawing(["○  c", "○  b", "○  a"]));
  });

  test("[CL8] a merge opens a lane, a fork closes it", () => {
    expect(drawGraph(nodes("d<bc", "c<a", "b<a", "a"), UNICODE)).toBe(
      drawing(["○  d", "├─╮", "│ ○  c", "○ │  b", "├─╯", "○  a"]),
    );
  });

  test("[CL8] heads written side by side each have a lane", () => {
    expect(drawGraph(nodes("c<a", "b<a", "a"), UNICODE)).toBe(drawing(["○  c", "│ ○  b", "├─╯", "○  a"]));
  });

  test("[CL8] a lane that is merely crossed stays whole", () => {
    expect(drawGraph(nodes("f<bc", "e<d", "d<b", "c<a", "b<a", "a"), UNICODE)).toBe(
      drawing(["○  f", "├─╮", "│ │ ○  e", "│ │ ○  d", "├─│─╯", "│ ○  c", "○ │  b", "├─╯", "○  a"]),
    );
  });

  test("[CL8] three parents open two lanes at once", () => {
    expect(drawGraph(nodes("e<bcd", "d<a", "c<a", "b<a", "a"), UNICODE)).toBe(
      drawing(["○  e", "├─┬─╮", "│ │ ○  d", "│ ○ │  c", "│ ├─╯", "○ │  b", "├─╯", "○  a"]),
    );
  });

  test("[CL8] further lines of text stand beside the lanes that go on", () => {
    expect(drawGraph(nodes("d<bc:d:who", "c<a:c", "b<a:b:who:why", "a:a"), UNICODE)).toBe(
      drawing(["○  d", "├─╮  who", "│ ○  c", "○ │  b", "├─╯  who", "│  why", "○  a"]),
    );
  });

  test("[CL8] history that goes on unseen is marked, and only if there is some", () => {
    expect(drawGraph(nodes("c<b", "b<a"), { ...UNICODE, more: true })).toBe(drawing(["○  c", "○  b", "~"]));
    expect(drawGraph(nodes("c<b", "b<a"), UNICODE)).toBe(drawing(["○  c", "○  b"]));
    expect(drawGraph(nodes("b"), { ...UNICODE, more: true })).toBe("○  b");
  });

  test("[CL8] without Unicode it is drawn in ASCII", () => {
    expect(drawGraph(nodes("d<bc", "c<a", "b<a", "a"), { unicode: false })).toBe(
      drawing(["○  d", "|-.", "| ○  c", "○ |  b", "|-'", "○  a"]),
    );
  });
});

describe("any graph", () => {
  const graph = fc
    .array(fc.record({ parents: fc.array(fc.nat(), { maxLength: 3 }), at: fc.nat({ max: 20 }) }), {
      maxLength: 24,
    })
    .map((drafts) =>
      drafts.map(({ parents, at }, index) => ({
        id: `n${index}`,
        at,
        parents: index === 0 ? [] : [...new Set(parents.map((parent) => `n${parent % index}`))],
      })),
    );

  test("[CL8] each stands above its parents, once, and otherwise the newest first", () => {
    fc.assert(
      fc.property(graph, (entries) => {
        const ordered = newestFirst(entries);
        expect(new Set(ordered)).toEqual(new Set(entries));
        expect(ordered).toHaveLength(entries.length);
        const rowById = new Map(ordered.map(({ id }, row) => [id, row]));
        for (const { id, parents } of entries) {
          for (const parent of parents) expect(rowById.get(id)).toBeLessThan(rowById.get(parent) ?? -1);
        }
      }),
      { seed: 8 },
    );
  });

  test("[CL8] following the lines down from a node reaches every parent of it", () => {
    fc.assert(
      fc.property(graph, (entries) => {
        const ordered = newestFirst(entries);
        const drawn = drawGraph(
          ordered.map(({ id, parents }) => ({ id, parents, glyph: "○", lines: [id] })),
          UNICODE,
        ).split("\n");
        expect(drawn.filter((row) => row.includes("○"))).toHaveLength(entries.length);
        for (const { id, parents } of entries) {
          const reached = nodesBelow(drawn, id);
          for (const parent of parents) expect(reached).toContain(parent);
        }
      }),
      { seed: 8 },
    );
  });
});

/** Reads the drawing as a person does: from a node downwards along the lines, to the next nodes. */
function nodesBelow(rows: readonly string[], id: string): ReadonlySet<string> {
  const start = rows.findIndex((row) => nodeOf(row) === id);
  const found = new Set<string>();
  const open = [[start + 1, rows[start]?.indexOf("○") ?? 0] as const];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [row, column] = next;
    const cell = rows[row]?.[column] ?? " ";
    if (seen.has(`${row},${column}`) || cell === " ") continue;
    seen.add(`${row},${column}`);
    if (cell === "○") {
      found.add(nodeOf(rows[row] ?? ""));
      continue;
    }
    if ("│├┤┼╮╭┬".includes(cell)) open.push([row + 1, column]);
    if ("├╰╭┬┴┼".includes(cell)) open.push(...alongLine(rows[row] ?? "", row, column, 1));
    if ("┤╯╮┬┴┼".includes(cell)) open.push(...alongLine(rows[row] ?? "", row, column, -1));
  }
  return found;
}

const nodeOf = (row: string): string => (row.includes("○") ? (row.split("  ").at(-1) ?? "") : "");

/** The next cell that a horizontal line ends in; a lane that is crossed is passed. */
function alongLine(
  text: string,
  row: number,
  from: number,
  step: 1 | -1,
): readonly (readonly [number, number])[] {
  const cells: (readonly [number, number])[] = [];
  for (let column = from + step; "─│╮╭╯╰├┤┬┴┼".includes(text[column] ?? " "); column += step) {
    const cell = text[column] ?? " ";
    if (cell !== "─" && cell !== "│") cells.push([row, column]);
  }
  return cells;
}
