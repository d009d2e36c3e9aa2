/** `cambium ask` over a real space: what is shown, what is asked, and what has become of the memories. */
import { describe, expect, test } from "vitest";
import { DAY, deskOfEachTest, type Told } from "./support/desk.js";

const { ask, contents, inSpace, pass, seed } = deskOfEachTest();

const jsonOf = ({ stdout }: Told) => JSON.parse(stdout) as Record<string, never>;

describe("what is asked first", () => {
  test("[AS6] every write is shown and asked about; --yes skips the question, --dry-run writes nothing", async () => {
    const said = "remember that Ada prefers tea";
    expect((await ask([said, "--dry-run"])).stdout).toContain("Nothing was written.");
    const nobody = await ask(said);
    expect(nobody.code).toBe(2);
    expect(nobody.stdout).toMatch(/^Would remember on main:\n {2}Ada prefers tea\n\nNot done: .*--yes/);
    const no = await ask(said, "n");
    expect([no.code, no.stdout]).toEqual([0, "Nothing was written.\n"]);
    expect(no.stderr).toContain("Ada prefers tea\nRemember it? [y/N]");
    expect(await contents()).toEqual([]);
    expect((await ask([said, "--yes"])).stdout).toMatch(
      /Would remember on main:\n {2}Ada prefers tea\n\nRemembered /,
    );
    expect((await ask("remember that Tom drinks coffee", "y")).stdout).toMatch(/^Remembered /);
    expect(await contents()).toEqual(["Ada prefers tea", "Tom drinks coffee"]);
  });

  test.each([
    "forget what I said about tea",
    "go back to 2026-07-01",
    "start fresh but keep a backup",
    "take back everything cli wrote",
  ])("[AS7] --yes does not answer for: %s", async (said) => {
    await seed("Ada prefers tea");
    const nobody = await ask([said, "--yes"]);
    expect(nobody.code).toBe(2);
    expect(nobody.stdout).toMatch(/Ada prefers tea[\s\S]*Not done: .*cambium (forget|rollback) /);
    const no = await ask([said, "--yes"], "n");
    expect(no.stdout).toBe("Nothing was written.\n");
    expect(no.stderr).toContain("[y/N]");
    expect(await contents()).toEqual(["Ada prefers tea"]);
    expect((await ask([said, "--dry-run"])).stdout).toContain("Nothing was written.");
    expect((await ask(said, "y")).code).toBe(0);
    expect(await contents()).toEqual([]);
  });

  test("[AS8] with --json it is one document: what was understood, what would be done, what was done", async () => {
    const dry = jsonOf(await ask(["save my current state as start", "--dry-run", "--json"]));
    expect(dry).toEqual({
      understood: true,
      operation: "checkpoint",
      request: { operation: "checkpoint", name: "start" },
      preview: { name: "start", branch: "main" },
    });
    const done = jsonOf(await ask(["save my current state as start", "--yes", "--json"]));
    expect(done).toMatchObject({ ...dry, result: { name: "start", cause: "manual" } });
    expect(jsonOf(await ask(["what do you know about tea?", "--json"]))).toMatchObject({
      operation: "recall",
      result: { memories: [] },
    });
  });

  test("[AS9] what is not understood exits 2 and says so in few lines", async () => {
    const { code, stdout } = await ask("write me a poem about the budget");
    expect(code).toBe(2);
    expect(stdout).toContain('"write me a poem about the budget" was not understood.');
    expect(stdout).toContain("cambium ask help");
    expect(stdout.trimEnd().split("\n").length).toBeLessThan(8);
    const risky = await ask("please delete the thing about the budget, or the branch");
    expect(risky.code).toBe(2);
    expect(risky.stdout).not.toMatch(
      /cambium ask "(?:forget|undo|delete|go back|take back|start fresh|merge)/,
    );
    expect(jsonOf(await ask(["play some music", "--json"]))).toMatchObject({
      understood: false,
      said: "play some music",
    });
    expect((await ask("help")).stdout).toContain("Save and go back:\n  save my current state");
    const incomplete = await ask("what did you know about the budget?");
    expect([incomplete.code, incomplete.stdout]).toEqual([2, expect.stringContaining("Say when")]);
    expect(incomplete.stdout).not.toContain("Save and go back:");
  });
});

describe("what others write between the question and the answer", () => {
  test.each([
    ["undo the last 2 changes", "STALE_EXPECTATION"],
    ["go back to 2026-07-01", "STALE_EXPECTATION"],
    ["start fresh", "STALE_EXPECTATION"],
    ["merge the branch try", "STALE_EXPECTATION"],
  ])("[AS22] refuses %s, and nothing of it is done", async (said, code) => {
    await seed("Ada prefers tea", "Tom drinks coffee");
    await inSpace(async (agent) => {
      await agent.branches.create("try");
      await agent.remember({ content: "whales sing" }, { branch: "try" });
    });
    const told = await ask([said, "--json"], "y", () => seed("the rent is 900"));
    expect(told.code).toBe(4);
    expect(told.stderr).toContain(code);
    expect(await contents()).toEqual(["Ada prefers tea", "Tom drinks coffee", "the rent is 900"]);
  });
});

describe("memories", () => {
  test("[AS10] a correction revises the memory that says otherwise, and shows before and after", async () => {
    await seed("The release day is Thursday", "Ada prefers tea");
    const { stdout } = await ask(["actually, the release day is Friday", "--yes"]);
    expect(stdout).toContain("[-Thursday-]{+Friday+}");
    expect(await contents()).toEqual(["Ada prefers tea", "The release day is Friday"]);
    await inSpace(async (_agent, space) => {
      const [memory] = await space.recall("release day");
      const versions = await space.history(memory?.id ?? "");
      expect(versions.map(({ type }) => type)).toEqual(["create", "correct"]);
    });
    expect((await ask("actually, the release day is Friday.")).stdout).toContain("says already");
  });

  test("[AS10] where nothing says otherwise it offers to remember; several are never guessed among", async () => {
    await seed("The tea shop opens at 9", "The tea shop in Bath opens at 10");
    expect((await ask("actually, the gate code is 12", "n")).stderr).toContain(
      "No memory says otherwise. Would remember",
    );
    const nobody = await ask(["actually, the tea shop is closed", "--yes"]);
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain("nobody is here to choose");
    const none = await ask("actually, the tea shop is closed", "");
    expect(none.stdout).toBe("Nothing was written.\n");
    expect(none.stderr).toContain("Which one shall be revised? [1-2, or nothing for none]");
    expect((await ask("actually, the tea shop is closed", "3")).stdout).toBe("Nothing was written.\n");
    await ask("actually, the tea shop is closed", "2");
    expect(await contents()).toContain("The tea shop is closed");
    expect(await contents()).toHaveLength(2);
  });

  test("[AS11] a correction leaves what else a memory says; where it cannot tell that, nothing is written", async () => {
    await seed("The release day is Thursday, in room B. The build takes an hour.");
    expect((await ask(["actually, the release day is Friday", "--yes"])).code).toBe(0);
    expect(await contents()).toEqual(["The release day is Friday, in room B. The build takes an hour."]);
    const text = "Tea shop in Bath: opens at 10, closed on Mondays";
    await seed(text);
    await ask(["actually, the tea shop opens at 9", "--yes"]);
    const kept = "Tea shop in Bath: opens at 9, closed on Mondays";
    expect(await contents()).toContain(kept);
    const { code, stdout } = await ask(["actually, the tea shop sells coffee", "--yes"]);
    expect([code, await contents()]).toEqual([0, expect.arrayContaining([kept])]);
    expect(stdout).toMatch(/would go\. .*cambium revise .* Nothing was written\./s);
  });

  test("[AS12] forgetting shows what is meant, lets one be chosen, and takes all only when all was said", async () => {
    await seed("Ada prefers tea", "Tea is sold in Bath", "Tom drinks coffee");
    const choice = await ask("forget what I said about tea", "1");
    expect(choice.stderr).toContain("Which one shall be forgotten? [1-2");
    expect(choice.stdout).toContain("To bring it back: cambium restore");
    expect(await contents()).toHaveLength(2);
    await ask("bring back the memory about tea", "y");
    expect(await contents()).toHaveLength(3);
    await ask("forget everything about tea", "y");
    expect(await contents()).toEqual(["Tom drinks coffee"]);
    expect((await ask("forget the memory about whales")).code).toBe(3);
    // One of its four words is not enough to be meant.
    expect((await ask("forget what I said about green whale song coffee")).code).toBe(3);
    await ask("forget that", "y");
    expect(await contents()).toEqual([]);
  });

  test("[AS65] a memory with half of the words is neither hidden, taken back nor corrected", async () => {
    await seed("The alarm code is 4412");
    expect((await ask("forget the door code", "y")).stdout).toContain("No memory speaks of");
    expect((await ask("forget everything about the door code since yesterday", "y")).stderr).toContain(
      "No memory speaks of",
    );
    expect((await ask("the door code changed to 7781", "y")).stdout).toContain(
      "Whether this takes the place of it is not plain. Nothing was written.",
    );
    expect(await contents()).toEqual(["The alarm code is 4412"]);
    expect((await ask("the alarm code is now 5511", "y")).stdout).toMatch(/^Revised /);
    expect((await ask("how many notes do I have about the alarm code?")).stdout).toMatch(/^1 memory about/);
  });

  test("[AS12] two memories that say the same are both meant", async () => {
    await seed("Ada prefers tea in the morning.", "Ada prefers tea in the morning!");
    const { stderr } = await ask("forget what I said about tea", "n");
    expect(stderr).toContain("[1-2");
  });

  test("[AS13] what was forgotten on a day comes back", async () => {
    await seed("Ada prefers tea", "Tom drinks coffee", "The rent is 900");
    await inSpace(async (agent, space) => {
      const { memories } = await space.list();
      const idOf = (text: string) => memories.find(({ content }) => content.includes(text))?.id ?? "";
      await agent.forget(idOf("rent"));
      pass(3 * DAY);
      await agent.forget(idOf("tea"));
      await agent.forget(idOf("coffee"));
    });
    pass(DAY);
    await ask(["bring back what you forgot yesterday", "--yes"]);
    expect(await contents()).toEqual(["Ada prefers tea", "Tom drinks coffee"]);
    await ask(["restore that", "--yes"]);
    expect(await contents()).toHaveLength(3);
    expect((await ask("bring back what you forgot today")).code).toBe(3);
  });
});

describe("questions", () => {
  test("[AS14] [AS48] are answered from the state that was asked for", async () => {
    await seed("The budget is 800 euro");
    pass(40 * DAY);
    await ask(["actually, the budget is 900 euro", "--yes"]);
    expect((await ask("what do you know about the budget?")).stdout).toContain("900");
    const then = await ask("what did you know about the budget last month?");
    expect(then.stdout).toMatch(/As of [\s\S]*800[\s\S]*1 memory changed since:[\s\S]*900/);
    expect((await ask("what did you know about the budget 3 years ago?")).stdout).toMatch(
      /Nothing of it was known then; this memory begins on \w+ \d+ \w+ 20\d\d \d\d:\d\d, and the first of it was learned on [^.]*\.\n1 memory new since/,
    );
    expect((await ask("what was the budget a minute before?")).code).toBe(2);
    expect((await ask("what was the budget 30 days ago?")).stdout).toMatch(
      /As of [\s\S]*800[\s\S]*changed since/,
    );
    expect((await ask("what was the budget before I corrected it?")).stdout).toContain("is 800 euro");
    await seed("Tea is served at four");
    expect((await ask("how was tea served before it was corrected?")).stdout).toContain(
      "It was never corrected",
    );
    expect((await ask("show how your understanding of the budget has changed")).stdout).toMatch(
      /800[\s\S]*900/,
    );
    expect((await ask("why do you think the budget is 900 euro?")).stdout).toMatch(/create[\s\S]*correct/);
    expect((await ask("who told you about the budget?")).stdout).toContain(" · cli");
    const changed = await ask("what changed since yesterday?");
    expect(changed.stdout).toContain("[-800-]{+900+}");
    expect(changed.stdout).toMatch(/^Period: \w+ \d+ \w+ 20\d\d – now, /);
    expect(jsonOf(await ask(["what changed in the last 24 hours?", "--json"]))).toMatchObject({
      result: { changed: [expect.anything()], period: { said: "in the last 24 hours" } },
    });
    expect((await ask("what did I tell you about the budget before I corrected it?")).stdout).toContain(
      "800",
    );
    const wrong = await ask(["I was wrong about the budget", "--yes"]);
    expect(wrong.stdout).toMatch(
      /This stands about "the budget":[\s\S]*900[\s\S]*800[\s\S]*Nothing was written/,
    );
    expect(await contents()).toEqual(["Tea is served at four", "The budget is 900 euro"]);
    expect((await ask("I remember differently")).stdout).toContain("900");
    expect((await ask("how many memories do you have?")).stdout).toContain("2 memories on main.");
    expect((await ask("show me how your understanding of me has evolved")).stdout).toMatch(
      /900.*before: .*800/,
    );
    expect((await ask("what do you know about me?")).stdout).toContain("900");
    await ask("forget everything about the budget", "y");
    expect((await ask("what have you forgotten today?")).stdout).toMatch(/Period: [\s\S]*900/);
    expect((await ask("something went wrong with your memory")).stdout).toContain("undo that");
    expect((await ask("export my memory for backup")).stdout).toContain("cambium export --out");
    expect((await ask("who told you about whales?")).code).toBe(3);
  });

  test("[AS14] list, status, conflicts, branches and checkpoints answer as their verbs do", async () => {
    await inSpace((agent) => agent.remember({ content: "Paris in May", category: "travel", tags: ["trip"] }));
    await seed("Ada prefers tea");
    expect((await ask("list what you know in category travel")).stdout).toContain("Paris");
    expect((await ask("show memories tagged trip")).stdout).not.toContain("tea");
    expect((await ask("what's my status?")).stdout).toContain("notes");
    expect((await ask("what conflicts are open?")).stdout).toBe("There are no open conflicts.\n");
    expect((await ask("what branches are there?")).stdout).toContain("main");
    expect((await ask("what checkpoints are there?")).code).toBe(0);
  });
});
