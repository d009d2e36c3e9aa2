/**
 * Questions about conversations, and the turns that answer them (Maharana et al., ACL 2024).
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { type Conversation, readConversations } from "../conversations/locomo.ts";

export interface Question {
  readonly text: string;
  readonly category: Category;
  /** Ids of turns. */
  readonly evidence: readonly string[];
}

export const CATEGORIES = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
  5: "adversarial",
} as const;
export type Category = keyof typeof CATEGORIES;

export interface Quiz extends Conversation {
  /** Those with evidence that is there. */
  readonly questions: readonly Question[];
  /** Questions left out, as none of their evidence names a turn. */
  readonly unanswerable: number;
}

interface RawQuestion {
  readonly question: string;
  readonly category: Category;
  readonly evidence?: readonly string[];
}

/** @throws {UsageError} when the file cannot be read as such */
export async function readQuizzes(path: string): Promise<readonly Quiz[]> {
  const conversations = await readConversations(path);
  const raw = JSON.parse(await readFile(path, "utf8")) as readonly { readonly qa: readonly RawQuestion[] }[];
  return conversations.map((conversation, index) => {
    const turns = new Set(conversation.turns.map(({ id }) => id));
    const asked = (raw[index]?.qa ?? []).map(({ question: text, category, evidence = [] }) => ({
      text,
      category,
      evidence: [...new Set(evidence)].filter((id) => turns.has(id)),
    }));
    const questions = asked.filter(({ evidence }) => evidence.length > 0);
    return { ...conversation, questions, unanswerable: asked.length - questions.length };
  });
}
