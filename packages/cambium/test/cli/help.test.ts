/** What the command says about itself, and of what it does not understand. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { VERB_GROUPS } from "../../src/cli/verbs.js";
import { capturedIo, memory } from "./fixtures.js";
import { cambium, merged } from "./run-cambium.js";

const VERBS = VERB_GROUPS.flatMap(([, verbs]) => verbs);

describe("help and usage", () => {
  test("[CL1] --help lists every verb, and says how to begin", async () => {
    const { code, stdout, stderr } = await cambium(["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const [, summary] of VERBS) expect(stdout).toContain(summary);
    expect(stdout).toContain("$ cambium init");
    const short = await cambium([]);
    expect(short.stdout.split("\n").length).toBeLessThan(24);
    for (const [synopsis] of VERBS) expect(short.stdout).toContain(synopsis.split(" ")[0]);
  });

  test("[CL1] options of the verb come first, those that most verbs have last", async () => {
    for (const [verb, ...flags] of [
      ["list", "--limit", "--category", "--not-by", "--space", "--json"],
      ["revise", "--expect", "--pin", "--branch"],
      ["init", "--relay", "--json"],
    ] as const) {
      const { stdout } = await cambium([verb, "--help"]);
      const places = flags.map((flag) => stdout.indexOf(`\n  ${flag} `));
      expect(places).toEqual(places.filter((place) => place > 0).toSorted((a, b) => a - b));
    }
  });

  test("[CL25] words of other tools mean the verb, and --json, --space and the like may stand before it", async () => {
    const same: readonly (readonly [string[], string[]])[] = [
      [
        ["search", "--help"],
        ["recall", "--help"],
      ],
      [
        ["rm", "--help"],
        ["forget", "--help"],
      ],
      [
        ["--json", "--space", "notes", "ls", "--help"],
        ["list", "--help"],
      ],
    ];
    for (const [typed, meant] of same)
      expect((await cambium(typed)).stdout).toBe((await cambium(meant)).stdout);
    const switched = await cambium(["checkout", "work"]);
    expect([switched.code, switched.stderr]).toEqual([2, expect.stringContaining("CAMBIUM_BRANCH=work")]);
    const agent = { remember: async () => memory() };
    const ahead = ["--branch=b", "--space", "s", "--json", "remember", "--", "--space"];
    const { callOf } = await cambium(ahead, { agent });
    expect(callOf("replica.openSpace")?.[0]).toBe("s");
    expect(callOf("agent.remember")).toEqual([{ content: "--space" }, { branch: "b" }]);
    const dry = await cambium(["merge", "work", "--dry-run"], { agent: { merge: async () => merged } });
    expect(dry.callOf("agent.merge")?.[0]).toMatchObject({ preview: true });
    const json = await cambium(["--json", "completion", "tcsh"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { message: "Name a shell: bash, zsh or fish." } });
    for (const shell of ["bash", "zsh", "fish"]) {
      const { stdout } = await cambium(["completion", shell]);
      for (const verb of ["remember", "rollback", "completion branches"]) expect(stdout).toContain(verb);
    }
  });

  test("[CL100] --yes stands before and behind any verb, and the help ends with what fits what is here", async () => {
    const space = { list: async () => ({ memories: [memory()] }) };
    for (const line of [
      ["--yes", "list"],
      ["list", "--yes"],
    ])
      expect({ line, code: (await cambium(line, { space })).code }).toEqual({ line, code: 0 });
    const home = mkdtempSync(join(tmpdir(), "cambium-help-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const ends = async (spaces: number): Promise<string> => {
      for (let number = 0; number < spaces; number += 1)
        mkdirSync(join(home, "spaces", String(number)), { recursive: true });
      const io = capturedIo({ env: { CAMBIUM_HOME: home } });
      await main([], io);
      return io.stdout();
    };
    expect(await ends(0)).toContain("$ cambium init notes");
    expect(await ends(1)).toMatch(/For instance:\n {2}\$ cambium remember (?!.*--space)/);
    expect(await ends(1)).not.toContain("cambium init");
    expect(await ends(2)).toContain("--space names:\n  $ cambium spaces");
  });

  test.each(VERBS.map(([synopsis]) => synopsis.split(" ")[0] ?? ""))(
    "[CL1] %s --help shows examples and --json, and opens nothing",
    async (verb) => {
      const { code, stdout, stderr, calls } = await cambium([verb, "--help"]);
      expect([code, stderr, calls]).toEqual([0, "", []]);
      expect(stdout).toContain(`$ cambium ${verb}`);
      expect(stdout).toContain("--json");
      const about = /\n\n(\S[\s\S]*?)\n\n/.exec(stdout)?.[1] ?? "";
      expect(about).toMatch(/^[A-Z]/);
      expect(about).not.toMatch(/\.$/);
      expect(await cambium(["help", verb])).toMatchObject({ code: 0, stdout });
    },
  );

  test("[CL2] what is not understood exits 2, says so in a sentence, and opens nothing", async () => {
    for (const line of [
      ["remembr"],
      ["remember"],
      ["remember", "a", "b"],
      ["list", "--limit", "0"],
      ["list", "--colour"],
      ["log", "--type", "forgotten"],
      ["remember", "x", "--importance", "2"],
      ["merge", "work", "--strategy", "mine"],
      ["revise", "0198"],
      ["combine", "0198", "--content", "x"],
      ["resolve", "0198", "--discard", "aa"],
      ["resolve", "--keep", "aa"],
      ["restore", "0198", "--version", "1", "--at", "main"],
    ]) {
      const { code, stdout, stderr, calls } = await cambium(line);
      expect({ line, code, stdout, calls }).toEqual({ line, code: 2, stdout: "", calls: [] });
      expect(stderr).toMatch(/^cambium: [A-Z"-].*[.?!]\n/);
      expect(stderr).not.toContain("    at ");
    }
    expect((await cambium(["remembr"])).stderr).toContain("Did you mean remember?");
  });

  test("[CL117] a misread command line leads to the option, the quotation marks or the -- that is missing", async () => {
    const hint = async (...line: readonly string[]) => (await cambium(line)).stderr;
    expect(await hint("revise", "0198", "--remove-tags", "x")).toContain("There is --tag.");
    expect(await hint("list", "--branch-name", "x")).toContain("There is --branch.");
    expect(await hint("remember", "-40 is where both scales meet")).toContain("stands after --.");
    expect(await hint("remember", "---\ntitle: Tea (green)\n---\nAt four")).toMatch(
      /^cambium: Unknown option '--- …'\.\n +What begins with a dash and is no option stands after --\. /,
    );
    expect(await hint("list", "--spac")).toMatch(/Unknown option '--spac'\.\n +Did you mean --space\?/);
    expect(await hint("remember", "two", "words")).toContain("in quotation marks");
    expect(await hint("list", "--colour")).not.toMatch(/There is|after --/);
    expect(await hint("checkout", "a b")).toContain("cambium branch 'a b'");
  });

  test("[CL2] a usage error with --json is a document on standard error", async () => {
    const { code, stdout, stderr } = await cambium(["remember", "--json"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "BAD_INPUT",
        message: "Missing required argument 'text'.",
        hint: expect.stringMatching(
          /^For instance: cambium remember "[^"]+" .*Run `cambium remember --help`\.$/,
        ),
      },
    });
  });
});

test("[CL1] --version prints the version alone", async () => {
  expect((await cambium(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+(-\w+)?\n$/);
});
