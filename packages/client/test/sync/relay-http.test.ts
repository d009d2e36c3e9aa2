import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { SpaceId } from "@cambium/core";
import { afterEach, describe, expect, test } from "vitest";
import { systemTimers } from "../../src/platform/timers.js";
import {
  createRelaySpace,
  createRelayToken,
  relaySpaceOf,
  revokeRelayToken,
} from "../../src/sync/relay-http.js";
import { RelaySocket, type SocketEnding } from "../../src/sync/relay-socket.js";
import { SPACE } from "./support/scripted-relay.js";

const space = SPACE as SpaceId;

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Answers every request so, and keeps what it was asked. */
async function answering(answer: Answer | "never"): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization} ${await text(request)}`);
    if (answer === "never") return;
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body instanceof Uint8Array ? answer.body : JSON.stringify(answer.body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix/`, asked };
}

/** Somebody whose certificate no authority has signed. */
async function withOwnCertificate(): Promise<{ readonly url: string } & Disposable> {
  const pem = (name: string): string =>
    readFileSync(new URL(`../../../sync-server/test/support/tls/${name}.pem`, import.meta.url), "utf8");
  const secure = createSecureServer({ cert: pem("first.cert"), key: pem("first.key") }, (_, response) => {
    response.end();
  });
  await once(secure.listen(0, "127.0.0.1"), "listening");
  const { port } = secure.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, [Symbol.dispose]: () => void secure.close() };
}

const call = (url: string) => ({ url, token: "t1" });

describe("the relay over HTTP", () => {
  test("[NW15] asks what the protocol says", async () => {
    const made = { space, tokenId: "i", token: "t2", role: "admin" };
    const relay = await answering({ status: 201, body: made });
    expect(await createRelaySpace(call(relay.url), space)).toEqual(made);
    const { space: _, ...token } = made;
    expect(await createRelayToken(call(relay.url), { space, role: "read", expiresAt: 5 })).toEqual(token);
    expect(await relaySpaceOf(call(relay.url))).toEqual({ space, role: "admin" });
    await revokeRelayToken(call(relay.url), { space, tokenId: "a/b" });
    expect(relay.asked).toEqual([
      `POST /prefix/spaces Bearer t1 {"space":"${space}"}`,
      `POST /prefix/spaces/${space}/tokens Bearer t1 {"role":"read","expiresAt":5}`,
      "GET /prefix/space Bearer t1 ",
      `DELETE /prefix/spaces/${space}/tokens/a%2Fb Bearer t1 `,
    ]);
  });

  test.for<[Answer, string]>([
    [{ status: 409, body: { error: { code: "SPACE_EXISTS", message: "It exists." } } }, "SPACE_EXISTS"],
    [{ status: 401 }, "TOKEN_REFUSED"],
    [{ status: 403, body: "no" }, "ROLE_REFUSED"],
    [{ status: 502, body: "<html>" }, "RELAY_UNREACHABLE"],
    [{ status: 404, body: { error: { code: "SOMETHING_NEW", message: "?" } } }, "RELAY_PROTOCOL"],
    [{ status: 302, headers: { location: "http://127.0.0.1:1/" } }, "RELAY_UNREACHABLE"],
    [{ status: 200, body: { space: "x", role: "write" } }, "RELAY_PROTOCOL"],
    [{ status: 200 }, "RELAY_PROTOCOL"],
  ])("[NW15] %o is %s", async ([answer, code]) => {
    const relay = await answering(answer);
    await expect(relaySpaceOf(call(relay.url))).rejects.toMatchObject({ code });
  });

  test("[NW15] nobody there, no answer in time, and a caller who has had enough are told apart", async () => {
    const relay = await answering("never");
    await expect(relaySpaceOf({ ...call(relay.url), timeoutMs: 1 })).rejects.toMatchObject({
      code: "RELAY_UNREACHABLE",
      message: expect.stringContaining("in time"),
    });
    const controller = new AbortController();
    const stopped = relaySpaceOf({ ...call(relay.url), signal: controller.signal });
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
    await expect(relaySpaceOf(call("http://127.0.0.1:1"))).rejects.toMatchObject({
      code: "RELAY_UNREACHABLE",
    });
    await expect(relaySpaceOf(call("relay"))).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[NW15] a certificate that is not trusted is named as the reason, over HTTP and in a session", async () => {
    using relay = await withOwnCertificate();
    await expect(relaySpaceOf(call(relay.url))).rejects.toMatchObject({
      code: "RELAY_UNREACHABLE",
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    const { promise: ending, resolve } = Promise.withResolvers<SocketEnding>();
    const listener = { frame: () => {}, proven: () => {}, ended: resolve };
    const url = relay.url.replace("https", "wss");
    new RelaySocket({ url, token: "t1", userAgent: undefined, timers: systemTimers, listener });
    expect((await ending).reason).toMatchObject({ hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
  });
});
