import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ConsolidationCandidate,
  parseFields,
  proposeConsolidation,
  type RecordHash,
} from "../../src/index.js";
import { memoryIdOf } from "../support/memory-ids.js";

const CONTENT = "Releases are cut on Thursdays. Mia announces them in the team channel before noon.";

const candidate = (
  number: number,
  changed: Partial<ConsolidationCandidate> = {},
): ConsolidationCandidate => ({
  ...{
    id: memoryIdOf(number),
    at: number,
    content: CONTENT,
    tags: [],
    aliases: [],
    pins: [],
    links: [],
    deleted: false,
  },
  ...changed,
});

const plain = (text: string) => text.trim().replaceAll(/\s+/g, " ").toLowerCase();

describe("proposals to consolidate", () => {
  test("[US50] equal memories make one draft that needs no review", () => {
    const [proposal, ...more] = proposeConsolidation([
      candidate(1, { tags: ["b"], importance: 0.9, links: [{ rel: "same", to: memoryIdOf(2) }] }),
      candidate(2, { tags: ["a"], importance: 0.2, area: "work", pins: ["start"] }),
      candidate(3, { content: CONTENT.toUpperCase(), links: [{ rel: "uses", to: "https://x.org" }] }),
      candidate(4, { content: "Something else entirely, which nobody has said before." }),
    ]);
    expect(more).toEqual([]);
    expect(proposal).toEqual({
      ids: [memoryIdOf(3), memoryIdOf(2), memoryIdOf(1)],
      similarity: 1,
      needsReview: false,
      differing: [],
      why: "3 memories say the same.",
      combined: {
        ...{
          content: CONTENT.toUpperCase(),
          tags: ["a", "b"],
          aliases: [],
          pins: ["start"],
          importance: 0.9,
          area: "work",
        },
        links: [{ rel: "uses", to: "https://x.org" }],
      },
    });
  });

  test("[US51] nothing that one of them says is lost, but for spacing and case", () => {
    const sentence = fc.constantFrom(
      "Mia decides.",
      "- one more point",
      "It is 5 °C!",
      "It is -5 °C!",
      "好的。",
    );
    const tag = fc.constantFrom("a", "b", "c");
    const others = fc.array(fc.record({ extra: fc.array(sentence, { maxLength: 2 }), tags: fc.array(tag) }), {
      minLength: 2,
      maxLength: 4,
    });
    const body = Array.from(
      { length: 20 },
      (_, number) => `Point ${number} is word${number} as agreed.`,
    ).join(" ");
    fc.assert(
      fc.property(others, fc.constantFrom(" ", "\n"), (made, separator) => {
        const memories = made.map(({ extra, tags }, number) =>
          candidate(number, { content: [body, ...extra].join(separator), tags }),
        );
        const [proposal, ...more] = proposeConsolidation(memories);
        expect(more).toEqual([]);
        const content = plain(proposal?.combined.content ?? "");
        for (const { extra, tags } of made) {
          for (const text of [body, ...extra]) expect(content).toContain(plain(text));
          for (const one of tags) expect(proposal?.combined.tags).toContain(one);
        }
        const newest = plain(memories.at(-1)?.content ?? "");
        expect(content.startsWith(newest)).toBe(true);
        expect(proposal?.needsReview).toBe(content !== newest);
        expect(() => parseFields({ ...proposal?.combined })).not.toThrow();
      }),
    );
  });

  test("[US52] where only one value can stay, the newest does, and the proposal says what differs", () => {
    const [proposal] = proposeConsolidation([
      candidate(1, { area: "home", kind: "fact", validUntil: 5 }),
      candidate(2, { area: "work", git: { commit: "0123abc" } }),
    ]);
    expect(proposal).toMatchObject({
      needsReview: true,
      differing: ["area", "validUntil"],
      combined: { area: "work", kind: "fact", git: { commit: "0123abc" }, validUntil: undefined },
      why: "2 memories say the same; they differ in area, validUntil.",
    });
  });

  test("[US53] what is added is shown and asks for review", () => {
    const [proposal] = proposeConsolidation(
      [candidate(1, { content: CONTENT.replace("Thursdays", "Fridays") }), candidate(2)],
      { threshold: 0.6 },
    );
    expect(proposal).toMatchObject({
      needsReview: true,
      combined: { content: `${CONTENT}\n\nReleases are cut on Fridays.` },
      why: expect.stringMatching(
        /^2 memories share at least \d\d % of their wording; 1 sentence of the older/,
      ),
    });
  });

  test("[US54] forgotten memories, open conflicts and incomplete ones are left alone", () => {
    const open = { conflicts: [{ field: "tags", values: [] }] } as unknown as Partial<ConsolidationCandidate>;
    for (const changed of [{ deleted: true }, open, { incomplete: ["ab" as RecordHash] }])
      expect(proposeConsolidation([candidate(1), candidate(2, changed)])).toEqual([]);
  });
});
