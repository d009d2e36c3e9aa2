/**
 * As whom a client's writes are kept: its own name for itself, in one spelling.
 *
 * @module
 */

const UNNAMED = "mcp-client";
const MAX_LENGTH = 64;

/** `Claude Code` and `claude_code` are one agent: `claude-code`. */
export function agentNameOf(clientName: unknown): string {
  if (typeof clientName !== "string") return UNNAMED;
  const name = clientName
    .normalize("NFKC")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.@/]+/gu, "-")
    .slice(0, MAX_LENGTH)
    .replace(/^[-./@]+|[-./@]+$/g, "");
  return name === "" ? UNNAMED : name;
}
