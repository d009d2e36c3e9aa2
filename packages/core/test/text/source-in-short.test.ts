/** Where a memory came from, said in a few words. */
import { expect, test } from "vitest";
import { contentWithTitle, sourceInShort } from "../../src/text.js";

const MEMORY = "01a202f8-e476-7000-8000-000000000001";

const piece = (file: string, heading?: string) => ({
  ...{ kind: "import", format: "markdown", name: "vault", file },
  ...(heading === undefined ? {} : { heading }),
});

test.each([
  [piece("People/Noor Haddad.md", "Notes"), "Noor Haddad › Notes (file People/Noor Haddad.md)"],
  [piece("home-server.md", "Home server > Disks"), "Home server › Disks (file home-server.md)"],
  [piece("inbox.md"), "inbox (file inbox.md)"],
  [{ kind: "import", format: "mcp-memory", name: "memory.jsonl", heading: "Ada" }, "import memory.jsonl"],
  [{ kind: "file", path: "docs/a.md" }, "file docs/a.md"],
  [{ kind: "url", url: "https://example.org/page" }, "https://example.org/page"],
  [{ kind: "email", thread: "t1", message: 4, folder: "in" }, "email t1 4"],
  [
    { kind: "version", memory: MEMORY, record: "ab".repeat(32), inputMethod: "restore" },
    `version://${MEMORY}/abababababab`,
  ],
  [{ kind: "hearsay" }, "hearsay"],
])("[VN17] a source is said in short: %j", (source, text) => {
  expect(sourceInShort(source)).toBe(text);
});

test("[VN17] a piece of a document stands under its title, without its own heading", () => {
  const source = piece("People/Noor Haddad.md", "Notes");
  expect(contentWithTitle({ content: "## Notes\n\nAllergic to peanuts.", source })).toBe(
    "Noor Haddad › Notes: Allergic to peanuts.",
  );
  expect(contentWithTitle({ content: "Allergic.", source })).toBe("Noor Haddad › Notes: Allergic.");
  expect(contentWithTitle({ content: "Allergic.", source: { kind: "email", thread: "t" } })).toBe(
    "Allergic.",
  );
});
