/**
 * Verbs about spaces and their tokens, each asked of a running relay.
 *
 * @module
 */
import { once } from "node:events";
import { Readable } from "node:stream";
import { oneLine } from "@cambium/core/text";
import { z } from "zod";
import { ROLES } from "../log/relay-log.js";
import { requireAdminClient } from "./admin-client.js";
import { type CommandIo, type CommandLine, usageError } from "./command-line.js";
import type { Verb } from "./verb.js";
import { writeWhole } from "./whole-file.js";

const spaceEntry = z.object({
  ...{ space: z.string(), createdAt: z.number(), documents: z.number(), bytes: z.number() },
  ...{ tokens: z.number(), sessions: z.number() },
});
const limit = z.number().nullable();
const usageAnswer = z.object({
  ...spaceEntry.omit({ createdAt: true }).shape,
  limits: z.object({ documents: limit, bytes: limit, tokens: limit }),
});
const tokenEntry = z.object({
  ...{ tokenId: z.string(), role: z.enum(ROLES), label: z.string().optional() },
  ...{ createdAt: z.number().optional(), expiresAt: z.number().optional() },
});
const memberEntry = z.object({
  ...tokenEntry.shape,
  ...{ sessions: z.number(), lastUsedAt: z.number().optional() },
});
const issued = z.object({ tokenId: z.string(), token: z.string(), role: z.enum(ROLES) });

export const SPACE_VERBS: Readonly<Record<string, Verb>> = {
  spaces: {
    synopsis: "spaces",
    about: "list the spaces, with what each takes",
    act: async (line) => {
      const { spaces } = await requireAdminClient(line).ask(
        "GET",
        "/spaces",
        z.object({ spaces: z.array(spaceEntry) }),
      );
      const rows = spaces.map(({ space, createdAt, documents, bytes, tokens, sessions }) => [
        ...[space, `${documents}`, sizeText(bytes), `${tokens}`, `${sessions}`, dayOf(createdAt)],
      ]);
      return {
        document: { spaces },
        text: table(["space", "documents", "size", "tokens", "open", "made"], rows),
      };
    },
  },
  usage: {
    synopsis: "usage <space>",
    about: "show what a space takes, and what it may take",
    act: async (line) => {
      const space = spaceOf(line);
      const answer = await requireAdminClient(line).ask("GET", `/spaces/${space}/usage`, usageAnswer);
      const { documents, bytes, tokens, sessions, limits } = answer;
      const rows = [
        ["documents", `${documents}`, `${limits.documents ?? "no limit"}`],
        ["size", sizeText(bytes), limits.bytes === null ? "no limit" : sizeText(limits.bytes)],
        ["tokens", `${tokens}`, `${limits.tokens ?? "no limit"}`],
        ["open", `${sessions}`, ""],
      ];
      return { document: answer, text: table(["", "now", "at most"], rows) };
    },
  },
  members: {
    synopsis: "members <space>",
    about: "list who holds tokens, who is connected, and when each was last",
    act: async (line) => {
      const path = `/spaces/${spaceOf(line)}/members`;
      const { members } = await requireAdminClient(line).ask(
        "GET",
        path,
        z.object({ members: z.array(memberEntry) }),
      );
      const rows = members.map(({ tokenId, role, label = "", sessions, lastUsedAt }) => [
        ...[tokenId, role, `${sessions}`, lastUsedAt === undefined ? "-" : dayOf(lastUsedAt), oneLine(label)],
      ]);
      return { document: { members }, text: table(["token", "role", "open", "last seen", "label"], rows) };
    },
  },
  tokens: {
    synopsis: "tokens <space>",
    about: "list the tokens of a space; make one with --make, revoke one with --revoke",
    act: (line) => {
      if (line.given.make !== undefined) return makeToken(line, line.given.make);
      return line.given.revoke === undefined ? listTokens(line) : revokeToken(line, line.given.revoke);
    },
  },
  export: {
    synopsis: "export <space>",
    about: "write the documents of a space, still encrypted, as lines of JSON",
    act: exportSpace,
  },
  delete: {
    synopsis: "delete <space> --yes",
    about: "remove a space with its documents and tokens; devices keep what they have",
    act: async (line) => {
      const space = spaceOf(line);
      if (!line.is.yes)
        throw usageError(`This removes the space ${space} from the relay for good. Add --yes to do it.`);
      await requireAdminClient(line).send("DELETE", `/spaces/${space}`);
      return { document: { space, deleted: true }, text: `The relay has no space ${space} any more.` };
    },
  },
};

async function listTokens(line: CommandLine) {
  const path = `/spaces/${spaceOf(line)}/tokens`;
  const { tokens } = await requireAdminClient(line).ask(
    "GET",
    path,
    z.object({ tokens: z.array(tokenEntry) }),
  );
  const rows = tokens.map(({ tokenId, role, label = "", createdAt, expiresAt }) => [
    ...[
      tokenId,
      role,
      dayOf(createdAt),
      expiresAt === undefined ? "never" : dayOf(expiresAt),
      oneLine(label),
    ],
  ]);
  return { document: { tokens }, text: table(["token", "role", "made", "ends", "label"], rows) };
}

async function makeToken(line: CommandLine, role: string) {
  if (!ROLES.some((one) => one === role))
    throw usageError(`"${role}" is not a role. Give read, write or admin.`);
  const { label } = line.given;
  const wanted = { role, ...(label === undefined ? {} : { label }) };
  const answer = await requireAdminClient(line).ask(
    "POST",
    `/spaces/${spaceOf(line)}/tokens`,
    issued,
    wanted,
  );
  return { document: answer, text: `${answer.token}` };
}

async function revokeToken(line: CommandLine, tokenId: string) {
  await requireAdminClient(line).send(
    "DELETE",
    `/spaces/${spaceOf(line)}/tokens/${encodeURIComponent(tokenId)}`,
  );
  return { document: { tokenId, revoked: true }, text: `The token ${tokenId} opens nothing any more.` };
}

async function exportSpace(line: CommandLine, io: CommandIo) {
  const space = spaceOf(line);
  const client = requireAdminClient(line);
  const ask = () => client.send("GET", `/spaces/${space}/export`);
  const { to } = line.given;
  if (to !== undefined) {
    await writeWhole(to, ask, { overwrites: line.is.overwrite });
    return { document: { space, file: to }, text: `The space ${space} is in ${to}.` };
  }
  const { body } = await ask();
  const source = Readable.fromWeb((body ?? new ReadableStream()) as Parameters<typeof Readable.fromWeb>[0]);
  source.on("data", (chunk: Uint8Array) => io.output(chunk));
  await once(source, "close");
  return undefined;
}

/** @throws {CambiumError} BAD_INPUT */
function spaceOf({ args: [space] }: CommandLine): string {
  if (space !== undefined) return encodeURIComponent(space);
  throw usageError("Name a space.");
}

export function sizeText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 2 ** (10 * power);
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}

const dayOf = (time: number | undefined): string =>
  time === undefined ? "-" : new Date(time).toISOString().slice(0, 16).replace("T", " ");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "None.";
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
