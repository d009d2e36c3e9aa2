/**
 * What a server process has used, asked for by its parent.
 *
 * @module
 */
export interface Usage {
  /** Of all its threads, since it began. */
  readonly cpuMs: number;
  /** The part of it that the system used for this process. */
  readonly systemMs: number;
  readonly rssBytes: number;
}

/** Tells the parent the address, then answers its questions. `settled` asks for memory after a collection. */
export function answerUsage(url: string): void {
  process.on("message", (question) => {
    if (question === "settled") globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const usage: Usage = {
      cpuMs: (user + system) / 1_000,
      systemMs: system / 1_000,
      rssBytes: process.memoryUsage.rss(),
    };
    process.send?.(usage);
  });
  process.on("disconnect", () => process.exit());
  process.on("SIGINT", () => process.exit());
  process.send?.(url);
}
