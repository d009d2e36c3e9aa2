/** What is said around a question, and what is told in few words. */
import { describe, expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: [],
  agents: ["cli", "claude-code", "cursor"],
  devices: ["laptop"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

describe("[AS119] a question is answered", () => {
  const { ask, seed } = deskOfEachTest();

  test.each([
    "the vet is asking, and I have my hands full: has Pixel had it this year?",
    "Pixel is limping again. Is the vaccination still good?",
  ])("with what was said before it: %s", async (sentence) => {
    await seed("Pixel's rabies vaccination is valid until May 2027", "The lawn is cut on Saturdays");
    const { stdout } = await ask(sentence);
    expect(stdout).toContain("rabies vaccination");
    expect(stdout).not.toContain("lawn");
  });

  test("from the branch that it names, in words alone", async () => {
    await seed("The kettle costs 30 euro");
    await ask(["make a branch called tea-plans", "--yes"]);
    expect((await ask("kettle price, over in tea-plans")).stdout).toContain("30 euro");
  });

  test("of the memory itself, whatever is said before it", async () => {
    const { stdout } = await ask("I have only just installed you. What sort of things can I ask?");
    expect(stdout).toContain("Say it as you would to a person.");
  });

  test("how often something changed, by the versions of what says most of it", async () => {
    await seed("The rent of the studio is 700 euro");
    await ask(["actually, the rent of the studio is 740 euro", "--yes"]);
    const { stdout } = await ask("how many times has the rent gone up?");
    expect(stdout).toContain("700 euro");
    expect(stdout).toMatch(/740/);
  });

  test.each([
    ["which of my notes came from cursor", { operation: "list", agent: "cursor" }],
    ["which of cursor's notes were deleted", { operation: "forgotten", agent: "cursor" }],
    ["tally up the notes on beekeeping for me", { operation: "count", topic: "beekeeping" }],
    ["how many of my patients do you have notes on?", { operation: "count", topic: "patients" }],
    ["how many notes do you have altogether?", { operation: "count" }],
    ["list the memories you've deleted for me", { operation: "forgotten" }],
    ["what kind of questions can I ask here?", { operation: "help" }],
    ["how do I undo things if it goes wrong?", { operation: "help" }],
    ["which gadgets are hooked up to this thing", { operation: "labels", of: "device" }],
    ["where am I contradicting myself", { operation: "conflicts" }],
  ] as const)("%s", async (sentence, request) => {
    expect(await read(sentence)).toMatchObject({ understood: true, request });
  });
});

describe("[AS120] in few words", () => {
  const { ask, contents, seed } = deskOfEachTest();

  test.each([
    "Ottilie mobile 0171 5550 123",
    "new lock on the bike shed, combination is 7 7 1",
    "passport number is C4410 2231",
  ])("a thing with its number is something to remember: %s", async (sentence) => {
    expect(await read(sentence)).toMatchObject({
      understood: true,
      request: { operation: "remember", content: sentence },
    });
  });

  test.each(["order number 4411", "undo change number 4411", "delete the entry number 4411"])(
    "an order is none: %s",
    async (sentence) => {
      const found = await read(sentence);
      expect(found.understood && found.request.operation).not.toBe("remember");
    },
  );

  test.each([
    "remember that the castle is worth knowing",
    "remember that the ledger is kept for the record",
    "remember that she cooks for us",
  ])("no word of what is told is taken for manners: %s", async (sentence) => {
    expect(await read(sentence)).toMatchObject({
      request: { operation: "remember", content: sentence.replace("remember that ", "") },
    });
  });

  test("nor is what is to be forgotten widened by it", async () => {
    expect(JSON.stringify(await read("delete the note about what Ana cooks for us"))).toContain("for us");
  });

  test.each<[string, string, string]>([
    ["My seat is in row 14 of the hall", "they've put me in row 3", "My seat is in row 3 of the hall"],
    [
      "The alarm code of the depot is 5521",
      "correction - the 5521 alarm code is now 8080",
      "The alarm code of the depot is 8080",
    ],
    [
      "The deposit for the van is 90 euro, paid in May",
      "the van deposit was 95 euro, I mistyped",
      "The deposit for the van is 95 euro, paid in May",
    ],
  ])("of “%s”: %s", async (before, sentence, after) => {
    await seed(before, "The rent is due on Mondays");
    await ask([sentence, "--yes"]);
    expect(await contents()).toEqual([after, "The rent is due on Mondays"].toSorted());
  });

  test("what says that the rest stays the same is no part of it", async () => {
    expect(await read("the dentist is now at nine, same room and same doctor")).toMatchObject(
      await read("the dentist is now at nine"),
    );
  });
});

describe("[AS121] what is named is named", () => {
  const { ask, contents, seed } = deskOfEachTest();

  test.each([
    "Ines and I fell out. all his notes can go",
    "we've moved on from Pavel, forget her stuff",
    "delete both of theirs",
    "the plumber charges what he used to, reverse that one",
  ])("nothing is forgotten of somebody whom only the conversation names: %s", async (sentence) => {
    const found = await read(sentence);
    const taken = found.understood && found.isPreview !== true ? found.request.operation : "refused";
    expect(["forget", "take-back", "undo", "rollback"]).not.toContain(taken);
  });

  test.each([
    ["open a new branch for me called winter-plan", { operation: "branch", name: "winter-plan" }],
    ["mark this point as half-done before I tidy up", { operation: "checkpoint", name: "half-done" }],
    ["hold on to this for me: Ines sings alto", { operation: "remember", content: "Ines sings alto" }],
    ["hang on, what changed since yesterday", { operation: "changes" }],
    ["take a note please: the gate squeaks", { operation: "remember", content: "the gate squeaks" }],
    [
      "I want you to know that I can't lift boxes any more",
      { operation: "remember", content: "I can't lift boxes any more" },
    ],
    ["that last edit was a mistake, reverse it", { operation: "undo" }],
  ] as const)("%s", async (sentence, request) => {
    expect(await read(sentence)).toMatchObject({ understood: true, request });
  });

  test.each<[string, string, string]>([
    [
      "The inspection of the lift is due on 3 March 2027",
      "you've got the inspection wrong, it's the 13th of March not the 3rd",
      "The inspection of the lift is due on 13 March 2027",
    ],
    ["The choir starts at 6.45pm", "the choir starts at 7.15pm now", "The choir starts at 7.15pm"],
    // A day and an hour: neither is changed alone.
    [
      "Ben has his lesson on Mondays at 4.30pm",
      "Ben has swapped to Fridays at 9am",
      "Ben has his lesson on Mondays at 4.30pm",
    ],
  ])("of “%s”: %s", async (before, sentence, after) => {
    await seed(before);
    await ask([sentence, "--yes"]);
    expect(await contents()).toEqual([after]);
  });
});
