import { type CambiumError, isCambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { ApprovalRequest, Space } from "../../src/api.js";
import { allSynced, type Device, synced, World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

const owner = (space: Space) => space.as({ role: "owner", confirmed: true });

/** The request that a call of an agent becomes. */
async function requestOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (!isCambiumError(error, "APPROVAL_NEEDED")) throw error;
  return String((error as CambiumError).details?.request);
}

async function shownOn({ space }: Pick<Device, "space">, id: string): Promise<ApprovalRequest> {
  return await owner(space).requests.get(id);
}

describe("a request for what is erased by somebody else", () => {
  test("[ER72] is closed by that erasure and names it, by ids or labels, and no other is", async () => {
    await using world = new World(31);
    const { space } = await world.found("laptop");
    const bot = space.as({ agent: "bot" });
    const { id } = await bot.remember({ content: SECRET, category: "doors" });
    const tea = await bot.remember({ content: "Ada drinks tea at four", category: "drinks" });
    const [byId, byLabel] = [
      await requestOf(bot.erase({ ids: [id] })),
      await requestOf(bot.erase({ category: "doors" })),
    ];
    const both = await requestOf(bot.erase({ agent: "bot" }));
    const hiding = await requestOf(bot.conceal([tea.id]));
    const quoting = await requestOf(bot.erase({ ids: [tea.id], reason: `It repeats: ${SECRET}` }));
    await space.requests.decline(both, { reason: `Nobody else knows ${SECRET}` });
    await owner(space).erase({ ids: [id], confirm: 1 });
    const [erasure] = await space.erasures();
    for (const request of [byId, byLabel, quoting]) {
      const shown = await shownOn({ space }, request);
      expect(shown).toMatchObject({ state: "erased", erasure: { id: erasure?.id, at: erasure?.at } });
      expect(shown.erasure?.by).toMatchObject({ device: "laptop" });
      for (const decide of ["approve", "decline", "withdraw", "preview"] as const)
        await expect(space.requests[decide](request)).rejects.toMatchObject({
          code: "REQUEST_CLOSED",
          message: expect.stringContaining(erasure?.id as string),
        });
    }
    expect(await shownOn({ space }, both)).toMatchObject({ state: "declined" });
    expect((await space.requests.list({ state: "open" })).map((one) => one.id)).toEqual([hiding]);
    expect(await space.traces([SECRET])).toEqual([]);
    await space.requests.approve(hiding);
  });

  test("[ER72] of which a version stays: who only names it is asked about it still", async () => {
    await using world = new World(32);
    const { space } = await world.found();
    const bot = space.as({ agent: "bot" });
    const { id } = await bot.remember({ content: SECRET });
    await bot.revise(id, { content: "The door has a code" });
    const hiding = await requestOf(bot.conceal([id]));
    await owner(space).erase({ ids: [id], versions: [{ id, version: 1 }], confirm: 1 });
    expect(await shownOn({ space }, hiding)).toMatchObject({ state: "open" });
    await space.requests.approve(hiding);
    expect((await space.list()).memories).toEqual([]);
  });

  test("[ER72] short, or a part of a word, it is no quotation, and neither is how a call is written down", async () => {
    await using world = new World(35);
    const { space } = await world.found();
    const bot = space.as({ agent: "bot" });
    const printer = await bot.remember({ content: "The printer is on floor three" });
    const asked = await requestOf(bot.erase({ ids: [printer.id], reason: "It moved to the cellar" }));
    const said = await requestOf(bot.erase({ query: "floor three", reason: "args" }));
    const code = await requestOf(bot.erase({ query: "printer", reason: "its code is 4711" }));
    for (const content of ["args", "the", "cell", "ids", "moved", "reason", "to the", "4711"]) {
      const { id } = await bot.remember({ content });
      await owner(space).erase({ ids: [id], confirm: 1 });
    }
    expect(await shownOn({ space }, asked)).toMatchObject({
      ...{ state: "open", reason: "It moved to the cellar" },
    });
    expect(await shownOn({ space }, said)).toMatchObject({ state: "erased" });
    expect(await shownOn({ space }, code)).toMatchObject({ state: "erased" });
  });

  test("[ER72] [ER18] made where nobody knew of it is closed on both devices, and its words are gone", async () => {
    await using world = await World.withRelay(33);
    const laptop = await world.found("laptop");
    const desk = await world.join(laptop, "desk");
    const bot = desk.space.as({ agent: "bot" });
    const { id } = await bot.remember({ content: SECRET });
    const tea = await bot.remember({ content: "Ada drinks tea at four" });
    await allSynced(desk, laptop);
    world.proxy.cut();
    const byId = await requestOf(bot.erase({ ids: [id] }));
    const quoting = await requestOf(bot.erase({ query: "tea", reason: `As ${SECRET} was` }));
    await owner(laptop.space).erase({ ids: [id], confirm: 1 });
    const [erasure] = await laptop.space.erasures();
    world.proxy.restore();
    await allSynced(desk, laptop, desk);
    for (const device of [laptop, desk]) {
      for (const request of [byId, quoting])
        expect(await shownOn(device, request)).toMatchObject({
          state: "erased",
          erasure: { id: erasure?.id, by: { device: "laptop" } },
        });
      expect((await device.space.status()).requests).toBe(0);
      expect(await device.space.traces([SECRET, "zwyvernhof"])).toEqual([]);
      expect(await device.space.erasures()).toMatchObject([{ waiting: [], relay: "destroyed" }]);
      expect((await device.space.get(tea.id)).content).toContain("tea");
    }
    expect(await desk.space.traces([SECRET], { paths: [world.relayDir] })).toEqual([]);
  });

  test("[ER72] and of which one is approved while another asks: what ran is approved, the other is closed", async () => {
    await using world = await World.withRelay(34);
    const laptop = await world.found("laptop");
    const desk = await world.join(laptop, "desk");
    const { id } = await desk.space.as({ agent: "bot" }).remember({ content: SECRET });
    const [ran, other] = [
      await requestOf(desk.space.as({ agent: "bot" }).erase({ ids: [id] })),
      await requestOf(desk.space.as({ agent: "cat" }).erase({ ids: [id] })),
    ];
    await allSynced(desk, laptop);
    await laptop.space.requests.approve(ran);
    await synced(laptop);
    await synced(desk);
    for (const device of [laptop, desk]) {
      expect(await shownOn(device, ran)).toMatchObject({ state: "approved" });
      expect(await shownOn(device, other)).toMatchObject({ state: "erased" });
    }
  });
});
