/**
 * Reads Markdown files: a memory per section, with the section's own text.
 *
 * A section is known by its file and its headings, not by its place or its text: moved among its siblings it
 * stays the same memory, edited it is a change of that memory, under another heading it is another one. Fields of the
 * front matter that say something else than title, tags, aliases and date are one memory more.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import { isExportedFile, readExportedFile } from "./edited-files.js";
import { type FrontMatter, readFrontMatter } from "./front-matter.js";
import {
  contentProblem,
  type ImportDraft,
  type ImportReading,
  type SkippedPart,
  toSourceKey,
} from "./import-draft.js";
import { type LinkableFile, type LinkResolver, linkResolver } from "./markdown-links.js";
import { type MarkdownSection, readSections } from "./markdown-sections.js";

export interface MarkdownFile {
  /** Relative to the source, with `/` between its parts. */
  readonly path: string;
  readonly text: string;
}

interface ReadFile {
  readonly path: string;
  readonly frontMatter: FrontMatter;
  readonly sections: readonly KeyedSection[];
}

interface KeyedSection extends MarkdownSection {
  readonly sourceKey: string;
  /** Why it gives no memory; a heading with only sub-headings gives none and needs no excuse. */
  readonly problem: string | undefined;
}

/**
 * Returns a draft per section that has content of its own, files in the order of their paths. A heading
 * with nothing but sub-headings gives none; the text before the first heading stands under the file's name.
 * It takes long, and yields after each file.
 *
 * @param options.name - of the source; part of every key
 * @throws {CambiumError} BAD_INPUT when two files have one path
 */
export function* readMarkdown(
  files: readonly MarkdownFile[],
  options: { readonly name: string },
): Generator<void, ImportReading> {
  const unique = withUniquePaths(files);
  const exported = unique.filter(({ text }) => isExportedFile(text)).map(readExportedFile);
  const read: ReadFile[] = [];
  for (const file of unique.filter(({ text }) => !isExportedFile(text))) {
    read.push(readFile(file, options.name));
    yield;
  }
  const resolve = linkResolver(read.map(linkableFile));
  const edited = exported.filter((one) => "id" in one);
  return {
    ...(edited.length === 0 ? {} : { edited }),
    drafts: read.flatMap((file) => [
      ...propertiesDraft(file, options.name),
      ...file.sections.filter(isMemory).map((section) => sectionDraft(file, section, options.name, resolve)),
    ]),
    skipped: [...read.flatMap(skippedParts), ...exported.filter((one) => "reason" in one)],
  };
}

function withUniquePaths(files: readonly MarkdownFile[]): readonly MarkdownFile[] {
  const byPath = new Map<string, MarkdownFile>();
  for (const { path: originalPath, text } of files) {
    const path = originalPath.normalize("NFC"); // macOS hands out decomposed names; the key must not depend on it
    if (byPath.has(path)) {
      throw new CambiumError("BAD_INPUT", `The file "${path}" was given twice; give each path once.`);
    }
    byPath.set(path, { path, text: text.startsWith("\uFEFF") ? text.slice(1) : text });
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readFile({ path, text }: MarkdownFile, name: string): ReadFile {
  const frontMatter = readFrontMatter(text);
  const sections = readSections(text.slice(frontMatter.bodyStart)).map((section) => ({
    ...section,
    sourceKey: sectionKey(name, path, section),
    problem: section.hasContent ? contentProblem(section.text) : undefined,
  }));
  return { path, frontMatter, sections };
}

const sectionKey = (name: string, path: string, section: MarkdownSection): string =>
  toSourceKey(
    "markdown",
    name,
    path,
    section.path.map(({ title, occurrence }) => (occurrence === 0 ? title : [title, occurrence])),
  );

const isMemory = ({ hasContent, problem }: KeyedSection): boolean => hasContent && problem === undefined;

function sectionDraft(
  { path, frontMatter }: ReadFile,
  section: KeyedSection,
  name: string,
  resolve: LinkResolver,
): ImportDraft {
  const heading = headingOf(frontMatter, section);
  const links = linkedKeys(section, (url) => resolve(path, url)).map((to) => ({ rel: "links-to", to }));
  return {
    sourceKey: section.sourceKey,
    content: section.text,
    ...notedFields(frontMatter),
    ...(links.length > 0 && { links }),
    source: { kind: "import", format: "markdown", name, file: path, ...(heading !== "" && { heading }) },
  };
}

/** What the front matter says of every section. */
const notedFields = ({ tags, aliases, date }: FrontMatter) => ({
  kind: "note",
  ...(tags !== undefined && { tags }),
  ...(aliases !== undefined && { aliases }),
  ...(date !== undefined && { occurredAt: date }),
});

function propertiesDraft({ path, frontMatter }: ReadFile, name: string): readonly ImportDraft[] {
  const { properties, title } = frontMatter;
  if (properties === "" || contentProblem(properties) !== undefined) return [];
  const heading =
    title ??
    path
      .split("/")
      .at(-1)
      ?.replace(/\.[^.]*$/, "") ??
    "";
  return [
    {
      sourceKey: toSourceKey("markdown-properties", name, path),
      content: properties,
      ...notedFields(frontMatter),
      source: { kind: "import", format: "markdown", name, file: path, heading },
    },
  ];
}

/** The title of the front matter stands above all headings, unless the outermost repeats it. */
function headingOf({ title }: FrontMatter, section: MarkdownSection): string {
  const titles = section.path.map((step) => step.title);
  return (title === undefined || title === titles[0] ? titles : [title, ...titles]).join(" > ");
}

function linkedKeys(section: KeyedSection, resolve: (url: string) => string | undefined): readonly string[] {
  const keys = section.linkUrls.map(resolve).filter((key) => key !== undefined);
  return [...new Set(keys)].filter((key) => key !== section.sourceKey);
}

/** A link to a heading that gives no memory leads to the first memory below that heading. */
function linkableFile({ path, sections }: ReadFile): LinkableFile {
  const keyByAnchor = new Map<string, string>();
  let next: KeyedSection | undefined; // the first memory from here on: walking backwards reads each section once
  for (const section of [...sections].reverse()) {
    if (isMemory(section)) next = section;
    if (next !== undefined && isAtOrBelow(next, section)) keyByAnchor.set(section.anchor, next.sourceKey);
  }
  return { path, firstKey: next?.sourceKey, keyByAnchor };
}

const isAtOrBelow = (section: KeyedSection, top: KeyedSection): boolean =>
  top.path.every(({ title, occurrence }, depth) => {
    const step = section.path[depth];
    return step?.title === title && step.occurrence === occurrence;
  });

function skippedParts({ path, frontMatter, sections }: ReadFile): readonly SkippedPart[] {
  const unread = sections.flatMap(({ problem, path: headings }): SkippedPart[] => {
    const where = [path, ...headings.map(({ title }) => title)].join(" > ");
    return problem === undefined ? [] : [{ where, reason: problem }];
  });
  const tooLarge = frontMatter.properties === "" ? undefined : contentProblem(frontMatter.properties);
  const problems = [
    ...frontMatter.problems,
    ...(tooLarge === undefined ? [] : [`Of its properties: ${tooLarge}`]),
  ];
  const found = [...problems.map((reason) => ({ where: path, reason })), ...unread];
  const isEmpty = frontMatter.properties === "" && !sections.some(({ hasContent }) => hasContent);
  return isEmpty && found.length === 0 ? [{ where: path, reason: "There is no text in it." }] : found;
}
