/**
 * Which chat service wrote a JSON file, and what it holds.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { z } from "zod";
import { chatgptConversation, readChatgpt } from "./chatgpt.js";
import { claudeConversation, readClaude } from "./claude.js";
import { type ChatService, conversationDrafts, type ExportedConversation } from "./conversations.js";
import type { ImportReading } from "./import-draft.js";

/** Tells the service from the beginning of a text; undefined where none of them wrote it. */
export function chatServiceOf(text: string): ChatService | undefined {
  // Cheaper than parsing what may be another format of many megabytes.
  const start = text.slice(0, SNIFFED);
  if (!/^\uFEFF?\s*[[{]/.test(start)) return undefined;
  if (start.includes('"chat_messages"')) return "claude";
  return start.includes('"mapping"') ? "chatgpt" : undefined;
}

/** Both services name their messages long before this many characters. */
const SNIFFED = 65_536;

/**
 * Returns a draft per message of an export. Conversations that cannot be read are skipped with their number.
 *
 * @throws {CambiumError} BAD_INPUT when the text is not JSON, or holds no conversation of this service
 */
export function readChatExport(text: string, service: ChatService, name: string): ImportReading {
  const entries = listIn(text, name);
  const skipped: { where: string; reason: string }[] = [];
  const conversations = entries.flatMap((entry, position): readonly ExportedConversation[] => {
    const read =
      service === "chatgpt"
        ? readAs(chatgptConversation, entry, (found) => readChatgpt(found, position))
        : readAs(claudeConversation, entry, (found) => readClaude(found, position));
    if (typeof read !== "string") return [read];
    skipped.push({ where: `conversation number ${position + 1}`, reason: read });
    return [];
  });
  if (conversations.length === 0 && entries.length > 0)
    throw new CambiumError(
      "BAD_INPUT",
      `"${name}" holds no conversation that ${SERVICES[service]} exported.`,
      {
        hint: "Name the file conversations.json of the export.",
      },
    );
  const reading = conversationDrafts(service, conversations);
  return { drafts: reading.drafts, skipped: [...skipped, ...reading.skipped] };
}

const SERVICES: Readonly<Record<ChatService, string>> = { chatgpt: "ChatGPT", claude: "Claude" };

function readAs<Conversation>(
  schema: z.ZodType<Conversation>,
  entry: unknown,
  read: (value: Conversation) => ExportedConversation,
): ExportedConversation | string {
  const parsed = schema.safeParse(entry);
  if (parsed.success) return read(parsed.data);
  const where = parsed.error.issues[0]?.path.map(String).join(".") ?? "";
  return `It is not a conversation of this service${where === "" ? "" : ` (${where})`}.`;
}

function listIn(text: string, name: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `"${name}" is not whole JSON: was the file cut off?`, { cause });
  }
  return Array.isArray(parsed) ? parsed : [parsed];
}
