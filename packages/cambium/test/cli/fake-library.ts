/**
 * A library that answers what a test tells it to and remembers what it was asked; whatever a test has not
 * foreseen fails.
 */
import type { Agent, Replica, Space } from "@cambium/client";
import type { Library } from "../../src/cli/context.js";
import { REPLICA, SPACE } from "./fixtures.js";

export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface FakeAnswers {
  readonly space?: Partial<Space>;
  readonly agent?: Partial<Agent>;
  readonly replica?: Partial<Replica>;
}

export function fakeLibrary(answers: FakeAnswers): {
  readonly library: Library;
  readonly calls: readonly Call[];
} {
  const calls: Call[] = [];
  const note =
    (name: string, result?: unknown) =>
    (...args: readonly unknown[]): unknown => {
      calls.push({ name, args });
      return result;
    };
  const disposable = { [Symbol.asyncDispose]: async () => void note("dispose")() };
  const agent = double<Agent>("agent", { ...answers.agent }, calls);
  const space = double<Space>(
    "space",
    {
      id: SPACE,
      name: "notes",
      replica: REPLICA,
      role: "admin",
      as: (identity) => note("space.as", agent)(identity) as Agent,
      alike: async () => [],
      erasures: async () => [],
      subscribe: () => () => undefined,
      ...disposable,
      ...answers.space,
    },
    calls,
  );
  const replica = double<Replica>(
    "replica",
    {
      openSpace: async (...args) => note("replica.openSpace", space)(...args) as Space,
      createSpace: async (...args) => note("replica.createSpace", space)(...args) as Space,
      joinSpace: async (...args) => note("replica.joinSpace", space)(...args) as Space,
      pairSpace: async (...args) => note("replica.pairSpace", space)(...args) as Space,
      recoverSpace: async (...args) => note("replica.recoverSpace", space)(...args) as Space,
      spaces: async () => [],
      damagedSpaces: async () => [],
      ...disposable,
      ...answers.replica,
    },
    calls,
  );
  return {
    library: { openReplica: async (options) => note("openReplica", replica)(options) as Replica },
    calls,
  };
}

function double<T extends object>(name: string, known: Partial<T>, calls: Call[]): T {
  return new Proxy(known, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || key === "then") return value;
      if (value === undefined) throw new Error(`The test did not foresee ${name}.${key}.`);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        calls.push({ name: `${name}.${key}`, args });
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  }) as T;
}
