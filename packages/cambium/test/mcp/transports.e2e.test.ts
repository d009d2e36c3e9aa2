/** The server as clients meet it: a process on standard streams, and an endpoint over HTTP. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import { openMcpEndpoint } from "../../src/mcp/http.js";
import { type Device, finished, Scratch } from "../cli/processes.js";
import { call, ERAS, idOf, replicaHere } from "./support/connected.js";

const COMMAND = fileURLToPath(new URL("../../bin/cambium.mjs", import.meta.url));
const OLD_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const initialize = (protocolVersion: string) =>
  request(0, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } });

interface Answer {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** Every line of standard output has to be one message. */
function answersIn(stdout: string): ReadonlyMap<number, Answer> {
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer & { readonly jsonrpc: string });
  for (const { jsonrpc } of messages) expect(jsonrpc).toBe("2.0");
  return new Map(messages.map((message) => [message.id, message]));
}

describe("on standard streams", () => {
  test.each(OLD_VERSIONS)("[MC27] a client of %s is answered, also what it asks last", async (version) => {
    await using scratch = await Scratch.make();
    const input = [
      initialize(version),
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      request(1, "tools/list"),
      request(2, "tools/call", { name: "remember", arguments: { content: "Kept by an old client" } }),
      request(3, "ping"),
      "",
    ].join("\n");
    const { code, stdout, stderr } = await scratch.device().run(["mcp"], { input });
    const answers = answersIn(stdout);
    expect(answers.get(0)?.result).toMatchObject({
      ...{ protocolVersion: version, serverInfo: { name: "cambium" } },
    });
    expect(answers.get(1)?.result?.tools).toHaveLength(10);
    expect(answers.get(2)?.result?.isError).not.toBe(true);
    expect(answers.get(3)?.result).toEqual({});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("[MC28] lines that are no messages are survived, and standard output stays clean", async () => {
    await using scratch = await Scratch.make();
    const input = [
      "this is no message",
      "  ",
      initialize("2025-06-18"),
      '{"jsonrpc":"2.0","id":7}',
      request(1, "no/such/method"),
      request(2, "tools/call", { name: "nothing", arguments: {} }),
      request(3, "tools/call", { name: "recall", arguments: { query: 1 } }),
      "",
    ].join("\n");
    const { code, stdout } = await scratch.device().run(["mcp"], { input });
    const answers = answersIn(stdout);
    const parsed = stdout.split("\n").filter((line) => line.includes("-32700"));
    expect(parsed.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
    ]);
    expect(answers.get(1)?.error).toMatchObject({ code: -32601 });
    expect(answers.get(2)?.error).toMatchObject({ code: -32602 });
    expect(answers.get(3)?.result).toMatchObject({ isError: true });
    expect(code).toBe(0);
  });

  test("[MC28] what is JSON and no message is answered, and the answers to a batch come as a list", async () => {
    await using scratch = await Scratch.make();
    const lines = [
      initialize("2025-03-26"),
      '{"jsonrpc":"1.0","id":4,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":5}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      "[]",
      '"text"',
      `[${request(1, "ping")},{"jsonrpc":"2.0","method":"notifications/initialized"},{"id":6},${request(2, "tools/list")}]`,
      "[1]",
      '[{"jsonrpc":"2.0","method":"notifications/initialized"}]',
      request(3, "ping"),
      "",
    ];
    const { code, stdout } = await scratch.device().run(["mcp"], { input: lines.join("\n") });
    const said = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const invalid = (id: unknown) => ({
      jsonrpc: "2.0",
      id,
      error: { code: -32600, message: expect.any(String) },
    });
    const lists = said.filter((one) => Array.isArray(one));
    expect(lists).toContainEqual([invalid(null)]);
    const batch = lists.find((one) => one.length === 3);
    expect(batch).toEqual(
      expect.arrayContaining([
        invalid(6),
        { jsonrpc: "2.0", id: 1, result: {} },
        expect.objectContaining({ id: 2, result: expect.objectContaining({ tools: expect.any(Array) }) }),
      ]),
    );
    const single = said.filter((one) => !Array.isArray(one));
    for (const id of [4, 5]) expect(single).toContainEqual(invalid(id));
    expect(single.filter(({ id }) => id === null)).toEqual([invalid(null), invalid(null), invalid(null)]);
    expect(single).toContainEqual({ jsonrpc: "2.0", id: 3, result: {} });
    expect([said.length, code]).toEqual([9, 0]);
  });

  test("[MC28] a last line without an end is answered like any other", async () => {
    await using scratch = await Scratch.make();
    const device = scratch.device();
    const broken = await device.run(["mcp"], { input: "x" });
    expect(JSON.parse(broken.stdout)).toMatchObject({ id: null, error: { code: -32700 } });
    const input = `${initialize("2025-06-18")}\n${request(1, "tools/list")}`;
    const { code, stdout } = await device.run(["mcp"], { input });
    expect(answersIn(stdout).get(1)?.result?.tools).toHaveLength(10);
    expect([code, broken.code]).toEqual([0, 0]);
  });

  test("[MC29] it ends by itself when its input closes, and by a signal", async () => {
    await using scratch = await Scratch.make();
    const device = scratch.device();
    expect(await device.run(["mcp"], { input: "" })).toMatchObject({ code: 0, stdout: "" });
    const child = device.start(["mcp"]);
    const end = finished(child);
    child.stdin?.write(`${initialize("2025-06-18")}\n`);
    await once(child.stdout ?? child, "data");
    child.kill("SIGTERM");
    expect((await end).code).toBe(0);
  });

  test.each(ERAS)("[MC30] the official client, %s, works through the daemon", async (_era, options) => {
    await using scratch = await Scratch.make("on");
    const device = scratch.device();
    await using connected = await overStdio(device, options);
    const { client } = connected;
    const id = idOf(await call(client, "remember", { content: "Kept through the daemon" }));
    expect((await call(client, "recall", { query: "daemon" })).data.memories).toMatchObject([{ id }]);
    // What the command line does meanwhile is seen at once.
    await device.json("revise", id, "Kept through the daemon, and revised");
    const read = await call(client, "recall", { ids: [id] });
    expect(read.data.memories).toMatchObject([{ version: 2, by: expect.stringMatching(/ · cli$/) }]);
    const history = await call(client, "history", { id });
    expect(history.data.versions).toMatchObject([
      { by: expect.stringMatching(/ · cli$/) },
      { by: expect.stringMatching(/ · stdio-client$/) },
    ]);
  });

  test("[MC31] two clients of one home at once lose nothing", async () => {
    await using scratch = await Scratch.make("on");
    const device = scratch.device();
    await using one = await overStdio(device);
    await using two = await overStdio(device);
    const write = (client: Client, name: string) =>
      Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          call(client, "remember", { content: `${name} says ${index}` }),
        ),
      );
    await Promise.all([write(one.client, "one"), write(two.client, "two")]);
    const { memories } = await device.json<{ readonly memories: readonly unknown[] }>("list");
    expect(memories).toHaveLength(20);
  });
});

async function overStdio(device: Device, options: object = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CAMBIUM_"));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, "mcp"],
    env: {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      ...{ HOME: device.home, XDG_STATE_HOME: join(device.home, "state") },
      CAMBIUM_HOME: join(device.home, "cambium"),
    },
  });
  const client = new Client({ name: "stdio-client", version: "1.0.0" }, options);
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

describe("over HTTP", () => {
  async function endpoint() {
    const here = await replicaHere();
    const mcp = await openMcpEndpoint({ replica: here.replica, settings: {} });
    const server = createServer((request, response) => void mcp.handle(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
    return {
      ...{ url, replica: here.replica },
      [Symbol.asyncDispose]: async () => {
        await mcp.close();
        server.closeAllConnections();
        server.close();
        await here[Symbol.asyncDispose]();
      },
    };
  }

  test.each(ERAS)(
    "[MC32] the official client, %s, calls tools and reads resources",
    async (_era, options) => {
      await using host = await endpoint();
      const client = new Client({ name: "http-client", version: "1.0.0" }, options);
      await client.connect(new StreamableHTTPClientTransport(host.url));
      expect((await client.listTools()).tools).toHaveLength(10);
      const id = idOf(await call(client, "remember", { content: "Kept over HTTP" }));
      expect((await call(client, "recall", { query: "http" })).data.memories).toMatchObject([{ id }]);
      const { contents } = await client.readResource({ uri: `cambium://memory/main/${id}` });
      expect(JSON.stringify(contents)).toContain("Kept over HTTP");
      expect((await client.listPrompts()).prompts).toHaveLength(5);
      await client.close();
    },
  );

  test("[MC33] whoever listens is told of changes that others make", async () => {
    await using host = await endpoint();
    const client = new Client(
      { name: "http-client", version: "1.0.0" },
      { versionNegotiation: { mode: "auto" } },
    );
    await client.connect(new StreamableHTTPClientTransport(host.url));
    const id = idOf(await call(client, "remember", { content: "Watched over HTTP" }));
    const uri = `cambium://memory/main/${id}`;
    const told = Promise.withResolvers<string>();
    client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
      told.resolve(params.uri),
    );
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    const space = await host.replica.openSpace();
    await space.as({ agent: "ada" }).revise(id, { content: "Changed" });
    expect(await told.promise).toBe(uri);
    await subscription.close();
    await client.close();
  });

  test.each(OLD_VERSIONS)("[MC34] a raw client of %s is answered without a session", async (version) => {
    await using host = await endpoint();
    const post = async (body: string): Promise<Answer> => {
      const response = await fetch(host.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body,
      });
      const text = await response.text();
      const data = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "");
      return JSON.parse(data) as Answer;
    };
    expect((await post(initialize(version))).result).toMatchObject({ protocolVersion: version });
    expect((await post(request(1, "tools/list"))).result?.tools).toHaveLength(10);
    const { result } = await post(
      request(2, "tools/call", { name: "remember", arguments: { content: "Raw" } }),
    );
    expect(result).toMatchObject({ structuredContent: { branch: "main" } });
  });
});
