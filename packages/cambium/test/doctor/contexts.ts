/** A healthy device to begin with, and ways to make it ill. */
import { mkdir } from "node:fs/promises";
import { openReplica } from "@cambium/client";
import { systemTimers } from "@cambium/client/host";
import type { DoctorContext } from "../../src/doctor/doctor-context.js";
import { examine } from "../../src/doctor/examine.js";
import type { Finding } from "../../src/doctor/finding.js";
import { makeMachine, type TestMachine } from "../setup/machines.js";

export interface TestPatient extends DoctorContext, AsyncDisposable {
  readonly machine: TestMachine;
}

export async function makeContext(env: Readonly<Record<string, string>> = {}): Promise<TestPatient> {
  const machine = await makeMachine({ env });
  const home = machine.path("memory");
  return {
    ...{ home, machine, version: "1.0.0", nodeVersion: "24.1.0", now: Date.now },
    timers: systemTimers,
    freeBytes: () => 50 * 1_024 ** 3,
    signal: new AbortController().signal,
    openReplica: () => openHome(machine),
    findDaemon: async () => undefined,
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
}

export const openHome = (machine: TestMachine) =>
  openReplica({ dir: machine.path("memory"), stateDir: machine.path("state"), connect: false });

/** A patient with one space that holds a memory. */
export async function withSpace(name = "notes"): Promise<TestPatient> {
  const context = await makeContext();
  await mkdir(context.home, { mode: 0o700 });
  await using replica = await openHome(context.machine);
  await using space = await replica.createSpace({ name });
  await space.as({ agent: "cli" }).remember({ content: "Prefers tea in the morning" });
  return context;
}

/** What was found that is not right, one line each. */
export async function ills(context: DoctorContext): Promise<readonly string[]> {
  const findings = await examine(context);
  for (const finding of findings) checkShape(finding);
  return findings
    .filter(({ state }) => state !== "ok")
    .map(({ state, check, message }) => `${state} ${check}: ${message}`);
}

function checkShape({ message, hint, state }: Finding): void {
  if (!/^\S.*\.$/s.test(message)) throw new Error(`No sentence: ${message}`);
  if (state !== "ok" && (hint === undefined || hint === ""))
    throw new Error(`Nothing to do about: ${message}`);
}
