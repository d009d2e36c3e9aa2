/** What is to be erased for good, and other requests that another reading would turn into less or into something else. */
import { describe, expect, test } from "vitest";
import { understandGuarded } from "../../src/ask/guards.js";
import { deskOfEachTest } from "./support/desk.js";

const around = {
  now: new Date(2026, 10, 20, 15, 30).getTime(),
  branches: ["main", "tea-plans"],
  checkpoints: ["pre-flood"],
  agents: ["cli", "claude-code"],
  categories: ["people", "travel"],
};
const read = (sentence: string) => understandGuarded(sentence, around);

describe("[AS112] to destroy something is not to hide it", () => {
  test.each<[string, string]>([
    ["erase my passport number for good", "my passport number"],
    ["Delete the pin of the garage permanently, please", "the pin of the garage"],
    ["permanently remove the salary of Ines", "the salary of Ines"],
    ["get rid of everything about Oskar forever", "Oskar"],
    ["wipe the bank login, it must not stay in the history", "the bank login"],
    ["purge the note about the loan from all backups too", "the loan"],
    ["I want the diagnosis deleted for good", "the diagnosis"],
    ["destroy every trace of Oskar", "Oskar"],
    ["forget the old flat so that nobody can ever get it back", "the old flat"],
  ])("%s", async (sentence, topic) => {
    const found = await read(sentence);
    expect(found).toMatchObject({ understood: false, isFinal: true, isForCommand: true });
    const commands = "commands" in found ? found.commands : [];
    expect(commands).toEqual([expect.stringMatching(/^cambium erase --query '?[^']+'? --preview$/)]);
    expect(commands?.[0]).toContain(topic);
  });

  test("all of it, and what is only pointed at", async () => {
    expect(await read("erase everything forever")).toMatchObject({
      commands: ["cambium erase --space <name> --preview"],
    });
    expect(await read("delete that for good")).toMatchObject({ commands: ["cambium erase <id> --preview"] });
  });

  test.each([
    "forget the note about smoking",
    "delete the branch tea-plans completely",
    "forget the gym, I left it for good",
    "Oskar left for good",
  ])("not %s", async (sentence) => {
    expect(await read(sentence)).not.toHaveProperty("isForCommand");
  });

  const { ask, contents, seed } = deskOfEachTest();
  test("it says what would do it, and does nothing", async () => {
    await seed("The pin of the garage is 8812");
    const told = await ask("erase the pin of the garage for good");
    expect(told.code).toBe(2);
    expect(told.stdout).not.toContain("not understood");
    expect(told.stdout).toContain("cambium erase --query 'the pin of the garage' --preview");
    expect(await contents()).toEqual(["The pin of the garage is 8812"]);
  });

  test("[AS116] words alone are searched for where one memory says most of them", async () => {
    await seed("Nils is the treasurer of the rowing club");
    for (const words of ["treasurer rowing club", "treasurer chess club", "treasurers name"])
      expect((await ask(words)).stdout, words).toMatch(/Nils/);
    for (const words of ["treasurer chess tournament", "treasurer rowing club 2031", "treasurer rowing paid"])
      expect((await ask(words)).code, words).toBe(2);
    expect((await ask("remove treasurer rowing club")).stdout).not.toContain("Read as a search");
  });

  test("[AS114] a text that was changed is put back by a part of its name", async () => {
    await seed("The choir meets on Monday at seven");
    await ask(["actually, the choir meets on Tuesday at seven", "--yes"]);
    expect(await contents()).toEqual(["The choir meets on Tuesday at seven"]);
    await ask(["put the choir date back to what it was", "--yes"]);
    expect(await contents()).toEqual(["The choir meets on Monday at seven"]);
  });
});

describe("[AS113] what is told around a statement is no part of it", () => {
  test.each([
    "I forgot to tell you that Nils is left-handed",
    "we forgot to mention: Nils is left-handed",
    "I heard today that Nils is left-handed",
  ])("%s", async (sentence) => {
    expect(await read(sentence)).toMatchObject({
      understood: true,
      request: { operation: "remember", content: "Nils is left-handed" },
    });
  });

  test.each(["I forgot to tell you about Nils", "I heard what happened", "I forgot to mention who"])(
    "nothing is said by: %s",
    async (sentence) => {
      const found = await read(sentence);
      expect(found.understood && found.request.operation).not.toBe("remember");
    },
  );

  test.each([
    "the lessons are over, so you needn't remember them",
    "Nils has moved away, you can stop remembering that",
  ])("what need not be kept is not kept: %s", async (sentence) => {
    const found = await read(sentence);
    expect(["remember", "correct"]).not.toContain(found.understood && found.request.operation);
  });

  test("who always forgets something asks for it", async () => {
    expect(await read("I always forget Nora's birthday")).toMatchObject({
      understood: true,
      request: { operation: "recall" },
    });
  });
});

describe("[AS115] a word of its own is no slip, and a question about the world is about what is known", () => {
  test.each<[string, string]>([
    ["what do I charge per lesson", "recall"],
    ["how many people fit in the van", "recall"],
    ["is the laptop still under warranty?", "recall"],
    ["what was the wall colour before Old Linen", "before-correction"],
    ["where did the boat lie before berth 12", "history"],
    ["can I have all of it as markdown files?", "export"],
    ["I want everything back the way it was at pre-flood", "rollback"],
  ])("%s", async (sentence, operation) => {
    expect(await read(sentence)).toMatchObject({ understood: true, request: { operation } });
  });

  test("what is to be shown first is only shown", async () => {
    expect(await read("merge tea-plans into main but show me first what it would do")).toMatchObject({
      understood: true,
      isPreview: true,
      request: { operation: "merge" },
    });
  });
});
