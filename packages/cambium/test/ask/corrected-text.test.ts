/** Which part of a memory a correction replaces. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctedText, lostParts } from "../../src/ask/corrected-text.js";
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
      "The meeting is on Thursday, and Tom brings cake",
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

  test.each([
    [
      "The standup is at 10:00 on 4 December",
      "the standup has moved to 5 December",
      "The standup is at 10:00 on 5 December",
    ],
    [
      "Our standup: weekdays 10:00 Berlin time",
      "our standup got shifted to 9:30",
      "Our standup: weekdays 9:30 Berlin time",
    ],
    [
      "Dentist for Leo is Tuesday the 3rd at half past nine with Dr. Weiss",
      "the dentist was postponed to 10 December",
      "Dentist for Leo is 10 December at half past nine with Dr. Weiss",
    ],
    ["Budget for the trip: 800 euro", "actually, the budget is 900 euro", "Budget for the trip: 900 euro"],
    ["The trip costs €800 for 2 people", "actually, the trip costs 900", "The trip costs €900 for 2 people"],
    [
      "The standup is at 10:00 on 4 December",
      "the standup is now on 5 December",
      "The standup is at 10:00 on 5 December",
    ],
    ["The standup is at 10:00", "actually, the standup is on Friday", "The standup is on Friday at 10:00"],
  ])("[AS40] a date, an hour or a number of %j gives way to that of %j", async (memory, sentence, text) => {
    expect(await corrected(memory, sentence)).toEqual({ text, losesRest: false });
  });

  test.each([
    [
      "The conference is from 3 March to 5 March",
      "the conference has moved to 7 March",
      ["from 3 March", "to 5 March"],
    ],
    [
      "The standup ends at 10:00 on Friday",
      "actually, the standup is at 11:00",
      ["The standup ends", "at 10:00", "on Friday"],
    ],
    ["The meeting is weekly in room B", "actually, the meeting is on Friday", ["The meeting is weekly"]],
    ["The standup is 10:00", "actually, the standup is cancelled", ["The standup is 10:00"]],
  ])("[AS40] what of %j would go with %j is said", async (memory, sentence, lost) => {
    const { text, losesRest } = await corrected(memory, sentence);
    expect(losesRest).toBe(true);
    expect(lostParts(memory, text)).toEqual(lost);
  });

  test("[AS40] of a date, an hour, a room and a person, one is replaced and the others stay", async () => {
    const values = {
      date: ["on 4 December", "on Friday", "on 2026-12-04", "on 3 May 2027"],
      hour: ["at 10:00", "at 3pm", "at half past nine"],
      room: ["in room B", "in the blue room"],
      person: ["with Tom", "with Dr. Weiss"],
    } as const;
    const kinds = Object.keys(values) as (keyof typeof values)[];
    const said = { date: ["on 7 June", "on Monday"], hour: ["at 11:45", "at noon"] } as const;
    const memory = fc
      .shuffledSubarray(kinds, { minLength: 1 })
      .chain((chosen) =>
        fc.tuple(...chosen.map((kind) => fc.constantFrom(...values[kind]).map((text) => ({ kind, text })))),
      );
    const correction = fc.constantFrom("date", "hour").chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        value: fc.constantFrom(...said[kind as "date"]),
        way: fc.constantFrom("is", "is now", "will be", "has moved to", "got postponed to"),
      }),
    );
    await fc.assert(
      fc.asyncProperty(memory, correction, async (parts, { kind, value, way }) => {
        const before = `The review is ${parts.map(({ text }) => text).join(" ")}`;
        const spoken = / to$/.test(way) ? value.replace(/^\w+ /, "") : value;
        const content = `the review ${way} ${spoken}`;
        const { text, losesRest } = correctedText(before, { content, subject: "the review" });
        expect(text).toContain(spoken);
        for (const part of parts) {
          if (part.kind === kind) expect(text).not.toContain(part.text);
          else if (!losesRest) expect(text).toContain(part.text);
        }
        if (way !== "will be" && parts.some((part) => part.kind === kind)) expect(losesRest).toBe(false);
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  test("[AS49] of a value leaves everything else as it is, to the last sign", async () => {
    const things = fc.constantFrom("budget", "colour", "owner", "Start", "width");
    const values = fc.constantFrom(
      ...["800 euro", "1,200 euro", "€450", "2.10 m", "35 %", "dark blue", "Dr. Weber", "Mr Klein and sons"],
      ...["on Friday", "on 2026-12-04", "at 10:00", "in room B", "Rome", "42"],
    );
    const kind = (value: string): string =>
      /^(?:on|at|in) /.exec(value)?.[0] ??
      (/\d/.exec(value) === null ? "words" : value.replace(/[\d.,]/g, ""));
    const tails = fc.constantFrom(
      ...[
        "",
        ".",
        "!",
        "…",
        ", to be spent by June.",
        ", all in.",
        ", not more",
        " (since 1871).",
        " - inside and out",
      ],
      ..."; it was painted in May|: see the list.|, which is much, and Tom knows.|. It was agreed; really.".split(
        "|",
      ),
      ...["\nSecond  line, with 800 euro.", "  [1]", " – for now", ", because of the “move”."],
    );
    const frames = fc.constantFrom<(now: string) => string>(
      (now) => `correction: ${now}`,
      (now) => `Actually, ${now}.`,
      (now) => `${now.replace(" is ", " is now ")}`,
      (now) => `${now} from now on`,
      (now) => `from now on, ${now}`,
    );
    await fc.assert(
      fc.asyncProperty(things, values, values, tails, frames, async (thing, old, now, tail, frame) => {
        fc.pre(kind(old) === kind(now) && old !== now);
        const head = `The ${thing} of the  house is `;
        const { text, losesRest } = await corrected(
          `${head}${old}${tail}`,
          frame(`the ${thing} of the house is ${now}`),
        );
        expect({ text, losesRest }).toEqual({ text: `${head}${now}${tail}`, losesRest: false });
      }),
      { numRuns: 300, seed: 49 },
    );
  });

  test.each([
    [
      "The sofa is 2.10 m wide, in oak.",
      "actually, the sofa is 2.20 m",
      "The sofa is 2.20 m wide, in oak.",
      false,
    ],
    ["The sofa is 2.10 m.", "actually, the sofa is 210 cm", "The sofa is 210 cm.", false],
    [
      "The call is on Monday at 2 pm, in B.",
      "the call moved to friday at 3",
      "The call is on Friday at 3 pm, in B.",
      false,
    ],
    ["Ada likes green tea.", "Ada doesn't like green tea anymore", "Ada doesn't like green tea.", false],
    ["Ada likes tea, with honey.", "Ada no longer likes tea", "Ada no longer likes tea.", true],
    ["We use Jenkins for builds", "we stopped using Jenkins", "We stopped using Jenkins", true],
    ["I live in Oslo.", "I now live in Bergen", "I live in Bergen.", false],
    [
      "Tom works at Acme.",
      "Tom does not work at Acme any more, he is at Bolt",
      "Tom does not work at Acme, he is at Bolt.",
      false,
    ],
  ])("[AS49] of %j by %j", async (memory, sentence, text, losesRest) => {
    expect(await corrected(memory, sentence)).toEqual({ text, losesRest });
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
