/** The verbs of governance, against the real library in a temporary home. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OwnHome } from "./own-home.js";

let home: OwnHome;
const cambium: OwnHome["run"] = (...call) => home.run(...call);
beforeEach(async () => {
  home = new OwnHome();
  await cambium(["init", "notes"]);
});
afterEach(() => home[Symbol.dispose]());

const rememberedId = async (text: string): Promise<string> =>
  String((await cambium(["remember", text, "--json"])).json().id);

describe("who speaks", () => {
  test("[GV30] whoever sits at the terminal is the owner, and is shown as cli; who names an agent is one", async () => {
    const id = await rememberedId("Tea");
    await cambium(["policy", "set", "forget", "agent", "refuse"]);
    const byAgent = await cambium(["forget", id, "--agent", "bot"]);
    expect([byAgent.code, byAgent.stderr]).toEqual([
      5,
      expect.stringContaining("does not let the agent bot"),
    ]);
    const byEnvironment = await cambium(["forget", id], { env: { CAMBIUM_AGENT: "bot" } });
    expect(byEnvironment.code).toBe(5);
    for (const verb of [["policy", "set", "forget", "agent", "allow"], ["invite"]])
      expect((await cambium(verb, { env: { CAMBIUM_AGENT: "bot" } })).code).toBe(5);
    const forgotten = await cambium(["forget", id, "--json"]);
    expect(forgotten.json()).toMatchObject({ deleted: true, by: { agent: "cli", trigger: "cli" } });
    const log = (await cambium(["audit", "--json"])).json() as unknown as { entries: { role: string }[] };
    expect(log.entries[0]).toMatchObject({
      operation: "forget",
      role: "owner",
      agent: "cli",
      trigger: "cli",
    });
  });

  test("[GV31] what the policy wants confirmed is asked at a terminal, taken from --yes, and refused elsewhere", async () => {
    const id = await rememberedId("Tea");
    await cambium(["policy", "set", "forget", "owner", "confirm"]);
    const alone = await cambium(["forget", id]);
    expect([alone.code, alone.stderr]).toEqual([5, expect.stringContaining("--yes")]);
    const no = await cambium(["forget", id], { terminal: true, input: "n\n" });
    expect([no.code, no.stderr]).toEqual([5, expect.stringContaining("This would forget a memory")]);
    expect((await cambium(["forget", id], { terminal: true, input: "y\n" })).code).toBe(0);
    await cambium(["restore", id]);
    expect((await cambium(["forget", id, "--yes"])).code).toBe(0);
  });
});

test("[CL24] log, undo, conflicts and hints say what the memories say, and give whole commands", async () => {
  const made = await cambium(["remember", "The budget is 50,000 euro.", "--json"]);
  const { id } = made.json() as unknown as { id: string };
  await cambium(["branch", "work"]);
  await cambium(["revise", id, "The budget is 60,000 euro.", "--branch", "work"]);
  await cambium(["revise", id, "The budget is 70,000 euro."]);
  const log = (await cambium(["log"])).stdout.split("\n");
  expect(log[0]).toContain("revised: budget 50,000 → 70,000");
  expect(log[1]).toContain("remembered: The budget is 50,000 euro.");
  const preview = (await cambium(["merge", "work", "--preview"])).stdout;
  expect(preview).toContain("Would merge work into main: 1 conflict open");
  expect(preview).not.toContain("changed");
  await cambium(["merge", "work", "--strategy", "target"]);
  expect((await cambium(["history", id])).stdout).toMatch(/kept 70,000, gave up 60,000/);
  const refused = await cambium(["merge", "work", "--strategy", "source", "--agent", "bot"]);
  expect(refused.stderr).not.toContain("confirmed:");
  expect((await cambium(["undo"])).stdout).toMatch(/now says: The budget is 70,000 euro/);
});

test("[CL23] branch renames and deletes; what only the branch has is not hidden unasked", async () => {
  await cambium(["branch", "try"]);
  await cambium(["remember", "only on the branch", "--branch", "try"]);
  expect((await cambium(["branch", "try", "--rename", "idea"])).stdout).toBe(
    "Renamed the branch try to idea\n",
  );
  // As git has it: the old name, then the new one.
  expect((await cambium(["branch", "-m", "idea", "plan"])).stdout).toBe("Renamed the branch idea to plan\n");
  expect((await cambium(["branch", "-m", "plan", "idea"])).code).toBe(0);
  expect((await cambium(["branch", "-m", "main", "idea"])).code).toBe(2);
  expect((await cambium(["branches"])).stdout).toMatch(/idea .* just now, .* · cli/);
  expect((await cambium(["branch", "idea", "-d", "--from", "main"])).code).toBe(2);
  const alone = await cambium(["branch", "idea", "--delete"]);
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringContaining("cambium branch idea --delete --yes"),
  ]);
  const no = await cambium(["branch", "idea", "--delete"], { terminal: true, input: "n\n" });
  expect(no.stderr).toContain("idea has 1 change that main lacks.");
  expect((await cambium(["branches"])).stdout).toContain("idea");
  expect((await cambium(["branch", "idea", "-d", "--yes"])).stdout).toContain(
    "with 1 change that main lacks",
  );
  expect((await cambium(["branches"])).stdout).not.toContain("idea");
  expect((await cambium(["branch", "idea", "-d"])).stdout).toContain("idea is deleted already");
});

describe("approve", () => {
  const branchesOf = async () =>
    ((await cambium(["branches", "--json"])).json() as unknown as { branches: unknown[] }).branches;

  async function asked(): Promise<string> {
    await cambium(["policy", "set", "fork", "agent", "approve"]);
    const refused = await cambium(["branch", "idea", "--agent", "bot", "--json"]);
    expect(refused.code).toBe(5);
    return (refused.json() as unknown as { error: { details: { request: string } } }).error.details.request;
  }

  test("[GV32] lists what waits, shows one, asks, and runs it", async () => {
    expect((await cambium(["approve"])).stdout).toBe("Nothing waits for approval.\n");
    const id = await asked();
    expect((await cambium(["status"])).stdout).toContain("1 waits for approval: see `cambium approve`");
    expect((await cambium(["approve"])).stdout).toContain(id.slice(-8));
    const preview = await cambium(["approve", id.slice(-8), "--preview"]);
    expect([preview.code, preview.stdout]).toEqual([0, expect.stringMatching(/call +\["idea"/)]);
    expect((await cambium(["approve", id])).code).toBe(2);
    expect((await cambium(["approve", id, "--yes"], { env: { CAMBIUM_AGENT: "bot" } })).code).toBe(5);
    expect(await branchesOf()).toHaveLength(1);
    const done = await cambium(["approve", id.slice(-8), "--reason", "fine"], {
      terminal: true,
      input: "y\n",
    });
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("Approved and run")]);
    expect(await branchesOf()).toHaveLength(2);
    const again = await cambium(["approve", id, "--yes"]);
    expect([again.code, again.stdout]).toEqual([4, expect.stringContaining("(owner)")]);
    const all = (await cambium(["approve", "--all"])).stdout;
    expect(all).toMatch(/ state\n.* approved by .*\(owner\)/);
  });

  test("[GV44] a request shows what the memories say that it is about", async () => {
    const tea = await rememberedId("Tea in the morning");
    await cambium(["policy", "set", "forget", "agent", "approve"]);
    expect((await cambium(["forget", tea, "--agent", "bot"])).code).toBe(5);
    const listed = (await cambium(["approve"])).stdout;
    expect(listed).toContain("1 memory: Tea in the morning");
    const name = /^(\S+) +forget/m.exec(listed)?.[1] ?? "";
    expect((await cambium(["approve", name, "--preview"])).stdout).toMatch(
      /memories +\S+ Tea in the morning\n/,
    );
  });

  test("[GV32] declines and withdraws with a reason", async () => {
    const id = await asked();
    const declined = await cambium(["approve", id, "--decline", "--reason", "not now", "--json"]);
    expect(declined.json()).toMatchObject({ state: "declined", decision: { reason: "not now" } });
    const second = await asked();
    const withdrawn = await cambium(["approve", second, "--withdraw", "--agent", "bot", "--json"]);
    expect(withdrawn.json()).toMatchObject({ state: "withdrawn" });
    expect((await cambium(["approve", "ffffffff"])).code).toBe(3);
  });
});

describe("policy", () => {
  test("[GV43] an owner's code comes from a file, the environment or a line at a terminal", async () => {
    const path = join(home.root, "code");
    writeFileSync(path, "open sesame\n", { mode: 0o644 });
    expect((await cambium(["policy", "owner-code", "set"])).code).toBe(2);
    const set = await cambium(["policy", "owner-code", "set", "--new-code-file", path]);
    expect(set.stdout).toContain("An owner's code is set");
    expect(set.stderr).toContain(`Others on this machine can read ${path}, with the code`);
    chmodSync(path, 0o600);
    const limit = ["policy", "set", "rollback-limit", "30"];
    const alone = await cambium(limit);
    expect([alone.code, alone.stderr]).toEqual([5, expect.stringContaining("--owner-code-file")]);
    expect((await cambium(limit, { env: { CAMBIUM_OWNER_CODE: "open barley" } })).code).toBe(5);
    expect((await cambium(limit, { env: { CAMBIUM_OWNER_CODE: "open sesame" } })).code).toBe(0);
    const named = await cambium(limit, { env: { CAMBIUM_OWNER_CODE_FILE: path } });
    expect([named.code, named.stderr]).toEqual([0, ""]);
    const typed = await cambium(limit, { terminal: true, input: "open sesame\n" });
    expect([typed.code, typed.stderr]).toEqual([0, expect.stringContaining("The owner's code:")]);
    expect((await cambium([...limit, "--agent", "bot", "--owner-code-file", path])).code).toBe(5);
    const removed = await cambium(["policy", "owner-code", "remove", "--owner-code-file", path]);
    expect(removed.stdout).toContain("No owner's code is set");
    expect((await cambium(["audit"])).stdout).not.toContain("sesame");
  });

  test("[GV45] an agent's export is confirmed with --yes", async () => {
    const path = join(home.root, "out.jsonl");
    const line = ["export", "--out", path, "--agent", "bot"];
    const refused = await cambium(line);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("export memories")]);
    expect(existsSync(path)).toBe(false);
    expect((await cambium([...line, "--yes"])).code).toBe(0);
    expect(existsSync(path)).toBe(true);
    expect((await cambium(["audit"])).stdout).toContain(`export to ${path}`);
  });

  test("[GV33] shows every operation by role, marks what was changed, and says what cannot be", async () => {
    const shown = (await cambium(["policy"])).stdout;
    expect(shown).toMatch(
      /^operation +owner +operator +agent +reader +what it is\nwrite +allow +allow +allow +refuse/,
    );
    const changed = await cambium(["policy", "set", "write", "agent", "confirm"]);
    expect(changed.stdout).toMatch(/write +allow +allow +confirm \* +refuse/);
    expect((await cambium(["policy", "set", "rollback-limit", "100"])).stdout).toContain(
      "more than 100 memories",
    );
    for (const words of [
      ["set"],
      ["set", "write"],
      ["set", "fly", "agent", "allow"],
      ["set", "rollback-limit", "x"],
    ])
      expect((await cambium(["policy", ...words])).code).toBe(2);
  });
});

describe("audit", () => {
  test("[AU31] names the agent that exported it, and that it came by the command line", async () => {
    const path = join(home.root, "out.jsonl");
    await cambium(["audit", "--export", path], { env: { CAMBIUM_AGENT: "cursor" } });
    const log = (await cambium(["audit", "--operation", "export", "--json"])).json();
    expect(log.entries).toMatchObject([{ role: "agent", agent: "cursor", trigger: "cli", of: "audit" }]);
  });

  test("[EP10] no verb writes into the home", async () => {
    await rememberedId("Tea");
    const { CAMBIUM_HOME: dir } = home.env;
    const [file] = readdirSync(join(dir, "spaces"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("space.json"),
    );
    const key = join(dir, "spaces", file ?? "");
    const before = readFileSync(key, "utf8");
    for (const line of [
      ["export", "--force", "--yes", "--out", key],
      ["export", "--agent", "cursor", "--force", "--yes", "--out", key],
      ["archive", key, "--clear", "--force"],
      ["recovery-kit", key, "--force"],
      ["audit", "--export", join(dir, "log.jsonl")],
      ["backup", join(dir, "backups"), "--clear"],
    ]) {
      const { code, stderr } = await cambium(line);
      expect([line.join(" "), code, stderr]).toEqual([
        line.join(" "),
        2,
        expect.stringContaining("is in the home of Cambium. Nothing was written."),
      ]);
    }
    expect(readFileSync(key, "utf8")).toBe(before);
    expect(readdirSync(dir)).not.toContain("backups");
  });

  test("[AU30] lists, filters, exports and verifies; damage exits with 6 and says where", async () => {
    const id = await rememberedId("Tea");
    await cambium(["revise", id, "Green tea", "--reason", "more exactly", "--agent", "bot"]);
    const { stdout } = await cambium(["audit"]);
    expect(stdout).toMatch(/ · bot \(agent\) +cli +revise .*more exactly/);
    expect((await cambium(["audit", "--agent", "nobody"])).stdout).toBe("Nothing in the log matches.\n");
    expect((await cambium(["audit", "--verify"])).stdout).toContain("The audit log is whole");
    const path = join(home.root, "out.jsonl");
    expect((await cambium(["audit", "--export", path])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toContain('"operation":"revise"');
    const spaces = join(home.env.CAMBIUM_HOME, "spaces");
    const file = readdirSync(spaces, { recursive: true, encoding: "utf8" }).find((name) =>
      name.endsWith(".jsonl"),
    );
    const log = join(spaces, file ?? "");
    writeFileSync(log, readFileSync(log, "utf8").replace('"revise"', '"forget"'));
    const damaged = await cambium(["audit", "--verify", "--json"]);
    expect(damaged.code).toBe(6);
    expect(damaged.json()).toMatchObject({
      error: { code: "AUDIT_DAMAGED", details: { findings: [{ kind: "edited", seq: expect.any(Number) }] } },
    });
  });
});
