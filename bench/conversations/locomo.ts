/**
 * Reads conversations in the form of LoCoMo (Maharana et al., ACL 2024): sessions of turns between two
 * people, over months. The data is not ours to pass on, so it is read from where the user has it.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { UsageError } from "../support/usage-error.ts";

export interface Conversation {
  readonly name: string;
  readonly speakers: readonly string[];
  /** In the order in which they were said. */
  readonly turns: readonly Turn[];
  /** Turns that say nothing and show nothing. */
  readonly empty: number;
}

export interface Turn {
  readonly speaker: string;
  /** Names the turn within its conversation. */
  readonly id: string;
  readonly session: number;
  /** Of its session, as written there. */
  readonly date: string;
  /** Milliseconds since 1970; the conversation's clock is taken for UTC. */
  readonly occurredAt: number;
  /** What was said; a picture's caption follows it. */
  readonly content: string;
}

interface RawTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text?: string;
  readonly blip_caption?: string;
}

type RawConversation = Readonly<Record<string, string | readonly RawTurn[] | undefined>>;

const SESSION = /^session_(\d+)$/;
const DATE = /^(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2}) (\w+), (\d{4})$/i;

/** @throws {UsageError} when the file cannot be read as such */
export async function readConversations(path: string): Promise<readonly Conversation[]> {
  let samples: readonly { readonly sample_id: string; readonly conversation: RawConversation }[];
  try {
    samples = JSON.parse(await readFile(path, "utf8"));
    return samples.map(({ sample_id, conversation }) => toConversation(sample_id, conversation));
  } catch (cause) {
    throw new UsageError(`${path} cannot be read as LoCoMo conversations: ${String(cause)}`, { cause });
  }
}

function toConversation(name: string, raw: RawConversation): Conversation {
  const sessions = Object.keys(raw)
    .map((key) => Number(SESSION.exec(key)?.[1]))
    .filter((session) => !Number.isNaN(session))
    .sort((a, b) => a - b);
  const all = sessions.flatMap((session) => turnsOf(raw, session));
  const turns = all.filter(({ content }) => content !== "");
  return {
    name,
    speakers: [...new Set(turns.map(({ speaker }) => speaker))],
    turns,
    empty: all.length - turns.length,
  };
}

function turnsOf(raw: RawConversation, session: number): readonly Turn[] {
  const date = String(raw[`session_${session}_date_time`]);
  const occurredAt = parseDate(date);
  const turns = raw[`session_${session}`] as readonly RawTurn[];
  return turns.map(({ speaker, dia_id: id, text = "", blip_caption: caption }) => {
    const parts = [text.trim(), caption === undefined ? "" : `[shows ${caption.trim()}]`];
    const content = parts.filter((part) => part !== "").join("\n");
    return { speaker, id, session, date, occurredAt, content };
  });
}

/** "1:56 pm on 8 May, 2023" */
function parseDate(text: string): number {
  const [, hour, minute, half = "", day, month, year] = DATE.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const time = Date.parse(`${day} ${month} ${year} ${hours}:${minute} UTC`);
  if (Number.isNaN(time)) throw new RangeError(`"${text}" is no date of a session.`);
  return time;
}
