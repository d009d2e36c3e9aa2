/**
 * The pieces of a text that may once have become a memory: all of it, its sections, and its paragraphs.
 *
 * @module
 */

const MAX_PIECES = 20_000;

export function piecesOf(text: string): readonly string[] {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const sections = plain.split(/^(?=#{1,6} )/m);
  const bodies = sections.map((section) => section.replace(/^#{1,6} .*\n?/, ""));
  const paragraphs = plain.split(/\n\s*\n/);
  const pieces = [plain, ...sections, ...bodies, ...paragraphs, ...plain.split("\n")];
  const all = new Set([text, ...pieces.flatMap((piece) => [piece, piece.trim()])]);
  all.delete("");
  return [...all].slice(0, MAX_PIECES);
}
