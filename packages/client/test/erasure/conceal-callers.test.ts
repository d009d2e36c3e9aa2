import type { CambiumError, MemoryId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { EraseResult, Space } from "../../src/api.js";
import { type Device, synced, World } from "../support/world.js";

const SECRET = "The surprise party is at the Zwyvernhof on Friday";

const owner = (space: Space) => space.as({ role: "owner", confirmed: true });

/** The request that a call of an agent becomes. */
const requestOf = async (call: Promise<unknown>): Promise<string> =>
  String(((await call.catch((error: unknown) => error)) as CambiumError).details?.request);

describe("what is concealed, by who asks,", () => {
  test("[ER64] is the owner's: agents need approval, and neither they nor readers see the list", async () => {
    await using world = await World.withRelay(8);
    const ada = await world.found();
    const agent = ada.space.as({ agent: "cursor" });
    const { id } = await agent.remember({ content: SECRET });
    const asked = await agent.conceal([id]).catch((error: unknown) => error);
    expect(asked).toMatchObject({ code: "APPROVAL_NEEDED", details: { affected: 1 } });
    expect((await ada.space.get(id)).content).toBe(SECRET);
    await ada.space.requests.approve((asked as CambiumError).details?.request as string);
    expect((await ada.space.list()).memories).toEqual([]);
    await expect(agent.concealed()).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await expect(agent.reveal([id])).rejects.toMatchObject({ code: "APPROVAL_NEEDED" });
    const reader = await world.join(ada, "reader", { role: "read" });
    for (const device of [ada, reader]) await synced(device);
    expect((await reader.space.list()).memories).toEqual([]);
    await expect(reader.space.as({}).reveal([id])).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await expect(agent.revise(id, { content: "x" })).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    const noted = (await ada.space.audit.list()).entries.map(({ operation }) => operation);
    expect(noted).toContain("conceal");
  });

  test("[ER64] is revealed for an agent by its whole id, and an id that never was gets the same answer", async () => {
    await using world = new World(15);
    const { space } = await world.found();
    const agent = space.as({ agent: "cursor" });
    const ids: string[] = [];
    for (const name of ["first", "second"])
      ids.push((await agent.remember({ content: `${name} ${SECRET}` })).id);
    const shown = await agent.remember({ content: "Tea at four" });
    await owner(space).conceal(ids);
    const [id] = ids as [string];
    const unknown = `${id.slice(0, -4)}ffff`;
    const told = async (name: string) => {
      const error = await agent.reveal([name]).catch((problem: unknown) => problem as CambiumError);
      const said = JSON.stringify(error, ["code", "message", "hint", "details", "ids", "affected"]);
      const { request } = (error as CambiumError).details ?? {};
      return said.replaceAll(String(request), "a request").replaceAll(name, "a name");
    };
    const first = await told(id);
    expect(first).toContain("APPROVAL_NEEDED");
    expect(await told(unknown)).toBe(first);
    for (const [part, none] of [[id.slice(0, 8), "ffffffff"] as const, [id.slice(0, 30), "ffff"] as const]) {
      expect(await told(part)).toContain("MEMORY_NOT_FOUND");
      expect(await told(none)).toBe(await told(part));
    }
    expect(await told(shown.id)).toContain("MEMORY_NOT_FOUND");
    const open = (await space.requests.list({ state: "open" })).find(({ preview }) =>
      preview.ids.includes(unknown as MemoryId),
    );
    await expect(space.requests.approve(open?.id as string)).rejects.toMatchObject({
      code: "MEMORY_NOT_FOUND",
    });
    await owner(space).policy.set("conceal", "agent", "allow");
    expect((await agent.reveal([id])).map((one) => one.memory?.id)).toEqual([id]);
    expect((await space.get(id)).content).toContain("first");
  });

  test("[ER61] is named by no event of the log and by no request, but to the owner", async () => {
    await using world = new World(18);
    const { space } = await world.found();
    const [ada, bob, asOwner] = [space.as({ agent: "ada" }), space.as({ agent: "bob" }), owner(space)];
    const { id } = await ada.remember({ content: SECRET });
    const tea = await ada.remember({ content: "Tea at four" });
    await ada.reinforce([id, tea.id]);
    await ada.reinforce([id]);
    await expect(ada.restore(id, { version: 9 })).rejects.toThrow();
    await expect(ada.erase({ ids: [id] })).rejects.toMatchObject({ code: "APPROVAL_NEEDED" });
    const events = async () => (await space.log()).events?.map(({ type, memories }) => [type, memories]);
    const [all, request] = [await events(), (await bob.requests.list())[0]];
    expect(all).toHaveLength(3);
    expect(request?.preview.ids).toEqual([id]);
    await asOwner.conceal([id]);
    expect(await events()).toEqual([["reinforce", [tea.id]]]);
    expect(await bob.requests.list()).toEqual([]);
    expect((await space.brief({ agent: "bob", peek: true })).requests.total).toBe(0);
    const asked = request?.id as string;
    for (const look of ["get", "preview", "withdraw"] as const)
      await expect(bob.requests[look](asked)).rejects.toMatchObject({ code: "REQUEST_NOT_FOUND" });
    expect((await asOwner.requests.get(asked)).id).toBe(asked);
    await asOwner.reveal([id]);
    expect(await events()).toEqual(all);
    expect((await bob.requests.list()).map((one) => one.id)).toEqual([asked]);
  });

  test("[ER64] is in no list of requests, not of whoever asked; one to reveal is shown to nobody else", async () => {
    await using world = new World(22);
    const { space } = await world.found();
    const [ada, bob] = [space.as({ agent: "ada" }), space.as({ agent: "bob" })];
    const { id } = await ada.remember({ content: SECRET });
    const hiding = await requestOf(ada.conceal([id]));
    expect((await ada.requests.get(hiding)).preview.ids).toEqual([id]);
    const early = await requestOf(bob.reveal([id.replace(/^./, "e")]));
    expect((await ada.requests.list()).map((one) => one.id)).toEqual([hiding]);
    await space.requests.approve(hiding);
    expect(await ada.requests.list()).toEqual([]);
    await expect(ada.requests.preview(hiding)).rejects.toMatchObject({ code: "REQUEST_NOT_FOUND" });
    const back = [await requestOf(ada.reveal([id])), await requestOf(ada.reveal([id.replace(/^./, "f")]))];
    const listed = async (by: typeof ada) => (await by.requests.list()).map((one) => one.id).toSorted();
    expect([await listed(ada), await listed(bob)]).toEqual([back.toSorted(), [early]]);
    expect(await space.requests.list()).toHaveLength(4);
  });

  test("[ER68] closes the requests for what the owner has hidden or shown by now, and no others", async () => {
    await using world = new World(21);
    const { space } = await world.found();
    const [ada, bob, asOwner] = [space.as({ agent: "ada" }), space.as({ agent: "bob" }), owner(space)];
    const [{ id }, tea] = [await ada.remember({ content: SECRET }), await ada.remember({ content: "Tea" })];
    const states = async () =>
      Object.fromEntries((await space.requests.list()).map((one) => [one.id, one.state]));
    const [one, both] = [await requestOf(ada.conceal([id])), await requestOf(ada.conceal([id, tea.id]))];
    const other = await requestOf(bob.conceal([id]));
    await asOwner.conceal([id]);
    expect(await states()).toEqual({ [one]: "approved", [both]: "open", [other]: "approved" });
    expect((await space.audit.list({ operation: "approve" })).entries).toHaveLength(2);
    const [back, unknown] = [
      await requestOf(ada.reveal([id])),
      await requestOf(ada.reveal([tea.id.replace(/^./, "f")])),
    ];
    const alike = await requestOf(bob.reveal([id]));
    await space.requests.approve(back);
    expect(await states()).toMatchObject({ [back]: "approved", [alike]: "approved", [unknown]: "open" });
    await space.requests.approve(both);
    expect((await space.list()).memories).toEqual([]);
  });

  test("[ER68] closes them where they were asked for on another device, once that hears of it", async () => {
    await using world = await World.withRelay(22);
    const laptop = await world.found("laptop");
    const desk = await world.join(laptop, "desk");
    const [bot, asOwner] = [desk.space.as({ agent: "bot" }), owner(laptop.space)];
    const [one, two] = [await bot.remember({ content: SECRET }), await bot.remember({ content: "Tea" })];
    for (const device of [desk, laptop]) await synced(device);
    const statesAt = async ({ space }: Device) =>
      Object.fromEntries((await owner(space).requests.list()).map(({ id, state }) => [id, state]));
    const expectClosed = async (request: string): Promise<void> => {
      for (const device of [laptop, desk])
        await expect
          .poll(async () => (await statesAt(device))[request], { timeout: 30_000 })
          .toBe("approved");
    };
    // Asked for where the laptop cannot know of it.
    world.proxy.cut();
    const asked = await requestOf(bot.conceal([one.id]));
    const both = await requestOf(bot.conceal([one.id, two.id]));
    await asOwner.conceal([one.id]);
    world.proxy.restore();
    await expectClosed(asked);
    expect(await statesAt(laptop)).toEqual({ [asked]: "approved", [both]: "open" });
    expect((await desk.space.audit.list({ operation: "approve" })).entries).toMatchObject([
      { of: "conceal", request: asked, role: "owner", trigger: "sync" },
    ]);
    world.proxy.cut();
    const back = await requestOf(bot.reveal([one.id]));
    const never = await requestOf(bot.reveal([one.id.replace(/^./, "f")]));
    await asOwner.reveal([one.id]);
    world.proxy.restore();
    await expectClosed(back);
    expect(await statesAt(desk)).toMatchObject({ [back]: "approved", [never]: "open", [both]: "open" });
  }, 60_000);

  test("[ER66] is as if absent for whoever does not see the list, whatever they would erase", async () => {
    await using world = new World(16);
    const { space } = await world.found();
    const [ada, asOwner] = [space.as({ agent: "ada" }), owner(space)];
    const { id } = await ada.remember({
      content: SECRET,
      category: "party",
      source: { kind: "file", file: "/notes/party" },
    });
    const tea = await ada.remember({ content: `Tea with ${SECRET}` });
    await asOwner.conceal([id]);
    const selections = [
      ...[{ query: SECRET }, { since: "1 hour ago" }, { agent: "ada" }, { everything: true }],
      ...[{ category: "party" }, { source: "/notes" }, { since: "1 hour ago", until: "now" }],
      ...[{ ids: [tea.id], also: ["all"] }],
    ];
    for (const caller of [space.as({ agent: "bob" }), space.as({ role: "operator" })]) {
      for (const selection of selections) {
        const shown = await caller.erase({ ...selection, preview: true });
        expect(JSON.stringify(shown)).not.toContain(id);
        expect([...shown.memories, ...shown.repeated].filter((one) => one.content === SECRET)).toEqual([]);
        expect(shown.counts.memories).toBe("category" in selection || "source" in selection ? 0 : 1);
      }
      for (const named of [id, id.slice(0, 13)])
        await expect(caller.erase({ ids: [named], preview: true })).rejects.toMatchObject({
          code: "MEMORY_NOT_FOUND",
        });
      await expect(caller.erase({ ids: [tea.id], also: [id], preview: true })).rejects.toMatchObject({
        code: "MEMORY_NOT_FOUND",
      });
    }
    const ofOwner = await asOwner.erase({ ids: [tea.id], preview: true });
    expect(ofOwner.repeated.map((one) => one.id)).toEqual([id]);
  });

  test("[ER66] stays when the owner approves what an agent would erase, and goes with everything", async () => {
    await using world = new World(17);
    const { space } = await world.found();
    const [ada, asOwner] = [space.as({ agent: "ada" }), owner(space)];
    const { id } = await ada.remember({ content: SECRET });
    const tea = await ada.remember({ content: `Tea with ${SECRET}` });
    await asOwner.conceal([id]);
    const asked = await ada.erase({ since: 0 }).catch((error: unknown) => error as CambiumError);
    const { details } = asked as CambiumError;
    const request = details?.request as string;
    expect(JSON.stringify([details, await ada.requests.preview(request)])).not.toContain(id);
    const { result } = await space.requests.approve(request);
    expect((result as EraseResult).memories.map((one) => one.id)).toEqual([tea.id]);
    const [erasure] = await space.erasures();
    expect(erasure?.mayRepeat).toEqual([]);
    const [kept] = await asOwner.reveal([id]);
    expect(kept?.memory?.content).toBe(SECRET);
    expect((await space.erasures())[0]?.mayRepeat).toEqual([id]);
    const coffee = await ada.remember({ content: "Coffee" });
    await asOwner.conceal([id]);
    await asOwner.policy.set("erase", "agent", "allow");
    const all = await ada.erase({ everything: true, many: true });
    expect(all.memories.map((one) => one.id)).toEqual([coffee.id]);
    expect((await space.erasures())[0]?.counts.memories).toBe(2);
    expect(await space.traces([SECRET])).toEqual([]);
  });

  test("[ER66] is reached by an erasure by its id, by a query and by a label", async () => {
    await using world = new World(9);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const ids: string[] = [];
    for (const name of ["first", "second", "third"])
      ids.push((await ada.remember({ content: `${name} ${SECRET}`, category: name })).id);
    const asOwner = owner(space);
    await asOwner.conceal(ids);
    for (const [place, selection] of [
      { ids: ids.slice(0, 1) },
      { query: "second" },
      { category: "third" },
    ].entries()) {
      const { memories } = await asOwner.erase({ ...selection, preview: true });
      expect(memories.map(({ id }) => id)).toEqual([ids[place]]);
      await asOwner.erase(selection);
    }
    expect(await space.traces([SECRET])).toEqual([]);
    expect((await asOwner.concealed()).map(({ memory }) => memory?.erased)).toEqual([
      "whole",
      "whole",
      "whole",
    ]);
  });
});
