import { describe, expect, test } from "vitest";
import { converged, meet, part, World } from "../support/world.js";

const [EARLY, LATE] = ["2025-01-01", "2026-01-01"];
const INVERTED = { validFrom: LATE, validUntil: EARLY };
const refused = { code: "BAD_INPUT", details: { field: "validUntil" } };

describe("a memory that would be over before it begins", () => {
  test("[CO94] is not written, whichever call would make it so", async () => {
    await using world = new World(140);
    const { space } = await world.found();
    const agent = space.as({ agent: "ada", role: "owner" });
    const inverted = { content: "x", ...INVERTED };
    const { id } = await agent.remember({ content: "from late", validFrom: LATE });
    const other = await agent.remember({ content: "until early", validUntil: EARLY });
    const before = (await space.status()).branch.head;
    for (const call of [
      () => agent.remember(inverted),
      () => agent.revise(id, { validUntil: EARLY }),
      () => agent.revise(id, INVERTED),
      () => agent.revise(other.id, { validFrom: LATE, content: "changed, too" }),
      () => agent.combine([id, other.id], inverted),
      () => agent.split(id, [{ content: "y" }, inverted]),
    ])
      await expect(call()).rejects.toMatchObject(refused);
    expect((await space.status()).branch.head).toEqual(before);
    await agent.revise(id, { validUntil: EARLY, validFrom: null });
    await agent.revise(other.id, { validFrom: EARLY });
    const all = await space.recall("until from", { validAt: "2024-06-01" });
    expect(all.map((memory) => memory.id)).toEqual([id]);
  });

  test("[CO94] may come of two edits made apart; it goes on, and who decides it decides well", async () => {
    await using world = await World.withRelay(141);
    const a = await world.found("a");
    const { id } = await a.space.as({ agent: "ada" }).remember({ content: "offer", validFrom: EARLY });
    const b = await world.join(a, "b");
    await converged(a, b);
    await part(a, b);
    await a.space.as({ agent: "ada" }).revise(id, { validUntil: "2025-06-01" });
    await b.space.as({ agent: "bob" }).revise(id, { validFrom: LATE });
    await meet(a, b);
    const agent = a.space.as({ agent: "ada" });
    await agent.revise(id, { content: "the offer" });
    await expect(agent.revise(id, { validUntil: "2025-07-01" })).rejects.toMatchObject(refused);
    await agent.revise(id, { validUntil: "2026-07-01" });
    await agent.undo();
    expect((await a.space.get(id)).validUntil).toBe(Date.UTC(2025, 5, 1));
  });

  test("[CO94] is no value that a conflict is decided to", async () => {
    await using world = new World(142);
    const { space } = await world.found();
    const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
    const { id } = await agent.remember({ content: "offer", validFrom: LATE, validUntil: "2027-01-01" });
    await agent.branches.create("side");
    await agent.revise(id, { validUntil: "2027-02-01" }, { branch: "side" });
    await agent.revise(id, { validUntil: "2027-03-01" });
    const merge = (value: unknown) =>
      agent.merge({ from: "side", resolutions: { [id]: { validUntil: { value } } } });
    await expect(merge(EARLY)).rejects.toMatchObject(refused);
    await expect(merge("2027-02-30")).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect((await merge("2027-04-01")).status).toBe("merged");
  });
});

test("[CO93] a day that does not exist is refused, whichever call is given it", async () => {
  await using world = new World(143);
  const { space } = await world.found();
  const agent = space.as({ agent: "ada", role: "owner" });
  const day = "2026-02-30";
  const { id } = await agent.remember({ content: "dated", occurredAt: "2026-02-28" });
  for (const call of [
    () => agent.remember({ content: "d", occurredAt: day }),
    () => agent.revise(id, { occurredAt: day }),
    () => agent.combine([id, id], { content: "d", occurredAt: day }),
    () => agent.split(id, [{ content: "d", occurredAt: day }, { content: "e" }]),
    () => space.recall("dated", { since: day }),
    () => space.recall("dated", { validAt: day }),
    () => space.list({ at: day }),
    () => space.list({ at: `main@${day}` }),
    () => agent.rollback({ to: day }),
    () => agent.rollback({ only: { since: day } }),
    () => space.audit.list({ since: day }),
  ])
    await expect(call()).rejects.toMatchObject({ code: expect.stringMatching(/^BAD_(INPUT|REF)$/) });
  for (const since of [Number.NaN, Number.POSITIVE_INFINITY, 1e17])
    await expect(space.recall("dated", { since })).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test("[RF10] [RF11] times are told in words wherever a time is taken", async () => {
  await using world = new World(144);
  const { space } = await world.found();
  const agent = space.as({ agent: "ada", role: "owner" });
  const HOUR = 3_600_000;
  const { id, at: now } = await agent.remember({
    content: "dated",
    occurredAt: "2 hours ago",
    validFrom: "yesterday",
    validUntil: "2027-02-01",
  });
  const { occurredAt = 0, validFrom = 0, validUntil } = await space.get(id);
  expect(Math.round((now - occurredAt) / HOUR)).toBe(2);
  expect(validFrom).toBe(new Date(new Date(now).setHours(-24, 0, 0, 0)).getTime());
  expect(validUntil).toBe(Date.UTC(2027, 1, 1));
  expect((await agent.revise(id, { validUntil: "next week" })).validUntil).toBeGreaterThan(now);
  await expect(agent.remember({ content: "d", occurredAt: "some time" })).rejects.toMatchObject({
    code: "BAD_INPUT",
    message: expect.stringContaining("2 weeks ago"),
  });
  expect(await space.recall("dated", { since: "last 24 hours" })).toHaveLength(1);
  expect(await space.recall("dated", { until: "before yesterday" })).toHaveLength(0);
  for (const since of ["tomorrow", "2999-01-01"])
    await expect(space.list({ since })).rejects.toMatchObject({
      ...{ code: "BAD_REF", message: expect.stringContaining("still to come") },
    });
  await expect(space.recall("dated", { since: "before yesterday" })).rejects.toMatchObject({
    code: "BAD_REF",
  });

  expect((await space.log({ since: "the last hour" })).changes).toHaveLength(2);
  expect((await space.log({ since: "today" })).changes).toHaveLength(2);
  expect((await space.log({ until: "yesterday" })).changes).toHaveLength(0);
  await expect(space.log({ until: "yesterday", at: "main" })).rejects.toMatchObject({ code: "BAD_INPUT" });

  for (const at of ["blursday", "last blursday"])
    await expect(space.list({ at })).rejects.toMatchObject({
      code: "BAD_REF",
      message: expect.stringContaining("neither a branch nor a time"),
      hint: expect.stringContaining("last Friday"),
    });
});
