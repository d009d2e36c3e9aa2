/** The verbs of settings and retention, against the real library in a temporary home. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OwnHome } from "./own-home.js";

let home: OwnHome;
const cambium: OwnHome["run"] = (...call) => home.run(...call);
beforeEach(async () => {
  home = new OwnHome();
  await cambium(["init", "notes"]);
});
afterEach(() => home[Symbol.dispose]());

const settingIn = ({ settings }: { settings: readonly { key: string; value: unknown }[] }, wanted: string) =>
  settings.find(({ key }) => key === wanted)?.value;

describe("cambium settings", () => {
  test("[RT10] shows each with its value and what it takes; set, unset, a preset, a category", async () => {
    const shown = await cambium(["settings"]);
    expect(shown.stdout).toMatch(/retention\.days +never/);
    expect(shown.stdout).toContain("those of the preset keep-everything");
    expect(shown.stdout).not.toContain("…");
    expect((await cambium(["settings"], { terminal: true })).stdout).toContain("…");
    const changed = (await cambium(["settings", "--preset", "lean"])).stdout;
    expect(changed).toContain(
      "The daemon prunes by itself once a week. `cambium retention` shows what goes.",
    );
    expect(changed).not.toContain("These stay as they are");
    expect((await cambium(["settings", "set", "branches.open", "9"])).stdout).not.toContain("by itself");
    const lean = await cambium(["settings", "--json"]);
    expect(lean.json()).toMatchObject({ preset: "lean" });
    await cambium(["settings", "set", "retention.days", "90"]);
    await cambium(["settings", "set", "retention.contents", "all", "--category", "my health"]);
    const own = (await cambium(["settings", "unset", "retention.depth", "--json"])).json();
    expect(settingIn(own, "retention.days")).toBe(90);
    expect(settingIn(own, "retention.contents@category:my health")).toBe("all");
    expect(settingIn(own, "retention.depth")).toBe("all");
    expect(own).not.toHaveProperty("preset");

    const anew = (await cambium(["settings", "--preset", "year"])).stdout;
    expect(anew).toContain("These stay as they are: retention.contents@category:my health all.");
    expect((await cambium(["settings", "set", "retention.run", "off"])).stdout).toContain(
      "Nothing goes by itself (retention.run is off).",
    );
    expect((await cambium(["settings", "--preset", "keep-everything"])).stdout).not.toContain("by itself");
    const half = (await cambium(["settings", "set", "retention.contents", "3"])).stdout;
    expect(half).toMatch(/retention\.days +0 /);
    expect(half).toContain("retention.days is not set. It counts as 0, because the rule beside it is set.");

    const bad = await cambium(["settings", "set", "retention.days", "soon", "--json"]);
    expect([bad.code, bad.json().error.code]).toEqual([2, "BAD_SETTING"]);
    expect(bad.json().error.message).toContain("It takes a whole number from 0 to 36500, or never.");
    expect((await cambium(["settings", "set", "retention.days"])).code).toBe(2);
    expect((await cambium(["settings", "set", "retention.days", "3", "--agent", "bot"])).code).toBe(5);
    const both = ["settings", "set", "retention.days", "3", "--area", "a", "--category", "b"];
    expect((await cambium(both)).code).toBe(2);
  });
});

test("[RT10] a change ends with what it changed, and warns where texts go sooner without being asked to", async () => {
  await cambium(["settings", "--preset", "year"]);
  const set = (await cambium(["settings", "set", "retention.days", "90"])).stdout;
  expect(set).toContain("\nretention.days: 365 → 90\n");
  expect(set).not.toContain("sooner");
  const unset = (await cambium(["settings", "unset", "retention.days"])).stdout;
  expect(unset).toMatch(/\nretention\.days: 90 → 0\n.*sooner.*settings set retention\.days 90\n/);
  expect((await cambium(["settings", "unset", "retention.days"])).stdout).toContain("Nothing has changed.");
  const milder = (await cambium(["settings", "unset", "retention.contents"])).stdout;
  expect(milder).not.toContain("sooner");
  const policy = (await cambium(["policy", "set", "forget", "agent", "refuse"])).stdout;
  expect(policy).toMatch(/\nforget agent: \w+ → refuse\n?$/);
});

test("[RT5] [RT10] a preset for a category or an area sets the rules of that alone; without a change, either is refused", async () => {
  const lean = (await cambium(["settings", "--preset", "lean", "--category", "x", "--json"])).json();
  expect(settingIn(lean, "retention.contents")).toBe("all");
  expect(settingIn(lean, "retention.days")).toBe("never");
  expect(settingIn(lean, "retention.contents@category:x")).toBe(2);
  expect(settingIn(lean, "retention.depth@category:x")).toBe(365);
  await cambium(["settings", "--preset", "lean"]);
  const kept = (await cambium(["settings", "--preset", "keep-everything", "--area", "my work"])).stdout;
  expect(kept).toMatch(/retention\.days@area:my work: not set → never/);
  expect(kept).not.toContain("stay as they are");
  const all = (await cambium(["settings", "--json"])).json();
  expect(settingIn(all, "retention.versions@area:my work")).toBe("all");
  expect(settingIn(all, "retention.versions")).toBe(12);
  for (const wrong of [
    ["--category", "x"],
    ["--area", "x"],
    ["--preset", "lean", "--category", " "],
    ["--preset", "lean", "--category", "x", "--area", "y"],
  ]) {
    const refused = await cambium(["settings", ...wrong, "--json"]);
    expect([wrong, refused.code]).toEqual([wrong, 2]);
  }
  expect((await cambium(["settings", "--json"])).json()).toEqual(all);
});

describe("cambium retention", () => {
  test("[RT16] [RT23] says what would go, and lets it go when it is told to", async () => {
    expect((await cambium(["retention"])).stdout).toContain("The settings keep everything");
    const { id } = (await cambium(["remember", "Tea at three", "--json"])).json();
    await cambium(["revise", id, "Tea at four"]);
    await cambium(["settings", "set", "retention.contents", "1"]);
    const shown = await cambium(["retention"]);
    expect(shown.stdout).toMatch(/^Would prune 1 text of 1 memory, \d+ bytes\./);
    expect((await cambium(["history", id])).stdout).toContain("Tea at three");
    const unasked = await cambium(["retention", "--run"]);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("then add --yes")]);
    const declined = await cambium(["retention", "--run"], { terminal: true, input: "n\n" });
    expect(declined.stderr).toMatch(/Would prune 1 text of 1 memory.*\nPrune them\? It cannot be undone\./);
    expect(declined.stdout).toContain("Nothing was pruned.");
    expect((await cambium(["history", id])).stdout).toContain("Tea at three");
    expect((await cambium(["undo", "--preview"])).stdout).toContain("would say: Tea at three");
    expect((await cambium(["retention", "--run", "--yes", "--agent", "bot"])).code).toBe(5);
    const agreed = await cambium(["retention", "--run", "--json"], { terminal: true, input: "y\n" });
    expect(agreed.json()).toMatchObject({
      ...{ status: "pruned", counts: { memories: 1, versions: 1 }, waitingFor: [] },
    });
    const history = (await cambium(["history", id])).stdout;
    expect(history).not.toContain("Tea at three");
    expect(history).toContain("text not kept any more");
    expect(history).toContain("written after a text that is not kept any more");
    expect((await cambium(["log"])).stdout).toContain("pruned old texts of 1 memory");
    for (const line of [["undo"], ["undo", "--preview"]]) {
      const { code, stderr } = await cambium(line);
      expect([code, stderr]).toEqual([4, expect.stringContaining("from before it is not kept any more")]);
    }
    const [newest, oldest] = (await cambium(["log", "--json"])).json().changes;
    const back = await cambium(["rollback", `main@heads:${oldest.hash}`, "--preview"]);
    expect(newest).toBeDefined();
    expect(back.stdout).toContain("Left as it is, as its text from before is not kept any more:");
    expect((await cambium(["retention", "--run"])).stdout).toContain("Nothing is to be pruned.");
    expect((await cambium(["retention"])).stdout).toContain("Nothing is to be pruned.");
    const firstVersion = (...more: readonly string[]) => cambium(["show", id, "--version", "1", ...more]);
    expect((await firstVersion("--text")).stdout).toContain("no summary");
    expect((await firstVersion("--text", "--source", "file", "--json")).json()).toMatchObject({
      how: "none",
      text: "",
    });
    expect((await cambium(["show", id, "--version", "2", "--text"])).stdout).toBe("Tea at four\n");
    expect((await cambium(["show", id, "--text"])).code).toBe(2);
    const refused = await cambium(["restore", id, "--version", "1", "--json"]);
    expect([refused.code, refused.json().error.code]).toEqual([4, "CONTENT_PRUNED"]);
  });

  test("[RT30] [RT31] [RT23] [RT34] says what stays to rebuild texts, shows a text that was rebuilt, and restores it", async () => {
    const lines = [
      ...[
        "The kitchen looks out on the harbour and gets sun until noon.",
        "Grandmother's oak table stands there.",
      ],
      ...[
        "Behind it hangs a map of Iceland from 1931.",
        "The pantry door squeaks and wants oil each spring.",
      ],
      ...[
        "Upstairs, Bruno sleeps in the blue room with his violin.",
        "The attic smells of apples and old paper.",
      ],
      ...[
        "Swallows nest below its roof, so the window stays ajar.",
        "In the cellar we keep cider, skis and a sledge.",
      ],
    ];
    const first = lines.join(" ");
    const { id } = (await cambium(["remember", first, "--category", "rooms", "--json"])).json();
    await cambium(["revise", id, lines.with(4, "Upstairs, the blue room is empty now.").join(" ")]);
    await cambium(["settings", "set", "retention.differences", "yes"]);
    await cambium(["settings", "set", "retention.contents", "1"]);
    const shown = (await cambium(["retention"])).stdout;
    expect(shown).toMatch(/\n\d+ bytes of that stay on this device, to rebuild 1 text from later ones\.\n/);
    expect((await cambium(["retention", "--run", "--yes"])).stdout).toMatch(/to rebuild 1 text/);
    const rebuilt = await cambium(["show", id, "--version", "1", "--text"]);
    expect(rebuilt.stdout).toBe(`${first}\nRebuilt from a later version, on this device.\n`);
    const restored = (await cambium(["restore", id, "--version", "1", "--json"])).json();
    expect(restored.content).toBe(first);
  });
});
