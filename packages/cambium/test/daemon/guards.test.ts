import { statSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { daemonPlace, refuseForeignSocket } from "../../src/daemon-client/daemon-place.js";
import { startWithSpace, type TestDaemon } from "./support/daemon.js";

let running: TestDaemon;
beforeAll(async () => {
  running = await startWithSpace();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${running.token}` });

describe("[DM4] who may call", () => {
  const cases: readonly [string, () => Record<string, string>, number][] = [
    ["the token", bearer, 200],
    ["the token, to localhost", () => ({ ...bearer(), host: `localhost:${running.port}` }), 200],
    ["the token, to [::1]", () => ({ ...bearer(), host: `[::1]:${running.port}` }), 200],
    ["no token", () => ({}), 401],
    ["another token", () => ({ authorization: `Bearer ${running.token.slice(1)}x` }), 401],
    ["a shorter token", () => ({ authorization: `Bearer ${running.token.slice(1)}` }), 401],
    ["the token without its scheme", () => ({ authorization: running.token }), 401],
    ["another host", () => ({ ...bearer(), host: `evil.example:${running.port}` }), 403],
    ["a host that begins well", () => ({ ...bearer(), host: `127.0.0.1.evil.example:${running.port}` }), 403],
    ["another port", () => ({ ...bearer(), host: `127.0.0.1:${running.port + 1}` }), 403],
    ["no port", () => ({ ...bearer(), host: "127.0.0.1" }), 403],
    ["a page of ours", () => ({ ...bearer(), origin: `http://127.0.0.1:${running.port}` }), 200],
    ["a page of ours without the token", () => ({ origin: `http://127.0.0.1:${running.port}` }), 401],
    ["a page from elsewhere", () => ({ ...bearer(), origin: "https://evil.example" }), 403],
    ["a page on another port", () => ({ ...bearer(), origin: "http://127.0.0.1:1" }), 403],
    ["a page in a sandbox", () => ({ ...bearer(), origin: "null" }), 403],
  ];
  test.each(cases)("by TCP: %s", async (_name, headers, status) => {
    for (const path of ["/v1/daemon", "/openapi.json", "/mcp", "/v1/spaces/~/events"]) {
      if (status === 200 && path !== "/v1/daemon") continue;
      const answer = await running.call(path, { port: running.port, headers: headers() });
      expect([path, answer.status]).toEqual([path, status]);
      if (status !== 200) {
        expect(answer.json.error.code).toBe(status === 401 ? "TOKEN_REFUSED" : "ORIGIN_REFUSED");
        expect(answer.json.error.hint).toBeTruthy();
        expect(answer.text).not.toContain(running.token);
      }
    }
  });

  test("by the socket: no token, but no web page either", async () => {
    expect((await running.call("/v1/daemon")).status).toBe(200);
    const fromPage = await running.call("/v1/daemon", { headers: { origin: "http://127.0.0.1:1" } });
    expect(fromPage.status).toBe(403);
  });

  test("no page is told that it may read, unless it is ours", async () => {
    const ask = (origin: string) =>
      running.call("/v1/spaces", {
        ...{ method: "OPTIONS", port: running.port },
        headers: { origin, "access-control-request-method": "POST" },
      });
    const own = `http://localhost:${running.port}`;
    const ours = await ask(own);
    expect([ours.status, ours.headers["access-control-allow-origin"]]).toEqual([204, own]);
    const theirs = await ask("https://evil.example");
    expect(theirs.status).toBe(403);
    expect(theirs.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("nobody is told a word over a socket that somebody else has put there", () => {
    const place = daemonPlace(running.home);
    expect(() => refuseForeignSocket(place)).not.toThrow();
    const uid = vi.spyOn(process, "getuid").mockReturnValue(4_711);
    try {
      expect(() => refuseForeignSocket(place)).toThrow("belongs to another user");
      uid.mockReturnValue(0);
      expect(() => refuseForeignSocket(place)).not.toThrow();
    } finally {
      uid.mockRestore();
    }
  });

  test("socket, token and note are the user's alone", () => {
    for (const name of ["daemon.sock", "daemon.token", "daemon.json", "daemon.last"]) {
      expect([name, statSync(`${running.home}/${name}`).mode & 0o777]).toEqual([name, 0o600]);
    }
  });
});

test("[DM5] what there is, is described", async () => {
  const { status, json } = await running.call("/openapi.json");
  expect([status, json.openapi, json.info.version]).toEqual([
    ...[200, expect.stringMatching(/^3\.1\./), "1.2.3"],
  ]);
});

describe("[DM5] what comes in", () => {
  const bad: readonly [string, Parameters<TestDaemon["call"]>[1] & object, number][] = [
    ["no JSON", { raw: "{content" }, 400],
    ["a list", { raw: "[]" }, 400],
    ["a text", { raw: '"x"' }, 400],
    ["no UTF-8", { raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, 400],
    ["nothing", { method: "POST" }, 400],
    ["a form", { raw: "content=x", headers: { "content-type": "application/x-www-form-urlencoded" } }, 400],
    ["JSON as text", { raw: '{"content":"x"}', headers: { "content-type": "text/plain" } }, 400],
    ["an unknown field", { body: { content: "x", contents: "y" } }, 400],
    ["a number for a text", { body: { content: 7 } }, 400],
    ["a role that is none", { body: { content: "x" }, headers: { "cambium-role": "god" } }, 400],
    ["an agent without a name", { body: { content: "x" }, headers: { "cambium-agent": "" } }, 400],
    ["an agent whose name is blank", { body: { content: "x" }, headers: { "cambium-agent": "%20" } }, 400],
    ["an agent that is no text", { body: { content: "x" }, headers: { "cambium-agent": "%ff" } }, 400],
    ["a method that is not possible", { method: "PUT", body: { content: "x" } }, 405],
  ];
  test.each(bad)("%s is refused with a reason", async (_name, sent, status) => {
    const answer = await running.call("/v1/spaces/~/memories", sent);
    expect([answer.status, answer.json?.error.code]).toEqual([status, "BAD_INPUT"]);
    expect(answer.json.error.message).toMatch(/\.$/);
  });

  test.each(["/", "/v1", "/v1/spaces/~/memories/", "/v1/spaces//memories", "/v2/spaces", "/../etc/passwd"])(
    "there is nothing at %s",
    async (path) => {
      expect((await running.call(path)).status).toBe(404);
    },
  );

  test.each([
    "/v1/spaces/../daemon",
    "/v1/spaces/%2e%2e/daemon",
    "//x/v1/daemon",
    "/v1\\daemon",
    "/v1/./daemon",
  ])("%s leads nowhere else", async (path) => {
    expect((await running.call(path)).status).toBe(404);
  });

  test("what is called . or .. is a name like any other", async () => {
    const space = await running.call("/v1/spaces/./memories");
    expect(space.json.error.code).toBe("SPACE_NOT_FOUND");
    const memory = await running.call("/v1/spaces/~/memories/%2e/history");
    expect(memory.json.error.code).toBe("MEMORY_NOT_FOUND");
  });

  test("a path that is not well-formed", async () => {
    expect((await running.call("/v1/spaces/%zz/memories")).json.error.code).toBe("BAD_INPUT");
    expect((await running.call("/v1/spaces/%zz/events")).json.error.code).toBe("BAD_INPUT");
  });

  test("what is too large is not read to its end, whether it says so or not", async () => {
    const large = Buffer.alloc(9 * 1_024 * 1_024, 0x20);
    const said = await running.call("/v1/spaces/~/memories", { raw: large });
    expect([said.status, said.json.error.code]).toEqual([413, "BAD_INPUT"]);
    const unsaid = await running.call("/v1/spaces/~/memories", {
      raw: large,
      headers: { "transfer-encoding": "chunked" },
    });
    expect(unsaid.status).toBe(413);
    expect((await running.call("/v1/daemon")).status).toBe(200);
  });

  test("headers that are too long are told to be that", async () => {
    const headers = { ...bearer(), "cambium-agent": "a".repeat(20_000) };
    expect((await running.call("/v1/daemon", { port: running.port, headers })).status).toBe(431);
    expect((await running.call("/v1/daemon", { headers })).status).toBe(431);
    const long = { "cambium-agent": "a".repeat(5_000_000) };
    expect((await running.call("/v1/daemon", { headers: long })).status).toBe(431);
  });

  test("what is no HTTP ends the connection", async () => {
    const socket = connect(running.socket);
    socket.write("hello\r\n\r\n");
    const { promise, resolve } = Promise.withResolvers<string>();
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.on("close", () => resolve(text));
    expect(await promise).toMatch(/^HTTP\/1.1 400/);
  });
});
