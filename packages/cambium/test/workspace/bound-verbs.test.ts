import { openReplica } from "@cambium/client";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { capturedIo } from "../cli/fixtures.js";
import { Tree } from "./git-layout.js";

/** Verbs in this process, over a replica in the tree. */
function commandsIn(tree: Tree) {
  const library = {
    openReplica: (options: Parameters<typeof openReplica>[0]) =>
      openReplica({ ...options, stateDir: tree.path("state") }),
  };
  const run = async (place: string, line: readonly string[], env: Record<string, string> = {}) => {
    const io = capturedIo({
      env: { CAMBIUM_HOME: tree.path("home"), ...env },
      cwd: tree.path(place),
      userHome: tree.root,
    });
    const code = await main(line, io, library);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const json = async <T>(place: string, ...line: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(place, [...line, "--json"]);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
  return { run, json };
}

type Branches = { readonly branches: readonly { readonly name: string }[] };
type Status = {
  readonly space: { readonly name: string };
  readonly branch: { readonly name: string };
  readonly pinned: object;
};
type Listed = { readonly memories: readonly { readonly content: string }[] };

describe("verbs in a pinned directory", () => {
  test("[PJ5] status says which space and branch, and why", async () => {
    await using tree = await Tree.make();
    const { run, json } = commandsIn(tree);
    await tree.directory("elsewhere");
    await run("elsewhere", ["init", "notes"]);
    await run("elsewhere", ["init", "team"]);
    await run("elsewhere", ["branch", "work", "--space", "notes"]);
    const path = await tree.file("app/.cambium.json", '{ "space": "notes", "branch": "work" }');

    const { stdout } = await run("app", ["status"]);
    expect(stdout).toMatch(/space +notes/);
    expect(stdout).toMatch(/branch +work/);
    expect(stdout.match(new RegExp(`pinned by ${path}`, "g"))).toHaveLength(2);
    expect(await json<Status>("app", "status")).toMatchObject({
      space: { name: "notes" },
      branch: { name: "work" },
      pinned: { space: { kind: "file", name: path }, branch: { kind: "file", name: path } },
    });
    const other = await run("app", ["status"], { CAMBIUM_SPACE: "team" });
    expect(other.stdout).toMatch(/team[^\n]*\n +pinned by CAMBIUM_SPACE\n *branch +main/);
    const unpinned = await run("elsewhere", ["status", "--space", "team", "--json"]);
    expect(JSON.parse(unpinned.stdout)).toMatchObject({
      pinned: { space: { name: "--space" }, branch: null },
    });
  });

  test("[PJ5] writes and reads go to the pinned branch", async () => {
    await using tree = await Tree.make();
    const { run, json } = commandsIn(tree);
    await tree.file("app/.cambium.json", '{ "branch": "work" }');
    await tree.directory("elsewhere");
    await run("elsewhere", ["init", "notes"]);
    await run("elsewhere", ["branch", "work"]);
    expect((await run("app", ["remember", "Only on work"])).code).toBe(0);
    const listed = await json<Listed>("app", "list");
    expect(listed.memories.map(({ content }) => content)).toEqual(["Only on work"]);
    expect((await json<Listed>("elsewhere", "list")).memories).toEqual([]);
  });

  test("[PJ6] what a file names and nobody made is told with the file's name", async () => {
    await using tree = await Tree.make();
    const { run } = commandsIn(tree);
    const path = await tree.file("app/.cambium.json", '{ "space": "notes", "branch": "gone" }');
    const noSpace = await run("app", ["list"]);
    expect(noSpace).toMatchObject({ code: 3, stderr: expect.stringContaining(`pinned by ${path}`) });
    await run("app", ["init", "notes"]);
    const noBranch = await run("app", ["remember", "x"]);
    expect(noBranch).toMatchObject({ code: 3, stderr: expect.stringContaining(`pinned by ${path}`) });
    const typed = await run("app", ["list", "--branch", "typo"]);
    expect(typed.stderr).not.toContain("pinned");
  });

  test("[PJ6] a broken file stops what needs a space, and nothing else", async () => {
    await using tree = await Tree.make();
    const { run } = commandsIn(tree);
    const path = await tree.file("app/.cambium.json", '{ "spase": "notes" }');
    expect((await run("app", ["init", "notes"])).code).toBe(0);
    expect((await run("app", ["spaces"])).code).toBe(0);
    const refused = await run("app", ["remember", "x"]);
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(path) });
  });
});

describe("a branch for each worktree", () => {
  test("[PJ7] it is made from main at first use, said once on standard error, and found again", async () => {
    await using tree = await Tree.make();
    const { run, json } = commandsIn(tree);
    await tree.file("app/.cambium.json", '{ "branch": { "perWorktree": true } }');
    await tree.directory("app", ".git");
    await tree.worktree("app-fix", "app/.git", "app-fix");
    await run("app", ["init", "notes"]);
    await run("app", ["remember", "On main"]);

    const first = await run("app-fix", ["remember", "In the worktree"]);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(
      /^Made the branch app\/app-fix-[0-9a-f]{4} from main, for this git worktree\.\n$/,
    );
    const second = await run("app-fix", ["list", "--json"]);
    expect(second.stderr).toBe("");
    const contents = (JSON.parse(second.stdout) as Listed).memories.map(({ content }) => content);
    expect(contents.sort()).toEqual(["In the worktree", "On main"]);
    expect((await json<Listed>("app", "list")).memories.map(({ content }) => content)).toEqual(["On main"]);
    expect((await json<Branches>("app", "branches")).branches).toHaveLength(2);
    expect((await run("app-fix", ["status"])).stdout).toContain("a branch for each git worktree");
  });

  test("[PJ7] two that begin at once make one branch", async () => {
    await using tree = await Tree.make();
    const { run, json } = commandsIn(tree);
    await tree.file("app/.cambium.json", '{ "branch": { "perWorktree": true } }');
    await tree.worktree("app-fix", "app/.git", "app-fix");
    await run("app", ["init", "notes"]);
    const done = await Promise.all(["a", "b", "c"].map((text) => run("app-fix", ["remember", text])));
    expect(done.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await json<Branches>("app", "branches")).branches).toHaveLength(2);
  });

  test("[PJ7] an agent makes it within its rights", async () => {
    await using tree = await Tree.make();
    const { run } = commandsIn(tree);
    await tree.file("app/.cambium.json", '{ "branch": { "perWorktree": true } }');
    await tree.worktree("app-fix", "app/.git", "app-fix");
    await run("app", ["init", "notes"]);
    const made = await run("app-fix", ["remember", "x", "--agent", "claude-code"]);
    expect(made.code).toBe(0);
    const { stdout } = await run("app", ["audit", "--json"]);
    expect(stdout).toContain("claude-code");
  });
});
