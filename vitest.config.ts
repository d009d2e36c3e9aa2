import { globSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run test:soak`: long-running files only they need, many more runs per property, a fresh seed. */
const isSoak = process.env.CAMBIUM_SOAK === "1";

const TESTS = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"];
const NOT_NOW = isSoak ? [] : ["**/*.soak.test.ts"];

/** Files that put a module of their own in the place of one of ours: it must not be loaded already. */
const ALONE = globSync(TESTS).filter((file) =>
  /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(file, "utf8")),
);

export default defineConfig({
  resolve: {
    // Sources, not builds: a test never sees stale code and needs no build.
    alias: doorsOfPackages(),
  },
  test: {
    globalSetup: ["scripts/build-before-tests.mjs", "scripts/temporary-folder.mjs"],
    setupFiles: ["scripts/seed-properties.ts"],
    passWithNoTests: true,
    testTimeout: isSoak ? 3_600_000 : 30_000,
    hookTimeout: 30_000,
    // Vitest leaves one processor free, which of two is half of the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // A process runs many files: to load and compile the sources anew for each took a third of all the time.
      {
        extends: true,
        test: { name: "shared", isolate: false, include: TESTS, exclude: [...NOT_NOW, ...ALONE] },
      },
      { extends: true, test: { name: "alone", include: ALONE, exclude: NOT_NOW } },
    ],
  },
});

/** The source behind each entry of the packages' `exports`; a name comes after those that begin with it. */
function doorsOfPackages(): { readonly find: string; readonly replacement: string }[] {
  const packages = new URL("./packages/", import.meta.url);
  return readdirSync(packages)
    .flatMap((folder) => {
      const { name, exports } = manifestIn(new URL(`${folder}/`, packages));
      return Object.entries(exports).map(([door, { types }]) => {
        const source = types.replace("./dist/", `./${folder}/src/`).replace(/\.d\.ts$/, ".ts");
        return { find: name + door.slice(1), replacement: fileURLToPath(new URL(source, packages)) };
      });
    })
    .sort((one, other) => other.find.length - one.find.length);
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
}

function manifestIn(folder: URL): Manifest {
  return JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as Manifest;
}
