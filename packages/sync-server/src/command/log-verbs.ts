/**
 * Verbs about the relay as a whole: its settings, its token, its file.
 *
 * @module
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { counted, shellWord } from "@cambium/core/text";
import { z } from "zod";
import {
  adminTokenPath,
  checkAdminToken,
  keepAdminToken,
  keptAdminToken,
  newAdminToken,
  readAdminToken,
} from "../admin-token.js";
import { openBlobs } from "../log/blobs/open-blobs.js";
import { LOG_FILE_NAME } from "../log/sqlite-log.js";
import { readAudit } from "../operate/audited-acts.js";
import { checkLogFile, compactLogFile, logFileOf } from "../operate/log-file.js";
import { type RestoredLog, restoreLog } from "../operate/restore-log.js";
import { readSettings } from "../settings/read-settings.js";
import { settingsText, shownSettings, withData } from "../settings/show-settings.js";
import { type AdminClient, adminClientOf, requireAdminClient } from "./admin-client.js";
import { checkDatabase } from "./check-database.js";
import { type CommandLine, usageError } from "./command-line.js";
import { sizeText } from "./space-verbs.js";
import type { Verb, VerbAnswer } from "./verb.js";
import { download, writeWhole } from "./whole-file.js";

const sizes = z.object({ before: z.number(), after: z.number() });

export const LOG_VERBS: Readonly<Record<string, Verb>> = {
  backup: {
    synopsis: "backup <file>",
    about: "copy everything, with tokens, while the relay runs; then check the copy",
    act: async (line) => {
      const file = fileOf(line, "Name the file to write.");
      if (readSettings(line.sources).settings.store !== undefined) throw inDatabase("copied", "pg_dump");
      return await backUp(requireAdminClient(line), file, line.is.overwrite);
    },
  },
  restore: {
    synopsis: "restore <file>",
    about: "make a backup the log of a data directory that has none",
    act: async (line) => {
      const file = fileOf(line, "Name the backup.");
      const { data, store } = readSettings(line.sources).settings;
      if (store !== undefined) throw inDatabase("restored", "pg_restore");
      checkAdminToken(data); // before anything is written
      const audit = line.given.audit ?? ownAudit(data);
      const restored = await restoreLog(file, data, {
        now: Date.now(),
        acts: audit === undefined ? [] : readAudit(audit),
        revokesTokens: line.is["revoke-tokens"],
      });
      const { path, isNew } = keptAdminToken(data);
      const which = isNew ? "a new admin token, in" : "the admin token in";
      const text = [
        `${data} has the log of ${file}, and ${which} ${path}.`,
        ...restoredText(restored, { audit, file }),
        "Start the relay: devices send again what the backup lacks.",
      ].join("\n");
      const { again, ...counts } = restored;
      return { document: { data, tokenFile: path, isNewToken: isNew, ...counts, again }, text };
    },
  },
  check: {
    synopsis: "check [file]",
    about: "read a backup, or the log, to its end and say what is wrong with it",
    act: async (line) => {
      const [file] = line.args;
      if (file !== undefined) return checked(file, `${file} is whole.`);
      const { settings } = readSettings(line.sources);
      const { data, store } = settings;
      if (store !== undefined) return await checkDatabase(store, openBlobs(settings, line.sources.env));
      const client = adminClientOf(line);
      if (client !== undefined) return await checkRunning(client);
      const log = logFileOf(data);
      return checked(log, `${log} is whole.`);
    },
  },
  compact: {
    synopsis: "compact",
    about: "give room that is free in the log back to the disk",
    act: async (line) => {
      if (readSettings(line.sources).settings.store !== undefined) throw inDatabase("compacted", "VACUUM");
      const client = adminClientOf(line);
      const found = await (client === undefined
        ? compactLogFile(readSettings(line.sources).settings.data)
        : client.ask("POST", "/compaction", sizes));
      return {
        document: found,
        text: `The log took ${sizeText(found.before)} and takes ${sizeText(found.after)}.`,
      };
    },
  },
  rotate: {
    synopsis: "rotate",
    about: "make a new admin token; the one before opens nothing any more",
    act: rotate,
  },
  "admin-token": {
    synopsis: "admin-token",
    about: "print the admin token of the data directory",
    act: async ({ sources }) => {
      const { data, "admin-token": set } = readSettings(sources).settings;
      const token = readAdminToken(data);
      if (set !== undefined)
        throw new CambiumError(
          "BAD_INPUT",
          "The admin token is set from outside, and not in the data directory.",
          {
            hint: "It is in CAMBIUM_RELAY_ADMIN_TOKEN, or in the file of the settings.",
          },
        );
      if (token !== undefined) return { document: { token }, text: token };
      throw new CambiumError("BAD_INPUT", `${adminTokenPath(data)} is not there, or cannot be read.`, {
        hint: "A relay that never ran with these data has none yet. `cambium-relay rotate` makes another.",
      });
    },
  },
  config: {
    synopsis: "config",
    about:
      "show the settings of the relay that runs, or those that a start would take; secrets are not shown",
    act: async (line) => (await runningConfig(line)) ?? configOf(line.sources, true),
  },
};

/**
 * Every setting as a start would take it, and where it comes from.
 *
 * @param isAsked - nobody runs with these data
 */
export function configOf(sources: CommandLine["sources"], isAsked = false): VerbAnswer {
  const { found, file, settings } = readSettings(sources);
  const shown = shownSettings(withData(found, settings.data));
  const none = isAsked ? `No relay runs with the data in ${settings.data}. ` : "";
  const text = `${none}A start from here would take:\n\n${settingsText(shown)}\n\nFile: ${file ?? "none"}`;
  return { document: { settings: shown, file: file ?? null, url: null }, text };
}

const shownAnswer = z.object({
  settings: z.array(z.object({ name: z.string(), text: z.string().optional(), from: z.string().optional() })),
});

/** @returns undefined where none runs */
async function runningConfig(line: CommandLine): Promise<VerbAnswer | undefined> {
  const client = adminClientOf(line);
  if (client === undefined) return undefined;
  const { settings } = await client.ask("GET", "/settings", shownAnswer).catch((error: unknown) => {
    throw isCambiumError(error, "BAD_INPUT") ? unknownSettings(client.url, error) : error;
  });
  const text = `The relay at ${client.url} was started with:\n\n${settingsText(settings)}`;
  return { document: { settings, url: client.url }, text };
}

const unknownSettings = (url: string, cause: unknown): CambiumError =>
  new CambiumError(
    "BAD_INPUT",
    `The relay at ${url} is of an earlier version, which does not say its settings.`,
    {
      hint: "`cambium-relay --print-config` shows what a start from here would take.",
      cause,
    },
  );

async function rotate(line: CommandLine): Promise<VerbAnswer> {
  const { data } = readSettings(line.sources).settings;
  const client = adminClientOf(line);
  if (client === undefined) {
    // It counts from the next start on.
    keepAdminToken(data, newAdminToken());
    const path = adminTokenPath(data);
    return {
      document: { tokenFile: path },
      text: `A new admin token is in ${path}. It counts from the next start on.`,
    };
  }
  const { token } = await client.ask("POST", "/admin-token", z.object({ token: z.string() }));
  const isHere = readAdminToken(data) === token;
  if (isHere && !line.is["print-admin-token"]) {
    const path = adminTokenPath(data);
    return {
      document: { tokenFile: path },
      text: `A new admin token is in ${path}. The one before opens nothing any more.`,
    };
  }
  return { document: { token }, text: token };
}

async function checkRunning(client: AdminClient): Promise<VerbAnswer> {
  const dir = mkdtempSync(join(tmpdir(), "cambium-check-"));
  try {
    const copy = join(dir, "copy.sqlite");
    await download((await client.send("GET", "/backup")).body, copy);
    return checked(copy, `The log of ${client.url} is whole.`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The log was moved away, and what was done with it is still known. */
function ownAudit(data: string): string | undefined {
  const path = join(data, "audit.jsonl");
  return existsSync(path) ? path : undefined;
}

/** What may have come back, and what can be done about it. */
function restoredText(
  { madeAt, newestAt, spaces, tokens, invitations, again, revoked }: RestoredLog,
  { audit, file }: { readonly audit: string | undefined; readonly file: string },
): readonly string[] {
  const counts = `${counted(spaces, "space")}, ${counted(tokens, "token")} and ${counted(invitations, "invitation")}`;
  const when = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const newest = newestAt === undefined ? "" : `; the newest of them was made on ${when(newestAt)}`;
  const made = madeAt === undefined ? "does not say when it was made" : `was made on ${when(madeAt)}`;
  const found = `The backup ${made}. The log has ${counts}${newest}.`;
  const done =
    audit === undefined
      ? []
      : [
          `By ${audit}, there were revoked again: ${counted(again.revoked, "token or invitation", "tokens and invitations")}; changed: ${counted(again.roles, "role")}; deleted: ${counted(again.spaces, "space")}.`,
        ];
  if (revoked > 0)
    return [
      found,
      ...done,
      `Nobody is let in: ${counted(revoked, "token or invitation", "tokens and invitations")} of the backup were revoked. The owner of each space links it again (\`cambium link <address> --token <admin token>\`), and invites the others.`,
    ];
  const rest = audit === undefined ? "What" : "What that file does not name and";
  return [
    found,
    ...done,
    `${rest} was revoked or deleted since then stands again: revoked tokens and invitations open their spaces, roles are as they were, deleted spaces are back. A device whose role is admin ends again what was ended from a device, once it is connected.`,
    ...(audit === undefined
      ? [
          `If you have the audit.jsonl of the relay that was lost, or want to let nobody in, remove ${LOG_FILE_NAME} here and restore again: \`cambium-relay restore ${shellWord(file)} --audit <audit.jsonl>\`, or with \`--revoke-tokens\`.`,
        ]
      : []),
  ];
}

const inDatabase = (done: string, tool: string): CambiumError =>
  new CambiumError("BAD_INPUT", `A log in PostgreSQL is ${done} with ${tool}.`, {
    hint: "docs/operations.md shows how.",
  });

async function backUp(client: AdminClient, file: string, overwrites: boolean): Promise<VerbAnswer> {
  let found: VerbAnswer | undefined;
  const text = `Everything is in ${file}, which is whole. It opens nothing by itself: keep the admin token too.`;
  const isThere = await writeWhole(file, () => client.send("GET", "/backup"), {
    overwrites,
    isWhole: (part) => {
      found = checked(part, text);
      return found.exit === undefined;
    },
  });
  return isThere || found === undefined ? { document: { ok: true, file, problems: [] }, text } : found;
}

function checked(file: string, text: string): VerbAnswer {
  const problems = checkLogFile(file);
  if (problems.length === 0) return { document: { ok: true, file, problems }, text };
  const list = problems.map((problem) => `  ${problem}`).join("\n");
  return { document: { ok: false, file, problems }, text: `${file} is damaged:\n${list}`, exit: 6 };
}

function fileOf({ args: [file] }: CommandLine, message: string): string {
  if (file === undefined) throw usageError(message);
  return file;
}
