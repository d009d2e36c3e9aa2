/**
 * Full text over forms, kept in step with where they belong: among what main shows now, or elsewhere.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { FULL_TEXT_SCHEMA, FullText } from "../recall/full-text.js";
import type { FormId } from "./form-store.js";
import type { IndexDatabase } from "./index-database.js";
import type { Listing, TextLists } from "./index-tables.js";

export class SearchLists implements TextLists {
  readonly schema = FULL_TEXT_SCHEMA;
  #text: FullText | undefined;

  attach({ database }: IndexDatabase): void {
    this.#text = new FullText(database);
  }

  get text(): FullText {
    if (this.#text === undefined) throw new Error("The search is asked before the index was opened.");
    return this.#text;
  }

  take(form: FormId, memory: () => Memory, from: Listing): void {
    if (from !== "nowhere") this.text.remove(form, memory(), from === "now" ? "current_text" : "past_text");
  }

  put(form: FormId, memory: () => Memory, to: Listing): void {
    if (to !== "nowhere") this.text.add(form, memory(), to === "now" ? "current_text" : "past_text");
  }
}
