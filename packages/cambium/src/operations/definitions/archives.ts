/**
 * Archives: a space in one file, and back.
 *
 * @module
 */
import type { ArchiveContents, ArchiveOptions, ImportArchiveOptions, ImportedArchive } from "@cambium/client";
import { type Definitions, read, SPACE, types, write } from "../definition.js";
import type { BackupRequest, Download, DownloadRequest, ShownBackups } from "../described.js";

type Sent<Options> = Omit<Options, "signal" | "onProgress"> & { readonly path: string };

export const archiveOperations = {
  /** Writes to files of this machine, by their absolute path. */
  "archives.make": {
    ...write("POST", `${SPACE}/archive`),
    isLong: true,
    types: types<Sent<ArchiveOptions> & { readonly space: string }, ArchiveContents>(),
    summary: "Write all of a space to one file",
    description:
      "On the device on which the daemon runs. It holds the key of the space: only the owner may ask for it. One of `passphrase` and `clear` is needed.",
    input: ({ z, needed, described, flag }) => ({
      path: needed("Absolute.", "/home/noor/notes.cambium"),
      passphrase: described(z.string().optional(), "Seals the archive."),
      clear: flag("Writes it in the clear."),
      since: described(z.string().optional(), "Absolute. An earlier archive: only what is new is written."),
      branches: described(
        z.array(z.string()).optional(),
        "Only these, by name or id, with what is needed to read them. Default: all.",
      ),
      overwrite: flag("Writes over a file that is there."),
    }),
    output: (parts) => parts.archiveContents,
  },
  "archives.import": {
    ...write("POST", "/v1/archives/import"),
    isLong: true,
    types: types<Sent<ImportArchiveOptions>, ImportedArchive>(),
    summary: "Take in an archive",
    description: "Of the device on which the daemon runs. Only the owner may ask for it.",
    input: ({ z, needed, described, flag }) => ({
      path: needed("Absolute, or `~/…` in the owner's folder.", "/home/noor/notes.cambium"),
      passphrase: described(z.string().optional(), "Of a sealed archive."),
      kit: described(z.string().optional(), "A recovery kit of its space, in place of the passphrase."),
      since: described(
        z.array(z.string()).optional(),
        "Absolute. Where the earlier archives are that it needs. Default: beside it.",
      ),
      preview: flag("Only says what it would bring."),
      name: described(
        z.string().optional(),
        "What the space is to be called here. Default: as in the archive.",
      ),
      asSpace: described(
        z.string().optional(),
        "Makes a new space of it, of this name, with an id and a key of its own: it never syncs with the old one.",
      ),
      link: flag("Connects to the relay with the access that the archive holds."),
      replaceDamaged: flag(
        "Where the space is here and cannot be opened: puts its files aside, and takes the archive in its place.",
      ),
    }),
    output: (parts) => parts.importedArchive,
  },
  "page.download": {
    ...write("POST", `${SPACE}/page/downloads`),
    isLong: true,
    types: types<DownloadRequest & { readonly space: string }, Download>(),
    summary: "Make a file that the web page hands to its browser",
    description:
      "An export, or an archive. The address works once, for two minutes, in a browser in which the page is open. No file stays on the device. Only the owner may ask for it.",
    input: ({ z, described, atRef, exportFormat, flag }) => ({
      ...atRef,
      what: described(z.enum(["export", "archive"]), "An archive is of every branch."),
      format: described(exportFormat.optional(), "Of an export. Default: jsonl. `markdown` comes as a zip."),
      passphrase: described(z.string().optional(), "Seals an archive."),
      clear: flag("Writes an archive in the clear."),
    }),
    output: (parts) => parts.download,
  },
  "backups.show": {
    ...read(`${SPACE}/backups`),
    types: types<{ readonly space: string }, ShownBackups>(),
    summary: "Tell how the backups of a space are",
    description: "As they are set on this device. Only the owner may ask for it.",
    input: () => ({}),
    output: (parts) => parts.shownBackups,
  },
  "backups.make": {
    ...write("POST", `${SPACE}/backups`),
    isLong: true,
    types: types<{ readonly space: string }, ShownBackups>(),
    summary: "Make a backup now",
    description: "Where and how it is set on this device. Only the owner may ask for it.",
    input: () => ({}),
    output: (parts) => parts.shownBackups,
  },
  "backups.set": {
    ...write("PUT", `${SPACE}/backups`),
    isLong: true,
    types: types<BackupRequest & { readonly space: string }, ShownBackups>(),
    summary: "Turn backups on, or change them",
    description:
      "Makes one at once: what cannot work is refused, and nothing is set. What is left out stays as it is set; at first a folder is needed, and one of `passphrase` and `clear`. Only the owner may ask for it.",
    input: ({ z, described, flag, wholeNumber }) => ({
      dir: described(
        z.string().optional(),
        "A folder of the device on which the daemon runs: absolute, or `~/…` in the owner's.",
      ),
      every: described(z.enum(["hour", "day", "week"]).optional(), "Default: day."),
      keep: wholeNumber("How many of the newest stay. Default: 7.", 1, 10_000),
      passphrase: described(
        z.string().optional(),
        "Seals them. It is kept in a file of the device that only its owner reads, and is in no answer.",
      ),
      clear: flag("Writes them in the clear."),
    }),
    output: (parts) => parts.shownBackups,
  },
  "backups.end": {
    ...write("DELETE", `${SPACE}/backups`),
    types: types<{ readonly space: string }, ShownBackups>(),
    summary: "Make no more backups",
    description: "Those that are there stay. Only the owner may ask for it.",
    input: () => ({}),
    output: (parts) => parts.shownBackups,
  },
} as const satisfies Definitions;
