import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const BESIDE = fileURLToPath(new URL("../../cambium/dist/page/LICENSES.txt", import.meta.url));
const { dependencies } = JSON.parse(
  readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"),
) as { readonly dependencies: Readonly<Record<string, string>> };

describe.skipIf(!existsSync(BESIDE))("the built page", () => {
  it("[PK2] has the licence of each package in it", () => {
    const licences = readFileSync(BESIDE, "utf8");
    for (const [name, version] of Object.entries(dependencies))
      expect(licences).toContain(`${name} ${version} (`);
    expect(
      licences.match(/Permission is hereby granted|Redistribution and use|Apache License/g)?.length,
    ).toBeGreaterThanOrEqual(Object.keys(dependencies).length);
  });
});
