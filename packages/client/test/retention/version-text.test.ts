import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SourceFetcher } from "../../src/index.js";
import { synced, World } from "../support/world.js";

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

test("[RT36] the text of an imported file is read again in its folder, which only this device knows", async () => {
  await using world = await World.withRelay(602);
  const a = await world.found("a");
  const b = await world.join(a, "b");
  const owner = a.space.as({ role: "owner", confirmed: true });
  const folder = join(world.root, "notes");
  const files: Readonly<Record<string, (text: string) => string>> = {
    "r.md": (text) => `# House\n\n## Door\n\n${text}\n\n## Garden\n\nGreen.\n`,
    "plain.md": (text) => `${text}\n`,
    "deep/inner.md": (text) => `# Deep\n\n${text}\n`,
    "line.txt": (text) => `${text}\n`,
  };
  mkdirSync(join(folder, "deep"), { recursive: true });
  const write = (text: string): void => {
    for (const [name, of] of Object.entries(files)) writeFileSync(join(folder, name), of(text));
  };
  const imported = async (): Promise<void> => {
    await owner.import(folder);
    await owner.import(join(folder, "line.txt"));
  };
  write(TEXT);
  await imported();
  write("Nobody keeps it now, and the door stands open.");
  await imported();
  await owner.changeSettings({ set: { "retention.contents": 1, "retention.differences": "no" } });
  for (const device of [a, b, a, b]) await synced(device);
  await b.space.as({ role: "owner" }).prune();
  for (const device of [b, a]) await synced(device);
  expect((await owner.prune()).counts).toMatchObject({ versions: 4 });
  for (const device of [a, b]) await synced(device);
  const { memories } = await a.space.list();
  const changed = memories.filter(({ versions }) => versions === 2);
  expect(changed.map(({ source }) => source?.file).sort()).toEqual(Object.keys(files).sort());
  const texts = async (space: typeof a.space, sources: readonly string[]) =>
    await Promise.all(changed.map(({ id }) => space.text(id, 1, { sources })));
  for (const { how, problem } of await texts(a.space, []))
    expect([how, problem]).toEqual(["none", undefined]);
  for (const { problem } of await texts(a.space, ["file"])) expect(problem).toContain("something else");
  write(TEXT);
  for (const kind of ["file", "import"])
    for (const { how, text } of await texts(a.space, [kind])) {
      expect(how).toBe("source");
      expect(text).toContain(TEXT);
    }
  for (const { problem } of await texts(a.space, ["url"])) expect(problem).toContain("of the kind file");
  // The path stays on the device.
  for (const { problem } of await texts(b.space, ["file"]))
    expect(problem).toMatch(/folder notes .*Import it here again/);
  const path = join(world.root, "all.jsonl");
  await a.space.export(path);
  expect(readFileSync(path, "utf8")).not.toContain(world.root);
  rmSync(folder, { recursive: true });
  for (const { problem } of await texts(a.space, ["file"]))
    expect(problem).toMatch(/notes.* does not exist\.$/);
});

test("[RT36] a source that names no absolute path says so, and none leads out of its folder", async () => {
  await using world = new World(603);
  const a = await world.found("a");
  const owner = a.space.as({ role: "owner" });
  const [folder, secret] = [join(world.root, "notes"), join(world.root, "secret.md")];
  mkdirSync(folder);
  writeFileSync(join(folder, "n.md"), "Something.\n");
  writeFileSync(secret, `${TEXT}\n`);
  await owner.import(folder);
  const outside = { kind: "import", format: "markdown", name: "notes", file: "../secret.md" };
  const ids: string[] = [];
  for (const source of [{ kind: "file", file: secret }, { kind: "file", file: "s.md" }, outside, undefined]) {
    const { id } = await owner.remember({ content: TEXT, ...(source && { source }) } as never);
    await owner.revise(id, { content: `Now ${ids.length}.` });
    ids.push(id);
  }
  await owner.changeSettings({ set: { "retention.contents": 1, "retention.differences": "no" } });
  await owner.prune();
  const read = await Promise.all(ids.map((id) => a.space.text(id, 1, { sources: "file" })));
  expect(read.map(({ how }) => how)).toEqual(["source", "none", "none", "none"]);
  expect(read.slice(1).map(({ problem }) => problem)).toEqual([
    "Its source does not say where the file is, only that it is s.md.",
    expect.stringContaining("does not exist"),
    "Nothing says where it came from.",
  ]);
});
