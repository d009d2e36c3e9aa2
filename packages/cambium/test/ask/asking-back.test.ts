/** `cambium ask` over a real space: going back and branches. */
import { describe, expect, test } from "vitest";
import { DAY, deskOfEachTest, type Told } from "./support/desk.js";

const { ask, contents, inSpace, pass, seed } = deskOfEachTest();

const jsonOf = ({ stdout }: Told) => JSON.parse(stdout) as Record<string, never>;

describe("going back", () => {
  test("[AS15] undo shows the changes it takes back, and how to have them back", async () => {
    await seed("one whale", "two whales", "three whales");
    const { stdout } = await ask(["undo the last 2 changes", "--yes"]);
    expect(stdout).toMatch(/Would take back the last 2 changes on main:\n.*three whales.*\n.*two whales/);
    expect(await contents()).toEqual(["one whale"]);
    const change = /cambium undo --change (\w+)/.exec(stdout)?.[1];
    await inSpace((agent) => agent.undo({ change }));
    expect(await contents()).toHaveLength(3);
    expect((await ask(["undo the last 50 changes", "--dry-run"])).stdout).toContain("there are only 5");
  });

  test("[AS16] a month means its end, and a checkpoint what it names; a rollback makes one itself", async () => {
    await seed("known in August");
    pass(20 * DAY);
    await seed("known late in August");
    pass(30 * DAY);
    await ask(["save my current state as before-cleanup", "--yes"]);
    await seed("known in September");
    const shown = await ask(["go back to how things were in August", "--dry-run"]);
    expect(shown.stdout).toContain("Would go back on main to 2026-08-31: 1 forgotten");
    const back = await ask("go back to how things were in August", "y");
    expect(back.stdout).toMatch(/checkpoint:before-rollback/);
    expect(await contents()).toEqual(["known in August", "known late in August"]);
    await ask("go back to how things were before March", "y");
    expect(await contents()).toEqual([]);
    await ask("go back to before the cleanup", "y");
    expect(await contents()).toHaveLength(2);
    expect((await ask("go back to before the cleanup")).stdout).toContain("Nothing to take back");
    expect((await ask("go back to checkpoint nowhere")).code).toBe(3);
  });

  test("[AS17] starting fresh hides everything after a checkpoint that stays, and one request brings it back", async () => {
    await seed("Ada prefers tea", "Tom drinks coffee");
    const { stdout } = await ask("start fresh but keep a backup", "y");
    const back = /cambium ask "(go back to checkpoint [^"]+)"/.exec(stdout)?.[1] ?? "";
    expect(back).toMatch(/backup-2026-08-01$/);
    expect(await contents()).toEqual([]);
    await ask(back, "y");
    expect(await contents()).toEqual(["Ada prefers tea", "Tom drinks coffee"]);
    await ask("start fresh", "y");
    await ask(["undo", "--yes"]);
    expect(await contents()).toHaveLength(2);
    await inSpace(async (_agent, space) => {
      const names = (await space.checkpoints.list({ causes: ["manual"] })).map(({ name }) => name);
      expect(names.toSorted()).toEqual(["backup-2026-08-01", "backup-2026-08-01-2"]);
    });
  });

  test("[AS17] a branch that was forked is emptied alone, and the verb that is named means it", async () => {
    await seed("Ada prefers tea");
    await inSpace((agent) => agent.branches.create("work"));
    const nobody = await ask(["start fresh", "--branch", "work"]);
    expect(nobody.stdout).toContain("cambium rollback 1970-01-01 --branch work --yes");
    await ask(["start fresh", "--branch", "work"], "y");
    expect([await contents("work"), await contents()]).toEqual([[], ["Ada prefers tea"]]);
  });

  test("[AS17] a fresh start on a branch leaves the rest as it is", async () => {
    await seed("Ada prefers tea");
    await ask(["start fresh on a branch called try", "--yes"]);
    expect([await contents("try"), await contents()]).toEqual([[], ["Ada prefers tea"]]);
    await ask(["remember that whales sing", "--yes", "--branch", "try"]);
    await ask(["merge the branch try", "--yes"]);
    expect(await contents()).toEqual(["Ada prefers tea", "whales sing"]);
  });

  test("[AS18] [AS29] what an agent wrote goes back, and what others wrote stays", async () => {
    await seed("Ada prefers tea");
    await inSpace((_agent, space) => space.as({ agent: "cursor" }).remember({ content: "nonsense" }));
    const nobody = await ask("take back everything cursr wrote", "y");
    expect([nobody.code, nobody.stdout]).toEqual([
      3,
      'Nobody called "cursr" has written on main, so there is nothing of theirs. These have: cursor, cli. Nearest: cursor.\n',
    ]);
    expect((await ask("what did cursor write?")).stdout).toContain("nonsense");
    expect((await ask("what did Ada say about tea?")).stdout).toContain("Ada prefers tea");
    await ask("take back everything cursor wrote", "y");
    expect(await contents()).toEqual(["Ada prefers tea"]);
  });

  test("[AS25] [AS26] a period is shown and lasts until now, and a topic and an agent leave the rest as it is", async () => {
    await seed("Falcon flies in May");
    pass(40 * DAY);
    await seed("Falcon needs paint", "Ada prefers tea");
    await inSpace((_agent, space) => space.as({ agent: "cursor" }).remember({ content: "Falcon is red" }));
    pass(2 * DAY);
    await seed("Falcon has wings");
    const said = "take back everything cursor wrote about Falcon in the last 5 days";
    const { stderr } = await ask(said, "y");
    expect(stderr).toMatch(/Of cursor about "Falcon":\nPeriod: .* – now, .*\(in the last 5 days\)/);
    expect(await contents()).toEqual([
      "Ada prefers tea",
      "Falcon flies in May",
      "Falcon has wings",
      "Falcon needs paint",
    ]);
    const dry = jsonOf(
      await ask(["forget everything about Falcon since 10 days ago", "--dry-run", "--json"]),
    );
    expect(dry.preview).toMatchObject({
      period: { said: "since 10 days ago", from: expect.stringMatching(/T.*[+-]\d\d:\d\d$/) },
    });
    await ask("forget everything about Falcon since 10 days ago", "y");
    expect(await contents()).toEqual(["Ada prefers tea", "Falcon flies in May"]);
    await ask("undo the last week of memory", "y");
    expect(await contents()).toEqual(["Falcon flies in May"]);
  });
});

describe("what is forgotten", () => {
  test("[AS44] goes with all that was written on it since: nothing of it is said to have stayed", async () => {
    await seed("the kiln is at 900 degrees");
    await inSpace(async (agent, space) => {
      const [memory] = (await space.list()).memories;
      const id = memory?.id ?? "";
      await agent.revise(id, { content: "the kiln is at 950 degrees" });
      pass(3 * DAY);
      await agent.revise(id, { content: "the kiln is at 980 degrees" });
    });
    pass(2 * DAY);
    const { stdout, stderr } = await ask("forget everything about the kiln before 3 days ago", "y");
    expect(stderr).toContain("1 forgotten");
    expect(stdout).toContain("1 forgotten");
    expect(`${stdout}${stderr}`).not.toContain("Not taken back");
    expect(await contents()).toEqual([]);
  });
});

describe("names and counts", () => {
  test("[AS42] an agent is found by the words of its name, and what it wrote goes", async () => {
    await seed("Ada prefers tea");
    await inSpace((_agent, space) => space.as({ agent: "newcomer-bot" }).remember({ content: "pigs fly" }));
    const said = "delete all the stuff the newcomer bot wrote";
    const nobody = await ask([said, "--yes"]);
    expect([nobody.code, nobody.stdout]).toEqual([2, expect.stringContaining("rollback --by newcomer-bot")]);
    const { stderr } = await ask(said, "y");
    expect(stderr).toContain("Of newcomer-bot, of all times:");
    expect(await contents()).toEqual(["Ada prefers tea"]);
    const other = await ask("delete everything the old robot wrote", "y");
    expect([other.code, other.stdout]).toEqual([3, expect.stringContaining('Nobody called "old-robot"')]);
  });

  test("[AS43] memories of a tag go together, and a checkpoint by its name", async () => {
    await inSpace(async (agent) => {
      await agent.remember({ content: "a first sketch", tags: ["draft"] });
      await agent.remember({ content: "the final plan", tags: ["final"] });
      await agent.checkpoints.create({ name: "before-cleanup" });
    });
    const nobody = await ask(["delete the checkpoint before cleanup", "--yes"]);
    expect([nobody.code, nobody.stdout]).toEqual([
      2,
      expect.stringContaining("cambium checkpoint before-cleanup --delete"),
    ]);
    expect((await ask("delete the checkpoint before cleanup", "y")).stdout).toBe(
      "Deleted the checkpoint before-cleanup\n",
    );
    const gone = await ask("remove the checkpoint before-cleanup");
    expect([gone.code, gone.stdout]).toEqual([2, expect.stringContaining("cambium checkpoints")]);
    expect((await ask("forget all notes tagged draft", "y")).stdout).toMatch(/^Forgot /);
    expect(await contents()).toEqual(["the final plan"]);
  });

  test("[AS43] what was saved last is dropped only if it was saved", async () => {
    await seed("one whale", "two whales");
    await inSpace(async (agent, space) => {
      const [whale] = await space.recall("one whale");
      await agent.forget(whale?.id ?? "");
    });
    const kept = await ask(["drop the last two things I saved", "--yes"]);
    expect(kept.stdout).toMatch(/^Nothing was done: .*forget/);
    expect(await contents()).toEqual(["two whales"]);
    await seed("three whales", "four whales");
    await ask("drop the last two things I saved", "y");
    expect(await contents()).toEqual(["two whales"]);
  });

  test("[AS45] a moment is shown in local time, and an empty request says what to type", async () => {
    await seed("one whale");
    pass(DAY);
    const { stdout } = await ask(["go back two hours", "--preview"]);
    expect(stdout).not.toMatch(/T\d\d:/);
    const empty = await ask("");
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('cambium ask "what do you know')]);
  });
});

describe("branches", () => {
  test("[AS43] what is on one is asked by its name", async () => {
    await seed("Ada prefers tea");
    await inSpace(async (agent) => {
      await agent.branches.create("work");
      await agent.remember({ content: "tea is served at four" }, { branch: "work" });
      await agent.remember({ content: "the rent is 900" }, { branch: "work" });
    });
    expect((await ask("what's on branch work?")).stdout).toContain("the rent is 900");
    expect((await ask("show me the work branch")).stdout).toContain("the rent is 900");
    const told = await ask(["what do you know about tea on the work branch?", "--json"]);
    expect(jsonOf(told)).toMatchObject({ operation: "recall", branch: "work" });
    expect(told.stdout).toContain("served at four");
    expect((await ask("how many memories are there on branch work?")).stdout).toContain("3 memories on work");
  });

  test("[AS46] [AS47] it is written where the sentence says; a branch that is not there is not made", async () => {
    await inSpace((agent) => agent.branches.create("work"));
    const said = "remember on branch work, in category money, tagged loan, as important: Leo owes me 40";
    const shown = await ask([said, "--yes"]);
    expect(shown.stdout).toContain("Would remember on work, category money, tag loan, importance 0.8:");
    expect(await contents()).toEqual([]);
    const [memory] = await inSpace(async (_agent, space) => (await space.list({ branch: "work" })).memories);
    expect(memory).toMatchObject({
      content: "Leo owes me 40",
      category: "money",
      tags: ["loan"],
      importance: 0.8,
    });
    const nobody = await ask(said);
    expect(nobody.code).toBe(2);
    const absent = await ask(["remember on branch home that it rains", "--yes"]);
    expect([absent.code, absent.stderr]).toEqual([
      3,
      expect.stringMatching(/No branch is called "home"[\s\S]*main, work[\s\S]*cambium branch home/),
    ]);
    await ask(["on branch work, forget that"], "y");
    expect(await inSpace(async (_agent, space) => (await space.list({ branch: "work" })).memories)).toEqual(
      [],
    );
  });

  test("[AS51] what is to be made one, or filed elsewhere, is shown with the command that does it", async () => {
    await seed("Ada prefers tea", "Ada lives in Oslo");
    const both = await ask("combine the two notes about Ada");
    expect(both.stdout).toMatch(
      /2 memories about "Ada":[\s\S]*cambium combine [0-9a-f-]+ [0-9a-f-]+ --content/,
    );
    const filed = await ask("put the note about tea into category drinks");
    expect(filed.stdout).toMatch(/Ada prefers tea[\s\S]*cambium revise [0-9a-f-]+ --category drinks/);
    expect((await ask(["redo", "--yes"])).stdout).toContain(
      "Nothing to redo: the last change on main is no undo",
    );
    await ask(["undo that", "--yes"]);
    expect(await contents()).toEqual(["Ada prefers tea"]);
    await ask(["redo", "--yes"]);
    expect(await contents()).toEqual(["Ada lives in Oslo", "Ada prefers tea"]);
  });

  test("[AS19] are made, found by a part of their name, shown before a merge, and merged", async () => {
    await ask(["try this on a branch called work-persona", "--yes"]);
    await ask(["remember that stand-up is at ten", "--yes", "--branch", "work-persona"]);
    expect((await ask("switch to branch work")).stdout).toContain("--branch work-persona");
    const asked = await ask("merge my work memories back in", "y");
    expect(asked.stderr).toMatch(
      /Would merge work-persona into main: 1 created[\s\S]*stand-up is at ten[\s\S]*Merge\? \[y\/N\]/,
    );
    expect(await contents()).toEqual(["stand-up is at ten"]);
    expect((await ask("merge my work memories back in")).stdout).toContain("Nothing to merge");
    const unknown = await ask("merge my holiday memories back in");
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("work-persona")]);
    await ask(["make a branch called work-two", "--yes"]);
    const several = await ask("merge my work memories back in");
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining("work-persona, work-two")]);
  });

  test("[AS20] a merge in conflict writes nothing, exits 4 and says what to do next", async () => {
    await seed("The release day is Thursday");
    await ask(["make a branch called work", "--yes"]);
    await ask(["actually, the release day is Friday", "--yes", "--branch", "work"]);
    await ask(["actually, the release day is Monday", "--yes"]);
    const { code, stdout } = await ask(["merge my work memories back in", "--yes"]);
    expect(code).toBe(4);
    expect(stdout).toContain("Cannot merge work (source) into main (target) yet");
    expect(stdout).toContain("cambium merge work --into main --strategy newest");
    expect(await contents()).toEqual(["The release day is Monday"]);
  });
});
