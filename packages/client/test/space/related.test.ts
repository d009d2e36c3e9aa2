/** What stands on the same subject as a text, and what only shares words with it. */
import { expect, test } from "vitest";
import { replicaHere } from "../support/replica-here.js";
import { BACKGROUND, KEPT_APART, type Related, TUNED } from "./support/related-texts.js";

test.each<[string, readonly Related[], { readonly seen: number; readonly drawn: number }]>([
  ["pairs that the rule was chosen on", TUNED, { seen: 33, drawn: 4 }],
  ["pairs kept apart", KEPT_APART, { seen: 38, drawn: 2 }],
])(
  "[LA3] %s: what is on the same subject is found, and what is about something else seldom",
  async (_name, pairs, least) => {
    await using here = await replicaHere();
    const space = await here.replica.createSpace({ name: "notes" });
    const agent = space.as({ agent: "ada" });
    for (const content of [...pairs.map(([there]) => there), ...BACKGROUND])
      await agent.remember({ content });
    const counts = { seen: 0, drawn: 0 };
    for (const [there, related, other] of pairs) {
      const found = await space.alike(related, { related: true });
      if (found.some(({ content }) => content === there)) counts.seen += 1;
      if ((await space.alike(other, { related: true })).length > 0) counts.drawn += 1;
      // Unless it is asked for, only what says nearly the same is an answer.
      const same = found.filter(({ likeness }) => likeness === "text");
      expect((await space.alike(related)).map(({ id }) => id)).toEqual(same.map(({ id }) => id));
    }
    expect(counts.seen).toBeGreaterThanOrEqual(least.seen); // of 40
    expect(counts.drawn).toBeLessThanOrEqual(least.drawn); // of 40
  },
);

test("[LA3] what says nearly the same comes first; a word in common is not enough, nor what many say", async () => {
  await using here = await replicaHere();
  const space = await here.replica.createSpace({ name: "notes" });
  const agent = space.as({ agent: "ada" });
  await agent.remember({ content: "Releases are cut on Thursdays at noon by Ada" });
  const { id } = await agent.remember({ content: "Releases are cut by Tom" });
  for (const food of ["tea", "plums", "oat milk", "rye bread", "figs", "leeks"])
    await agent.remember({ content: `Leo prefers ${food}` });
  const likenesses = async (text: string): Promise<readonly string[]> =>
    (await space.alike(text, { related: true })).map(({ likeness }) => likeness);
  expect(await likenesses("Releases are cut on Fridays at noon by Ada")).toEqual(["text", "subject"]);
  expect((await space.alike({ id }, { related: true })).map((one) => one.id)).not.toContain(id);
  expect(await likenesses("Tom is on leave")).toEqual([]);
  expect(await likenesses("Leo prefers window seats")).toEqual([]);
});
