/** What someone sees who loads a package with a Node that is too old. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** Says that it is an older Node than it is, and lacks what that one lacks. */
const PRETENDING = `
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
  process.getBuiltinModule = undefined;
`;

test.each(["client", "sync-server"])("[PK1] @cambium/%s says which Node it needs", (name) => {
  const entry = new URL(`../packages/${name}/dist/index.js`, import.meta.url).href;
  const script = `${PRETENDING} await import("${entry}").catch(({ code, message }) => console.log(code, message));`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(said.trim()).toBe(
    "OLD_NODE Cambium needs Node 22.15 or later and this is Node 20.20.2: install one from https://nodejs.org.",
  );
});
