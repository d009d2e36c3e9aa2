import type { Author } from "../api/client.ts";
import { type Reader, useReader } from "../i18n/text.ts";
import { useHere } from "./here.tsx";

/** As whom a person writes, by the way that they came. An agent that calls itself so has come in another way. */
const PEOPLE = { cli: "common.inTerminal", "web page": "common.onPage" } as const;
const HUES = 8;
const KNOWN: Readonly<Record<string, readonly [name: string, hue: number]>> = {
  "claude-code": ["Claude Code", 0],
  cursor: ["Cursor", 1],
  codex: ["Codex", 2],
  "gemini-cli": ["Gemini CLI", 3],
  "claude-desktop": ["Claude", 4],
  copilot: ["Copilot", 5],
};

export interface Shown {
  readonly name: string;
  /** The same inside of a sentence. */
  readonly inside: string;
  /** Undefined for a person. */
  readonly hue: number | undefined;
}

/** @param here - the id of this replica: what was written here by no agent was written by the reader */
export function shownAuthor(reader: Reader, by: Partial<Author>, here?: string): Shown {
  const { agent, replica } = by;
  if (agent === undefined || isPerson(by)) {
    const isHere = replica === undefined || here === undefined || replica === here;
    const name = reader.t(isHere ? "common.you" : "common.somebody");
    return { name, inside: reader.t(isHere ? "common.youInside" : "common.somebodyInside"), hue: undefined };
  }
  const [name, hue] = (Object.hasOwn(KNOWN, agent) ? KNOWN[agent] : undefined) ?? [agent, hueOf(agent)];
  return { name, inside: name, hue };
}

export const isPerson = ({ agent = "", trigger = agent }: Partial<Author>): boolean =>
  trigger === agent && Object.hasOwn(PEOPLE, agent);

/** A name to choose by: of people, each way that they write. */
export function shownAgent(reader: Reader, agent: string): string {
  return isPerson({ agent })
    ? reader.t(PEOPLE[agent as keyof typeof PEOPLE])
    : shownAuthor(reader, { agent }).name;
}

function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum % HUES;
}

/** For the inside of a sentence. */
export function useAuthorName(): (by: Partial<Author>) => string {
  const reader = useReader();
  const here = useHere();
  return (by) => shownAuthor(reader, by, here).inside;
}

/** A square and a name for an agent, a round dot for a person. */
export function By({ by }: { readonly by: Partial<Author> }) {
  const { name, hue } = shownAuthor(useReader(), by, useHere());
  return <span className={hue === undefined ? "by you" : `by h${hue}`}>{name}</span>;
}

/** On which device; empty where the daemon does not know. */
export const deviceOf = ({ t }: Reader, { device }: Partial<Author>): string =>
  device === undefined ? "" : t("common.onDevice", { device });
