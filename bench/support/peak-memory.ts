import { readFileSync } from "node:fs";

/**
 * The most memory this process has held, in bytes. `getrusage` would also count what the process that started it
 * held, where the system begins a process by lending it that memory.
 */
export function peakMemoryBytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  } catch {
    // no Linux
  }
  return process.resourceUsage().maxRSS * 1_024;
}
