/**
 * Reads `conversations.json` of a ChatGPT export. A conversation is a tree there, because a question can be asked
 * again and an answer made again: the path to `current_node` is what the person last saw.
 *
 * @module
 */
import { z } from "zod";
import { type ExportedConversation, type ExportedMessage, leaveOut } from "./conversations.js";

const messageSchema = z.object({
  id: z.string(),
  author: z.object({ role: z.string() }),
  create_time: z.number().nullish(),
  recipient: z.string().nullish(),
  content: z.object({
    content_type: z.string(),
    parts: z.array(z.unknown()).nullish(),
    text: z.string().nullish(),
  }),
  metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
});

const nodeSchema = z.object({
  message: messageSchema.nullish().catch(null),
  parent: z.string().nullish(),
});

/** One conversation of the export. Fields that are not read may be anything. */
export const chatgptConversation = z.object({
  id: z.string().optional(),
  conversation_id: z.string().optional(),
  title: z.string().nullish(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), nodeSchema),
});

/** What the assistant writes to this recipient is what ChatGPT kept as a memory of its own. */
const MEMORY_RECIPIENT = "bio";

/** Returns the messages on the path that was last shown. */
export function readChatgpt(
  conversation: z.output<typeof chatgptConversation>,
  position: number,
): ExportedConversation {
  const leftOut = new Map<string, number>();
  const path = shownPath(conversation);
  const messages = [...path].flatMap((node) => {
    const { message } = conversation.mapping[node] ?? {};
    return message == null ? [] : messageOf(message, leftOut);
  });
  const others = Object.entries(conversation.mapping).filter(
    ([node, { message }]) => !path.has(node) && message != null && speakerOf(message) !== undefined,
  ).length;
  leaveOut(leftOut, "attempt", others);
  const id = conversation.conversation_id ?? conversation.id ?? `number ${position + 1}`;
  return { id, title: conversation.title ?? "", messages, leftOut };
}

/** From the root to the node that was last shown; without one, to the last node that is named. */
function shownPath({ mapping, current_node }: z.output<typeof chatgptConversation>): ReadonlySet<string> {
  const path = new Set<string>();
  let node = current_node != null && current_node in mapping ? current_node : Object.keys(mapping).at(-1);
  while (node != null && node in mapping && !path.has(node)) {
    path.add(node);
    node = mapping[node]?.parent ?? undefined;
  }
  return new Set([...path].reverse());
}

type Message = z.output<typeof messageSchema>;

const speakerOf = ({ author: { role } }: Message): ExportedMessage["speaker"] | undefined =>
  role === "user" || role === "assistant" ? role : undefined;

function messageOf(message: Message, leftOut: Map<string, number>): readonly ExportedMessage[] {
  const speaker = speakerOf(message);
  const { content, metadata, recipient, create_time } = message;
  if (speaker === undefined || metadata?.is_visually_hidden_from_conversation === true) return [];
  const isMemory = recipient === MEMORY_RECIPIENT;
  if (recipient != null && recipient !== "all" && !isMemory) {
    leaveOut(leftOut, "tool call");
    return [];
  }
  const text = textOf(content, leftOut);
  if (text === "") return [];
  const at = create_time == null ? undefined : Math.round(create_time * 1_000);
  return [{ id: message.id, speaker, text, at, ...(isMemory ? { kind: "fact" } : {}) }];
}

/** Kinds of content whose parts are what was said. */
const SPOKEN: ReadonlySet<string> = new Set(["text", "multimodal_text"]);

function textOf({ content_type, parts, text }: Message["content"], leftOut: Map<string, number>): string {
  if (content_type === "code") return (text ?? "").trim();
  if (!SPOKEN.has(content_type)) {
    leaveOut(leftOut, content_type);
    return "";
  }
  const texts = (parts ?? []).map((part) => {
    if (typeof part === "string") return part;
    const spoken = spokenPart.safeParse(part);
    if (spoken.success) return spoken.data.text;
    leaveOut(leftOut, "picture");
    return "";
  });
  return texts.join("\n").trim();
}

/** What was said aloud, as text. */
const spokenPart = z.object({ content_type: z.literal("audio_transcription"), text: z.string() });
