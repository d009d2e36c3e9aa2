/**
 * Verbs about the relay as a whole: its settings, its token, its file.
 *
 * @module
 */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CambiumError } from "@cambium/core/errors";
import { z } from "zod";
import {
  adminTokenPath,
  keepAdminToken,
  keptAdminToken,
  newAdminToken,
  readAdminToken,
} from "../admin-token.js";
import { openBlobs } from "../log/blobs/open-blobs.js";
import { checkLogFile, compactLogFile, logFileOf, restoreLog } from "../operate/log-file.js";
import { readSettings } from "../settings/read-settings.js";
import { settingsText, shownSettings } from "../settings/show-settings.js";
import { type AdminClient, adminClientOf, requireAdminClient } from "./admin-client.js";
import { checkDatabase } from "./check-database.js";
import { type CommandLine, usageError } from "./command-line.js";
import { sizeText } from "./space-verbs.js";
import type { Verb, VerbAnswer } from "./verb.js";

const sizes = z.object({ before: z.number(), after: z.number() });

export const LOG_VERBS: Readonly<Record<string, Verb>> = {
  backup: {
    synopsis: "backup <file>",
    about: "copy everything, with tokens, while the relay runs; then check the copy",
    act: async (line) => {
      const file = fileOf(line, "Name the file to write.");
      if (readSettings(line.sources).settings.store !== undefined) throw inDatabase("copied", "pg_dump");
      await download(requireAdminClient(line), file);
      return checked(
        file,
        `Everything is in ${file}, which is whole. It opens nothing by itself: keep the admin token too.`,
      );
    },
  },
  restore: {
    synopsis: "restore <file>",
    about: "make a backup the log of a data directory that has none",
    act: async (line) => {
      const file = fileOf(line, "Name the backup.");
      const { data, store } = readSettings(line.sources).settings;
      if (store !== undefined) throw inDatabase("restored", "pg_restore");
      restoreLog(file, data);
      const { path, isNew } = keptAdminToken(data);
      const which = isNew ? "a new admin token, in" : "the admin token in";
      const text = `${data} has the log of ${file}, and ${which} ${path}. Start the relay: devices send again what the backup lacks.`;
      return { document: { data, tokenFile: path, isNewToken: isNew }, text };
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
    about: "show every setting and who set it; secrets are not shown",
    act: async ({ sources }) => configOf(sources),
  },
};

/** Every setting, and where it comes from. */
export function configOf(sources: CommandLine["sources"]): VerbAnswer {
  const { found, file, settings } = readSettings(sources);
  const named = found.map((one) => (one.name === "data" ? { ...one, text: settings.data } : one));
  const text = `${settingsText(named)}\n\nFile: ${file ?? "none"}`;
  return { document: { settings: shownSettings(named), file: file ?? null }, text };
}

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
    await download(client, copy);
    return checked(copy, `The log of ${client.url} is whole.`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const inDatabase = (done: string, tool: string): CambiumError =>
  new CambiumError("BAD_INPUT", `A log in PostgreSQL is ${done} with ${tool}.`, {
    hint: "docs/operations.md shows how.",
  });

async function download(client: AdminClient, file: string): Promise<void> {
  const { body } = await client.send("GET", "/backup");
  const source = Readable.fromWeb((body ?? new ReadableStream()) as Parameters<typeof Readable.fromWeb>[0]);
  try {
    await pipeline(source, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw usageError(`${file} is there already.`);
    throw new CambiumError("STORE_FAILED", `${file} cannot be written to its end.`, { cause });
  }
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
