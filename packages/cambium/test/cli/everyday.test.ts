/** What the command says in everyday corners: who is not known, what is to come, what is forgotten. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OwnHome } from "./own-home.js";

const home = new OwnHome();
afterAll(() => home[Symbol.dispose]());
const cambium: OwnHome["run"] = (...call) => home.run(...call);

const idOf = async (line: readonly string[]): Promise<string> =>
  JSON.parse((await cambium([...line, "--json"])).stdout).id;

beforeAll(async () => {
  await cambium(["init", "notes"]);
  await cambium(["remember", "Ada prefers tea"]);
  await cambium(["remember", "the rent is 900", "--agent", "claude-code"]);
  await cambium(["forget", await idOf(["remember", "the key is red"])]);
});

test("[CL101] list --deleted shows what is forgotten alone, and --all both", async () => {
  const contentsOf = async (...options: string[]): Promise<string[]> =>
    JSON.parse((await cambium(["list", "--json", ...options])).stdout).memories.map(
      ({ content }: { content: string }) => content,
    );
  expect(await contentsOf("--deleted")).toEqual(["the key is red"]);
  expect((await contentsOf("--all")).toSorted()).toEqual([
    ...["Ada prefers tea", "the key is red", "the rent is 900"],
  ]);
  expect(await contentsOf()).not.toContain("the key is red");
  expect((await cambium(["list", "--deleted", "--at", "2020-01-01"])).code).toBe(0);
});

test("[CL102] a day to come is said to be one, by list, recall and a search by filters", async () => {
  const says = "2999-01-01 lies in the future: what is shown is what is known now.";
  for (const line of [["list"], ["recall", "tea"], ["recall", "--by", "cli"]])
    expect((await cambium([...line, "--at", "2999-01-01"])).stdout).toContain(says);
  const { stdout } = await cambium(["list", "--at", "main@2999-01-01", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ advice: [says] });
  for (const at of ["today", String(new Date().getFullYear()), "yesterday", "main"])
    expect((await cambium(["list", "--at", at, "--all"])).stdout).not.toContain("future");
});

test("[CL103] who has written nothing is named with those who have, with one exit code for every verb", async () => {
  for (const line of [["log"], ["rollback"], ["rollback", "--preview"]]) {
    const { code, stdout } = await cambium([...line, "--by", "claud-code"]);
    expect({ line, code }).toEqual({ line, code: 3 });
    expect(stdout).toMatch(
      /Nobody called "claud-code" has written on main.*These have: .*Nearest: claude-code/,
    );
  }
  // One that is near is taken by lists; nobody is near to this one.
  for (const line of [["list"], ["recall", "rent"], ["log"], ["rollback"]]) {
    const { code, stdout } = await cambium([...line, "--by", "somebody-else"]);
    expect({ line, code, stdout }).toMatchObject({
      line,
      code: 3,
      stdout: expect.stringContaining("claude-code"),
    });
  }
  expect((await cambium(["ask", "take back everything claud-code wrote"])).code).toBe(3);
  expect((await cambium(["list", "--by", "claude-code", "--tag", "none"])).code).toBe(0);
  const left = await cambium(["log", "--not-by", "claud-code"]);
  expect(left.code).toBe(0);
  expect(left.stdout).toMatch(
    /Nobody called "claud-code" .*so nothing of theirs was left out.*Nearest: claude-code/,
  );
  expect((await cambium(["log", "--not-by", "claude-code"])).stdout).not.toContain("Nobody");
});

test("[CL104] undo --preview shows what would go, writes nothing, and is what undo then does", async () => {
  const id = await idOf(["remember", "the gate is open"]);
  await cambium(["revise", id, "the gate is shut"]);
  const before = (await cambium(["log", "--json"])).stdout;
  for (const [options, says] of [
    [[], "would say: the gate is open"],
    [["--last", "2"], "would be hidden: "],
  ] as const) {
    const { code, stdout } = await cambium(["undo", ...options, "--preview"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Would take back .*: 1 memory\n[\s\S]*Nothing was written\.\n$/),
    ]);
    expect(stdout).toContain(says);
  }
  expect((await cambium(["log", "--json"])).stdout).toBe(before);
  const preview = JSON.parse((await cambium(["undo", "--dry-run", "--json"])).stdout);
  const done = JSON.parse((await cambium(["undo", "--json"])).stdout);
  expect(preview).toMatchObject({ status: "preview", changes: done.changes, kept: done.kept });
  expect(preview).not.toHaveProperty("change");
  expect(done.status).toBe("undone");
  expect(preview.memories.map(({ content }: { content: string }) => content)).toEqual(["the gate is open"]);
});

test("[CL105] a restored memory, a merge that changes nothing and the table of branches are told in words", async () => {
  const id = await idOf(["remember", "the bin goes out on Monday"]);
  await cambium(["forget", id]);
  await cambium(["branch", "side"]);
  await cambium(["restore", id]);
  const shown = (await cambium(["show", id])).stdout;
  expect(shown).toMatch(/source +an earlier version, record [0-9a-f]{10}\n/);
  expect(shown).not.toMatch(/[0-9a-f]{20}/);
  const { stdout } = await cambium(["list"]);
  expect(stdout).not.toContain("version://");
  expect(stdout).toContain("an earlier version");
  expect((await cambium(["recall", "bin Monday"])).stdout).toContain("from an earlier version");
  await cambium(["revise", id, "the bin goes out on Tuesday"]);
  await cambium(["restore", id, "--branch", "side"]);
  await cambium(["revise", id, "the bin goes out on Friday", "--branch", "side"]);
  const merged = await cambium(["merge", "side", "--strategy", "target"]);
  expect(merged.stdout).toMatch(/^Merged side into main: main keeps what it says, nothing changes\n/);
  const table = (await cambium(["branches"])).stdout;
  expect(table).toContain("* is the branch that is used without --branch.");
});

test("[CL106] bash completes verbs, options of each, actions, and names with spaces", async () => {
  await cambium(["checkpoint", "Feb 17, 2026 state"]);
  await cambium(["checkpoint", "before-cleanup"]);
  const names = async (kind: string): Promise<string> => (await cambium(["completion", kind])).stdout;
  expect(await names("spaces")).toBe("notes\n");
  const script = (await cambium(["completion", "bash"])).stdout;
  const stub = `cambium() { case "$2" in checkpoints) echo "$CHECKPOINTS" ;; branches) echo work ;; esac; }`;
  const env = { ...process.env, CHECKPOINTS: await names("checkpoints") };
  const complete = (...words: readonly string[]): readonly string[] => {
    const line = ["cambium", ...words].map((word) => `'${word}'`).join(" ");
    const call = `${script}\n${stub}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _cambium; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", call], { env, encoding: "utf8" }).trimEnd().split("\n").toSorted();
  };
  expect(complete("rem")).toEqual(["remember"]);
  expect(complete("daemon", "")).toEqual(["restart", "start", "status", "stop"]);
  expect(complete("rollback", "Feb")).toEqual(["Feb\\ 17\\,\\ 2026\\ state"]);
  expect(complete("rollback", "Feb\\ 17")).toHaveLength(1);
  expect(complete("list", "--at", "checkpoint", ":", "bef")).toEqual(["before-cleanup"]);
  expect(complete("checkpoint", "--delete", "before")).toEqual(["before-cleanup"]);
  expect(complete("checkpoint", "bef")).toEqual(["before-cleanup"]);
  expect(complete("merge", "")).toEqual(["work"]);
  expect(complete("undo", "--p")).toEqual(["--preview"]);
  expect(complete("merge", "--st")).toEqual(["--strategy"]);
  expect(complete("--json", "undo", "--la")).toEqual(["--last"]);
});

test("[CL105] a memory that is named twice is said to be forgotten once", async () => {
  const id = await idOf(["remember", "the bell is broken"]);
  const forgotten = await cambium(["forget", id, id.slice(0, 13)]);
  expect(forgotten.stdout.match(/Forgot/g)).toHaveLength(1);
});

test("[CL131] a value that does not fit names the option that it was typed for", async () => {
  for (const [line, sentence] of [
    [["remember", "x", "--tag", ""], "--tag needs 1 to 1000 characters."],
    [["remember", "x", "--valid-from", "some time"], "--valid-from has to be a time of the calendar"],
    [["remember", "x", "--valid-until=some time"], "--valid-until has to be a time of the calendar"],
    [["policy", "set", "rollback-limit", "many"], 'rollback-limit takes a whole number, and "many" is none.'],
  ] as const)
    expect.soft((await cambium(line)).stderr, line.join(" ")).toContain(`cambium: ${sentence}`);
});
