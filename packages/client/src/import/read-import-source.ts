/**
 * The edge of import: turns a path, or standard input, into text and hands it to the reader of its format.
 *
 * @module
 */
import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { addAbortSignal, Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CambiumError, isCambiumError } from "@cambium/core";
import { chatServiceOf, readChatExport } from "./chat-export.js";
import type { ChatService } from "./conversations.js";
import { isHistoryLine, readHistoryLines } from "./history-lines.js";
import type { ImportReading, SkippedPart } from "./import-draft.js";
import { type MarkdownFile, readMarkdown } from "./markdown.js";
import { isMcpMemoryLine, readMcpMemory } from "./mcp-memory.js";
import { type MemoryService, memoryServiceOf, readMemoryService } from "./memory-services.js";

export type ImportFormat = "jsonl" | "mcp-memory" | "markdown" | ChatService | MemoryService;

export interface ImportSourceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of the source, as part of every key. Without one: the folder's name, so that it is the same on every device. */
  readonly name?: string | undefined;
  readonly format?: ImportFormat | undefined;
  /** What `-` reads. Default: standard input. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** Instead of the limit of the format. */
  readonly maxFileBytes?: number | undefined;
}

/** The Markdown parser takes about 4 s per MiB and cannot be interrupted; JSON lines cost next to nothing. */
const MAX_FILE_BYTES: Readonly<Record<ImportFormat, number>> = {
  markdown: 4 * 1024 * 1024,
  jsonl: 512 * 1024 * 1024,
  "mcp-memory": 128 * 1024 * 1024,
  chatgpt: 128 * 1024 * 1024,
  claude: 128 * 1024 * 1024,
  mem0: 128 * 1024 * 1024,
  zep: 128 * 1024 * 1024,
};
const MARKDOWN_EXTENSIONS = [".md", ".markdown"];
const JSON_EXTENSIONS = [".jsonl", ".ndjson", ".json"];
const TEXT_EXTENSIONS = ["", ".txt"];

/**
 * Reads a file, a folder of Markdown files, or `-`, and says which format it found.
 *
 * In a folder, dot files, dot folders and `node_modules` are left out, symbolic links are not followed, and a
 * file that cannot be read is skipped by name. A file that was named itself has to be readable.
 *
 * @throws {CambiumError} BAD_INPUT when the source is missing, too large, no UTF-8 or of no known format; ABORTED
 */
export async function readImportSource(
  pathOrDash: string,
  options: ImportSourceOptions = {},
): Promise<ImportReading & { readonly format: ImportFormat }> {
  const { signal } = options;
  throwIfAborted(signal);
  if (pathOrDash === "-") {
    const bytes = await readInput(options.input ?? process.stdin, maxBytesOf("jsonl", options), signal);
    return readText(decodeText(bytes, STDIN), { path: STDIN, folder: STDIN, extension: "" }, options);
  }
  // An empty one would mean the working directory, which nobody names so.
  if (pathOrDash.trim() === "")
    throw new CambiumError("BAD_INPUT", "No file or folder was named.", {
      hint: "Give its path, or `-` for standard input.",
    });
  const path = resolve(pathOrDash);
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(pathOrDash, cause);
  });
  if (found.isDirectory()) return readFolder(path, options);
  const file = basename(path);
  const extension = extname(file).toLowerCase();
  if (extension === ".zip")
    throw new CambiumError("BAD_INPUT", `"${file}" is packed.`, {
      hint: "Unpack it, and name the folder, or conversations.json in it.",
    });
  const likelyFormat = MARKDOWN_EXTENSIONS.includes(extension) ? "markdown" : "jsonl";
  const text = await readTextFile(path, pathOrDash, maxBytesOf(likelyFormat, options));
  throwIfAborted(signal);
  const folder = dirname(path);
  const reading = await readText(text, { path: file, folder: basename(folder), extension }, options);
  return withFolder(reading, options.name ?? basename(folder), folder);
}

/** Of Markdown, a source names the folder and the file in it. */
const withFolder = <Reading extends ImportReading & { readonly format: ImportFormat }>(
  reading: Reading,
  name: string,
  path: string,
): Reading => (reading.format === "markdown" ? { ...reading, folder: { name, path } } : reading);

const STDIN = "standard input";

interface NamedText {
  readonly path: string;
  readonly folder: string;
  readonly extension: string;
}

/** A single Markdown file is named like a folder that holds only it, so that importing the folder later finds it. */
async function readText(
  text: string,
  { path, folder, extension }: NamedText,
  options: ImportSourceOptions,
): Promise<ImportReading & { readonly format: ImportFormat }> {
  const format = options.format ?? detectFormat(text, extension);
  switch (format) {
    case "mcp-memory": {
      const name = options.name ?? (folder === path ? path : `${folder}/${path}`);
      return { format, ...readMcpMemory(text, { name, file: path }) };
    }
    case "jsonl":
      return { format, ...readHistoryLines(text, { name: path }) };
    case "chatgpt":
    case "claude":
      return { format, ...readChatExport(text, format, path) };
    case "mem0":
    case "zep":
      return { format, ...readMemoryService(text, format, path) };
    case "markdown":
      refuseBeyond(maxBytesOf("markdown", options), Buffer.byteLength(text), path);
      return {
        format,
        ...(await inTurns(readMarkdown([{ path, text }], { name: options.name ?? folder }), options.signal)),
      };
    case undefined:
      if (text.trim() === "")
        throw new CambiumError("BAD_INPUT", `"${path}" is empty.`, {
          hint: "Write it again where it came from, such as with `cambium export`.",
        });
      throw new CambiumError("BAD_INPUT", `The format of "${path}" is not known, or the file is damaged.`, {
        hint: "Give an export of Cambium, a Markdown file, a folder of them, the JSONL file of the MCP memory server, conversations.json of a ChatGPT or Claude export, or what mem0 or Zep answer as JSON.",
      });
  }
}

function detectFormat(text: string, extension: string): ImportFormat | undefined {
  if (isHistoryLine(firstLineOf(text))) return "jsonl";
  if (MARKDOWN_EXTENSIONS.includes(extension)) return "markdown";
  const service = chatServiceOf(text);
  if (service !== undefined && extension !== ".txt") return service;
  if (!isMcpMemoryLine(firstLineOf(text)) && extension !== ".txt") {
    const memories = memoryServiceOf(text.slice(0, SNIFFED));
    if (memories !== undefined) return memories;
  }
  if (JSON_EXTENSIONS.includes(extension))
    return text.split("\n").some(isMcpMemoryLine) ? "mcp-memory" : undefined;
  if (!TEXT_EXTENSIONS.includes(extension)) return undefined;
  return isMcpMemoryLine(firstLineOf(text)) ? "mcp-memory" : "markdown";
}

/** The first memory of an answer ends long before. */
const SNIFFED = 65_536;

const firstLineOf = (text: string): string => /\S.*/.exec(text)?.[0] ?? "";

async function readFolder(
  folder: string,
  options: ImportSourceOptions,
): Promise<ImportReading & { readonly format: ImportFormat }> {
  const { signal, name = basename(folder) } = options;
  if (options.format !== undefined && options.format !== "markdown") {
    throw new CambiumError("BAD_INPUT", `"${name}" is a folder; name the file in it.`);
  }
  const skipped: SkippedPart[] = [];
  const files: MarkdownFile[] = [];
  const others: string[] = [];
  for await (const path of markdownPaths(folder, { skipped, others }, signal)) {
    const shown = relative(folder, path).split(sep).join("/");
    try {
      files.push({ path: shown, text: await readTextFile(path, shown, maxBytesOf("markdown", options)) });
    } catch (error) {
      if (!isCambiumError(error, "BAD_INPUT")) throw error;
      skipped.push({ where: shown, reason: error.message });
    }
  }
  if (files.length === 0) {
    const exported = join(folder, CHAT_EXPORT);
    if (await isFile(exported)) return readImportSource(exported, options);
    throw new CambiumError("BAD_INPUT", `The folder "${name}" holds no Markdown file that can be read.`, {
      hint: "Name a folder with .md or .markdown files, or a single file.",
      details: { skipped: skipped.slice(0, 20) },
    });
  }
  const reading = await inTurns(readMarkdown(files, { name }), signal);
  const all = [...skipped, ...reading.skipped, ...leftOut(others)];
  return withFolder({ format: "markdown", ...reading, skipped: all }, name, folder);
}

/** More of them would hide what went wrong: a vault may hold thousands of pictures. */
const OTHERS_NAMED = 20;

function leftOut(others: readonly string[]): readonly SkippedPart[] {
  const reason = "It is no Markdown file; those of a folder are imported alone.";
  const named = others.toSorted().slice(0, OTHERS_NAMED);
  const more = others.length - named.length;
  const rest = { where: `${more} more files`, reason: "They are no Markdown files either." };
  return [...named.map((where) => ({ where, reason })), ...(more > 0 ? [rest] : [])];
}

/** Others have their turn between the steps, and one of them may stop it. */
async function inTurns<Result>(
  steps: Generator<void, Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    await nextTurn();
    throwIfAborted(signal);
    if (step.done === true) return step.value;
  }
}

/** The file of an export that holds the conversations, from any vendor. */
const CHAT_EXPORT = "conversations.json";

const isFile = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

async function* markdownPaths(
  top: string,
  { skipped, others }: { readonly skipped: SkippedPart[]; readonly others: string[] },
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await listFolder(folder, top, skipped)) {
      throwIfAborted(signal);
      const path = join(folder, entry.name);
      const isMarkdown = MARKDOWN_EXTENSIONS.includes(extname(entry.name).toLowerCase());
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && isMarkdown) yield path;
      else if (entry.isFile()) others.push(relative(top, path).split(sep).join("/"));
      else if (entry.isSymbolicLink()) {
        skipped.push({
          where: relative(top, path),
          reason: "It is a symbolic link; those are not followed.",
        });
      }
    }
  }
}

async function listFolder(folder: string, top: string, skipped: SkippedPart[]): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (folder === top) throw unreadable(folder, cause);
    skipped.push({ where: relative(top, folder), reason: unreadable(folder, cause).message });
    return [];
  }
}

/** Reads at most one byte beyond the limit, whatever the file's size is said to be or grows to. */
async function readTextFile(path: string, shown: string, maxBytes: number): Promise<string> {
  try {
    await using file = await open(path, "r");
    if (!(await file.stat()).isFile()) {
      throw new CambiumError("BAD_INPUT", `"${shown}" is neither a file nor a folder.`);
    }
    const stream = file.createReadStream({ end: maxBytes, autoClose: false });
    return decodeText(await readStream(stream, maxBytes, shown), shown);
  } catch (cause) {
    throw isCambiumError(cause) ? cause : unreadable(shown, cause);
  }
}

/** A stop has to reach a read that waits for a person to type. */
async function readInput(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const stream = input instanceof Readable ? input : Readable.from(input);
  if (signal !== undefined) addAbortSignal(signal, stream);
  try {
    return await readStream(stream, maxBytes, STDIN);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

async function readStream(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  shown: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    refuseBeyond(maxBytes, sizeBytes, shown);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const maxBytesOf = (format: ImportFormat, { maxFileBytes }: ImportSourceOptions): number =>
  maxFileBytes ?? MAX_FILE_BYTES[format];

function refuseBeyond(maxBytes: number, sizeBytes: number, shown: string): void {
  if (sizeBytes > maxBytes) {
    throw new CambiumError("BAD_INPUT", `"${shown}" is larger than ${maxBytes} bytes; split it first.`);
  }
}

function decodeText(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `"${shown}" is not UTF-8 text; convert it first.`, { cause });
  }
}

function unreadable(shown: string, cause: unknown): CambiumError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  const why = { ENOENT: "does not exist", EACCES: "may not be read", EPERM: "may not be read" }[code];
  return new CambiumError("BAD_INPUT", `"${shown}" ${why ?? `cannot be read (${code})`}.`, {
    hint: "Check the path: a relative one begins at the working directory. `-` means standard input.",
    cause,
  });
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new CambiumError("ABORTED", "The import was stopped before anything was written.", {
      cause: signal.reason,
    });
  }
}
