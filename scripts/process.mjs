/**
 * Child processes of the workspace's commands.
 *
 * @module
 */
import { spawn } from "node:child_process";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A step that failed, described in one sentence with what to do; the commands print it without a stack. */
export class StepError extends Error {
  /**
   * @param {string} message
   * @param {string} [output] - what the failed step printed
   */
  constructor(message, output = "") {
    super(message);
    this.output = output;
  }
}

/**
 * Runs a program to its end and gathers what it prints.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} both streams in the order they came
 * @throws {StepError} when a signal ended this process's wait for it
 */
export async function capture(command, args, options = {}) {
  const chunks = [];
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const { code, signal } = await ended(child);
  if (signal !== undefined) throw new StepError(`Stopped by ${signal}.`);
  return { code, output: Buffer.concat(chunks).toString("utf8") };
}

/**
 * Runs a program on this terminal; it decides how a signal ends it.
 * Over the IPC channel it also notices when this process is killed outright.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export async function runInForeground(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ["inherit", "inherit", "inherit", "ipc"], ...options });
  const { code } = await ended(child);
  return code;
}

/**
 * Runs a command's main function; a {@link StepError} becomes its sentence and exit code 1.
 *
 * @param {() => Promise<number | void>} main - resolves to the exit code, 0 when it gives none
 */
export async function runCommand(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    if (error.output !== "") console.error(error.output.trimEnd());
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Waits for a child, passing on the signals this process gets, so that none is left running alone. */
function ended(child) {
  return new Promise((resolve, reject) => {
    let received;
    const forward = (signal) => {
      received = signal;
      child.kill(signal);
    };
    const settle = (done) => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
      done();
    };
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
    child.once("error", (error) => settle(() => reject(error)));
    child.once("close", (code) =>
      settle(() => resolve({ code: code === null ? 1 : code, signal: received })),
    );
  });
}
