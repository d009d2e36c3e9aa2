/**
 * Full text over forms, kept in step with where they belong: among what main shows now, or elsewhere.
 *
 * @module
 */
import { FullText } from "../search/full-text.js";
import { TEXT_TABLES_SCHEMA, type TextTable } from "../search/text-tables.js";
import type { IndexDatabase } from "./index-database.js";
import type { TextLists } from "./index-tables.js";
import type { Listing, SnapshotId } from "./snapshot-columns.js";
import type { Searchable } from "./snapshot-store.js";

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

  take(snapshot: SnapshotId, fields: () => Searchable, from: Listing): void {
    if (from !== "nowhere") this.text.remove(snapshot, fields(), tableOf(from, fields()));
  }

  put(snapshot: SnapshotId, fields: () => Searchable, to: Listing): void {
    if (to !== "nowhere") this.text.add(snapshot, fields(), tableOf(to, fields()));
  }

  beginRebuild(): void {
    this.text.beginRebuild();
  }

  finish(): void {
    this.text.finish();
  }

  purgeInSteps(): Iterable<undefined> {
    return this.text.purgeInSteps();
  }

  tidy(list: "now" | "past"): void {
    this.text.purge([list === "now" ? "current_text" : "past_text"]);
  }
}

/** What main has forgotten is of the past, though it is the newest main has of it. */
const tableOf = (listing: Listing, { deleted }: Searchable): TextTable =>
  listing === "now" && !deleted ? "current_text" : "past_text";
