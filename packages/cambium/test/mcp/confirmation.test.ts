import { describe, expect, test } from "vitest";
import { call, connect, ERAS, failed, idOf, replicaHere } from "./support/connected.js";

/** What a person answers when asked. */
const ANSWERS = [
  ["agrees", { action: "accept", content: { confirm: true } }, true],
  ["accepts without agreeing", { action: "accept", content: { confirm: false } }, false],
  ["declines", { action: "decline" }, false],
  ["goes away", { action: "cancel" }, false],
] as const;

describe.each(ERAS)("a client from %s", (_era, options) => {
  test.each(ANSWERS)("[MC25] asks the person where it can, who %s", async (_what, answer, isMerged) => {
    await using here = await replicaHere();
    const settings = { ...options, capabilities: { elicitation: { form: {} } } };
    await using connected = await connect(here.replica, { client: settings });
    const { client } = connected;
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer.action === "accept" ? { ...answer, content: { ...answer.content } } : { ...answer };
    });
    const id = idOf(await call(client, "remember", { content: "Lights go out at ten" }));
    await call(client, "branch", { action: "create", name: "late" });
    await call(client, "revise", { id, content: "Lights go out at eleven", branch: "late" });
    await call(client, "revise", { id, content: "Lights go out at nine" });
    const resolutions = [{ id, take: "source" }];
    const preview = await call(client, "merge", { from: "late", resolutions });
    const apply = { from: "late", resolutions, expect: preview.data.expect };
    if (isMerged) expect((await call(client, "merge", apply)).data.status).toBe("merged");
    else expect(await failed(client, "merge", apply)).toMatch(/^CONFIRMATION_NEEDED/);
    expect(asked).toEqual(["This would merge a branch and decide what is in conflict (1 memory). Go on?"]);
    const { data } = await call(client, "recall", { ids: [id] });
    expect(data.memories).toMatchObject([
      { content: isMerged ? "Lights go out at eleven" : "Lights go out at nine" },
    ]);
  });
});

test("[MC26] what the owner has to approve is asked for once, and runs when it is approved", async () => {
  await using here = await replicaHere();
  await using connected = await connect(here.replica);
  const { client } = connected;
  await call(client, "branch", { action: "create", name: "old" });
  // Without something of its own to lose, its maker deletes it unasked.
  await call(client, "remember", { content: "Only here", branch: "old" });
  const told = await failed(client, "branch", { action: "delete", name: "old", confirmed: true });
  const request = /cambium approve ([0-9a-f-]{36})/.exec(told)?.[1] ?? "";
  const space = await here.replica.openSpace();
  await space.requests.approve(request);
  expect((await call(client, "branch")).data.branches).toMatchObject([{ name: "main" }]);
});
