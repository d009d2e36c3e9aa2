/** What two replicas that were asked the same answered, with everything taken out that chance or place decides. */
import { type CambiumError, isCambiumError } from "@cambium/core";

/** Ids, hashes, and beginnings of both as messages quote them; names of documents. */
const CHANCE =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{9,64}|(?<=-(?:\d{4}|w\d\d)-)[0-9a-f]{4}\b|device-\d{6}|\b[1-9A-HJ-NP-Za-km-z]{25,30}\b/g;
const SIZES = new Set(["sizeBytes", "chunks", "epoch"]);

const isTexts = (part: unknown): part is readonly string[] =>
  Array.isArray(part) && part.every((item) => typeof item === "string");

export class Transcript {
  readonly #names = new Map<string, string>();
  readonly #home: string;

  /** @param home - paths in it are told from there */
  constructor(home: string) {
    this.#home = home;
  }

  async of(call: () => Promise<unknown>): Promise<unknown> {
    try {
      return this.plain({ answer: await call() });
    } catch (error) {
      if (!isCambiumError(error)) throw error;
      const { code, message, hint, details } = error as CambiumError;
      return this.plain({ error: { code, message, hint, details } });
    }
  }

  /** As JSON carries it, every id replaced by a name in the order in which they came up. */
  plain(value: unknown): unknown {
    const text = JSON.stringify(value, (key, part: unknown) => {
      if (typeof part === "string") return key === "cursor" ? "<cursor>" : this.#named(part);
      // In the order in which a caller happened to name the fields.
      if (key === "changed" && isTexts(part)) return part.toSorted();
      return SIZES.has(key) && typeof part === "number" ? 0 : part;
    });
    return JSON.parse(text);
  }

  #named(text: string): string {
    return text.replaceAll(this.#home, "<home>").replaceAll(CHANCE, (found) => {
      const known = this.#names.get(found) ?? this.#beginningOf(found) ?? `<${this.#names.size}>`;
      this.#names.set(found, known);
      return known;
    });
  }

  #beginningOf(short: string): string | undefined {
    const whole = [...this.#names.keys()].find((name) => name.startsWith(short) || short.startsWith(name));
    return whole === undefined ? undefined : this.#names.get(whole);
  }
}
