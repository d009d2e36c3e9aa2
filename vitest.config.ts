import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (name: string): string =>
  fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

/** The packages resolve to their sources, so that a test never sees a stale build. */
const alias = {
  "@cambium/core": source("core"),
  "@cambium/client": source("client"),
  "@cambium/sync-server": source("sync-server"),
};

export default defineConfig({
  resolve: { alias },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
  },
});
