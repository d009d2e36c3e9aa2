import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CATALOGUE, type Key } from "../src/i18n/catalogue.ts";
import { readerOf, sentence, sentenceParts } from "../src/i18n/text.ts";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("catalogue"))
    .map((entry) => join(entry.parentPath, entry.name));
const PLACE = /\{(\w+)\}/g;
const placesIn = (text: string) => [...new Set([...text.matchAll(PLACE)].map(([, name]) => name))].sort();

describe("the catalogue", () => {
  it("[PG5] says the same things in both languages", () => {
    for (const [key, [english, korean]] of Object.entries(CATALOGUE)) {
      const forms = typeof english === "string" ? [english] : [english.one, english.other];
      expect(korean, key).not.toBe("");
      for (const form of forms) {
        expect(form, key).not.toBe("");
        for (const place of placesIn(form)) expect(placesIn(korean), key).toContain(place);
      }
      const named = new Set(forms.flatMap(placesIn));
      for (const place of placesIn(korean)) expect(named, key).toContain(place);
    }
  });

  it("[PG5] has no sentence that nobody says", () => {
    const code = filesIn(SOURCES).map((file) => readFileSync(file, "utf8"));
    const beginnings = code.flatMap((text) =>
      [...text.matchAll(/`([a-z]+\.)\$\{/g)].map(([, name = ""]) => name),
    );
    const isSaid = (key: string) =>
      code.some((text) => text.includes(`"${key}"`)) || beginnings.some((name) => key.startsWith(name));
    expect(beginnings.length).toBeGreaterThan(3);
    expect(Object.keys(CATALOGUE).filter((key) => !isSaid(key))).toEqual([]);
  });

  it("[PG5] uses the words that people use", () => {
    const all = Object.values(CATALOGUE).flatMap(([english]) =>
      typeof english === "string" ? [english] : [english.one, english.other],
    );
    for (const text of all)
      expect(text).not.toMatch(/\b(HEAD|commit hash|sync conflict|replica|are you sure)\b/i);
  });

  it("[PG5] counts in the reader's way", () => {
    const key: Key = "memories.changes";
    expect(sentence("en", key, { n: 1 })).toBe("1 change");
    expect(sentence("en", key, { n: 1247 })).toBe("1,247 changes");
    expect(sentence("ko", key, { n: 1 })).toBe("변경 1건");
  });

  it("[PG5] puts the particle that fits behind a word or a number", () => {
    const [renamed, now] = ["branches.renamed", "memory.seeing"] as const;
    const named = (name: string) => sentence("ko", renamed, { name });
    expect(named("여행")).toBe("여행으로 이름을 바꿨습니다.");
    expect(named("이사")).toBe("이사로 이름을 바꿨습니다.");
    expect(named("서울")).toBe("서울로 이름을 바꿨습니다.");
    expect(named("job-hunt")).toBe("job-hunt(으)로 이름을 바꿨습니다.");
    const seen = [1, 2, 3, 10, 1_004].map((n) => /버전 (\S+)/.exec(sentence("ko", now, { n }))?.[1]);
    expect(seen).toEqual(["1을", "2를", "3을", "10을", "1,004를"]);
    for (const [key, [, korean]] of Object.entries(CATALOGUE))
      expect(korean, key).not.toMatch(/\{(?!(size|memories)\})\w+\}(은|는|을|를|이|가|으로|로)(?![가-힣(])/);
  });

  it("[PG7] keeps a name that runs from right to left from turning the sentence around", () => {
    expect(sentence("en", "branches.renamed", { name: "שלום" })).toBe("Renamed to \u2068שלום\u2069.");
    expect(sentence("en", "branches.renamed", { name: "a\u202eb" })).toBe("Renamed to ab.");
    expect(sentence("en", "branches.renamed", { name: "plain" })).toBe("Renamed to plain.");
  });

  it("[PG5] takes elements in its places", () => {
    expect(sentenceParts("en", "common.onDevice", { device: "laptop" })).toEqual(["on ", "laptop", ""]);
  });

  it("[PG5] uses the browser's locale where it is of the language", () => {
    expect(readerOf("en", ["ko-KR", "en-GB"]).locale).toBe("en-GB");
    expect(readerOf("ko", ["en-GB"]).locale).toBe("ko");
  });
});
