/** What a daemon keeps for later, while another device erases or conceals what it quotes. Real replicas, one relay. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Space } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";
import { expect, test } from "vitest";
import { EventReader, startDaemon, type TestDaemon } from "./support/daemon.js";

const MEMORIES = "/v1/spaces/notes/memories";
const SECRET = "Numbat to vanish";

const synced = (space: Space): Promise<void> =>
  space.sync.whenSynced({ signal: AbortSignal.timeout(30_000) });

/** The space of a laptop, and the desk that has joined it, with its daemon. */
async function laptopAndDesk(folder: string, url: string, token: string) {
  const laptop = await openReplica({
    dir: join(folder, "laptop"),
    stateDir: join(folder, "state"),
    name: "laptop",
  });
  const space = await laptop.createSpace({ name: "notes", relay: { url, token } });
  const invitation = await space.invite({ role: "admin" });
  let there: Space | undefined;
  mkdirSync(join(folder, "page"));
  writeFileSync(join(folder, "page", "index.html"), "<title>Cambium</title>");
  const desk = await startDaemon({
    home: mkdtempSync(join(folder, "desk-")),
    pageFolder: join(folder, "page"),
    openHome: async (dir) => {
      const replica = await openReplica({ dir, stateDir: join(folder, "state"), name: "desk" });
      there = await replica.joinSpace(invitation);
      return replica;
    },
  });
  await desk.call("/v1/spaces");
  if (there === undefined) throw new Error("The desk has not joined.");
  return { laptop, space, desk, there };
}

const watch = async (running: TestDaemon, lastId?: string): Promise<EventReader> => {
  const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
  return new EventReader(await running.open("/v1/spaces/notes/events", { headers }).response);
};

async function pageOf(running: TestDaemon) {
  const origin = `http://127.0.0.1:${running.port}`;
  const { json } = await running.call("/v1/page/links", { body: {} });
  const [, code] = json.url.split("#");
  const sent = { port: running.port, body: { code }, headers: { origin } };
  const { headers, json: traded } = await running.call("/ui/session", sent);
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return {
    exported: async (): Promise<string> => {
      const page = { origin, cookie, "cambium-page": traded.token };
      const asked = { port: running.port, body: { what: "export" }, headers: page };
      return (await running.call("/v1/spaces/notes/page/downloads", asked)).json.url;
    },
    fetched: (url: string) => running.call(url, { port: running.port, headers: { cookie } }),
  };
}

test.each(["erase", "conceal"] as const)(
  "[ER69] [ER70] [ER71] on another device, while this one was offline: %s",
  async (verb) => {
    const folder = mkdtempSync(join(tmpdir(), "cambium-elsewhere-"));
    const token = "admin-token-for-tests-0123456789";
    const relay = await startRelay({ dataDir: join(folder, "relay"), adminToken: token });
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    stack.defer(() => relay.close());
    const { laptop, space, desk, there } = await laptopAndDesk(folder, relay.url, token);
    stack.defer(() => laptop.close());
    stack.use(desk);
    const { id } = await space.as({ agent: "bot" }).remember({ content: SECRET });
    await synced(space);
    await synced(there);
    await using early = await watch(desk);
    await early.until(({ event }) => event === "conflicts");
    const lastId = early.events.findLast(({ id: of }) => of !== undefined)?.id;
    // Offline, the desk makes what it keeps: events, answers and a file.
    await there.sync.stop();
    const keyed = (key: string, body: object, method: string) => ({
      ...{ body, method, headers: { "idempotency-key": key } },
    });
    const revision = keyed("k1", { tags: ["q"] }, "PATCH");
    const more = keyed("k3", { content: "Quokka kept" }, "POST");
    expect((await desk.call(`${MEMORIES}/${id}`, revision)).text).toContain("Numbat");
    const kept = await desk.call(MEMORIES, more);
    await early.until(({ data }) => JSON.stringify(data).includes("Quokka kept"));
    const page = await pageOf(desk);
    const url = await page.exported();
    expect((await page.fetched(await page.exported())).text).toContain("Numbat");

    const owner = space.as({ role: "owner", confirmed: true });
    if (verb === "erase") await owner.erase({ ids: [id], confirm: 1 });
    else await owner.conceal([id]);
    await synced(space);
    there.sync.start();
    await synced(there);
    const isGone = async (): Promise<boolean> =>
      !(await desk.call(`${MEMORIES}/${id}`)).text.includes("Numbat");
    await expect.poll(isGone, { timeout: 30_000 }).toBe(true);

    expect((await desk.call(`${MEMORIES}/${id}`, revision)).text).not.toContain("Numbat");
    expect((await desk.call(MEMORIES, more)).json).toMatchObject({
      id: kept.json.id,
      content: "Quokka kept",
    });
    expect((await page.fetched(url)).status).toBe(404);
    await using late = await watch(desk, lastId);
    await late.until(({ data }) => JSON.stringify(data).includes("Quokka kept"));
    expect(JSON.stringify(late.events)).not.toContain("Numbat");
    if (verb === "conceal") expect(JSON.stringify(late.events)).not.toContain(id);
  },
  60_000,
);
