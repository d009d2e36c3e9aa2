import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findTable, putTable, takeTable, tomlProblem } from "../../src/setup/toml-servers.js";

const ENTRY = {
  command: "/a b/node",
  args: ['C:\\x\\"y".mjs', "mcp"],
  env: { CAMBIUM_BRANCH: "größe = #1" },
};

describe("Codex's config.toml", () => {
  test("[SU3] a table reads back as it was written", () => {
    const word = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => text.isWellFormed());
    const entry = fc.record({
      command: word,
      args: fc.array(word, { maxLength: 3 }),
      env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), word, { maxKeys: 3 }),
    });
    fc.assert(
      fc.property(entry, (given) => {
        expect(findTable(putTable("a = 1\n", "cambium", given), "cambium")).toEqual({
          entry: given,
          isMarked: true,
        });
      }),
    );
  });

  test("[SU3] put in, put in again and taken out, any lines are the same byte for byte", () => {
    const line = fc.constantFrom(
      "",
      "# note",
      'a = "x"',
      "[tools]",
      "[mcp_servers.docs]",
      'b = """',
      "c = '''",
      "  ",
      'd = "#\\""',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\uFEFF"))
      .map(([lines, eol, bom]) => bom + lines.join(eol));
    fc.assert(
      fc.property(text, (before) => {
        fc.pre(tomlProblem(before) === undefined);
        const put = putTable(before, "cambium", ENTRY);
        expect(put.startsWith(before)).toBe(true);
        expect(putTable(put, "cambium", ENTRY)).toBe(put);
        expect(findTable(put, "cambium")).toEqual({ entry: ENTRY, isMarked: true });
        expect(takeTable(put)).toBe(before);
      }),
      { numRuns: 1_000 },
    );
  });

  test("[SU6] what cannot be added to is refused", () => {
    expect(tomlProblem('a = """\nnever closed\n')).toContain("not valid TOML (line 1");
    expect(tomlProblem("a = 1\na = 2\n")).toContain("not valid TOML (line 2");
    expect(tomlProblem('mcp_servers = { docs = { command = "x" } }\n')).toContain("without a [table]");
    expect(tomlProblem("[[mcp_servers.cambium]]\n")).toContain("other than a table");
    expect(tomlProblem("[[mcp_servers]]\n")).toContain("other than tables");
    expect(tomlProblem("[mcp_servers]\ncambium = 1\n")).toContain("other than a table");
    const own =
      '[mcp_servers.cambium]\ncommand = "x"\n[mcp_servers.cambium.env]\nA = "b"\n[other]\ncambium = 1\n';
    for (const fine of [
      own,
      "",
      'a = "\\"\\"\\"" # """\n',
      "a = '''\n'''\n",
      'a = """x""" \n',
      'b = \'"""\'\n',
    ]) {
      expect(tomlProblem(fine)).toBeUndefined();
    }
  });

  test("[SU11] a table of codex's own is read, and not taken for setup's", () => {
    const text = [
      '[ mcp_servers . "cambium" ] # by codex',
      "command = 'cambium'",
      'args = [ "mcp", ]',
      "[mcp_servers.cambium.env]",
      'CAMBIUM_TOOLS = "full"',
      "[other]",
      'CAMBIUM_SPACE = "no"',
    ].join("\n");
    expect(findTable(text, "cambium")).toEqual({
      entry: { command: "cambium", args: ["mcp"], env: { CAMBIUM_TOOLS: "full" } },
      isMarked: false,
    });
    for (const other of [
      'mcp_servers.cambium.command = "cambium"\nmcp_servers.cambium.args = ["mcp"]\n',
      '[mcp_servers]\n"cambium" = { command = "cambium", args = [\n  "mcp", # the server\n] }\n',
    ]) {
      expect(tomlProblem(other)).toBeUndefined();
      const entry = { command: "cambium", args: ["mcp"], env: {} };
      expect(findTable(other, "cambium")).toEqual({ entry, isMarked: false });
    }
    expect(findTable('x = """\n[mcp_servers.cambium]\n"""\n', "cambium")).toBeUndefined();
    expect(findTable("[mcp_servers.cambium-old]\n", "cambium")).toBeUndefined();
  });

  test("[SU5] what was added behind stays", () => {
    const put = putTable('a = "x"\n', "cambium", ENTRY);
    expect(takeTable(`${put}\n[later]\nb = 1\n`)).toBe('a = "x"\n\n[later]\nb = 1\n');
    expect(takeTable(`${put}[later]\nb = 1\n`)).toBe('a = "x"\n\n[later]\nb = 1\n');
    expect(takeTable("nothing here\n")).toBe("nothing here\n");
  });
});
