/** What sentences become, and that nothing else becomes anything. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EXAMPLES } from "../../src/ask/examples.js";
import type { Intent } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";
import { AROUND, REFUSED, UNDERSTOOD } from "./phrasings.js";
import { runsOf } from "./some-of.js";

async function requestOf(sentence: string): Promise<Intent | undefined> {
  const found = await understand(sentence, AROUND);
  return found.understood ? found.request : undefined;
}

describe("understanding", () => {
  test.each(UNDERSTOOD)("[AS1] %s", async (sentence, request) => {
    expect(await understand(sentence, AROUND)).toMatchObject({ understood: true, request });
  });

  test.each(REFUSED.map((sentence) => [sentence]))("[AS2] not understood: %s", async (sentence) => {
    expect(await understand(sentence, AROUND)).toMatchObject({ understood: false });
  });

  test("[AS2] what is missing is said, and the nearest example is named", async () => {
    expect(await understand("what did you know about the budget?", AROUND)).toMatchObject({
      why: expect.stringContaining("Say when"),
    });
    expect(await understand("actually, it is Tuesday", AROUND)).toMatchObject({
      why: expect.stringContaining("by name"),
    });
    const nearTo = async (sentence: string): Promise<readonly string[]> => {
      const found = await understand(sentence, AROUND);
      return found.understood ? [] : (found.near ?? []).map(({ example }) => example);
    };
    expect(await requestOf("how many branches do we use?")).toEqual({ operation: "branches" });
    expect(await nearTo("snapshot of the house")).toContain("what checkpoints are there?");
    // Each is a request itself, and hides nothing.
    for (const sentence of REFUSED)
      for (const example of await nearTo(sentence))
        expect({ example, operation: (await requestOf(example))?.operation ?? "none" }).toEqual({
          example,
          operation: expect.not.stringMatching(
            /^(?:none|forget|undo|rollback|take-back|fresh|merge|delete-branch)$/,
          ),
        });
    expect(await understand("zzz", AROUND)).toEqual({ understood: false });
  });

  test.each(EXAMPLES.flatMap(({ operation, says }) => says.map((said) => [said, operation] as const)))(
    "[AS3] the example %s is understood as %s",
    async (said, operation) => {
      expect((await requestOf(said))?.operation).toBe(operation);
    },
  );
});

describe("manners", () => {
  const before = fc.constantFrom(
    "",
    "please ",
    "Hey, ",
    "ok ",
    "Could you ",
    "can you please ",
    "I'd like to ",
    "  ",
  );
  const after = fc.constantFrom("", ".", "!", " please", ", thanks", ", thank you!", "  ", "…");
  const gap = fc.constantFrom(" ", "  ", "\t", "\n");

  test("[AS4] politeness, case, spaces and marks at the end change nothing about what is asked for", async () => {
    // What is kept word for word is another text in other letters, and a question is no order.
    const orders = UNDERSTOOD.filter(
      ([sentence, { operation }]) =>
        !["remember", "correct"].includes(operation) &&
        /^(?!what|who|how|why|where|when|are|am|is|do|help)/i.test(sentence),
    );
    const cases = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLowerCase(),
      (text: string) => text.toUpperCase(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...orders),
        before,
        after,
        gap,
        cases,
        async (order, lead, tail, space, cased) => {
          const [sentence, request] = order;
          const said = `${lead}${cased(sentence.replace(/[.!]$/, "")).replaceAll(" ", space)}${tail}`;
          const found = await requestOf(said);
          expect({ said, operation: found?.operation }).toEqual({ said, operation: request.operation });
          if (cased(sentence) === sentence) expect(lowered(found)).toMatchObject(lowered(request) as object);
        },
      ),
      { numRuns: runsOf(120, 400), seed: 7 },
    );
  });

  test("[AS4] what is to be remembered keeps its case, spaces and signs", async () => {
    expect(await requestOf("please remember: Ada's  key\n- is “4711”!")).toEqual({
      operation: "remember",
      content: "Ada's  key\n- is “4711”!",
    });
    const long = `remember: ${"word ".repeat(5_000)}end`;
    expect(await requestOf(long)).toMatchObject({ operation: "remember", content: long.slice(10) });
    expect(await understand(long.slice(10), AROUND)).toMatchObject({ understood: false });
  });

  // Where time grows with the square of a run's length, each takes minutes.
  test.each([".", " ", "?!", "please "])(
    "[AS4] a run of %j in what is to be remembered costs nothing",
    async (sign) => {
      const content = `The harbour ${sign.repeat(500_000 / sign.length)} of Basel`;
      expect(await requestOf(`remember: ${content}`)).toMatchObject({ operation: "remember", content });
    },
  );
});

const lowered = (request: Intent | undefined): unknown =>
  JSON.parse(JSON.stringify(request ?? {}).toLowerCase());

describe("any text", () => {
  const words = fc
    .array(
      fc.constantFrom(
        ..."remember forget that actually , is now not undo the last 3 few go back to before checkpoint cleanup january yesterday what did you know about since merge my work branch called start fresh \" ' : @ ( [ \\ ? category only 2026-13-45 99999999999 ago".split(
          " ",
        ),
      ),
      { maxLength: 20 },
    )
    .map((all) => all.join(" "));

  test("[AS5] is understood or not, the same each time, and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.string(), words), async (text) => {
        expect(await understand(text, AROUND)).toEqual(await understand(text, AROUND));
      }),
      { numRuns: runsOf(300, 1_500), seed: 11 },
    );
  });

  test("[AS5] takes no long time however it is made", async () => {
    const started = performance.now();
    for (const part of [
      "forget ",
      "what did you know about in ",
      "actually is not ",
      "(",
      "a ",
      "the ",
      "remember ",
    ])
      await understand(part.repeat(2_000).slice(0, 500), AROUND);
    for (const part of [" ", ", ", "please ", "? "]) {
      await understand(`remember: a${part.repeat(100_000)}b`, AROUND);
      await understand(`a${part.repeat(100_000)}b`, AROUND);
    }
    // Where a pattern goes back over what it has seen, it takes minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
