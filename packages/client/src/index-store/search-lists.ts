/**
 * Full text over forms, kept in step with where they belong: among what main shows now, or elsewhere.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { FullText } from "../recall/full-text.js";
import { TEXT_TABLES_SCHEMA, type TextTable } from "../recall/text-tables.js";
import type { FormId } from "./form-columns.js";
import type { IndexDatabase } from "./index-database.js";
import type { Listing, TextLists } from "./index-tables.js";

export class SearchLists implements TextLists {
  readonly schema = TEXT_TABLES_SCHEMA;
  #text: FullText | undefined;

  attach({ database }: IndexDatabase): void {
    this.#text = new FullText(database);
  }

  get text(): FullText {
    if (this.#text === undefined) throw new Error("The search is asked before the index was opened.");
    return this.#text;
  }

  take(form: FormId, memory: () => Memory, from: Listing): void {
    if (from !== "nowhere") this.text.remove(form, memory(), tableOf(from, memory()));
  }

  put(form: FormId, memory: () => Memory, to: Listing): void {
    if (to !== "nowhere") this.text.add(form, memory(), tableOf(to, memory()));
  }

  tidy(): void {
    this.text.purge(["current_text"]); // hardly anything is ever taken out of the other
  }
}

/** What main has forgotten is of the past, though it is the newest main has of it. */
const tableOf = (listing: Listing, { deleted }: Memory): TextTable =>
  listing === "now" && !deleted ? "current_text" : "past_text";
