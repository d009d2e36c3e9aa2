import { describe, expect, test, vi } from "vitest";
import type { Space } from "../../src/api.js";
import { converged, type Device, until, World } from "../support/world.js";

/** Sealing stands still at one of the next entries until it is let go on. */
const sealing = vi.hoisted(() => {
  let countdown = 0;
  let reached = Promise.withResolvers<void>();
  let goOn = Promise.withResolvers<void>();
  return {
    pauseAt(number: number): void {
      countdown = number;
      [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    },
    get isPaused(): Promise<void> {
      return reached.promise;
    },
    goOn: (): void => goOn.resolve(),
    async pass(): Promise<void> {
      if (countdown === 0) return;
      countdown -= 1;
      if (countdown > 0) return;
      reached.resolve();
      await goOn.promise;
    },
  };
});

vi.mock("../../src/platform/node-platform.js", async (original) => {
  const actual = await original<typeof import("../../src/platform/node-platform.js")>();
  const nodePlatform: typeof actual.nodePlatform = (overrides) => {
    const platform = actual.nodePlatform(overrides);
    const encrypt: typeof platform.cipher.encrypt = async (input) => {
      await sealing.pass();
      return platform.cipher.encrypt(input);
    };
    return { ...platform, cipher: { ...platform.cipher, encrypt } };
  };
  return { ...actual, nodePlatform };
});

interface Pair {
  readonly a: Device;
  readonly b: Device;
}

async function pair(world: World): Promise<Pair> {
  const a = await world.found("a");
  await a.space.as({ agent: "ada" }).remember({ content: "common" });
  await a.space.branches.create("draft");
  const b = await world.join(a, "b", { role: "admin" });
  await converged(a, b);
  return { a, b };
}

/** Begins a call, lets another one come in while the n-th thing that it seals is sealed, and lets it end. */
async function during<Result>(
  number: number,
  call: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
): Promise<PromiseSettledResult<Result>> {
  sealing.pauseAt(number);
  const ended = Promise.allSettled([call()]);
  await sealing.isPaused;
  await meanwhile().finally(sealing.goOn);
  return (await ended)[0];
}

const draftOf = async (space: Space) =>
  (await space.branches.list({ deleted: true })).find(({ name }) => name !== "main");

/** A rename seals the record of the name first, then the entry. */
const RECORD = 1;
const ENTRY = 2;

describe("[CO88] what another has decided while an entry is sealed is not written over", () => {
  test.each([RECORD, ENTRY])(
    "a branch deleted elsewhere stays deleted when it is renamed (%i)",
    async (at) => {
      await using world = await World.withRelay(2310 + at);
      const { a, b } = await pair(world);
      const renamed = await during(
        at,
        () => a.space.branches.rename("draft", "essay"),
        async () => {
          await b.space.branches.delete("draft");
          await until(
            "the deletion is here",
            [a],
            async () => (await draftOf(a.space))?.status === "deleted",
          );
        },
      );
      expect(renamed).toMatchObject({ status: "fulfilled", value: { name: "essay", status: "deleted" } });
      await converged(a, b);
      for (const { space } of [a, b])
        expect(await draftOf(space)).toMatchObject({ name: "essay", status: "deleted" });
    },
  );

  test.each([RECORD, ENTRY])("a name given elsewhere is not replaced unseen (%i)", async (at) => {
    await using world = await World.withRelay(2320 + at);
    const { a, b } = await pair(world);
    const renamed = await during(
      at,
      () => a.space.branches.rename("draft", "essay"),
      async () => {
        await b.space.branches.rename("draft", "novel");
        await until("the name is here", [a], async () => (await draftOf(a.space))?.name === "novel");
      },
    );
    expect(renamed).toMatchObject({ status: "rejected", reason: { code: "STALE_EXPECTATION" } });
    await converged(a, b);
    expect(await draftOf(b.space)).toMatchObject({ name: "novel", status: "open" });
    expect(await a.space.branches.rename("novel", "essay")).toMatchObject({ name: "essay" });
  });

  test("a branch that is deleted keeps the name given elsewhere", async () => {
    await using world = await World.withRelay(2330);
    const { a, b } = await pair(world);
    await during(
      1,
      () => a.space.branches.delete("draft"),
      async () => {
        await b.space.branches.rename("draft", "novel");
        await until("the name is here", [a], async () => (await draftOf(a.space))?.name === "novel");
      },
    );
    await converged(a, b);
    expect(await draftOf(b.space)).toMatchObject({ name: "novel", status: "deleted" });
  });

  test("each cell of a policy set elsewhere stays, and the same one is not replaced unseen", async () => {
    await using world = await World.withRelay(2340);
    const { a, b } = await pair(world);
    const isHere = (operation: string) => () =>
      a.space.policy.show().then(({ changed }) => changed.some((cell) => cell.operation === operation));
    await during(
      1,
      () => a.space.policy.set("forget", "agent", "confirm"),
      async () => {
        await b.space.policy.set("fork", "agent", "refuse");
        await until("the policy is here", [a], isHere("fork"));
      },
    );
    const same = await during(
      1,
      () => a.space.policy.set("write", "agent", "confirm"),
      async () => {
        await b.space.policy.set("write", "agent", "refuse");
        await until("the policy is here", [a], isHere("write"));
      },
    );
    expect(same).toMatchObject({ status: "rejected", reason: { code: "STALE_EXPECTATION" } });
    const { changed } = await a.space.policy.show();
    expect(Object.fromEntries(changed.map((cell) => [cell.operation, cell.class]))).toEqual({
      forget: "confirm",
      fork: "refuse",
      write: "refuse",
    });
  });

  test("settings of checkpoints and cells of a policy that are set at once in one process all stay", async () => {
    await using world = new World(2350);
    const { space } = await world.found("a");
    await Promise.all([
      space.checkpoints.setPolicy({ bulk: 7 }),
      space.checkpoints.setPolicy({ weekly: false }),
      space.policy.set("forget", "agent", "confirm"),
      space.policy.set("fork", "agent", "refuse"),
      ...Array.from({ length: 20 }, (_, day) => space.checkpoints.setPolicy({ byHand: 100 + day })),
    ]);
    expect(await space.checkpoints.policy()).toMatchObject({ bulk: 7, weekly: false, byHand: 119 });
    const { changed } = await space.policy.show();
    expect(changed.map(({ operation }) => operation).sort()).toEqual(["forget", "fork"]);
  });
});
