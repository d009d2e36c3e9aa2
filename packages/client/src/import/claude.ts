/**
 * Reads `conversations.json` of a Claude export.
 *
 * @module
 */
import { z } from "zod";
import { type ExportedConversation, type ExportedMessage, leaveOut } from "./conversations.js";

const messageSchema = z.object({
  uuid: z.string(),
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.object({ type: z.string(), text: z.string().nullish() })).nullish(),
  created_at: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
});

/** One conversation of the export. Fields that are not read may be anything. */
export const claudeConversation = z.object({
  uuid: z.string().optional(),
  name: z.string().nullish(),
  chat_messages: z.array(messageSchema),
});

/** Returns the messages in the order of the export. */
export function readClaude(
  { uuid, name, chat_messages }: z.output<typeof claudeConversation>,
  position: number,
): ExportedConversation {
  const leftOut = new Map<string, number>();
  const messages = chat_messages.flatMap((message) => messageOf(message, leftOut));
  return { id: uuid ?? `number ${position + 1}`, title: name ?? "", messages, leftOut };
}

function messageOf(
  { uuid, sender, text, content, created_at, attachments, files }: z.output<typeof messageSchema>,
  leftOut: Map<string, number>,
): readonly ExportedMessage[] {
  leaveOut(leftOut, "attachment", (attachments?.length ?? 0) + (files?.length ?? 0));
  for (const { type } of content ?? []) if (type !== "text") leaveOut(leftOut, type);
  const spoken = (content ?? []).flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []));
  const words = (spoken.length === 0 ? (text ?? "") : spoken.join("\n")).trim();
  if (words === "") return [];
  const at = created_at == null ? Number.NaN : Date.parse(created_at);
  const speaker = sender === "human" ? "user" : "assistant";
  return [{ id: uuid, speaker, text: words, at: Number.isNaN(at) ? undefined : at }];
}
