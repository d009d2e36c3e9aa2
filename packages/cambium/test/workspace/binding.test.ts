import { CambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { type BindingSettings, findBinding } from "../../src/workspace/binding.js";
import { pinnedBy } from "../../src/workspace/bound-by.js";
import { Tree } from "./git-layout.js";

const nowhere: Omit<BindingSettings, "cwd"> = { userHome: "/nowhere/home", env: {} };

function refusalOf(cwd: string): CambiumError {
  try {
    findBinding({ ...nowhere, cwd });
  } catch (error) {
    if (error instanceof CambiumError) return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}

describe("where pins are looked for", () => {
  test("[PJ1] an option comes before the environment, before the file, before the default", async () => {
    await using tree = await Tree.make();
    const path = await tree.file(".cambium.json", '{ "space": "filed", "branch": "filed-branch" }');
    const cwd = tree.root;
    const env = { CAMBIUM_SPACE: "from-env", CAMBIUM_BRANCH: "env-branch" };
    const asked = (settings: Partial<BindingSettings>) => {
      const { space, branch } = findBinding({ ...nowhere, cwd, ...settings });
      return [space?.value, space?.by.name, branch?.kind === "named" ? branch.value : "", branch?.by.name];
    };
    const option = { space: "opted", branch: "opted-branch" };
    expect(asked({ env, ...option })).toEqual(["opted", "--space", "opted-branch", "--branch"]);
    expect(asked({ env })).toEqual(["from-env", "CAMBIUM_SPACE", "env-branch", "CAMBIUM_BRANCH"]);
    expect(asked({})).toEqual(["filed", path, "filed-branch", path]);
    expect(asked({ env: { CAMBIUM_SPACE: "", CAMBIUM_BRANCH: "" } })).toEqual(asked({}));
    expect(findBinding({ ...nowhere, cwd: "/nowhere" })).toEqual({ space: undefined, branch: undefined });
  });

  test("[PJ1] the nearest file above counts, up to the user's home and not above it", async () => {
    await using tree = await Tree.make();
    await tree.file(".cambium.json", '{ "space": "above-home" }');
    await tree.file("home/project/.cambium.json", '{ "space": "project" }');
    const deep = await tree.directory("home", "project", "src", "deep");
    const other = await tree.directory("home", "other");
    const settings = { userHome: tree.path("home"), env: {} };
    expect(findBinding({ ...settings, cwd: deep }).space?.value).toBe("project");
    expect(findBinding({ ...settings, cwd: other }).space).toBeUndefined();
    await tree.file("home/.cambium.json", '{ "space": "home" }');
    expect(findBinding({ ...settings, cwd: other }).space?.value).toBe("home");
  });

  test("[PJ1] a linked worktree without a file has that of the main worktree", async () => {
    await using tree = await Tree.make();
    await tree.file("app/.cambium.json", '{ "space": "app-space" }');
    const linked = await tree.worktree("app-fix", "app/.git", "app-fix");
    expect(findBinding({ ...nowhere, cwd: linked }).space?.value).toBe("app-space");
  });

  test("[PJ2] a file's branch is for the file's space, and says nothing about another", async () => {
    await using tree = await Tree.make();
    await tree.file("both/.cambium.json", '{ "space": "notes", "branch": "work" }');
    await tree.file("branch/.cambium.json", '{ "branch": "work" }');
    const branchFor = (place: string, space: string) =>
      findBinding({ ...nowhere, cwd: tree.path(place), space }).branch?.kind;
    expect(branchFor("both", "notes")).toBe("named");
    expect(branchFor("both", "team")).toBeUndefined();
    expect(branchFor("branch", "team")).toBe("named");
  });
});

describe("what may stand in .cambium.json", () => {
  test.each([
    ["", "is not JSON"],
    ["{", "is not JSON"],
    ['{\n  "space": "x",\n}', "is not JSON at line 3, column 1"],
    ["[]", "holds no object"],
    ["null", "holds no object"],
    ['{ "branches": "x" }', '"branches"'],
    ['{ "branch": { "perWorktree": true, "from": "main" } }', '"branch.from"'],
    ['{ "space": 3 }', '"space"'],
    ['{ "space": " " }', '"space"'],
    ['{ "branch": "two words" }', "two words"],
    ['{ "branch": "" }', "branch"],
    ['{ "branch": { "perWorktree": false } }', '"perWorktree": true'],
    ['{ "branch": ["work"] }', '"branch"'],
  ])("[PJ3] %s is refused, naming the file and what to do", async (text, said) => {
    await using tree = await Tree.make();
    const path = await tree.file(".cambium.json", text);
    const { code, message, hint } = refusalOf(tree.root);
    expect(code).toBe("BAD_INPUT");
    expect(message).toContain(path);
    expect(message).toContain(said);
    expect(message).toMatch(/[.?!]$/);
    expect(hint).toMatch(/\S/);
  });

  test("[PJ3] a file that is a directory is refused; a byte order mark, CRLF and a doubled name are fine", async () => {
    await using tree = await Tree.make();
    await tree.directory("odd", ".cambium.json");
    expect(refusalOf(tree.path("odd")).message).toContain("cannot be read");
    await tree.file("fine/.cambium.json", '\uFEFF{\r\n  "branch": " work~ab12 "\r\n}\r\n');
    expect(findBinding({ ...nowhere, cwd: tree.path("fine") }).branch).toMatchObject({ value: "work~ab12" });
  });

  test("[PJ3] a broken file is no matter where options say all", async () => {
    await using tree = await Tree.make();
    await tree.file(".cambium.json", "{");
    const pins = findBinding({ ...nowhere, cwd: tree.root, space: "notes", branch: "work" });
    expect(pins.space?.value).toBe("notes");
  });
});

test("[PJ4] perWorktree is main in the main worktree and outside of git, and the worktree's own in a linked one", async () => {
  await using tree = await Tree.make();
  const path = await tree.file("app/.cambium.json", '{ "branch": { "perWorktree": true } }');
  const pinOf = (cwd: string) => findBinding({ ...nowhere, cwd }).branch;
  expect(pinOf(tree.path("app"))).toMatchObject({ kind: "named", value: "main" });
  await tree.directory("app", ".git");
  expect(pinOf(tree.path("app"))).toMatchObject({ kind: "named", value: "main" });
  const linked = await tree.worktree("app-fix", "app/.git", "app-fix");
  const pin = pinOf(linked);
  expect(pin).toMatchObject({ kind: "worktree", worktree: { id: "app-fix" } });
  expect(pin && pinnedBy(pin)).toBe(`${path}, a branch for each git worktree`);
});
