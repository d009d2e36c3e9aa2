/** What a token allows changes in place, while it is used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ChangeMaker } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";

const DOCUMENT = "ab".repeat(16);

async function world() {
  const fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("space-a");
  const { token, tokenId } = await fixture.makeToken("space-a", "write");
  const change = async (role: unknown, by = admin, id = tokenId, space = "space-a") => {
    const response = await fixture.call("PATCH", `/spaces/${space}/tokens/${id}`, by, { role });
    if (response.ok) return response.json();
    return ((await response.json()) as { error: { code: string } }).error.code;
  };
  const ownId = async (of: string): Promise<string> => {
    const { members } = (await (await fixture.call("GET", "/spaces/space-a/members", of)).json()) as {
      members: { tokenId: string; isYou?: true }[];
    };
    return members.find(({ isYou }) => isYou)?.tokenId ?? "";
  };
  return {
    ...{ fixture, admin, token, tokenId, change, ownId },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

test("[RL205] a session ends when its token allows something else; what it had stored stays, and the next obeys", async () => {
  await using all = await world();
  const { fixture, token, tokenId, change } = all;
  const maker = new ChangeMaker("aa");
  await using before = await LogClient.subscribe(fixture.url, token);
  expect(await before.write(DOCUMENT, maker.write("1", "1"))).toMatchObject({ type: "receipt" });
  expect(await change("read")).toEqual({ tokenId, role: "read" });
  expect(await before.closed).toBe(4410);

  await using less = await LogClient.subscribe(fixture.url, token);
  expect(await less.next("welcome")).toMatchObject({ role: "read" });
  await less.reached(1);
  const second = maker.write("2", "2");
  expect(await less.write(DOCUMENT, second)).toMatchObject({ code: "ROLE_REFUSED" });
  expect(await change("write")).toEqual({ tokenId, role: "write" });
  expect(await less.closed).toBe(4410);
  await using again = await LogClient.subscribe(fixture.url, token);
  expect(await again.write(DOCUMENT, second)).toMatchObject({ type: "receipt" });
});

test("[RL205] what was sent before and not stored yet is judged by the role of then", async () => {
  await using all = await world();
  const { fixture, admin, token, change } = all;
  await using writer = await LogClient.subscribe(fixture.url, token);
  await using reader = await LogClient.subscribe(fixture.url, admin);
  const maker = new ChangeMaker("aa");
  const changing = change("read");
  for (let n = 0; n < 20; n += 1)
    writer.batch([{ kind: "change", document: DOCUMENT, chunk: maker.write(`${n}`, "x") }]);
  await changing;
  expect(await writer.closed).toBe(4410);
  await reader.settled();
  const { position } = reader.point;
  // Nothing more comes in behind the change.
  await using again = await LogClient.subscribe(fixture.url, token);
  expect(await again.write(DOCUMENT, maker.write("late", "x"))).toMatchObject({ code: "ROLE_REFUSED" });
  await reader.settled();
  expect(reader.point.position).toBe(position);
});

test("[RL205] admins of the space and of the relay may, nobody else, and not for another space", async () => {
  await using all = await world();
  const { fixture, token, tokenId, change } = all;
  const other = await fixture.makeSpace("space-b");
  expect(await change("admin", token)).toBe("ROLE_REFUSED");
  expect(await change("read", other)).toBe("ROLE_REFUSED");
  expect(await change("read", other, tokenId, "space-b")).toBe("BAD_INPUT");
  expect(await change("owner")).toBe("BAD_INPUT");
  expect(await change("read", undefined, "0000000000000000")).toBe("BAD_INPUT");
  expect(await change("read", "cambium_space_unknown")).toBe("TOKEN_REFUSED");
  expect(await change("admin", ADMIN_TOKEN)).toEqual({ tokenId, role: "admin" });
});

test("[RL205] [RO12] the last admin of a space stays one, unless the relay's admin says otherwise", async () => {
  await using all = await world();
  const { fixture, admin, token, tokenId, change, ownId } = all;
  const first = await ownId(admin);
  expect(await change("write", admin, first)).toBe("ROLE_REFUSED");
  await change("admin");
  const both = await Promise.all([change("write", admin, tokenId), change("write", token, first)]);
  expect(both.filter((outcome) => outcome === "ROLE_REFUSED")).toHaveLength(1);
  const roles = await Promise.all(
    [admin, token].map(async (of) => {
      const answer = (await (await fixture.call("GET", "/space", of)).json()) as { role: string };
      return answer.role;
    }),
  );
  expect(roles.toSorted()).toEqual(["admin", "write"]);
  const left = roles[0] === "admin" ? first : tokenId;
  expect(await change("read", ADMIN_TOKEN, left)).toEqual({ tokenId: left, role: "read" });
});

test("[RL205] [RO17] each change of a role is in the audit file", async () => {
  await using all = await world();
  const { fixture, admin, tokenId, change, ownId } = all;
  const by = await ownId(admin);
  await change("read");
  const lines = readFileSync(join(fixture.dataDir, "audit.jsonl"), "utf8").trim().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    ...{ act: "token-changed", by, address: "127.0.0.1", space: "space-a", tokenId, role: "read" },
  });
});
