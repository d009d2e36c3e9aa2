import { describe, expect, it } from "vitest";
import type { Author } from "../src/api/client.ts";
import { readerOf } from "../src/i18n/text.ts";
import { shownAgent, shownAuthor } from "../src/ui/author.tsx";

const english = readerOf("en", ["en-GB"]);
const HERE = "replica-here";
const nameOf = (by: Partial<Author>) =>
  shownAuthor(english, { replica: HERE as Author["replica"], ...by }, HERE).name;

describe("[PG33] who wrote it", () => {
  it("is you, whichever way you came, and somebody where it was another device", () => {
    const ways = [
      {},
      { agent: "cli", trigger: "cli" },
      { agent: "web page", trigger: "web page" },
      { agent: "cli" },
    ];
    for (const by of ways) {
      expect(nameOf(by)).toBe("You");
      expect(nameOf({ ...by, replica: "replica-there" as Author["replica"] })).toBe("Somebody");
    }
  });

  it("is an agent, by its name, also one that calls itself as people are called", () => {
    expect(nameOf({ agent: "claude-code", trigger: "mcp" })).toBe("Claude Code");
    expect(nameOf({ agent: "cli", trigger: "mcp" })).toBe("cli");
    expect(nameOf({ agent: "web page", trigger: "http" })).toBe("web page");
    expect(nameOf({ agent: "constructor" })).toBe("constructor");
  });

  it("can be chosen by the way that people came", () => {
    expect(["cli", "web page", "cursor"].map((agent) => shownAgent(english, agent))).toEqual([
      "You, in a terminal",
      "You, on this page",
      "Cursor",
    ]);
  });
});
