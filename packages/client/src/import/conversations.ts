/**
 * Conversations that a chat service exported become one memory per message, in the order in which they were spoken.
 * Recall then finds a message together with those around it.
 *
 * @module
 */
import {
  contentProblem,
  type ImportDraft,
  type ImportReading,
  type SkippedPart,
  toSourceKey,
} from "./import-draft.js";

/** The chat services whose exports are read. */
export type ChatService = "chatgpt" | "claude";

/** One message, as a reader of an export found it. */
export interface ExportedMessage {
  /** Of the service; stable from one export to the next. */
  readonly id: string;
  readonly speaker: "user" | "assistant";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at?: number | undefined;
  /** What to call it; `message` unless the service itself kept it as something else. */
  readonly kind?: string;
}

/** One conversation, oldest message first. */
export interface ExportedConversation {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly ExportedMessage[];
  /** What is in none of the messages, such as pictures, counted by what it is. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Returns a draft per message. The key is the service's own id, so a later export adds what is new and nothing else. */
export function conversationDrafts(
  service: ChatService,
  conversations: readonly ExportedConversation[],
): ImportReading {
  const drafts: ImportDraft[] = [];
  const skipped: SkippedPart[] = [];
  for (const { id, title, messages, leftOut } of conversations) {
    const where = title === "" ? `conversation ${id}` : `conversation "${title}"`;
    for (const [turn, message] of messages.entries()) {
      const problem = contentProblem(message.text);
      if (problem === undefined) drafts.push(messageDraft(service, { id, title }, message, turn));
      else skipped.push({ where: `message ${turn + 1} of ${where}`, reason: problem });
    }
    for (const [what, count] of leftOut) {
      const [one, many] = LEFT_OUT[what] ?? [`part of the kind ${what}`, `parts of the kind ${what}`];
      const reason = `${count} ${count === 1 ? `${one} is` : `${many} are`} not imported.`;
      skipped.push({ where, reason });
    }
  }
  return { drafts, skipped };
}

/** What is left out, for one and for several. Other names are those of the service, for parts of a message. */
const LEFT_OUT: Readonly<Record<string, readonly [one: string, many: string]>> = {
  attempt: ["message of another attempt", "messages of other attempts"],
  "tool call": ["call of a tool", "calls of tools"],
  picture: ["picture or other file", "pictures and other files"],
  attachment: ["attached file", "attached files"],
};

function messageDraft(
  service: ChatService,
  conversation: { readonly id: string; readonly title: string },
  { id, speaker, text, at, kind = "message" }: ExportedMessage,
  turn: number,
): ImportDraft {
  return {
    sourceKey: toSourceKey(service, conversation.id, id),
    content: text,
    kind,
    ...(at === undefined ? {} : { occurredAt: at }),
    source: {
      kind: "conversation",
      ...{ conversation: conversation.id, message: id, turn, speaker },
      ...(conversation.title.trim() === "" ? {} : { title: conversation.title }),
      service,
    },
  };
}

/** Counts more of what is left out. */
export function leaveOut(counts: Map<string, number>, what: string, count = 1): void {
  if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
}
