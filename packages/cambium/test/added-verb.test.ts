/**
 * What a new verb costs: a made-up verb that reads and one that writes, each with a tool of its own, are added to the
 * files named here and to no others, and are there everywhere. What a file gets is changed as it is loaded.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent, AtRef, Memory, OnBranch, Space } from "@cambium/client";
import { expect, test, vi } from "vitest";
import type { CommandDefinition } from "../src/cli/command.js";
import type { Definitions } from "../src/operations/definition.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILES_AT_MOST = 7;

type Stamp = (id: string, options: OnBranch & { readonly times: number }) => Promise<Memory>;
type Measure = (id: string, options?: AtRef) => Promise<number>;

/** What a file exports anew, of what it exported. */
// biome-ignore lint/suspicious/noExplicitAny: modules of every shape come through here
type Change = (module: any) => object | Promise<object>;
type Changes = Readonly<Record<string, Change | "new">>;

const WRITING: Changes = {
  "packages/client/src/api/agent.ts": ({ default: methods }) => {
    const { forget, reinforce } = methods;
    const stamp = { action: "forget", takes: [forget.takes[0], reinforce.takes[1]] };
    return { default: { ...methods, stamp } };
  },
  "packages/client/src/replica/agent.ts": ({ SpaceAgent }) => {
    const stamp = function stamp(this: Agent, id: string, { times, branch }: Parameters<Stamp>[1]) {
      return this.revise(
        id,
        { tags: Array.from({ length: times }, (_, at) => `stamp-${at + 1}`) },
        { branch },
      );
    };
    Object.assign(SpaceAgent.prototype, { stamp });
    return {};
  },
  ...defining(({ agent, write, SPACE, REST }) => ({
    stamp: {
      ...write("POST", `${SPACE}/memories/{id}/stamp`),
      calls: agent("stamp" as "reinforce", "id", REST),
      answersMemory: true,
      summary: "Stamp a memory",
      input: ({ z, onBranch, described }) => ({
        id: z.string(),
        ...onBranch,
        times: described(z.number(), "How often."),
      }),
      output: (parts) => parts.memory,
    },
  })),
  ...shownAs("stamp", {
    command: {
      about: "Stamp a memory",
      examples: ["cambium stamp 0198c2a4"],
      act: (context, [id]) =>
        context.withSpace(async ({ agent }) => {
          const memory = await (agent as unknown as { readonly stamp: Stamp }).stamp(String(id), {
            times: 1,
          });
          return await context.answer(memory, () => `Stamped ${memory.tags}.`);
        }),
    },
    tool: async ({ as, branch }, { id }) => {
      const { stamp } = as({ confirmed: true }) as unknown as { readonly stamp: Stamp };
      return (await stamp(id, { branch, times: 2 })).tags.join();
    },
  }),
};

const READING: Changes = {
  "packages/client/src/api/space.ts": ({ default: signatures }) => ({
    default: { ...signatures, measure: signatures.strength },
  }),
  "packages/client/src/replica/reading-space.ts": ({ ReadingSpace }) => {
    const measure = async function measure(this: Space, id: string, options?: AtRef): Promise<number> {
      return (await this.get(id, options)).content.length;
    };
    Object.assign(ReadingSpace.prototype, { measure });
    return {};
  },
  ...defining(({ read, space, REST, MEMORY }) => ({
    measure: {
      ...read(`${MEMORY}/length`),
      calls: space("measure" as "strength", "id", REST),
      answer: "length",
      summary: "Measure a memory",
      input: ({ memoryAt }) => memoryAt,
      output: ({ z }) => z.strictObject({ length: z.number() }),
    },
  })),
  ...shownAs("measure", {
    command: {
      about: "Measure a memory",
      examples: ["cambium measure 0198c2a4"],
      act: (context, [id]) =>
        context.withSpace(async ({ space }) => {
          const length = await (space as unknown as { readonly measure: Measure }).measure(String(id));
          return await context.answer({ length }, () => `It has ${length} characters.`);
        }),
    },
    tool: async ({ space, branch }, { id }) =>
      String(await (space as unknown as { readonly measure: Measure }).measure(id, { branch })),
  }),
};

type Definition = typeof import("../src/operations/definition.js");

function defining(made: (parts: Definition) => Definitions): Changes {
  return {
    "packages/cambium/src/operations/definitions/memories.ts": async ({ memoryOperations }) => ({
      memoryOperations: { ...memoryOperations, ...made(await import("../src/operations/definition.js")) },
    }),
  };
}

interface Shown {
  readonly command: CommandDefinition;
  readonly tool: (
    call: import("../src/mcp/tool.js").ToolContext,
    args: { readonly id: string },
  ) => Promise<string>;
}

/** The verb and the tool are files of their own, and are listed in two. */
function shownAs(name: string, { command, tool }: Shown): Changes {
  return {
    [`packages/cambium/src/cli/commands/${name}.ts`]: "new",
    "packages/cambium/src/cli/verbs.ts": ({ VERB_GROUPS, loadVerb }) => ({
      VERB_GROUPS: [...VERB_GROUPS, ["Made up", [[`${name} <id>`, command.about.toLowerCase()]]]],
      loadVerb: (verb: string) => (verb === name ? command : loadVerb(verb)),
    }),
    [`packages/cambium/src/mcp/tools/${name}.ts`]: "new",
    "packages/cambium/src/mcp/full-tools.ts": async ({ FULL_TOOLS }) => {
      const { defineTool, WRITES } = await import("../src/mcp/tool.js");
      const { memoryId, place } = await import("../src/mcp/schemas.js");
      const { z } = await import("zod");
      const made = defineTool({
        ...{ name, title: name, description: command.about, annotations: WRITES },
        input: () => z.strictObject({ id: memoryId, ...place }),
        run: async (call, args) => ({ text: await tool(call, args), data: {} }),
      });
      return { FULL_TOOLS: [...FULL_TOOLS, made] };
    },
  };
}

/** Everything that is loaded from now on has the two verbs. */
async function withMadeUpVerbs() {
  vi.resetModules();
  for (const file of new Set([...Object.keys(WRITING), ...Object.keys(READING)])) {
    const changes = [WRITING[file], READING[file]].filter((change) => typeof change === "function");
    if (changes.length === 0) continue;
    vi.doMock(join(ROOT, file), async (original) => {
      let module: object = { ...(await original<object>()) };
      for (const change of changes) module = { ...module, ...(await change(module)) };
      return module;
    });
  }
  return {
    ...(await import("./daemon/support/daemon.js")),
    ...(await import("../src/daemon-client/connect-replica.js")),
    ...(await import("../src/cli/program.js")),
    ...(await import("../src/operations/openapi/document.js")),
    ...(await import("./mcp/support/connected.js")),
    ...(await import("./cli/fixtures.js")),
  };
}

test("[HT21] a verb with a tool touches seven source files, whether it reads or writes", () => {
  const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  expect(guide).toMatch(/touches seven\s+source files, whether it reads or writes/);
  for (const changes of [READING, WRITING]) {
    const files = Object.entries(changes);
    expect(files.length).toBeLessThanOrEqual(FILES_AT_MOST);
    for (const [file, change] of files)
      expect([file, existsSync(join(ROOT, file))]).toEqual([file, change !== "new"]);
  }
});

test("[HT21] a verb that was added to these files is there everywhere", async () => {
  const made = await withMadeUpVerbs();
  const home = mkdtempSync(join(tmpdir(), "cambium-verb-"));
  await using _daemon = await made.startDaemon({ home });
  await using replica = await made.connectReplica({ dir: home, start: false, env: {} });
  const space = await replica.createSpace({ name: "notes" });
  const agent = space.as({ role: "owner" }) as Agent & { readonly stamp: Stamp };
  const { id } = await agent.remember({ content: "Tea at four" });

  // The library, through the daemon: arguments, the policy and the answer.
  expect((await agent.stamp(id, { times: 2 })).tags).toEqual(["stamp-1", "stamp-2"]);
  await expect(agent.stamp(id, { times: "2" as never })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await space.policy.set("forget", "agent", "refuse");
  const other = space.as({ agent: "ada" }) as typeof agent;
  await expect(other.stamp(id, { times: 1 })).rejects.toMatchObject({ code: "ROLE_REFUSED" });
  await space.policy.set("forget", "agent", "allow");
  const { measure } = space as Space & { readonly measure: Measure };
  expect(await measure(id)).toBe(11);
  await expect(measure(7 as never)).rejects.toMatchObject({ code: "BAD_INPUT" });

  // The command line and its help.
  const cambium = async (...line: readonly string[]) => {
    const io = made.capturedIo({ env: { CAMBIUM_HOME: home } });
    expect([await made.main(line, io), io.stderr()]).toEqual([0, ""]);
    return io.stdout();
  };
  expect(await cambium("stamp", id)).toContain("Stamped stamp-1.");
  expect(await cambium("measure", id, "--json")).toBe('{"length":11}\n');
  expect(await cambium("--help")).toMatch(/stamp <id> +stamp a memory\s+measure <id> +measure a memory/);

  // The OpenAPI document, and the tools for models.
  const { paths } = made.openApiDocument({ version: "0" }) as { readonly paths: object };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/v1/spaces/{space}/memories/{id}/length"]));
  await using models = await made.connect(replica, { settings: { tools: "full" } });
  expect((await made.call(models.client, "measure", { id })).text).toBe("11");
  expect((await made.call(models.client, "stamp", { id })).text).toBe("stamp-1,stamp-2");
  rmSync(home, { recursive: true });
});
