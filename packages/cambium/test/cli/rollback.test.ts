/** Going back from the command line: what is shown, what is asked, and what reaches the library. */
import { stripVTControlCharacters } from "node:util";
import type { RollbackOptions, RollbackResult } from "@cambium/client";
import { shortId } from "@cambium/core/text";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { fakeLibrary } from "./fake-library.js";
import { capturedIo, change, type IoSettings, memory, NOW, RELEASE, TEA } from "./fixtures.js";

const HEADS = [change("a")];

function result(overrides: Partial<RollbackResult> = {}): RollbackResult {
  const changed = [
    {
      id: TEA,
      before: memory({ content: "Prefers coffee" }),
      after: memory({ content: "Prefers tea" }),
      fields: ["content" as const],
    },
  ];
  return {
    status: "preview",
    from: { ref: "main", branch: "main", heads: HEADS },
    to: { ref: "yesterday", branch: "main", heads: [] },
    counts: { created: 0, changed: 1, broughtBack: 1, hidden: 0 },
    created: [],
    changed,
    broughtBack: [memory({ id: RELEASE, content: "Releases on Fridays" })],
    deleted: [],
    conflicts: [],
    kept: [],
    ...overrides,
  };
}

const nothing = result({
  changed: [],
  broughtBack: [],
  counts: { created: 0, changed: 0, broughtBack: 0, hidden: 0 },
});

async function cambium(line: readonly string[], preview = result(), settings: IoSettings = {}) {
  const io = capturedIo(settings);
  const done = { status: "rolled-back", change: change("b"), checkpoint: "before-rollback" } as const;
  const rollback = async (options: RollbackOptions) =>
    options.preview === true ? preview : result({ ...done, ...(options.onBranch && { triedOn: "try" }) });
  const { library, calls } = fakeLibrary({ agent: { rollback } });
  const code = await main(line, io, library);
  const asked = calls.filter(({ name }) => name === "agent.rollback").map(({ args: [options] }) => options);
  return { code, stdout: stripVTControlCharacters(io.stdout()), stderr: io.stderr(), asked };
}

describe("rollback", () => {
  test("[RT15] rollback and undo name the memories whose texts from before are not kept any more", async () => {
    const line = `Left as it is, as its text from before is not kept any more: ${shortId(TEA)}`;
    const gone = result({ textsGone: [TEA] });
    expect((await cambium(["rollback", "yesterday", "--preview"], gone)).stdout).toContain(line);
    expect(
      JSON.parse((await cambium(["rollback", "yesterday", "--preview", "--json"], gone)).stdout),
    ).toMatchObject({ textsGone: [TEA] });
    const undone = {
      ...{ status: "undone", changes: [change("a")], memories: [], before: [], kept: [], textsGone: [TEA] },
    };
    const io = capturedIo({});
    const { library } = fakeLibrary({ agent: { undo: async () => undone as never } });
    expect(await main(["undo"], io, library)).toBe(0);
    expect(io.stdout()).toContain(line);
  });

  test("[CL20] what is asked for reaches the library as typed, first as a preview and then at those heads", async () => {
    const only = ["--area", "a", "--category", "c", "--tag", "t", "--tag", "u", "--id", TEA];
    const line = [
      "rollback",
      "2026-08-01",
      ...only,
      "--reason",
      "wrong",
      "--on-branch",
      "try",
      "--yes",
      "--json",
    ];
    const { asked, code } = await cambium(line);
    const options = {
      ...{ branch: undefined, to: "2026-08-01", onBranch: "try", reason: "wrong" },
      only: { area: ["a"], category: ["c"], tag: ["t", "u"], ids: [TEA] },
    };
    expect(code).toBe(0);
    expect(asked).toEqual([
      { ...options, preview: true },
      { ...options, expect: HEADS, signal: expect.any(AbortSignal) },
    ]);
    const by = await cambium([
      "rollback",
      "--by",
      "rex",
      "--since",
      "monday",
      "--until",
      "today",
      "--preview",
    ]);
    expect(by.asked).toEqual([
      {
        branch: undefined,
        only: { agent: "rex", since: expect.any(Number), until: expect.any(Number) },
        preview: true,
      },
    ]);
  });

  test("[CL21] it shows what would happen and asks; a dry run and a no write nothing", async () => {
    const dry = await cambium(["rollback", "yesterday", "--preview"]);
    expect(dry.asked).toHaveLength(1);
    expect(dry.stdout).toContain("Would go back on main to yesterday: 1 changed, 1 brought back");
    expect(dry.stdout).toContain("Releases on Fridays");
    expect(dry.stdout).toContain("Nothing was written.");
    const since = async (at: number) => {
      const undoes = { undoes: { changes: 2, since: at } };
      return (await cambium(["rollback", "yesterday", "--preview"], { ...result(), ...undoes })).stdout;
    };
    expect(await since(NOW - 120_000)).toMatch(/will undo 2 changes since \S+ \d\d:\d\d \(2 minutes ago\)\./);
    expect(await since(Date.UTC(2026, 0, 20, 12))).toContain("since 20 January 2026.");

    const no = await cambium(["rollback", "yesterday"], result(), { input: "n\n", terminal: true });
    expect([no.asked.length, no.stdout]).toEqual([1, "Nothing was written.\n"]);
    expect(no.stderr).toContain("Go back? [y/N]");
    const yes = await cambium(["rollback", "yesterday"], result(), { input: "y\n", terminal: true });
    expect(yes.asked).toHaveLength(2);
    expect(yes.stdout).toContain("Went back on main to yesterday: 1 changed, 1 brought back");
    expect(yes.stdout).toContain("cambium undo --change bbbbbbbbbb");
    expect(yes.stdout).toContain("checkpoint:before-rollback");
  });

  test("[CL21] where nobody can be asked it says how to go on; where nothing is to be done it asks nothing", async () => {
    const unasked = await cambium(["rollback", "yesterday"]);
    expect([unasked.code, unasked.asked.length]).toEqual([2, 1]);
    expect(unasked.stderr).toContain("--yes");
    const idle = await cambium(["rollback", "yesterday"], nothing);
    expect([idle.code, idle.asked.length]).toEqual([0, 1]);
    expect(idle.stdout).toContain("everything is already as it was then");
    const kept = [{ id: TEA, fields: ["content" as const] }];
    const held = await cambium(["rollback", "--by", "bot"], { ...nothing, kept });
    expect(held.stdout).toContain("Not taken back");
    expect(held.stdout).not.toContain("as it was");
  });
});
