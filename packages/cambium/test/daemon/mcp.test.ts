import { expect, test } from "vitest";
import { openMcpEndpoint } from "../../src/mcp/http.js";
import { type Sent, startWithSpace, type TestDaemon } from "./support/daemon.js";

const start = (): Promise<TestDaemon> =>
  startWithSpace({
    openMcp: async (owned) => openMcpEndpoint({ replica: await owned.replica(), settings: {} }),
  });

const rpc = (method: string, params: object, more: Partial<Sent> = {}): Sent => ({
  ...more,
  body: { jsonrpc: "2.0", id: 1, method, params },
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
    ...more.headers,
  },
});

test("[DM11] MCP is answered behind the same doors, on the same memory", async () => {
  await using running = await start();
  const call = rpc("tools/call", { name: "remember", arguments: { content: "by MCP" } });
  expect((await running.call("/mcp", call)).text).toContain("Remembered");
  const { memories } = (await running.call("/v1/spaces/~/memories")).json;
  expect(memories.map(({ content }: { content: string }) => content)).toEqual(["by MCP"]);
  const byTcp = { port: running.port };
  expect((await running.call("/mcp", rpc("tools/list", {}, byTcp))).status).toBe(401);
  const headers = { authorization: `Bearer ${running.token}` };
  expect((await running.call("/mcp", rpc("tools/list", {}, { ...byTcp, headers }))).status).toBe(200);
});

test("[DM11] what is too long for MCP is refused before it is read", async () => {
  await using running = await start();
  const raw = Buffer.alloc(9 * 1_024 * 1_024, 0x20);
  expect((await running.call("/mcp", { raw })).status).toBe(413);
  const chunked = await running.call("/mcp", { raw, headers: { "transfer-encoding": "chunked" } });
  expect([chunked.status, chunked.json.error.code]).toEqual([400, "BAD_INPUT"]);
});
