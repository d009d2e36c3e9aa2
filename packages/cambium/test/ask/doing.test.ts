/** What the trained reader may have done. */
import { expect, test } from "vitest";
import { withValueChanged } from "../../src/ask/changed-value.js";
import { mayDo } from "../../src/ask/chosen/doing.js";
import { understandGuarded } from "../../src/ask/guards.js";
import { withNamedValue } from "../../src/ask/named-value.js";
import { readTrained } from "../../src/ask/trained/read-trained.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: ["pre-flood"],
  agents: ["cli", "claude-code", "cursor"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

test.each<[string, object]>([
  ["the bike came back, so you can get rid of that note about the thief", { operation: "forget" }],
  ["it all went wrong yesterday, take us back to pre-flood", { operation: "rollback" }],
  ["scratch what cursor did to the menu", { operation: "take-back", agent: "cursor", topic: "menu" }],
])("[AS99] “%s” is done, and shown first", async (sentence, request) => {
  expect(await read(sentence)).toMatchObject({ understood: true, request });
});

test("[AS99] why it is to be done is shown as left out", async () => {
  expect(await read("the bike came back, so you can get rid of that note about the thief")).toMatchObject({
    request: { topic: "the thief" },
    leftOut: ["the bike came back"],
  });
});

test.each([
  "get rid of two of the notes about the seed order",
  "removed the fence on Tuesday",
  "did I get rid of the notes about the seed order?",
  "Everything we know about the new flat",
])("[AS99] “%s” takes nothing away", async (sentence) => {
  const found = await read(sentence);
  expect(found.understood && found.request.operation !== "recall").toBe(false);
});

test("[AS99] a reader that is sure takes nothing away without a word of the sentence that says so", () => {
  const sure = readTrained("get rid of the seed order", around);
  expect(mayDo("get rid of the seed order", sure)).toBe(true);
  expect(mayDo("get rid of the seed order", { ...sure, cue: { most: 0.1, words: [] } })).toBe(false);
});

test("[AS100] a value that the sentence names, too, is not the one that is replaced", () => {
  const changed = withValueChanged("Sensor 4 reads 0.3 too low.", "sensor 4 is 0.1 too low now");
  expect(changed?.text).toBe("Sensor 4 reads 0.1 too low.");
});

test.each([
  ["The rent is 1,140 euro on the 3rd of the month.", "the rent is 1,175 from January on", "1,175"],
  ["The group of 17 November has 38 members.", "the group on Tuesday just went up to 41", undefined],
  ["The tour is on 3 May.", "the tour is in 2028", undefined],
])("[AS100] of “%s”, “%s” changes no other date", (memory, sentence, now) => {
  const text = withValueChanged(memory, sentence)?.text;
  expect(text === undefined || (now !== undefined && text.includes(now) && text.includes("the 3rd"))).toBe(
    true,
  );
});

test("[AS100] a day does not take the place of a version", () => {
  const named = { subject: "3.2", now: "15 December", insteadOf: "3.2" };
  expect(withNamedValue("Version 3.2 ships on 8 December.", named)).toBeUndefined();
});

test.each(["jot down: the bins go out on Mondays", "for the record, the bins go out on Mondays"])(
  "[AS101] “%s” is remembered, without what tells to",
  async (sentence) => {
    expect(await read(sentence)).toMatchObject({
      understood: true,
      request: { operation: "remember", content: "the bins go out on Mondays" },
    });
  },
);

test.each(["please ring Anna and move the hairdresser to Friday", "email the minutes to Tom"])(
  "[AS101] “%s” is an order to somebody else, and not kept",
  async (sentence) => {
    expect(await read(sentence)).toMatchObject({ understood: false });
  },
);

const { ask, seed, contents } = deskOfEachTest();

test("[AS100] what may take the place of a memory is shown with both commands, and not kept beside it", async () => {
  const known = "Figtree charges 68 a head, wine included.";
  await seed(known);
  const { stdout } = await ask(["figtree is putting it up to 71 per person", "--yes"]);
  expect(stdout).toContain(known);
  expect(stdout).toMatch(/To change it: cambium revise .*To keep both: cambium remember/s);
  expect(await contents()).toEqual([known]);
});

test("[AS100] is so as well where a whole statement has more beside it", async () => {
  await seed("The PID values of the arm are 0.8, 0.02 and 0.1.");
  const { stdout } = await ask(["arm is 0.9 0.02 0.1 now btw, tuned it by hand", "--preview"]);
  expect(stdout).not.toContain("Would remember");
  expect(stdout).toMatch(/Would revise .*0\.\[-8-\]\{\+9\+\}, 0\.02 and 0\.1/s);
});
