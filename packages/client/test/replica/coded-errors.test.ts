/** Nothing leaves the library without a code. */
import { ERROR_CODES, isCambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { withCodes } from "../../src/replica/coded-errors.js";
import { World } from "../support/world.js";

class Inner {
  readonly #secret = "kept";
  tell(): string {
    return this.#secret;
  }
  fail(): never {
    throw new RangeError("within");
  }
}

class Door {
  readonly #inner = new Inner();
  readonly thrown: () => unknown;
  constructor(thrown: () => unknown) {
    this.thrown = thrown;
  }
  get sync(): Inner {
    return this.#inner;
  }
  async openSpace(): Promise<Inner> {
    return this.#inner;
  }
  now(): never {
    throw this.thrown();
  }
  async later(): Promise<never> {
    throw this.thrown();
  }
  async ask(options: { readonly confirmed: () => Promise<boolean> }): Promise<boolean> {
    return options.confirmed();
  }
}

const doorThat = (thrown: unknown): Door => withCodes(new Door(() => thrown));

describe("a door", () => {
  const sqlite = (errcode: number) =>
    Object.assign(new Error("database disk image"), { code: "ERR_SQLITE_ERROR", errcode });

  test.each([
    ["what nobody foresaw", new TypeError("x is not a function"), "INTERNAL"],
    ["something that is no error", "text", "INTERNAL"],
    ["nothing at all", undefined, "INTERNAL"],
    ["a full disk", Object.assign(new Error("ENOSPC: no space"), { code: "ENOSPC" }), "STORE_FAILED"],
    ["a home that is gone", Object.assign(new Error("ENOENT"), { code: "ENOENT" }), "STORE_FAILED"],
    ["a malformed database", sqlite(11), "STORE_DAMAGED"],
    ["a database that cannot be written", sqlite(10), "STORE_FAILED"],
    ["a stop", new DOMException("stopped", "AbortError"), "ABORTED"],
    ["a time that has passed", new DOMException("late", "TimeoutError"), "TIMED_OUT"],
  ])("[RP33] gives %s a code, and keeps it as the cause", async (_, thrown, code) => {
    const door = doorThat(thrown);
    const wanted = thrown === undefined ? { code } : { code, cause: thrown };
    expect(() => door.now()).toThrow(expect.objectContaining(wanted));
    await expect(door.later()).rejects.toMatchObject(wanted);
  });

  test("[RP33] leaves alone what has a code, and what functions of the caller throw", async () => {
    const own = new Error("the caller's own");
    const door = doorThat(undefined);
    const confirmed = async (): Promise<boolean> => {
      throw own;
    };
    await expect(door.ask({ confirmed })).rejects.toBe(own);
    expect(await door.ask({ confirmed: async () => true })).toBe(true);
  });

  test("[RP33] gives doors, which stay the same", async () => {
    const door = doorThat(undefined);
    expect(door.sync.tell()).toBe("kept");
    expect(door.sync).toBe(door.sync);
    expect(await door.openSpace()).toBe(door.sync);
    expect(() => door.sync.fail()).toThrow(expect.objectContaining({ code: "INTERNAL" }));
  });
});

type Members = Readonly<Record<string, unknown>>;

/** Every method of a door, and of the doors it has, but those that end it, wait, or write a file wherever they are told. */
function methodsOf(door: object, path = ""): readonly (readonly [string, (...args: unknown[]) => unknown])[] {
  const names = new Set<string>();
  for (let level: object | null = door; level !== null && level !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
    level = Object.getPrototypeOf(level) as object | null;
  }
  return [...names].flatMap((name) => {
    const member = (door as Members)[name];
    if (["constructor", "close", "stop", "start", "subscribe", "whenSynced", "export"].includes(name))
      return [];
    if (typeof member === "function") return [[path + name, member as never] as const];
    const isEntryPoint = ["branches", "checkpoints", "requests", "policy", "audit", "sync"].includes(name);
    return isEntryPoint ? methodsOf(member as object, `${path}${name}.`) : [];
  });
}

test("[RP33] whatever a program hands to whichever method, what comes back as an error has a code", async () => {
  await using world = new World(330);
  const { space, replica } = await world.found();
  const agent = space.as({ agent: "a", role: "owner", confirmed: true });
  const { id } = await agent.remember({ content: "here" });
  const junk: readonly (readonly unknown[])[] = [
    [],
    [null],
    [undefined, null],
    [id, null],
    [id, 7, 7],
    [Symbol("s")],
    [{}],
    [[null]],
    [{ content: 1n, branch: {}, at: [] }],
    [NaN, { branch: 3, at: 3, limit: "x" }],
  ];
  for (const door of [replica, space, agent]) {
    for (const [name, method] of methodsOf(door)) {
      for (const args of junk) {
        const thrown = await Promise.resolve()
          .then(() => method(...args))
          .then(
            () => undefined,
            (error: unknown) => ({ error }),
          );
        if (thrown === undefined) continue;
        const said = `${name}: ${String(thrown.error)}`;
        expect(isCambiumError(thrown.error) ? "a code" : said).toBe("a code");
        expect(Object.keys(ERROR_CODES)).toContain((thrown.error as { code: string }).code);
      }
    }
  }
  expect((await space.get(id)).id).toBe(id);
});

describe("a clock of the caller", () => {
  const WRONG: readonly unknown[] = [Number.NaN, Number.POSITIVE_INFINITY, 1.5, 9e15, "1", undefined, 10n];

  test("[RP37] that gives no time is BAD_INPUT, and nothing is written with it", async () => {
    await using world = new World(360);
    let wrong: unknown;
    let isWrong = false;
    const clock = () => (isWrong ? (wrong as number) : world.clock.now());
    const { replica, space } = await world.found("device", { clock });
    const agent = space.as({ agent: "a" });
    const { id } = await agent.remember({ content: "before" });
    const before = await space.log();
    const refused = { code: "BAD_INPUT", message: expect.stringMatching(/^The clock gave /) };
    for (wrong of WRONG) {
      isWrong = true;
      await expect(agent.remember({ content: "never" })).rejects.toMatchObject(refused);
      await expect(agent.revise(id, { content: "never" })).rejects.toMatchObject(refused);
      await expect(replica.createSpace({ name: "never" })).rejects.toMatchObject(refused);
      await expect(world.open(world.newHome(), { clock })).rejects.toMatchObject(refused);
      isWrong = false;
    }
    expect(await space.log()).toEqual(before);
    expect((await replica.spaces()).map(({ name }) => name)).toEqual(["shared"]);
    expect((await agent.remember({ content: "after" })).content).toBe("after");
    expect((await space.verify()).ok).toBe(true);
  });

  test("[RP33] that throws, throws what it threw", async () => {
    await using world = new World(361);
    const own = new Error("the caller's own");
    const clock = (): number => {
      throw own;
    };
    await expect(world.open(world.newHome(), { clock })).rejects.toBe(own);
  });
});

test("[RP34] a signal that is none is BAD_INPUT", async () => {
  await using world = new World(362);
  const { space } = await world.found();
  const signal = {} as AbortSignal;
  const refused = { code: "BAD_INPUT", message: expect.stringContaining("signal") };
  await expect(space.sync.whenSynced({ signal })).rejects.toMatchObject(refused);
  await expect(space.verify({ signal })).rejects.toMatchObject(refused);
});
