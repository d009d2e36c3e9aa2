/** Invitations over HTTP, and what somebody who holds one cannot get with it. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";

const HOUR_MS = 3_600_000;

interface Issued {
  readonly invitationId: string;
  readonly token: string;
}

interface Traded {
  readonly tokenId: string;
  readonly role: string;
  readonly expiresAt?: number;
}

/** A device with a token that it makes for itself. */
class Device {
  readonly token = `cambium_space_${randomBytes(32).toString("base64url")}`;
  readonly hash = createHash("sha256").update(this.token).digest("hex");

  async trade(fixture: RelayFixture, invitation: string, more: object = {}): Promise<Traded | string> {
    const response = await fixture.call("POST", "/trade", invitation, { hash: this.hash, ...more });
    const answer = (await response.json()) as Traded & { error: { code: string } };
    return response.ok ? answer : answer.error.code;
  }
}

async function world(wish: object = {}) {
  const fixture = await RelayFixture.start({ limits: { tokensPerSpace: 6, wrongTokens: 8 } });
  const admin = await fixture.makeSpace("space-a");
  const invite = async (more: object = {}): Promise<Issued> => {
    const made = await fixture.call("POST", "/spaces/space-a/invitations", admin, { role: "write", ...more });
    expect(made.status).toBe(201);
    return (await made.json()) as Issued;
  };
  const may = async (token: string) => {
    const response = await fixture.call("GET", "/space", token);
    return response.ok ? ((await response.json()) as { role: string }).role : response.status;
  };
  const made = await invite(wish);
  return { fixture, admin, invite, may, made, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

describe("[RL70] an invitation opens nothing, and is traded for a token of the device's own", () => {
  test("it is refused wherever a token of the space or of the relay is asked for", async () => {
    await using all = await world({ role: "admin" });
    const { fixture, made, may } = all;
    expect(await may(made.token)).toBe(403);
    for (const [method, path] of [
      ["GET", "/spaces"],
      ["GET", "/spaces/space-a/tokens"],
      ["POST", "/spaces/space-a/tokens"],
      ["POST", "/spaces/space-a/invitations"],
      ["DELETE", `/spaces/space-a/invitations/${made.invitationId}`],
      ["GET", "/spaces/space-a/members"],
      ["GET", "/spaces/space-a/documents/00"],
      ["GET", "/sync"],
    ] as const)
      expect(
        (await fixture.call(method, path, made.token, method === "GET" ? undefined : {})).status,
      ).not.toBe(200);
    const sync = await fetch(`${fixture.url}/sync?token=${made.token}`);
    expect(sync.ok).toBe(false);
  });

  test("its role never grows, and may be less", async () => {
    await using all = await world();
    const { fixture, made, may } = all;
    expect(await new Device().trade(fixture, made.token, { role: "admin" })).toBe("ROLE_REFUSED");
    const [reader, writer] = [new Device(), new Device()];
    expect(await reader.trade(fixture, made.token, { role: "read", device: "c2VhbGVk" })).toMatchObject({
      ...{ role: "read", invitationId: made.invitationId },
    });
    expect(await (await fixture.call("GET", "/space", reader.token)).json()).toMatchObject({
      device: "c2VhbGVk",
    });
    expect(await writer.trade(fixture, made.token)).toMatchObject({ role: "write" });
    expect([await may(reader.token), await may(writer.token)]).toEqual(["read", "write"]);
    // Sent again with more: it stays what it is.
    expect(await reader.trade(fixture, made.token, { role: "write" })).toMatchObject({ role: "read" });
    const seen = await (await fixture.call("GET", "/spaces/space-a/members", ADMIN_TOKEN)).json();
    expect(seen).toMatchObject({
      members: [{ role: "admin" }, { role: "read", cameBy: made.invitationId, device: "c2VhbGVk" }, {}],
    });
  });

  test("who trades is shown neither hash nor secret of others, and a hash that is taken is refused", async () => {
    await using all = await world();
    const { fixture, admin, made } = all;
    const thief = new Device();
    Object.assign(thief, { hash: createHash("sha256").update(admin).digest("hex") });
    expect(await thief.trade(fixture, made.token)).toBe("BAD_INPUT");
    expect(await new Device().trade(fixture, made.token, { hash: "ABC" })).toBe("BAD_INPUT");
    const listed = await (await fixture.call("GET", "/spaces/space-a/invitations", admin)).text();
    expect(listed).not.toContain(made.token);
    expect(JSON.parse(listed).invitations).toMatchObject([{ ...{ role: "write", uses: 0, tokens: 0 } }]);
    const looked = await (await fixture.call("GET", "/invitation", made.token)).json();
    expect(looked).toMatchObject({ space: "space-a", role: "write", invitationId: made.invitationId });
    expect((await fixture.call("GET", "/invitation", admin)).status).toBe(403);
  });
});

describe("[RL71] an invitation ends, and those who came by it do not", () => {
  test("its expiry ends the trading; `accessUntil` ends the tokens", async () => {
    await using all = await world();
    const { fixture, invite, may } = all;
    const [at, until] = [fixture.timeMs + HOUR_MS, fixture.timeMs + 2 * HOUR_MS];
    const short = await invite({ expiresAt: at, accessUntil: until });
    const device = new Device();
    expect(await device.trade(fixture, short.token)).toMatchObject({ expiresAt: until });
    fixture.timeMs = at;
    expect(await new Device().trade(fixture, short.token)).toBe("TOKEN_REFUSED");
    expect(await may(device.token)).toBe("write");
    fixture.timeMs = until;
    expect(await may(device.token)).toBe(401);
    const late = await fixture.call("POST", "/spaces/space-a/invitations", ADMIN_TOKEN, {
      role: "read",
      expiresAt: at,
    });
    expect(late.status).toBe(400);
  });

  test("trades at the same time stop at its uses, and one that is sent again counts once", async () => {
    await using all = await world({ uses: 2 });
    const { fixture, made } = all;
    const devices = [new Device(), new Device(), new Device()];
    const outcomes = await Promise.all(
      [...devices, ...devices].map((device) => device.trade(fixture, made.token)),
    );
    const ids = outcomes.flatMap((outcome) => (typeof outcome === "string" ? [] : [outcome.tokenId]));
    expect(new Set(ids).size).toBe(2);
    expect(outcomes.filter((outcome) => outcome === "TOKEN_REFUSED").length).toBeGreaterThanOrEqual(1);
    const listed = await (await fixture.call("GET", "/spaces/space-a/tokens", ADMIN_TOKEN)).json();
    expect((listed as { tokens: unknown[] }).tokens).toHaveLength(3);
  });
});

describe("[RL72] an invitation is revoked alone, or with every token that came by it", () => {
  test("and the same device comes in again by neither", async () => {
    await using all = await world();
    const { fixture, admin, made, may } = all;
    const device = new Device();
    await device.trade(fixture, made.token);
    const path = `/spaces/space-a/invitations/${made.invitationId}`;
    expect(await (await fixture.call("DELETE", path, admin)).json()).toEqual({ tokens: [] });
    expect(await may(device.token)).toBe("write");
    expect(await device.trade(fixture, made.token)).toBe("TOKEN_REFUSED");
    expect((await fixture.call("DELETE", path, admin)).status).toBe(400);
    expect(await (await fixture.call("DELETE", `${path}?tokens=true`, admin)).json()).toEqual({
      tokens: [expect.any(String)],
    });
    expect(await may(device.token)).toBe(401);
  });

  test("but not with the last admin of the space, unless the relay's admin does it", async () => {
    await using all = await world({ role: "admin" });
    const { fixture, admin, made, may } = all;
    const device = new Device();
    await device.trade(fixture, made.token);
    const first = (await (await fixture.call("GET", "/spaces/space-a/tokens", admin)).json()) as {
      tokens: { tokenId: string }[];
    };
    await fixture.call("DELETE", `/spaces/space-a/tokens/${first.tokens[0]?.tokenId}`, admin);
    const path = `/spaces/space-a/invitations/${made.invitationId}?tokens=true`;
    expect((await fixture.call("DELETE", path, device.token)).status).toBe(403);
    expect((await fixture.call("DELETE", path, ADMIN_TOKEN)).status).toBe(200);
    expect(await may(device.token)).toBe(401);
  });
});

describe("[RL73] trades are counted, limited and kept in the audit", () => {
  test("a holder of an invitation can neither fill the space nor guess on", async () => {
    await using all = await world();
    const { fixture, made } = all;
    const outcomes: unknown[] = [];
    for (let n = 0; n < 9; n++) outcomes.push(await new Device().trade(fixture, made.token));
    expect(outcomes.map((outcome) => (typeof outcome === "string" ? outcome : "made"))).toEqual([
      ...["made", "made", "made", "made", "made"],
      ...["QUOTA_EXCEEDED", "QUOTA_EXCEEDED", "QUOTA_EXCEEDED", "RATE_LIMITED"],
    ]);
    fixture.timeMs += HOUR_MS;
    expect(await new Device().trade(fixture, made.token)).toBe("QUOTA_EXCEEDED");
    for (let n = 0; n < 8; n++) await new Device().trade(fixture, `cambium_invite_${n}`);
    expect(await new Device().trade(fixture, made.token)).toBe("RATE_LIMITED");
  });

  test("making, trading and revoking are in the audit, with ids and without secrets", async () => {
    await using all = await world();
    const { fixture, admin, made } = all;
    const device = new Device();
    const { tokenId } = (await device.trade(fixture, made.token)) as Traded;
    await fixture.call("DELETE", `/spaces/space-a/invitations/${made.invitationId}?tokens=true`, admin);
    const text = readFileSync(join(fixture.dataDir, "audit.jsonl"), "utf8");
    const acts = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { invitationId } = made;
    expect(acts.slice(-3)).toMatchObject([
      { act: "invitation-made", invitationId, role: "write" },
      { act: "invitation-traded", by: invitationId, invitationId, tokenId, role: "write" },
      { act: "invitation-revoked", invitationId, tokenIds: [tokenId] },
    ]);
    for (const secret of [made.token, device.token, device.hash]) expect(text).not.toContain(secret);
  });
});
