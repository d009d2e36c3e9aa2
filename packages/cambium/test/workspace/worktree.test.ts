import { checkName } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { branchOfWorktree, findWorktree } from "../../src/workspace/worktree.js";
import { Tree } from "./git-layout.js";

test("[PJ4] a directory belongs to the worktree whose .git stands nearest above it", async () => {
  await using tree = await Tree.make();
  await tree.directory("app", ".git");
  const deep = await tree.directory("app", "src", "deep");
  expect(findWorktree(deep)).toEqual({ top: tree.path("app") });

  const linked = await tree.worktree("app/worktrees/fix", "app/.git", "fix");
  expect(findWorktree(linked)).toEqual({
    top: linked,
    linked: { id: "fix", repository: tree.path("app", ".git") },
  });
});

test("[PJ4] a way to the repository may be relative, and a bare repository has worktrees, too", async () => {
  await using tree = await Tree.make();
  await tree.file("code/.bare/worktrees/one/commondir", "../..");
  await tree.file("code/one/.git", "gitdir: ../.bare/worktrees/one");
  const worktree = findWorktree(tree.path("code", "one"))?.linked;
  expect(worktree).toEqual({ id: "one", repository: tree.path("code", ".bare") });
  expect(branchOfWorktree(worktree as NonNullable<typeof worktree>, "device")).toMatch(
    /^code\/one-[0-9a-f]{4}$/,
  );
});

test("[PJ4] a submodule counts as a main worktree, and so does a .git that says nothing", async () => {
  await using tree = await Tree.make();
  await tree.file("app/.git/modules/lib/HEAD", "ref: refs/heads/main");
  await tree.file("app/lib/.git", "gitdir: ../.git/modules/lib\n");
  expect(findWorktree(tree.path("app", "lib"))).toEqual({ top: tree.path("app", "lib"), linked: undefined });
  await tree.file("odd/.git", "what is this?");
  expect(findWorktree(tree.path("odd"))).toEqual({ top: tree.path("odd"), linked: undefined });
});

test("[PJ4] the branch of a worktree is a name branches may have, whatever git allows", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(name, name, (id, repository) => {
      const branch = branchOfWorktree({ id, repository: `/code/${repository}/.git` }, "device");
      expect(checkName("branch", branch)).toBe(branch);
    }),
  );
});

test("[PJ4] worktrees of other repositories and devices have other branches, though names are alike", () => {
  const branches = [
    branchOfWorktree({ id: "fix", repository: "/work/app/.git" }, "device-1"),
    branchOfWorktree({ id: "fix", repository: "/home/app/.git" }, "device-1"),
    branchOfWorktree({ id: "fix", repository: "/work/app/.git" }, "device-2"),
    branchOfWorktree({ id: "fix!", repository: "/work/app/.git" }, "device-1"),
    branchOfWorktree({ id: "fix?", repository: "/work/app/.git" }, "device-1"),
  ];
  expect(new Set(branches).size).toBe(branches.length);
  for (const branch of branches) expect(branch).toMatch(/^app\/fix-[0-9a-f]{4}$/);
});
