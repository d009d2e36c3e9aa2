import { rmSync } from "node:fs";
import { isCambiumError } from "@cambium/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METHODS, SIGNATURES } from "../../src/api/signatures.js";
import { type GuardedMethod, type Signature, signatureOf } from "../../src/arguments/signature.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { encodeInvitation, parseInvitation } from "../../src/sync/invitation.js";
import { seededNumbers } from "../support/seeded.js";
import { World } from "../support/world.js";

const LONG = "x".repeat(300_000);
const WRONG: readonly unknown[] = [
  ...[undefined, null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 7n, true, false],
  ...["", " ", "\0", "a\0b", "\ud800", "main@", "~", "@", LONG, Symbol("s")],
  ...[[], [null], ["\ud800"], {}, { id: null }, Object.create(null), new Date(Number.NaN), () => undefined],
  ...[new Map(), new Uint8Array(3)],
];
const WRONG_WITHIN: readonly unknown[] = [null, 7, "\ud800", {}, [null], true];
/** A soak run takes all of them. */
const TRIES_EACH = 15;
/** Wrong below the first level, where options and inputs hold more. */
const NESTED = [
  ...["branch", "at", "content", "tags", "links", "git", "source", "name", "from", "to", "only", "ids"],
  ...["version", "type", "role", "limit", "cursor", "since", "until", "validAt", "expect", "strategy"],
  ...["resolutions", "resolver", "discard", "keep", "field", "value", "last", "change", "scope", "relay"],
  ...["agent", "session", "request", "confirmed", "onBranch", "times", "threshold", "maxBytes", "causes"],
];
/** They end the space, wait for what never comes, or take long; or they are no calls. */
const LEFT: ReadonlySet<string> = new Set(["close", "reindex", "verify", "summariesMade", "spaces"]);

interface Target {
  readonly of: string;
  readonly owner: object;
  readonly signatures: Readonly<Record<string, Signature | GuardedMethod>>;
}

/** The sensible call, from which the wrong ones differ in one place. */
async function sensibleArguments(world: World) {
  const { space, replica } = await world.found();
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const { id } = await agent.remember({ content: "a thing", tags: ["t"] });
  await agent.branches.create("side");
  await agent.checkpoints.create({ name: "cp" });
  const byName: Readonly<Record<string, unknown>> = {
    ...{ id, ids: [id], input: { content: "b" }, inputs: [{ content: "c" }, { content: "d" }] },
    ...{ options: {}, query: "thing", from: "main", to: "side", branch: "side", version: 1, topic: "thing" },
    ...{ resolution: { discard: [] }, edit: { type: "create-entities", entities: [] }, name: "fresh" },
    ...{ identity: {}, ref: "main", of: "a thing", checkpoint: "cp", changes: {}, listener: () => undefined },
    ...{ path: world.root, operation: "fork", role: "agent", class: "allow", value: 5, invitation: "x" },
    ...{ request: { key: "k", fingerprint: "f" }, space: "shared", proposal: { ids: [id], combined: {} } },
  };
  const targets: readonly Target[] = [
    { of: "space", owner: space, signatures: SIGNATURES.space },
    { of: "space.at", owner: space.at("main"), signatures: SIGNATURES.reader },
    { of: "agent", owner: agent, signatures: METHODS.agent },
    { of: "branches", owner: agent.branches, signatures: METHODS.branches },
    { of: "checkpoints", owner: agent.checkpoints, signatures: METHODS.checkpoints },
    { of: "requests", owner: space.requests, signatures: SIGNATURES.requests },
    { of: "policy", owner: space.policy, signatures: SIGNATURES.policy },
    { of: "audit", owner: space.audit, signatures: { list: SIGNATURES.audit.list ?? [] } },
    { of: "replica", owner: replica, signatures: SIGNATURES.replica },
  ];
  return { byName, targets };
}

/** @returns what was thrown, unless it is an error of ours that says what to do */
async function problemOf(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
  } catch (error) {
    if (isCambiumError(error) && error.code !== "INTERNAL" && error.message.length < 1_000) return undefined;
    return isCambiumError(error)
      ? `${error.code}: ${error.message.slice(0, 200)}`
      : String((error as Error).stack);
  }
  return undefined;
}

type Try = readonly [what: string, args: readonly unknown[]];

/** Each differs from the sensible call in one place. */
function triesOf(signature: Signature, sensible: readonly unknown[]): readonly Try[] {
  const whole = signature.flatMap((_, index) =>
    WRONG.map((wrong): Try => [`#${index} ${shown(wrong)}`, sensible.with(index, wrong)]),
  );
  const within = sensible.flatMap((value, index) =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? []
      : NESTED.flatMap((key) =>
          WRONG_WITHIN.map(
            (wrong): Try => [
              `#${index}.${key} ${shown(wrong)}`,
              sensible.with(index, { ...value, [key]: wrong }),
            ],
          ),
        ),
  );
  return [...whole, ...within];
}

describe("calls that no compiler has read", () => {
  test("[RP34] whatever the arguments, each is answered, or refused with a code", async () => {
    await using world = new World(150);
    const random = seededNumbers(150);
    const isSoak = fc.readConfigureGlobal().numRuns !== undefined;
    const { byName, targets } = await sensibleArguments(world);
    const problems: string[] = [];
    for (const { of, owner, signatures } of targets) {
      for (const [method, checked] of Object.entries(signatures)) {
        if (LEFT.has(method)) continue;
        const signature = signatureOf(checked);
        const call = Reflect.get(owner, method) as (...args: readonly unknown[]) => unknown;
        const all = triesOf(
          signature,
          signature.map(([name]) => byName[name]),
        );
        const share = isSoak ? 1 : TRIES_EACH / all.length;
        for (const [what, args] of all.filter(() => random() < share)) {
          const problem = await problemOf(() => Reflect.apply(call, owner, args));
          if (problem !== undefined) problems.push(`${of}.${method} ${what}: ${problem}`);
        }
      }
    }
    // What is no sensible path may be one: an export is written there.
    for (const path of WRONG)
      if (typeof path === "string" && /^[@~a-z ]{1,9}$/.test(path)) rmSync(path, { force: true });
    expect(problems).toEqual([]);
  });

  test("[RP34] what has no meaning is not taken for something else", async () => {
    await using world = new World(151);
    const { space } = await world.found();
    const refused = { code: "BAD_INPUT" };
    // What a caller in JavaScript may hand over; the compiler would refuse each.
    const wrong = <T>(value: unknown): T => value as T;
    const agent = space.as({ agent: "ada" });
    const { id } = await agent.remember({ content: "base" });
    await agent.branches.create("side");
    await agent.revise(id, { content: "there" }, { branch: "side" });
    await agent.revise(id, { content: "here" });
    expect(() => space.as({ role: wrong("king") })).toThrow(expect.objectContaining(refused));
    for (const call of [
      () => space.get(wrong(null)),
      () => agent.revise(id, { content: "x", type: wrong("rollback") }),
      () => agent.merge({ from: "side", strategy: wrong("ours") }),
      () => agent.merge({ from: "side", resolutions: { [id]: wrong("mine") } }),
      () => agent.merge({ from: "side", resolutions: { [id]: { content: { take: wrong("mine") } } } }),
      () => agent.merge({ from: "side", resolver: () => ({ content: { take: wrong("mine") } }) }),
      () => space.list({ limit: wrong("5") }),
    ])
      await expect(call()).rejects.toMatchObject(refused);
    expect((await space.get(id)).content).toBe("here");
    for (const options of [null, {}, { dir: 7 }, { dir: world.root, storage: "tape" }])
      await expect(openReplica(wrong(options))).rejects.toMatchObject(refused);
    for (const none of [null, undefined, 7, {}]) {
      expect(() => encodeInvitation(wrong(none))).toThrow(expect.objectContaining(refused));
      expect(() => parseInvitation(wrong(none))).toThrow(expect.objectContaining({ code: "BAD_INVITATION" }));
    }
  });
});

const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 10));
  if (typeof value === "object" && value !== null)
    return Object.prototype.toString.call(value) + JSON.stringify(value);
  return String(value);
};
