import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run test:soak`: long-running files only they need, many more runs per property, a fresh seed. */
const isSoak = process.env.CAMBIUM_SOAK === "1";

export default defineConfig({
  resolve: {
    // Sources, not builds: a test never sees stale code and needs no build.
    alias: {
      "@cambium/core/automerge": sourceOf("core", "automerge"),
      "@cambium/core/errors": sourceOf("core", "errors"),
      "@cambium/core/calendar": sourceOf("core", "format/calendar"),
      "@cambium/core/names": sourceOf("core", "names"),
      "@cambium/core/state-fields": sourceOf("core", "format/state-fields"),
      "@cambium/core/text": sourceOf("core", "text"),
      "@cambium/core": sourceOf("core"),
      "@cambium/client/host": sourceOf("client", "host"),
      "@cambium/client": sourceOf("client"),
      "@cambium/sync-server": sourceOf("sync-server"),
      cambium: sourceOf("cambium"),
    },
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: isSoak ? [] : ["**/*.soak.test.ts"],
    globalSetup: ["scripts/build-before-tests.mjs"],
    setupFiles: ["scripts/seed-properties.ts"],
    passWithNoTests: true,
    testTimeout: isSoak ? 3_600_000 : 30_000,
    hookTimeout: 30_000,
    // Vitest leaves one processor free, which of two is half of the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});

function sourceOf(name: string, door = "index"): string {
  return fileURLToPath(new URL(`./packages/${name}/src/${door}.ts`, import.meta.url));
}
