import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import * as A from "@automerge/automerge";
import { documentIdFromHex } from "@cambium/core";
import { expect, test } from "vitest";
import { startRelay } from "../src/index.js";
import { rawChange } from "./attacks/hostile-client.js";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { DocumentClient, testDocumentId } from "./support/document-client.js";
import { LogClient } from "./support/log-client.js";
import { RawClient } from "./support/raw-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";

const errorOf = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
};

/** @returns the status with which an upgrade to the sync socket is answered */
function upgradeStatus(
  relayUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    // A URL would be cleaned up before it is sent.
    const upgrade = request(relayUrl, {
      path,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": Buffer.alloc(16).toString("base64"),
        "sec-websocket-protocol": "cambium-log.1",
        ...headers,
      },
    });
    upgrade.on("response", (response) => resolve(response.statusCode ?? 0));
    upgrade.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    upgrade.on("error", reject);
    upgrade.end();
  });
}

test("[RL20] the relay admin makes a space once, and is shown its token once", async () => {
  await using fixture = await RelayFixture.start();
  const made = await fixture.call("POST", "/spaces", ADMIN_TOKEN, { space: "space-a" });
  expect(made.status).toBe(201);
  const { token, ...rest } = (await made.json()) as Record<string, string>;
  expect(rest).toEqual({ space: "space-a", tokenId: expect.any(String), role: "admin" });
  expect(await errorOf(await fixture.call("POST", "/spaces", ADMIN_TOKEN, { space: "space-a" }))).toEqual([
    409,
    "SPACE_EXISTS",
  ]);
  expect(await errorOf(await fixture.call("POST", "/spaces", token ?? "", { space: "space-b" }))).toEqual([
    403,
    "ROLE_REFUSED",
  ]);
  expect(await errorOf(await fixture.call("POST", "/spaces", "wrong", { space: "space-b" }))).toEqual([
    401,
    "TOKEN_REFUSED",
  ]);
  expect(await (await fixture.call("GET", "/space", token ?? "")).json()).toEqual({
    space: "space-a",
    role: "admin",
  });
});

test("[RL20] a relay without an admin token makes one on its first run only, and keeps only its hash", async () => {
  await using fixture = await RelayFixture.start();
  await fixture.relay.close();
  const { log: _none, ...own } = { log: undefined, dataDir: `${fixture.dataDir}/fresh` };
  const first = await startRelay(own);
  const token = first.adminToken ?? "";
  expect(token).toMatch(/^cambium_relay_/);
  await first.close();
  await using second = await startRelay(own);
  expect(second.adminToken).toBeUndefined();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const made = await fetch(`${second.url}/spaces`, { method: "POST", headers, body: '{"space":"s"}' });
  expect(made.status).toBe(201);
});

test("[RL20] tokens are made and listed by a space's admins, for that space alone", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("space-a");
  const stranger = await fixture.makeSpace("space-b");
  const made = await fixture.call("POST", "/spaces/space-a/tokens", admin, { role: "write", label: "phone" });
  expect(made.status).toBe(201);
  const { token, tokenId, role } = (await made.json()) as Record<string, string>;
  expect(role).toBe("write");
  for (const wrong of [token ?? "", stranger]) {
    expect(
      await errorOf(await fixture.call("POST", "/spaces/space-a/tokens", wrong, { role: "read" })),
    ).toEqual([403, "ROLE_REFUSED"]);
    expect(await errorOf(await fixture.call("GET", "/spaces/space-a/tokens", wrong))).toEqual([
      403,
      "ROLE_REFUSED",
    ]);
    expect(await errorOf(await fixture.call("DELETE", `/spaces/space-a/tokens/${tokenId}`, wrong))).toEqual([
      403,
      "ROLE_REFUSED",
    ]);
  }
  const listed = await (await fixture.call("GET", "/spaces/space-a/tokens", admin)).text();
  expect(JSON.parse(listed).tokens).toMatchObject([
    { role: "admin" },
    { role: "write", label: "phone", tokenId },
  ]);
  expect(listed).not.toContain(token);
  expect(
    await errorOf(await fixture.call("POST", "/spaces/none/tokens", ADMIN_TOKEN, { role: "read" })),
  ).toEqual([404, "SPACE_NOT_FOUND"]);
});

test.each([
  ["a space with a slash", "/spaces", { space: "a/b" }],
  ["no space", "/spaces", {}],
  ["an unknown field", "/spaces", { space: "a", extra: 1 }],
  ["an unknown role", "/spaces/space-a/tokens", { role: "owner" }],
  ["an expiry in the past", "/spaces/space-a/tokens", { role: "read", expiresAt: 5 }],
])("[RL20] %s is refused with BAD_INPUT", async (_name, path, body) => {
  await using fixture = await RelayFixture.start();
  await fixture.makeSpace("space-a");
  expect(await errorOf(await fixture.call("POST", path, ADMIN_TOKEN, body))).toEqual([400, "BAD_INPUT"]);
});

test("[RL20] what cannot be read is refused in the same form, and says nothing of the inside", async () => {
  await using fixture = await RelayFixture.start();
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const post = (body: string, token = headers): Promise<Response> =>
    fetch(`${fixture.url}/spaces`, { method: "POST", headers: token, body });
  expect(await errorOf(await post("{"))).toEqual([400, "BAD_INPUT"]);
  expect(await errorOf(await post(JSON.stringify("x".repeat(20_000))))).toEqual([413, "BAD_INPUT"]);
  // Who has no token is told no more than that.
  expect(await errorOf(await post("{", { ...headers, authorization: "Bearer x" }))).toEqual([
    401,
    "TOKEN_REFUSED",
  ]);
  expect(await errorOf(await fetch(`${fixture.url}/nowhere`))).toEqual([404, "BAD_INPUT"]);
  expect(await (await post("{")).text()).not.toContain(" at ");
});

test("[RL21] the sync socket opens for a standing token of a space only", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("space-a");
  const shortLived = await fixture.makeToken("space-a", "read", fixture.timeMs + 1_000);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  expect(await upgradeStatus(fixture.url, "/sync")).toBe(401);
  expect(await upgradeStatus(fixture.url, "/sync", bearer("wrong"))).toBe(401);
  // To a proxy in front, these are other paths.
  for (const path of ["//x/sync", "/sync/../sync", "/./sync", "/sync/", "/SYNC", "/%73ync"])
    expect(await upgradeStatus(fixture.url, path, bearer(admin))).toBe(404);
  expect(await upgradeStatus(fixture.url, "/sync", bearer(ADMIN_TOKEN))).toBe(403);
  expect(await upgradeStatus(fixture.url, "/elsewhere", bearer(admin))).toBe(404);
  expect(await upgradeStatus(fixture.url, "/sync", bearer(admin))).toBe(101);
  expect(await upgradeStatus(fixture.url, `/sync?token=${admin}`)).toBe(101);
  expect(await upgradeStatus(fixture.url, "/sync", bearer(shortLived.token))).toBe(101);
  fixture.timeMs += 1_000;
  expect(await upgradeStatus(fixture.url, "/sync", bearer(shortLived.token))).toBe(401);
});

/** Connects, does as told, and waits for the end. */
function talk(port: number, act: (socket: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("close", () => resolve()).on("error", () => {});
    socket.resume();
    act(socket);
  });
}

test("[RL21] bytes from strangers do nothing: garbage, half an upgrade, a reset in the middle of one", async () => {
  await using fixture = await RelayFixture.start();
  const { port } = fixture.relay;
  const upgrade = "GET /sync HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const garbage = [
    Buffer.from([0]),
    Buffer.from("\r\n\r\n"),
    Buffer.alloc(100_000, 0xff),
    Buffer.from(upgrade),
  ];
  for (const bytes of garbage) {
    await talk(port, (socket) => socket.end(bytes));
    await talk(port, (socket) => socket.write(bytes, () => socket.resetAndDestroy()));
  }
  expect((await fetch(`${fixture.url}/healthz`)).status).toBe(200);
  expect(fixture.events.filter(({ level }) => level === "error")).toEqual([]);
});

test("[RL80] a stock client that may not come in is let in and told why", async () => {
  await using fixture = await RelayFixture.start({ limits: { connectionsPerToken: 1 } });
  const token = await fixture.makeSpace("space-a");
  await using _one = await RawClient.join(fixture.url, token);
  for (const [given, code, words] of [
    ["wrong", 4401, "revoked or has expired"],
    [ADMIN_TOKEN, 4403, "admin token"],
    [token, 4429, "too many"],
  ] as const) {
    const refused = await RawClient.open(fixture.url, given);
    expect(await refused.closed).toBe(code);
    expect(refused.frames).toMatchObject([{ type: "error", message: expect.stringContaining(words) }]);
  }
});

test("[RL22] revoking a token ends its sessions at once, and no others", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("space-a");
  const { token, tokenId } = await fixture.makeToken("space-a", "write");
  await using kept = await RawClient.join(fixture.url, admin);
  const revoked = await RawClient.join(fixture.url, token);
  expect((await fixture.call("DELETE", `/spaces/space-a/tokens/${tokenId}`, admin)).status).toBe(204);
  expect(await revoked.closed).toBe(4401);
  expect(await upgradeStatus(fixture.url, "/sync", { authorization: `Bearer ${token}` })).toBe(401);
  expect((await fixture.call("DELETE", `/spaces/space-a/tokens/${tokenId}`, admin)).status).toBe(400);
  await kept.settled();
});

test("[RL22] a token that expires ends its sessions", async () => {
  await using fixture = await RelayFixture.start();
  await fixture.makeSpace("space-a");
  const { token } = await fixture.makeToken("space-a", "write", fixture.timeMs + 1_000);
  const talking = await RawClient.join(fixture.url, token);
  const silent = await RawClient.join(fixture.url, token);
  fixture.timeMs += 1_000;
  talking.send({ type: "leave" });
  expect(await talking.closed).toBe(4401);
  fixture.timers.tick();
  expect(await silent.closed).toBe(4401);
});

test("[RL23] a document is served in one piece, with its heads, to its own space", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using client = await LogClient.subscribe(fixture.url, token);
  const anna = new DocumentClient(client, testDocumentId(1));
  for (const value of ["1", "2", "3"]) anna.write("count", value);
  await anna.receipt();
  const path = `/spaces/space-a/documents/${testDocumentId(1)}`;
  const response = await fixture.call("GET", path, token);
  expect(response.headers.get("content-type")).toContain("application/octet-stream");
  expect(response.headers.get("cambium-heads")).toBe(anna.heads.join(","));
  expect(response.headers.get("cambium-position")).toBe("3");
  expect(A.load(new Uint8Array(await response.arrayBuffer()))).toEqual({ count: "3" });
  const stranger = await fixture.makeSpace("space-b");
  expect(await errorOf(await fixture.call("GET", path, stranger))).toEqual([403, "ROLE_REFUSED"]);
  expect(await errorOf(await fixture.call("GET", path.replace("space-a", "space-b"), stranger))).toEqual([
    404,
    "HEADS_NOT_HERE",
  ]);
  anna.write("count", "4");
  await anna.receipt();
  const after = await fixture.call("GET", path, token);
  expect(A.load(new Uint8Array(await after.arrayBuffer()))).toEqual({ count: "4" });
});

test("[RL23] documents that nobody reads wait with their readers, eight of a token, and no others wait for them", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using client = await LogClient.subscribe(fixture.url, token);
  for (let at = 0; at < 30; at += 1) {
    const [actor, message] = [16, 300_000].map((bytes) => randomBytes(bytes).toString("hex"));
    const { chunk } = rawChange({ actor: actor as string, message: message as string });
    expect(await client.write(documentHex(1), chunk)).toMatchObject({ type: "receipt" });
  }
  const path = `/spaces/space-a/documents/${documentIdFromHex(documentHex(1))}`;
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(fixture.relay.port, "127.0.0.1");
      socket.write(`GET ${path} HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      await once(socket, "data");
      return socket.pause();
    }),
  );
  expect(await errorOf(await fixture.call("GET", path, token))).toEqual([429, "RATE_LIMITED"]);
  const meanwhile = await client.write(documentHex(2), new ChangeMaker("bb").write("b", "1"));
  expect(meanwhile).toMatchObject({ type: "receipt" });
  const other = (await fixture.makeToken("space-a", "read")).token;
  expect((await (await fixture.call("GET", path, other)).arrayBuffer()).byteLength).toBeGreaterThan(
    17_000_000,
  );
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await fixture.call("GET", path, token)).status).toBe(200);
  expect(fixture.events.filter(({ level }) => level === "error")).toEqual([]);
});
