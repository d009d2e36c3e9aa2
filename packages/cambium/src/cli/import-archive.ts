/**
 * `import`, of an archive.
 *
 * @module
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Progress } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import { isConfirmed } from "./ask.js";
import type { Context } from "./context.js";
import { CountLine } from "./count-line.js";
import { statedPassphrase } from "./passphrase.js";
import { importedText } from "./render/archive.js";
import { UsageError } from "./usage-error.js";

interface ArchiveOptions {
  readonly preview?: true | undefined;
  readonly passphraseFile?: string | undefined;
  readonly since?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly asSpace?: string | undefined;
  readonly link?: true | undefined;
  readonly replaceDamaged?: true | undefined;
}

const OPTIONS = [
  "passphraseFile",
  "since",
  "name",
  "asSpace",
  "link",
] as const satisfies readonly (keyof ArchiveOptions)[];

export async function isArchive(path: string, { io }: Context): Promise<boolean> {
  const file = resolve(io.cwd, path);
  if (path === "-" || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const { archiveKind } = await import("@cambium/client/host");
  return (await archiveKind(file)) !== undefined;
}

/** @throws {UsageError} */
export function refuseArchiveOptions(options: Omit<ArchiveOptions, "preview">): void {
  const misplaced = OPTIONS.find((name) => Object.hasOwn(options, name));
  if (misplaced === undefined) return;
  const option = misplaced.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(
    `--${option} belongs to an archive, and this is none.`,
    "If it is one, its beginning is damaged: cambium archive <file> --verify",
  );
}

export async function importArchive(path: string, options: ArchiveOptions, context: Context) {
  await context.refuseAgents("take in an archive");
  const { io } = context;
  const file = resolve(io.cwd, path);
  const { archiveKind } = await import("@cambium/client/host");
  const isSealed = (await archiveKind(file)) === "sealed";
  // Nothing else that a verb takes, such as --yes, is one of an archive's options.
  const { passphraseFile, since = [], preview: isPreview, name, asSpace, link, replaceDamaged } = options;
  const passphrase = isSealed ? await statedPassphrase(passphraseFile, io) : undefined;
  const take = (more: { readonly preview?: boolean }) =>
    context.withReplica(async (replica) => {
      using counts = new CountLine(io);
      using _working = context.showWorking();
      return await replica.importArchive(file, {
        ...omitUndefined({ name, asSpace, link, passphrase, replaceDamaged }),
        ...more,
        since: since.map((one) => resolve(io.cwd, one)),
        signal: io.signal,
        // What the preview has shown is not counted again.
        onProgress: ({ stage, done, total }: Progress): void => {
          if (stage !== "verify" || more.preview === true) counts.show(done, total, stage);
        },
      });
    });
  const preview = await take({ preview: true });
  const brings = preview.setAside !== undefined || (preview.branches ?? []).length > 0;
  const isAsked = brings && !context.hasAgreed;
  if (isPreview !== true && isAsked) {
    const hint = "Look at it with --preview, then add --yes.";
    const isWanted = await isConfirmed(
      importedText(preview, context.style),
      "Take all of this in?",
      io,
      hint,
    );
    if (!isWanted) return await context.answer(preview, () => "Nothing was imported.");
  }
  const imported = isPreview === true ? preview : await take({});
  const isLinked = link === true && imported.status === "imported";
  const linked =
    "It is linked with the access that the archive holds: `cambium sync` says if that still counts.";
  return await context.answer(imported, () =>
    [importedText(imported, context.style), ...(isLinked ? [linked] : [])].join("\n"),
  );
}
