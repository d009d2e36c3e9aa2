import { expect, test } from "vitest";
import { call, connect, failed, replicaHere } from "./support/connected.js";

test("[MC42] settings shows what is kept and what would be pruned; a change of it waits for the owner", async () => {
  await using here = await replicaHere();
  const space = await here.replica.createSpace({ name: "notes" });
  const { id } = await space.as({}).remember({ content: "one" });
  await space.as({}).revise(id, { content: "two" });
  await using connected = await connect(here.replica, { settings: { tools: "full" }, name: "Claude Code" });
  const { client } = connected;
  await client.listTools(); // the client checks every answer against the shape that the tool announced

  const kept = await call(client, "settings", {});
  expect(kept.text).toContain("- retention.contents: all (the default; takes a whole number");
  expect(kept.text).toContain("Nothing is ever pruned.");
  expect(kept.data).toMatchObject({ preset: "keep-everything", prune: { status: "off" } });

  const change = { set: { "retention.contents": 1, "retention.days": 0 } };
  expect(await failed(client, "settings", change)).toMatch(/^(APPROVAL_PENDING|ROLE_REFUSED)/);
  expect((await space.settings()).preset).toBe("keep-everything");
  expect(await failed(client, "settings", { set: { "retention.contents": {} } })).toMatch(/^BAD_INPUT/);

  await space.as({ role: "owner" }).changeSettings(change);
  const shown = await call(client, "settings", {});
  expect(shown.text).toContain("- retention.contents: 1 (default: all;");
  expect(shown.text).toMatch(/\nWould prune 1 text of 1 memory, \d+ bytes\.$/);
  expect(shown.data).toMatchObject({ prune: { status: "preview", counts: { versions: 1 } } });
  expect((await space.history(id)).map(({ content }) => content)).toEqual(["one", "two"]);
});
