import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SourceFetcher } from "../../src/index.js";
import { World } from "../support/world.js";

const TEXT = "The door code is kept by Ada, and by nobody else.";

test("[RT22] the text of a version comes whole, from its source if that is allowed and is the very text, or as its summary", async () => {
  await using world = new World(601);
  const mails: SourceFetcher = {
    fetch: async ({ kind }) => (kind === "email" ? `Hello\n\n${TEXT}\n\nBye` : undefined),
  };
  const broken: SourceFetcher = { fetch: () => Promise.reject(new Error("no such tool")) };
  const a = await world.found("a", { sourceFetchers: { email: mails, tool: broken } });
  const agent = a.space.as({ agent: "ada" });
  const path = join(world.root, "door.md");
  writeFileSync(path, `# House\n\nOther things.\n\n## Door\n\n${TEXT}\n\n## Garden\n`);
  let page = `<p>\n${TEXT}\n</p>`;
  const server = createServer((_, response) => response.end(page)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/door`;
  try {
    const sources = {
      ...{ file: { kind: "file", path }, url: { kind: "url", url }, email: { kind: "email", thread: "t" } },
      tool: { kind: "tool", tool: "x" },
      conversation: { kind: "conversation", conversation: "c" },
    };
    const ids: Record<string, string> = {};
    for (const [kind, source] of Object.entries(sources)) {
      const { id } = await agent.remember({ content: TEXT, source } as never);
      await agent.revise(id, { content: `Now it is ${kind}.` });
      ids[kind] = id;
    }
    const told = await agent.remember({ content: TEXT, summary: "Who keeps the code" } as never);
    await agent.revise(told.id, { content: "Nobody keeps it." });
    const of = (kind: string, allowed: readonly string[] = []) =>
      a.space.text(ids[kind] ?? "", 1, { sources: allowed });
    expect(await of("file")).toMatchObject({ how: "whole", text: TEXT });
    const owner = a.space.as({ role: "owner" });
    await owner.changeSettings({ set: { "retention.contents": 1 } });
    expect((await owner.prune()).counts).toEqual({ memories: 6, versions: 6 });

    expect(await of("file")).toMatchObject({ how: "none", text: "" });
    expect(await of("file", ["url"])).toMatchObject({ how: "none" });
    expect(await of("file", ["file"])).toMatchObject({ how: "source", text: TEXT });
    expect(await of("url", ["file", "url"])).toMatchObject({ how: "source", text: TEXT });
    expect(await of("email", ["email"])).toMatchObject({ how: "source", text: TEXT });
    expect(await of("tool", ["tool"])).toMatchObject({ how: "none", problem: "no such tool" });
    expect((await of("conversation", ["conversation"])).problem).toContain("Nothing here reads sources");
    expect(await a.space.text(told.id, 1)).toMatchObject({ how: "summary", text: "Who keeps the code" });
    expect(await a.space.text(told.id, 2)).toMatchObject({ how: "whole", text: "Nobody keeps it." });
    writeFileSync(path, `# House\n\n${TEXT} Or by Bob.\n`);
    expect(await of("file", ["file"])).toMatchObject({
      how: "none",
      problem: expect.stringContaining("something else"),
    });
    page = "gone";
    expect((await of("url", ["url"])).how).toBe("none");
  } finally {
    server.close();
  }
});
