/** Which part of a memory a correction replaces. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctedText } from "../../src/ask/corrected-text.js";
import { understand } from "../../src/ask/understand.js";
import { AROUND } from "./phrasings.js";

async function corrected(memory: string, sentence: string) {
  const found = await understand(sentence, AROUND);
  if (!found.understood || found.request.operation !== "correct")
    throw new Error(`No correction: ${sentence}`);
  return correctedText(memory, found.request);
}

describe("a correction", () => {
  test.each([
    [
      "The meeting is on Friday, in room B.",
      "the meeting is on Thursday",
      "The meeting is on Thursday, in room B.",
    ],
    [
      "The meeting is on Friday",
      "the meeting is on Thursday, in room B",
      "The meeting is on Thursday, in room B",
    ],
    ["The meeting is on Friday in room A", "the meeting is in room B", "The meeting is on Friday in room B"],
    [
      "The dentist is at 3pm, in Baker Street",
      "the dentist is at 4pm, not 3pm",
      "The dentist is at 4pm, in Baker Street",
    ],
    [
      "The dentist is at 3pm",
      "the dentist is at 4pm, not 3pm in room B",
      "The dentist is at 4pm, not 3pm in room B",
    ],
    ["Ada likes tea, coffee and milk", "Ada likes water", "Ada likes water"],
    [
      "The meeting is on Friday, and Tom brings cake",
      "the meeting is now on Thursday",
      "The meeting is now on Thursday, and Tom brings cake",
    ],
    ["I live in Oslo with Tom", "I live in Bergen", "I live in Bergen with Tom"],
    [
      "The build takes an hour. The day is Monday.",
      "the day is Friday",
      "The build takes an hour. The day is Friday.",
    ],
  ])("[AS11] of %j by %j", async (memory, sentence, text) => {
    expect(await corrected(memory, `actually, ${sentence}`)).toEqual({ text, losesRest: false });
  });

  test("[AS11] that cannot be told apart from the rest is said to replace it", async () => {
    expect(await corrected("Budget for the trip: 800 euro", "actually, the budget is 900 euro")).toEqual({
      text: "The budget is 900 euro",
      losesRest: true,
    });
  });

  const words = fc.array(
    fc.constantFrom(
      ..."the meeting is on Friday, in room B. at 9 with Tom, and Ada brings cake; now not but because Monday".split(
        " ",
      ),
    ),
    { minLength: 1, maxLength: 14 },
  );

  test("[AS11] keeps every word that was said", () => {
    fc.assert(
      fc.property(words, words, (memory, said) => {
        const content = `the meeting is ${said.join(" ")}`;
        const correction = { content, subject: "the meeting" };
        const { text } = correctedText(memory.join(" "), correction);
        for (const word of content.match(/\w+/g) ?? [])
          expect(text.toLowerCase()).toContain(word.toLowerCase());
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});
