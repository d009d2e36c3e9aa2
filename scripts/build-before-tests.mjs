/**
 * Vitest's global set-up: builds once, for the tests that start processes.
 * Type errors are the type check's to report; what was built despite them is tested.
 */
import { build } from "./setup.mjs";

export async function setup() {
  if (process.env.CAMBIUM_BUILT === "1") return; // `npm test` has just built
  const { code } = await build();
  if (code !== 0) console.error("The build has type errors: `npm run check` shows them.");
}
