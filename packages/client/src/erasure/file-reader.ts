/**
 * Reads files through a process of its own.
 *
 * A process that closes any descriptor of a file loses all locks that it holds on that file, also those of SQLite: on
 * POSIX systems, who reads the files of an open home within the process that opened it, opens the home to everybody.
 * Source: https://www.sqlite.org/howtocorrupt.html, section 2.2.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { CambiumError } from "@cambium/core";

const HEAD_BYTES = 9;
const [READ, ABSENT, FAILED] = [0, 1, 2];

/** For each line with a path as JSON: what became of it, how many bytes follow, the bytes or the error's code. */
const SCRIPT = `
const { readFileSync } = require("node:fs");
const answer = (path) => {
  try {
    return [${READ}, readFileSync(path)];
  } catch ({ code }) {
    return [code === "ENOENT" ? ${ABSENT} : ${FAILED}, Buffer.from(String(code))];
  }
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [kind, bytes] = answer(JSON.parse(line));
  const head = Buffer.alloc(${HEAD_BYTES});
  head.writeUInt8(kind);
  head.writeBigUInt64LE(BigInt(bytes.length), 1);
  process.stdout.write(head);
  process.stdout.write(bytes);
});
`;

/** A process that reads one file after the other. */
export class FileReader implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #questions: Writable;
  readonly #answers: AsyncIterator<Buffer, undefined>;
  readonly #ended: Promise<unknown>;
  #rest: Buffer = Buffer.alloc(0);

  constructor() {
    const child = spawn(process.execPath, ["-e", SCRIPT], {
      stdio: ["pipe", "pipe", "ignore"],
      // Electron is a Node that has to be told.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    });
    [this.#process, this.#questions] = [child, child.stdin];
    this.#answers = child.stdout[Symbol.asyncIterator]();
    this.#ended = once(child, "close").catch(() => undefined);
    child.stdin.on("error", () => undefined); // its answer does not come, which is told
  }

  /**
   * @returns undefined where there is no such file
   * @throws {CambiumError} STORE_FAILED when it cannot be read
   */
  async read(path: string): Promise<Buffer | undefined> {
    this.#questions.write(`${JSON.stringify(path)}\n`);
    const head = await this.#take(path, HEAD_BYTES);
    const bytes = await this.#take(path, Number(head.readBigUInt64LE(1)));
    const kind = head.readUInt8();
    if (kind === FAILED) throw unreadable(path, bytes.toString());
    return kind === READ ? bytes : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#questions.end();
    this.#process.kill();
    await this.#ended;
  }

  async #take(path: string, count: number): Promise<Buffer> {
    const pieces = [this.#rest];
    for (let taken = this.#rest.length; taken < count; ) {
      const { value, done } = await this.#answers.next();
      if (done) throw unreadable(path, "its reader ended");
      pieces.push(value);
      taken += value.length;
    }
    const bytes = pieces.length === 1 ? this.#rest : Buffer.concat(pieces);
    this.#rest = bytes.subarray(count);
    return bytes.subarray(0, count);
  }
}

const unreadable = (path: string, why: string): CambiumError =>
  new CambiumError("STORE_FAILED", `${path} cannot be read (${why}): nobody knows what is in it.`, {
    hint: "Make the file readable for your user, and try again.",
  });
