import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatServiceOf, readChatExport } from "../../src/import/chat-export.js";
import { readImportSource } from "../../src/import/read-import-source.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cambium-chats-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Said {
  readonly role: string;
  readonly content: object;
  readonly parent: string | null;
  readonly more?: object;
}

const text = (...parts: readonly unknown[]) => ({ content_type: "text", parts });

/** As ChatGPT writes it: a tree of nodes, of which `last` is the one that was shown. */
const chatgpt = (said: Readonly<Record<string, Said>>, last: string) => ({
  title: "A boat for Ines",
  create_time: 1_767_225_600,
  mapping: {
    root: { id: "root", message: null, parent: null, children: [] },
    ...Object.fromEntries(
      Object.entries(said).map(([id, { role, content, parent, more }], index) => [
        id,
        {
          id,
          parent: parent ?? "root",
          children: [],
          message: { id, author: { role }, create_time: 1_767_225_600.25 + index, content, ...more },
        },
      ]),
    ),
  },
  current_node: last,
  conversation_id: "c-1",
});

const BOAT = chatgpt(
  {
    s: {
      role: "system",
      content: text(""),
      parent: null,
      more: { metadata: { is_visually_hidden_from_conversation: true } },
    },
    a: { role: "user", content: text("Ines wants a boat of oak."), parent: "s" },
    b: { role: "assistant", content: text("Pine is cheaper."), parent: "a" },
    b2: { role: "assistant", content: text("Oak lasts longer."), parent: "a" },
    m: { role: "assistant", content: text("Ines likes oak."), parent: "b2", more: { recipient: "bio" } },
    t: {
      role: "assistant",
      content: { content_type: "code", text: "search()" },
      parent: "m",
      more: { recipient: "web" },
    },
    c: {
      role: "user",
      content: {
        content_type: "multimodal_text",
        parts: [
          { content_type: "image_asset_pointer", asset_pointer: "file-service://x" },
          { content_type: "audio_transcription", text: "How long does it take?" },
        ],
      },
      parent: "t",
    },
  },
  "c",
);

const KITCHEN = {
  uuid: "k-1",
  name: "Kitchen",
  created_at: "2026-03-01T10:00:00.000000Z",
  chat_messages: [
    {
      uuid: "k-1-1",
      sender: "human",
      text: "",
      content: [{ type: "text", text: "The oven is 60 cm wide." }],
      created_at: "2026-03-01T10:00:00.500000Z",
      attachments: [{ file_name: "plan.pdf", extracted_content: "…" }],
    },
    {
      uuid: "k-1-2",
      sender: "assistant",
      text: "Then it fits beside the fridge.",
      content: [],
      created_at: "2026-03-01T10:00:04.000000Z",
    },
    { uuid: "k-1-3", sender: "assistant", text: "", content: [{ type: "tool_use" }], created_at: "?" },
  ],
};

const read = (conversations: unknown, service: "chatgpt" | "claude") =>
  readChatExport(JSON.stringify(conversations), service, "conversations.json");

describe("an export of a chat service", () => {
  test("[IM11] ChatGPT: the messages on the path that was last shown, in order, with speaker and time", () => {
    const { drafts, skipped } = read([BOAT], "chatgpt");
    expect(
      drafts.map(({ content, kind, source, occurredAt }) => [
        content,
        kind,
        "speaker" in source && source.speaker,
        occurredAt,
      ]),
    ).toEqual([
      ["Ines wants a boat of oak.", "message", "user", 1_767_225_601_250],
      ["Oak lasts longer.", "message", "assistant", 1_767_225_603_250],
      ["Ines likes oak.", "fact", "assistant", 1_767_225_604_250],
      ["How long does it take?", "message", "user", 1_767_225_606_250],
    ]);
    expect(drafts[3]?.source).toMatchObject({
      ...{ kind: "conversation", conversation: "c-1", message: "c", turn: 3 },
      ...{ title: "A boat for Ines", service: "chatgpt" },
    });
    expect(skipped.map(({ reason }) => reason)).toEqual([
      "1 call of a tool is not imported.",
      "1 picture or other file is not imported.",
      "1 message of another attempt is not imported.",
    ]);
  });

  test("[IM11] Claude: every message with text, and what is left out is counted", () => {
    const { drafts, skipped } = read([KITCHEN], "claude");
    expect(
      drafts.map(({ content, source, occurredAt }) => [
        content,
        "speaker" in source && source.speaker,
        occurredAt,
      ]),
    ).toEqual([
      ["The oven is 60 cm wide.", "user", Date.UTC(2026, 2, 1, 10, 0, 0, 500)],
      ["Then it fits beside the fridge.", "assistant", Date.UTC(2026, 2, 1, 10, 0, 4)],
    ]);
    expect(skipped).toEqual([
      { where: 'conversation "Kitchen"', reason: "1 attached file is not imported." },
      { where: 'conversation "Kitchen"', reason: "1 part of the kind tool_use is not imported." },
    ]);
  });

  test("[IM12] keys are the service's own: an export that has grown keeps all of them", () => {
    const [first] = KITCHEN.chat_messages;
    const before = read([{ ...KITCHEN, name: "", chat_messages: [first] }], "claude").drafts;
    const after = read([KITCHEN, { ...KITCHEN, uuid: "k-2" }], "claude").drafts;
    const keys = after.map(({ sourceKey }) => sourceKey);
    expect(keys[0]).toBe(before[0]?.sourceKey);
    expect(new Set(keys).size).toBe(4);
  });

  test("[IM13] a conversation that cannot be read is skipped by number; a tree with a loop ends", () => {
    const { drafts, skipped } = read([{ mapping: 4 }, BOAT, null], "chatgpt");
    expect(drafts).toHaveLength(4);
    expect(skipped.map(({ where }) => where).filter((where) => where.includes("number"))).toEqual([
      ...["conversation number 1", "conversation number 3"],
    ]);
    const loop = structuredClone(BOAT);
    Object.assign(loop.mapping.root, { parent: "c" });
    expect(read(loop, "chatgpt").drafts).toHaveLength(4);
    expect(() => read([{ no: "conversation" }], "claude")).toThrow(/no conversation that Claude exported/);
    expect(() => readChatExport("[{", "claude", "conversations.json")).toThrow(/not whole JSON/);
    expect(read([], "claude").drafts).toEqual([]);
  });

  test("[IM13] told by its beginning, in a folder too, and a packed one is refused with what to do", async () => {
    const unpacked = join(folder, "export");
    await mkdir(unpacked);
    await writeFile(join(unpacked, "conversations.json"), `\uFEFF${JSON.stringify([BOAT], null, 2)}`);
    await writeFile(join(unpacked, "user.json"), "{}");
    expect(await readImportSource(unpacked)).toMatchObject({ format: "chatgpt" });
    const single = join(folder, "one.json");
    await writeFile(single, JSON.stringify(KITCHEN));
    expect(await readImportSource(single)).toMatchObject({ format: "claude" });
    await writeFile(join(folder, "export.zip"), "PK");
    await expect(readImportSource(join(folder, "export.zip"))).rejects.toMatchObject({
      message: expect.stringContaining("packed"),
      hint: expect.stringContaining("Unpack it"),
    });
    const memory = '{"type":"entity","name":"Map","observations":["has \\"mapping\\" in it"]}';
    expect(chatServiceOf(memory)).toBeUndefined();
  });
});
