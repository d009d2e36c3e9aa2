import { globSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run test:soak`: long-running files only they need, many more runs per property, a fresh seed. */
const isSoak = process.env.CAMBIUM_SOAK === "1";

const TESTS = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"];
const NOT_NOW = isSoak ? [] : ["**/*.soak.test.ts"];

/** Files that start processes and wait for them. */
const PROCESSES = ["test/**/*.test.ts", "packages/*/test/**/{*.e2e,process}.test.ts"];

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
    // Long enough for a machine that does much else: a limit finds what hangs, not what is slow.
    testTimeout: isSoak ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than two processors, for one often waits for processes that it started.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // They begin in the order of their names.
    projects: [
      { extends: true, test: { name: "alone", include: ALONE, exclude: NOT_NOW } },
      // Next, since the longest are here: one that began last would run when all others have ended.
      {
        extends: true,
        test: { name: "processes", isolate: false, include: PROCESSES, exclude: [...NOT_NOW, ...ALONE] },
      },
      // A process runs many files: to load and compile the sources anew for each took a third of all the time.
      {
        extends: true,
        test: {
          name: "shared",
          isolate: false,
          include: TESTS,
          exclude: [...NOT_NOW, ...ALONE, ...PROCESSES],
        },
      },
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
