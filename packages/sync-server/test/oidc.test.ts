import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DocumentClient, testDocumentId } from "./support/document-client.js";
import { LogClient } from "./support/log-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

const AUDIENCE = "cambium";
let issuer = "";
let isUp = true;
const pair = await generateKeyPair("ES256");
const stranger = await generateKeyPair("ES256");

/** A provider of real keys, on this machine. */
const provider = createServer(async (request, response) => {
  response.statusCode = isUp ? 200 : 503;
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256", use: "sig" }];
  const isKeys = request.url === "/keys";
  response.end(JSON.stringify(isKeys ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }));
});

beforeAll(async () => {
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => provider.close());

const started = () =>
  RelayFixture.start({
    oidc: {
      issuer,
      audience: AUDIENCE,
      spaceClaim: "cambium_space",
      roleClaim: "cambium_role",
      skewSeconds: 5,
    },
  });

interface Wanted {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly key?: (typeof pair)["privateKey"];
  readonly seconds?: number;
}

const signed = (timeMs: number, { claims, key = pair.privateKey, seconds = 60, ...wanted }: Wanted = {}) =>
  new SignJWT({ cambium_space: "space-a", cambium_role: "write", ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .setSubject("ann")
    .setIssuer(wanted.issuer ?? issuer)
    .setAudience(wanted.audience ?? AUDIENCE)
    .setIssuedAt(timeMs / 1_000)
    .setExpirationTime(timeMs / 1_000 + seconds)
    .sign(key);

test("[RO19] a JWT opens the space of its claims with the role of its claims, until it expires", async () => {
  await using fixture = await started();
  await fixture.makeSpace("space-a");
  const token = await signed(fixture.timeMs);
  expect(await (await fixture.call("GET", "/space", token)).json()).toEqual({
    space: "space-a",
    role: "write",
  });
  await using client = await LogClient.subscribe(fixture.url, token);
  const writer = new DocumentClient(client, testDocumentId(1));
  writer.write("a", "by a JWT");
  await writer.receipt();
  expect((await fixture.call("GET", "/spaces/space-a/tokens", token)).status).toBe(403);
  const admin = await signed(fixture.timeMs, { claims: { cambium_role: "admin" } });
  const members = await (await fixture.call("GET", "/spaces/space-a/members", admin)).json();
  expect(members).toMatchObject({ members: [{ role: "admin" }, { tokenId: "oidc:ann", sessions: 1 }] });
  fixture.timers.tick();
  await client.settled();
  fixture.timeMs += 65_000;
  fixture.timers.tick();
  expect(await client.closed).toBe(4401);
  expect((await fixture.call("GET", "/space", token)).status).toBe(401);
});

test("[RO19] a JWT that is not for this relay opens nothing", async () => {
  await using fixture = await started();
  await fixture.makeSpace("space-a");
  const good = await signed(fixture.timeMs);
  const [header, payload, signature] = good.split(".");
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  const wrong = [
    await signed(fixture.timeMs, { key: stranger.privateKey }),
    await signed(fixture.timeMs, { issuer: "http://elsewhere" }),
    await signed(fixture.timeMs, { audience: "another" }),
    await signed(fixture.timeMs, { seconds: -6 }),
    await signed(fixture.timeMs, { claims: { cambium_role: "owner" } }),
    await signed(fixture.timeMs, { claims: { cambium_space: "space-b" } }),
    await signed(fixture.timeMs, { claims: { cambium_space: ["space-a"] } }),
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`,
    `${header}.${Buffer.from("{}").toString("base64url")}.${signature}`,
    "a.b.c",
  ];
  for (const token of wrong) expect((await fixture.call("GET", "/space", token)).status).toBe(401);
  expect((await fixture.call("GET", "/space", good)).status).toBe(200);
});

test("[RO19] [RL22] a JWT that has expired opens nothing and stores nothing, also once the clock was set back", async () => {
  await using fixture = await started();
  await fixture.makeSpace("space-a");
  const token = await signed(fixture.timeMs);
  await using client = await LogClient.subscribe(fixture.url, token);
  fixture.timeMs += 65_000;
  for (const back of [0, 1, 86_400_000]) {
    fixture.timeMs -= back;
    expect((await fixture.call("GET", "/space", token)).status).toBe(401);
  }
  fixture.timers.tick();
  expect(await client.closed).toBe(4401);
  expect((await fixture.call("GET", "/space", await signed(fixture.timeMs + 86_400_000))).status).toBe(200);
});

test("[RO19] while the provider cannot be reached, nobody is admitted by a JWT, and others are", async () => {
  await using fixture = await started();
  const own = await fixture.makeSpace("space-a");
  isUp = false;
  const token = await signed(fixture.timeMs);
  expect((await fixture.call("GET", "/space", token)).status).toBe(500);
  expect(fixture.events.at(-1)).toMatchObject({
    type: "failed",
    error: { message: expect.stringContaining(issuer) },
  });
  expect((await fixture.call("GET", "/space", own)).status).toBe(200);
  isUp = true;
  expect((await fixture.call("GET", "/space", token)).status).toBe(200);
});
