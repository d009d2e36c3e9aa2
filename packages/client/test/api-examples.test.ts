/**
 * The examples in the doc comments of the public interfaces, run: each in a new replica with a space on a relay.
 *
 * @module
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "./support/world.js";

interface Member {
  readonly owner: string;
  readonly name: string;
  readonly isMethod: boolean;
  readonly doc: string;
  readonly example: string;
}

/** Of interfaces whose members begin at the second column, as the formatter leaves them. */
function membersOf(file: string, owners: readonly string[]): readonly Member[] {
  const text = readFileSync(new URL(`../src/api/${file}`, import.meta.url), "utf8");
  return [...text.matchAll(/^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)]
    .filter(([, owner = ""]) => owners.includes(owner))
    .flatMap(([, owner = "", body = ""]) =>
      [...body.matchAll(/^ {2}(?:\/\*\*([\s\S]*?)\*\/\n {2})?(?:readonly )?(\w+)\??(\(|:)/gm)].map(
        ([, comment = "", name = "", sign]) => {
          const doc = comment.replace(/^\s*\* ?/gm, "").trim();
          const [, example = ""] = /@example\n([\s\S]*)$/.exec(doc) ?? [];
          return { owner, name, isMethod: sign === "(", doc, example };
        },
      ),
    );
}

const members = [
  ...membersOf("replica.ts", ["Replica", "SpaceInfo", "RelayAccess", "OpenReplicaOptions"]),
  ...membersOf("space.ts", ["Space"]),
  ...membersOf("reader.ts", ["SpaceReader"]),
  ...membersOf("agent.ts", ["Agent"]),
];
const others = [
  ...membersOf("branches.ts", ["Branches"]),
  ...membersOf("checkpoints.ts", ["Checkpoints"]),
  ...membersOf("sync.ts", ["Sync"]),
  ...membersOf("versions.ts", ["VersionReading"]),
];

test("[DO12] every member of the main public interfaces has a doc comment, and every method an example", () => {
  expect(members.length).toBeGreaterThan(70);
  const undocumented = [...members, ...others].filter(({ doc }) => doc === "");
  const untried = members.filter(({ isMethod, example }) => isMethod && example === "");
  const namesOf = (list: readonly Member[]) => list.map(({ owner, name }) => `${owner}.${name}`);
  expect({ undocumented: namesOf(undocumented), untried: namesOf(untried) }).toEqual({
    undocumented: [],
    untried: [],
  });
});

test("[DO12] errors that doc comments name exist", () => {
  const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
  const named = [...members, ...others].flatMap(({ doc }) =>
    [...doc.matchAll(/@throws ([^@]*)/g)].flatMap(
      ([, text = ""]) => text.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g) ?? [],
    ),
  );
  const codes = [...new Set(named)].filter((word) => word.length > 1);
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

describe("[DO12] examples of doc comments", () => {
  const alone = new World();
  let linked: World;
  beforeAll(async () => {
    linked = await World.withRelay();
  });
  afterAll(async () => {
    await alone[Symbol.asyncDispose]();
    await linked[Symbol.asyncDispose]();
  });

  const tried = members.filter(({ example }) => example !== "");
  test.each(tried.map((member) => [`${member.owner}.${member.name}`, member.example]))(
    "%s does what its example says",
    async (_, example) => {
      const needsRelay = /\bother\b|\.sync\b|invite|relay/.test(example);
      const world = needsRelay ? linked : alone;
      const { replica, space } = await world.found();
      const other = needsRelay ? await world.open(world.newHome("other")) : undefined;
      const values = {
        ...{ replica, space, other, expect, writeFile, relay: needsRelay ? linked.access : undefined },
        agent: space.as({ agent: "claude-code" }),
        dir: mkdtempSync(join(world.root, "example-")),
      };
      // Within a block, so that an example may choose a name such as `agent` itself.
      const blocks = example.replaceAll("@example", "} {"); // several, one after the other
      const run = new Function(...Object.keys(values), `return (async () => {{ ${blocks} }})()`);
      await run(...Object.values(values));
      await replica.close();
    },
  );
});
