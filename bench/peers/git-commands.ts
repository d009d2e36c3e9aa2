/**
 * Running git: single commands, a stream of commits, and one process that answers questions about objects.
 *
 * @module
 */
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

/** Nobody's own settings, hooks, signatures or editor. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@example.org",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@example.org",
};
const LARGEST_OUTPUT_BYTES = 2 ** 30;

export class Git {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** @returns what it printed */
  async run(args: readonly string[], time?: number): Promise<Buffer> {
    const { stdout } = await promisify(execFile)("git", args, {
      cwd: this.dir,
      env: { ...ENVIRONMENT, ...(time !== undefined && datesAt(time)) },
      encoding: "buffer",
      maxBuffer: LARGEST_OUTPUT_BYTES,
    });
    return stdout;
  }

  async text(...args: readonly string[]): Promise<string> {
    return (await this.run(args)).toString("utf8").trim();
  }

  /** Feeds `git fast-import`. */
  async import(stream: Iterable<string>): Promise<void> {
    const child = spawn("git", ["fast-import", "--quiet"], {
      cwd: this.dir,
      env: ENVIRONMENT,
      stdio: ["pipe", "inherit", "inherit"],
    });
    const ended = once(child, "close");
    await pipeline(Readable.from(stream), child.stdin);
    const [code] = await ended;
    if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
  }

  objects(): ObjectReader {
    return new ObjectReader(
      spawn("git", ["cat-file", "--batch"], {
        cwd: this.dir,
        env: ENVIRONMENT,
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
  }
}

const datesAt = (time: number) => {
  const date = `${Math.floor(time / 1_000)} +0000`;
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
};

/** One `git cat-file --batch`, asked over and over. */
export class ObjectReader implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: ((content: Buffer) => void)[] = [];
  /** What has come and is not a whole answer yet. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #wanted = 0;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** The contents of objects, by their names or as `main:path`, in the order asked. */
  read(names: readonly string[]): Promise<readonly Buffer[]> {
    const contents = names.map(() => new Promise<Buffer>((resolve) => this.#waiting.push(resolve)));
    this.#child.stdin.write(`${names.join("\n")}\n`);
    return Promise.all(contents);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.stdin.end();
    await ended;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#wanted) return;
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    for (;;) {
      const answer = firstAnswer(rest);
      if (typeof answer === "number") {
        this.#wanted = answer;
        break;
      }
      this.#waiting.shift()?.(answer.content);
      rest = rest.subarray(answer.end);
    }
    this.#chunks = [rest];
    this.#bytes = rest.length;
  }
}

/** `<name> <type> <size>\n<content>\n`, or how many bytes have to be there before it can be one. */
function firstAnswer(bytes: Buffer): { readonly content: Buffer; readonly end: number } | number {
  const lineEnd = bytes.indexOf("\n");
  if (lineEnd < 0) return bytes.length + 1;
  const line = bytes.toString("utf8", 0, lineEnd);
  const size = Number(line.split(" ").at(-1));
  if (!Number.isInteger(size)) throw new Error(`git cat-file: ${line}`);
  const end = lineEnd + 1 + size + 1;
  return bytes.length < end ? end : { content: bytes.subarray(lineEnd + 1, end - 1), end };
}
