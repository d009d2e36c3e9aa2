/** Which memories are meant: every filter, through every door, chooses the same ones. */
import type { MemoryFilter, Replica, Space } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReplicaHere, replicaHere } from "../../client/test/support/replica-here.js";
import { main } from "../src/cli/program.js";
import { capturedIo } from "./cli/fixtures.js";
import { startDaemon, type TestDaemon } from "./daemon/support/daemon.js";
import { type Connected, call, connect } from "./mcp/support/connected.js";

interface Chosen {
  /** Sorted. */
  readonly contents: readonly string[];
  readonly advice: readonly string[];
}

type Door = (filter: MemoryFilter) => Promise<Chosen>;

let here: ReplicaHere;
let daemon: TestDaemon;
let client: Connected;
let space: Space;

const MEMORIES = [
  ["a", { category: "work", tags: ["x"], kind: "fact", area: "home" }, "ada"],
  ["b", { category: "work", tags: ["x", "y"], kind: "decision", area: "trip" }, "bob"],
  ["c", { category: "play", tags: ["y"], kind: "fact", area: "trip" }, "ada"],
  ["d", { category: "rest", tags: ["z"], occurredAt: "2020-05-05", validUntil: "2020-06-01" }, "cy"],
  ["e", {}, undefined],
] as const;

const FILTERS: readonly (readonly [contents: string, filter: MemoryFilter])[] = [
  ["ab", { category: "work" }],
  ["abc", { category: ["work", "play"] }],
  ["b", { tag: ["x", "y"] }],
  ["a", { tag: ["x"], not: { tag: ["y"] } }],
  ["cde", { not: { category: "work" } }],
  ["e", { not: { agent: ["ada", "bob", "cy"] } }],
  ["ac", { agent: "ada" }],
  ["abd", { agent: ["ada", "bob", "cy"], not: { category: ["play"] } }],
  ["ac", { kind: "fact" }],
  ["abc", { kind: ["fact", "decision"], not: { area: "sea" } }],
  ["bc", { area: "trip" }],
  ["b", { area: ["trip"], not: { kind: "fact" } }],
  ["d", { until: "2020-12-31" }],
  ["abce", { since: "2021-01-01" }],
  ["d", { since: "2020-05-05", until: "2020-05-05" }],
  ["abce", { validAt: "2020-06-01" }],
];

const chosen = (
  memories: readonly { readonly content: string }[],
  advice: readonly string[] = [],
): Chosen => ({
  contents: memories.map(({ content }) => content).sort(),
  advice,
});

function queryOf({ not, ...filter }: MemoryFilter): string {
  const query = new URLSearchParams();
  const add = (prefix: string, labels: object): void => {
    for (const [name, value] of Object.entries(labels))
      for (const one of [value].flat()) query.append(`${prefix}${name}`, one);
  };
  add("", filter);
  add("not.", not ?? {});
  return query.toString();
}

function optionsOf({ not, agent, validAt, ...filter }: MemoryFilter): readonly string[] {
  const options = { ...filter, by: agent, "valid-at": validAt };
  const { agent: notBy, ...others } = not ?? {};
  const nots = Object.entries({ ...others, by: notBy }).map(
    ([name, value]) => [`not-${name}`, value] as const,
  );
  return [...Object.entries(options), ...nots].flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [`--${name}`, String(one)]),
  );
}

async function byCommand(verb: string, filter: MemoryFilter): Promise<Chosen> {
  const io = capturedIo({ env: { CAMBIUM_DAEMON: "off" } });
  const kept = { get: lent };
  const openReplica = async () => new Proxy(here.replica, kept) as Replica;
  const code = await main([verb, ...optionsOf(filter), "--json"], io, { openReplica });
  expect([code, io.stderr()]).toEqual([0, ""]);
  const { memories, advice } = JSON.parse(io.stdout());
  return chosen(memories, advice);
}

/** A replica and its spaces that a command does not close. */
function lent(target: object, name: string | symbol): unknown {
  if (name === Symbol.asyncDispose || name === "close") return async () => {};
  const value: unknown = Reflect.get(target, name, target);
  if (typeof value !== "function") return value;
  return (...args: readonly unknown[]) => {
    const answer: unknown = Reflect.apply(value, target, args);
    return name === "openSpace"
      ? (answer as Promise<object>).then((it) => new Proxy(it, { get: lent }))
      : answer;
  };
}

const byHttp = async (path: string, body?: object): Promise<Chosen> => {
  const { status, json } = await daemon.call(`/v1/spaces/~/${path}`, body === undefined ? {} : { body });
  expect([status, json.error]).toEqual([200, undefined]);
  return chosen(json.memories, json.advice);
};

const byTool = async (name: string, filter: MemoryFilter): Promise<Chosen> => {
  const { memories, advice } = (await call(client.client, name, { ...filter })).data;
  return chosen(memories as never, advice as never);
};

const DOORS: Readonly<Record<string, Door>> = {
  "recall of the library": async (filter) => {
    const found = await space.recall(undefined, filter);
    return chosen(found, found.advice);
  },
  "list of the library": async (filter) => {
    const { memories, advice } = await space.list(filter);
    return chosen(memories, advice);
  },
  "recall by GET": (filter) => byHttp(`recall?${queryOf(filter)}`),
  "recall by POST": (filter) => byHttp("recall", filter),
  "list by GET": (filter) => byHttp(`memories?${queryOf(filter)}`),
  "the command recall": (filter) => byCommand("recall", filter),
  "the command list": (filter) => byCommand("list", filter),
  "the tool recall": (filter) => byTool("recall", filter),
  "the tool list": (filter) => byTool("list", filter),
};

beforeAll(async () => {
  here = await replicaHere();
  space = await here.replica.createSpace({ name: "notes" });
  for (const [content, fields, agent] of MEMORIES) await space.as({ agent }).remember({ content, ...fields });
  daemon = await startDaemon({ openHome: async () => new Proxy(here.replica, { get: lent }) as Replica });
  client = await connect(here.replica, { settings: { tools: "full" } });
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

describe.each(Object.entries(DOORS))("%s", (_name, door) => {
  test("[RK13] takes every filter, with several values and without some", async () => {
    for (const [contents, filter] of FILTERS)
      expect([filter, (await door(filter)).contents]).toEqual([filter, [...contents]]);
  });

  test("[RK14] reads a label that nobody uses as the only one near it, and says so", async () => {
    const { contents, advice } = await door({ category: "wrok" });
    expect(contents).toEqual(["a", "b"]);
    expect(advice).toEqual([
      'No memory here has the category "wrok". "work" was used instead, the only one near it.',
    ]);
    const unlike = await door({ category: "gardening" });
    expect(unlike.contents).toEqual([]);
    expect(unlike.advice[0]).toBe('No memory here has the category "gardening". In use: work, play, rest.');
  });
});

test("[RK14] what leaves memories out is checked, too; what may be either is only named", async () => {
  const list = DOORS["list of the library"] as Door;
  expect(await list({ category: ["play", "rset"] })).toMatchObject({ contents: ["c", "d"] });
  expect(await list({ not: { category: "wrok" } })).toMatchObject({ contents: ["c", "d", "e"] });
  await space.as({}).remember({ content: "f", kind: "facts" });
  const { contents, advice } = await list({ kind: "factz" });
  expect(contents).toEqual([]);
  expect(advice).toEqual(['No memory here has the kind "factz". Nearest: fact, facts.']);
});

test("[LA4] the same words in another order, which recall shows as one, are named too", async () => {
  const { id } = await space.as({}).remember({ content: "On weekdays the canteen closes at three" });
  const other = await space.as({}).remember({ content: "The canteen closes at three on weekdays" });
  await space.as({}).remember({ content: "The canteen closes at three on weekends" });
  const both = [id, other.id];
  const shown = async () =>
    (await space.recall("canteen weekdays")).map((one) => one.id).filter((one) => both.includes(one));
  const [first = "", ...more] = await shown();
  expect(more).toEqual([]);
  const { similar } = (await call(client.client, "forget", { id: first })).data;
  expect(similar).toEqual(both.filter((one) => one !== first));
  expect(await shown()).toEqual(similar);
});

test("[LA4] forgetting names what says the same, and takes it along if told to; one undo brings all back", async () => {
  const written: string[] = [];
  for (const content of [
    "The rent is due on Mondays",
    "The rent is due on Mondays.",
    "the rent is due on mondays",
  ])
    written.push((await space.as({}).remember({ content })).id);
  const [first = "", second = "", third = ""] = written;
  const { similar } = (await call(client.client, "forget", { id: first })).data;
  expect([...(similar as readonly string[])].sort()).toEqual([second, third].sort());
  const openReplica = async () => new Proxy(here.replica, { get: lent }) as Replica;
  const run = async (...line: readonly string[]): Promise<void> => {
    const io = capturedIo({ env: { CAMBIUM_DAEMON: "off" } });
    expect(await main([...line, "--json"], io, { openReplica })).toBe(0);
  };
  const left = async (): Promise<number> => (await space.recall("rent mondays")).length;
  await run("forget", second, "--with-similar");
  expect(await left()).toBe(0);
  await run("undo", "--yes");
  expect((await space.get(second)).deleted || (await space.get(third)).deleted).toBe(false);

  // Each door forgets several in one change, and nothing where one of them is not there.
  const ada = space.as({});
  const doors = [
    (id: string, also: readonly string[]) => ada.forget(id, { also }),
    async (id: string, also: readonly string[]) => {
      const query = also.map((one) => `also=${one}`).join("&");
      const { status } = await daemon.call(`/v1/spaces/~/memories/${id}?${query}`, { method: "DELETE" });
      if (status !== 200) throw new Error(String(status));
    },
    (id: string, also: readonly string[]) => call(client.client, "forget", { id, also }),
  ];
  for (const forget of doors) {
    const { changes } = await space.log();
    await expect(forget(second, [first])).rejects.toThrow(); // forgotten already
    expect((await space.get(second)).deleted).toBe(false);
    await forget(second, [third, second]);
    expect((await space.log()).changes).toHaveLength(changes.length + 1);
    expect((await ada.undo()).memories.map(({ id }) => id).sort()).toEqual([second, third].sort());
  }
});
