/** A model that a person named, stood in for by a server that speaks OpenAI's chat completions. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { stripVTControlCharacters } from "node:util";
import { chatModelFromEnvironment } from "@cambium/client/host";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, World } from "../../../client/test/support/world.js";
import { intentByModel } from "../../src/ask/model-intent.js";
import { main } from "../../src/cli/program.js";
import { capturedIo } from "../cli/fixtures.js";
import { AROUND } from "./phrasings.js";

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format: { readonly json_schema: { readonly schema: object } };
}

/** What the model says next; `undefined` never answers, a number is a status. */
let says: unknown;
let asked: Asked[];
let server: Server;
let url: string;

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    if (says === undefined) return;
    if (typeof says === "number") return void response.writeHead(says).end("no");
    const content = typeof says === "string" ? says : JSON.stringify(says);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const read = (sentence: string, timeoutMs = 5_000) => {
  const model = chatModelFromEnvironment({ CAMBIUM_ASK_URL: url, CAMBIUM_ASK_MODEL: "small" }, timeoutMs);
  if (model === undefined) throw new Error("No model is named.");
  return intentByModel(sentence, AROUND, { model }).then((found) => found?.request);
};

describe("a model's choice", () => {
  test("[AS28] leaves nothing out of what is to be written", async () => {
    const sentence = "methinks the deadline shifts to Friday, in room B, not Monday";
    says = { operation: "correct", topic: "the deadline", content: "the deadline is Friday" };
    expect(await read(sentence)).toBeUndefined();
    says = {
      operation: "correct",
      topic: "the deadline",
      content: "the deadline shifts to Friday, in room B",
    };
    expect(await read(sentence)).toMatchObject({ operation: "correct" });
  });

  test.each<[string, object, object]>([
    ["pray tell, tea?", { operation: "recall", topic: "tea" }, { operation: "recall", query: "tea" }],
    [
      "kindly void cursor's scribbles about tea of yesterday",
      { operation: "take-back", agent: "cursor", topic: "tea", period: "yesterday" },
      { operation: "take-back", agent: "cursor", topic: "tea", period: { said: "yesterday" } },
    ],
    [
      "methinks the deadline is Friday",
      { operation: "correct", topic: "the deadline", content: "the deadline is Friday", agent: null },
      { operation: "correct", subject: "the deadline", isKnown: true },
    ],
    ["what say the boughs", { operation: "branches", count: null }, { operation: "branches" }],
  ])("[AS27] becomes a request: %s", async (sentence, answer, request) => {
    says = answer;
    expect(await read(sentence)).toMatchObject(request);
    says = `<think>Hm.</think>\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``;
    expect(await read(sentence)).toMatchObject(request);
  });

  test.each<[string, unknown]>([
    ["a word of its own", { operation: "forget", topic: "coffee" }],
    ["an author of its own", { operation: "take-back", agent: "cli", period: "yesterday" }],
    ["a time that is none", { operation: "take-back", topic: "tea", period: "tea" }],
    ["no filter at all", { operation: "take-back" }],
    ["everything", { operation: "fresh" }],
    ["none", { operation: "none" }],
    ["no operation", { operation: "format-disk" }],
    ["a text", "I would be happy to help!"],
    ["another document", [1, 2]],
    ["an error", 500],
    ["a refusal", 401],
    ["nothing in time", undefined],
  ])("[AS28] that does not hold is nothing: %s", async (_name, answer) => {
    says = answer;
    expect(await read("kindly void the tea of yesterday", answer === undefined ? 50 : 5_000)).toBeUndefined();
  });
});

test.each<[string, object]>([
  ["kindly void the tea except the green one", { operation: "forget", topic: "the tea" }],
  ["kindly void cursor's scribbles since Monday", { operation: "take-back", agent: "cursor" }],
])("[AS28] and leaves no word of what is taken away: %s", async (sentence, answer) => {
  says = answer;
  expect(await read(sentence)).toBeUndefined();
});

describe("ask with a model", () => {
  let world: World;
  let home: Home;

  beforeEach(() => {
    world = new World(910);
    home = world.newHome("desk");
  });
  afterEach(() => world[Symbol.asyncDispose]());

  async function cambium(
    words: readonly string[],
    { named = true, typed }: { named?: boolean; typed?: string } = {},
  ) {
    const model = named ? { CAMBIUM_ASK_URL: url, CAMBIUM_ASK_MODEL: "small" } : {};
    const io = capturedIo({
      env: { CAMBIUM_HOME: home.dir, CAMBIUM_DAEMON: "off", NO_COLOR: "1", ...model },
      ...{ now: world.clock.now, userHome: world.root, cwd: world.root },
      ...(typed === undefined ? {} : { terminal: true, input: `${typed}\n` }),
    });
    const code = await main([...words], io);
    const [stdout, stderr] = [io.stdout(), io.stderr()].map(stripVTControlCharacters);
    return { code, stdout: stdout ?? "", stderr: stderr ?? "" };
  }

  test("[AS27] [AS28] is shown and confirmed as any request, is sent no memory, and is not asked unless named", async () => {
    await cambium(["init", "notes"]);
    await cambium(["remember", "Ada prefers tea"]);
    says = { operation: "forget", topic: "tea" };
    const sentence = "may foul tea perish quickly";
    expect((await cambium(["ask", sentence], { named: false })).code).toBe(2);
    expect((await cambium(["ask", "what do you know about tea?"])).stdout).toContain("Ada");
    expect((await cambium(["ask", "forget everything since Monday except tea"])).stdout).toContain(
      "except tea",
    );
    expect(asked).toEqual([]);

    const nobody = await cambium(["ask", sentence, "--yes"]);
    expect(nobody.code).toBe(2);
    expect(nobody.stdout).toMatch(/^Read by the model small as: [\s\S]*Ada prefers tea[\s\S]*Not done/);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked[0]?.messages)).not.toContain("Ada prefers");
    expect(asked[0]?.response_format.json_schema.schema).toMatchObject({
      required: expect.arrayContaining(["topic"]),
    });
    expect((await cambium(["ask", sentence], { typed: "n" })).stdout).toBe("Nothing was written.\n");
    const dry = JSON.parse((await cambium(["ask", sentence, "--dry-run", "--json"])).stdout);
    expect(dry).toMatchObject({ understood: true, understoodBy: "small", operation: "forget" });
    // The guards hold for a model, too.
    says = { operation: "delete-branch", branch: "main" };
    const main = await cambium(["ask", "fie upon main", "--yes"]);
    expect([main.code, main.stdout]).toEqual([2, expect.stringContaining("main cannot be deleted")]);
    says = 500;
    expect((await cambium(["ask", sentence])).stdout).toContain("was not understood. Nothing was done.");
    says = { operation: "forget", topic: "tea" };
    expect((await cambium(["ask", sentence], { typed: "y" })).stdout).toContain("To bring it back");
  });
});
