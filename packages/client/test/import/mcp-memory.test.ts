import { isCambiumError } from "@cambium/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ImportReading } from "../../src/import/import-draft.js";
import { isMcpMemoryLine, readMcpMemory } from "../../src/import/mcp-memory.js";

const SEED = 20_261;

interface EntityLine {
  readonly type: "entity";
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

interface RelationLine {
  readonly type: "relation";
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

const entity = (name: string, entityType: string, ...observations: string[]): EntityLine => ({
  type: "entity",
  name,
  entityType,
  observations,
});

const relation = (from: string, relationType: string, to: string): RelationLine => ({
  type: "relation",
  from,
  to,
  relationType,
});

const toText = (lines: readonly unknown[]): string => lines.map((line) => JSON.stringify(line)).join("\n");
const read = (...lines: readonly unknown[]): ImportReading =>
  readMcpMemory(toText(lines), { name: "memory.jsonl" });
const keysOf = (reading: ImportReading): string[] => reading.drafts.map(({ sourceKey }) => sourceKey);
const contentsOf = (reading: ImportReading): string[] => reading.drafts.map(({ content }) => content);

const HOUSEHOLD = [
  entity("Mira_Okafor", "person", "Prefers short answers", "Mira Okafor lives in Lisbon"),
  entity("Tidepool", "project", "Builds with pnpm", "Prefers short answers"),
  relation("Mira_Okafor", "maintains", "Tidepool"),
];

describe("what becomes a memory", () => {
  test("[IM3] every entity, observation and relation is a memory that names whom it speaks of", () => {
    expect(contentsOf(read(...HOUSEHOLD))).toEqual([
      "Mira_Okafor (person)",
      "Mira_Okafor: Prefers short answers",
      "Mira Okafor lives in Lisbon", // names her already
      "Tidepool (project)",
      "Tidepool: Builds with pnpm",
      "Tidepool: Prefers short answers",
      "Mira_Okafor maintains Tidepool",
    ]);
  });

  test("[IM3] a statement links to its subject, a relation also to its object, and the type is the category", () => {
    const { drafts } = read(...HOUSEHOLD);
    const [mira, observation, , tidepool] = drafts;
    expect(observation).toMatchObject({
      kind: "observation",
      category: "person",
      links: [{ rel: "about", to: mira?.sourceKey }],
      source: { kind: "import", format: "mcp-memory", name: "memory.jsonl", heading: "Mira_Okafor" },
    });
    expect(drafts.at(-1)).toMatchObject({
      kind: "relation",
      links: [
        { rel: "about", to: mira?.sourceKey },
        { rel: "maintains", to: tidepool?.sourceKey },
      ],
      source: { key: '["Mira_Okafor","maintains","Tidepool"]' },
    });
  });

  test("[IM3] a name inside a longer word does not count as naming the entity", () => {
    expect(contentsOf(read(entity("Al", "person", "He also sails")))).toContain("Al: He also sails");
  });

  test("[IM3] a relation of entities that the file does not describe is kept, without links", () => {
    expect(read(relation("ghost", "haunts", "mill")).drafts).toMatchObject([
      { content: "ghost haunts mill", links: [] },
    ]);
  });

  test("[IM3] one entity in two lines keeps both types and all observations, each once", () => {
    const reading = read(
      entity("Rook", "bird", "Black"),
      entity("Rook", "chess piece", "Black", "Moves straight"),
    );
    expect(contentsOf(reading)).toEqual(["Rook (bird, chess piece)", "Rook: Black", "Rook: Moves straight"]);
  });
});

describe("importing again", () => {
  test("[IM2] a new type of an entity changes memories and adds none", () => {
    const before = read(entity("Tidepool", "project", "Builds with pnpm"));
    const after = read(entity("Tidepool", "archive", "Builds with pnpm"));
    expect(keysOf(after)).toEqual(keysOf(before));
    expect(contentsOf(after)[0]).toBe("Tidepool (archive)");
  });

  test("[IM1] a source of another name has other keys", () => {
    const other = readMcpMemory(toText(HOUSEHOLD), { name: "other.jsonl" });
    expect(new Set([...keysOf(read(...HOUSEHOLD)), ...keysOf(other)]).size).toBe(14);
  });

  const text = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 6 })
    .filter((each) => each.trim() !== "");
  const line = fc.oneof(
    fc.record({
      type: fc.constant("entity" as const),
      name: text,
      entityType: text,
      observations: fc.array(text, { maxLength: 4 }),
    }),
    fc.record({ type: fc.constant("relation" as const), from: text, to: text, relationType: text }),
  );

  test("[IM1] [IM3] there is one key per distinct entity, observation and relation, in any order of lines", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
        const expected = new Set<string>(); // oracle: plain strings
        for (const each of lines) {
          if (each.type === "relation") expected.add(JSON.stringify([each.from, each.relationType, each.to]));
          else {
            expected.add(JSON.stringify([each.name]));
            for (const observation of each.observations)
              expected.add(JSON.stringify([each.name, observation]));
          }
        }
        const keys = keysOf(read(...lines));
        expect(keys).toHaveLength(expected.size);
        expect(new Set(keys).size).toBe(expected.size);
        expect(keysOf(read(...[...lines].reverse())).sort()).toEqual([...keys].sort());
      }),
      { seed: SEED },
    );
  });

  test("[IM2] a grown file keeps every earlier key and every observation's text", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(line), (before, added) => {
        const contentByKey = new Map(
          read(...before, ...added).drafts.map(({ sourceKey, content }) => [sourceKey, content]),
        );
        for (const draft of read(...before).drafts) {
          if (draft.kind === "entity") expect(contentByKey.has(draft.sourceKey)).toBe(true);
          else expect(contentByKey.get(draft.sourceKey)).toBe(draft.content);
        }
      }),
      { seed: SEED },
    );
  });

  test("[IM3] every text of the file is in a draft", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const all = contentsOf(read(...lines)).join("\n");
        for (const each of lines) {
          const texts =
            each.type === "entity"
              ? [each.name, each.entityType, ...each.observations]
              : [each.from, each.relationType, each.to];
          for (const part of texts) expect(all).toContain(part);
        }
      }),
      { seed: SEED },
    );
  });
});

describe("what cannot be read", () => {
  test("[IM4] bad lines are skipped with number and reason, and the rest is read", () => {
    const lines = [
      `\uFEFF${JSON.stringify(HOUSEHOLD[0])}\r`,
      "",
      "{ half a line",
      "[1, 2]",
      '{"type":"note","text":"x"}',
      '{"type":"entity","name":"","entityType":"person","observations":[]}',
      '{"type":"relation","from":"a","to":"b"}',
      '{"type":"entity","name":"Kestrel","entityType":7,"observations":["Hovers",null,"\\ud800","  "]}',
      '{"type":"entity","name":"Heron","observations":"Stands"}',
    ];
    const reading = readMcpMemory(lines.join("\n"), { name: "memory.jsonl" });
    expect(contentsOf(reading).slice(3)).toEqual(["Kestrel", "Kestrel: Hovers", "Heron"]);
    expect(reading.skipped.map(({ where }) => where)).toEqual([
      "line 3",
      "line 4",
      "line 5",
      "line 6",
      "line 7",
      ...Array<string>(4).fill("line 8"),
      "line 9",
    ]);
    expect(reading.skipped[0]?.reason).toBe("It is not a JSON object.");
  });

  test("[IM4] fields that the format does not have are named once", () => {
    const dated = HOUSEHOLD.map((each) => ({ ...each, createdAt: "2026-03-01" }));
    expect(read(...dated).skipped).toEqual([
      {
        where: "line 1 and 2 more",
        reason: 'The field "createdAt" is not part of the format and was left out.',
      },
    ]);
  });

  test("[IM4] an observation too large for a memory is skipped, and its entity kept", () => {
    const reading = read(entity("Log", "file", "x".repeat(1_000_001)));
    expect(contentsOf(reading)).toEqual(["Log (file)"]);
    expect(reading.skipped).toMatchObject([{ where: 'an observation of "Log"' }]);
  });

  test.each(["", "\n\n", "# Notes\n\nHello", '{"entities":[]}'])(
    "[IM4] a file with no good line is refused: %j",
    (text) => {
      try {
        readMcpMemory(text, { name: "notes.jsonl" });
        expect.unreachable();
      } catch (error) {
        expect(isCambiumError(error, "BAD_INPUT")).toBe(true);
        expect(String(error)).toContain("notes.jsonl");
      }
    },
  );

  test("[IM4] a line is told from other JSON by its type", () => {
    expect(isMcpMemoryLine('{"type":"relation"}')).toBe(true);
    expect(isMcpMemoryLine('{"type":"note"}')).toBe(false);
    expect(isMcpMemoryLine("null")).toBe(false);
  });
});
