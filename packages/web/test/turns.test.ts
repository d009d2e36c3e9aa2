import { describe, expect, it } from "vitest";
import { Turns } from "../src/api/turns.ts";

describe("[PG24] what is asked first", () => {
  const started: string[] = [];
  const answers = new Map<string, (value: string) => void>();
  const ask = (turns: Turns, name: string) =>
    turns.take(name, () => {
      started.push(name);
      return new Promise<string>((resolve) => answers.set(name, resolve));
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("is what fills the view, and what stands beside it waits for all of that", async () => {
    const turns = new Turns();
    const counts = ask(turns, "facets");
    const list = ask(turns, "list");
    const found = ask(turns, "recall");
    const write = ask(turns, "revise");
    await settled();
    expect(started).toEqual(["list", "recall", "revise"]);
    answers.get("list")?.("a list");
    await settled();
    expect(started).not.toContain("facets");
    answers.get("recall")?.("found");
    await settled();
    expect(started).toContain("facets");
    answers.get("facets")?.("counts");
    answers.get("revise")?.("written");
    expect(await Promise.all([counts, list, found, write])).toEqual([
      ...["counts", "a list", "found", "written"],
    ]);
  });

  it("lets the rest go on where the first thing fails, and waits for nothing where nothing is asked", async () => {
    const turns = new Turns();
    const failing = turns.take("get", () => Promise.reject(new Error("gone")));
    const status = turns.take("status", () => Promise.resolve("fine"));
    await expect(failing).rejects.toThrow("gone");
    expect(await status).toBe("fine");
    expect(await turns.take("facets", () => Promise.resolve("counts"))).toBe("counts");
  });
});
