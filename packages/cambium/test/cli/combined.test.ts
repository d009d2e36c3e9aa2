/** What a merge made of both sides, as the command shows it: a text that nobody has written. */
import { afterAll, expect, test } from "vitest";
import { OwnHome } from "./own-home.js";

const home = new OwnHome();
afterAll(() => home[Symbol.dispose]());
const cambium = async (...line: readonly string[]): Promise<string> => (await home.run(line)).text;

test("[BR81] merge, show and history say when a memory reads as neither side had it", async () => {
  await cambium("init", "notes");
  const written = await cambium(
    "remember",
    "Releases are cut on Thursdays. The core team cuts them.",
    "--json",
  );
  const { id } = JSON.parse(written);
  expect(await cambium("show", id)).toMatch(/version +1 record/);
  await cambium("branch", "work");
  await cambium("revise", id, "Releases are cut on Thursdays. The infra team cuts them.", "--branch", "work");
  await cambium("revise", id, "--tag", "weekly", "--branch", "work");
  await cambium("revise", id, "Releases are cut on Fridays. The core team cuts them.");
  const both = "Releases are cut on Fridays. The infra team cuts them.";
  const preview = await cambium("merge", "work", "--preview");
  expect(preview).toMatch(new RegExp(`reads as neither:\\n.*\\n  ${both}\\n`));
  const merged = await cambium("merge", "work");
  expect(merged).toMatch(
    new RegExp(`^Merged work into main: 1 changed\\n.*reads as neither:\\n.*\\n  ${both}\\n`),
  );
  expect(merged).not.toContain("weekly"); // as the source has it
  expect(await cambium("show", id)).toMatch(/version .* combines \w+ and \w+, field by field/);
  const history = await cambium("history", id);
  expect(history).toMatch(new RegExp(`now combines \\w+ and \\w+, field by field\\n +content +${both}\\n`));
  // Once somebody has written it, it is a version as any other.
  await cambium("revise", id, `${both} Always.`);
  expect(await cambium("show", id)).toMatch(/version .* record/);
  expect(await cambium("history", id)).not.toContain("now combines");
});
