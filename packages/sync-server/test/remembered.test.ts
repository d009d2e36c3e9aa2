import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chunkTools } from "../src/chunk-tools.js";
import type { LogBatch, LogItem } from "../src/log/space-log.js";
import { SQLITE_SCHEMA } from "../src/log/sqlite-schema.js";
import { type SqliteSpaceLog, sqliteSpaceLog } from "../src/log/sqlite-space-log.js";
import { MadeUpHistory } from "./support/made-up-changes.js";

const DOCUMENTS = ["11", "22"].map((digits) => digits.repeat(16));
const ACTORS = ["aa", "bb", "cc"];
const SPACE = "space-a";

/** With bytes as text, whatever holds them. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (key, part) =>
    key === "mark" ? Buffer.from(part.data ?? Object.values(part)).toString("hex") : part,
  );

/** A log, and a switch that makes the next commit fail. */
function opened(): { readonly log: SqliteSpaceLog; fail(): void } {
  const database = new DatabaseSync(":memory:");
  database.exec(SQLITE_SCHEMA);
  let fails = false;
  const exec = database.exec.bind(database);
  database.exec = (sql) => {
    if (sql !== "COMMIT" || !fails) return exec(sql);
    fails = false;
    throw new Error("disk full");
  };
  return {
    log: sqliteSpaceLog(database, chunkTools.sha256, { now: () => 0 }),
    fail: () => {
      fails = true;
    },
  };
}

const draw = fc.nat({ max: 1_000 });
const item = fc.record({
  act: fc.constantFrom("change", "change", "change", "skip", "again", "other", "unknown-object", "fork"),
  ...{ document: fc.nat({ max: 1 }), actor: fc.nat({ max: 2 }), of: draw },
});
const commit = fc.record({
  fails: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  batches: fc.array(fc.array(item, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
});

/** Turns what was drawn into items, some of which a log has to refuse. */
class Items {
  readonly #histories = DOCUMENTS.map((document) => new MadeUpHistory(document));
  #forks = 0;

  of({ act, document, actor, of }: typeof item extends fc.Arbitrary<infer Drawn> ? Drawn : never): LogItem {
    const history = this.#histories[document] as MadeUpHistory;
    const written = [...history.byHash.values()];
    const known = written[of % Math.max(1, written.length)];
    const name = ACTORS[actor] as string;
    if (act === "fork" && known !== undefined) {
      this.#forks += 1;
      const hash = createHash("sha256").update(`fork ${this.#forks}`).digest("hex");
      const target = this.#forks.toString(16).padStart(32, "f");
      return {
        kind: "fork",
        document: target,
        from: DOCUMENTS[document] as string,
        heads: [known.hash],
        hash,
      };
    }
    if (act === "again" && known !== undefined) return known;
    if (act === "other" && known !== undefined)
      return { ...known, hash: createHash("sha256").update(`other ${known.hash}`).digest("hex") };
    if (act === "skip") history.change(name); // nobody ever sends it
    const objects = act === "unknown-object" ? [`9999@${name.repeat(16)}`] : [];
    return history.change(name, known && of % 2 === 0 ? [known.hash] : [], objects);
  }
}

test("[RL145] a log that remembers documents from commit to commit takes and refuses what one does that looks everything up", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commit, { maxLength: 25 }), async (commits) => {
      const [remembering, forgetful] = [opened(), opened()];
      const items = new Items();
      for (const { fails, batches } of commits) {
        const given = batches.map(
          (drawn): LogBatch => ({ space: SPACE, items: drawn.map((one) => items.of(one)) }),
        );
        const outcomes = [remembering, forgetful].map(async (place) => {
          if (place === forgetful) place.log.forget();
          if (fails) place.fail();
          return await place.log.append(given).catch(() => "failed");
        });
        const [ours, plain] = await Promise.all(outcomes);
        expect(shown(ours)).toBe(shown(plain));
      }
      const range = { space: SPACE, after: 0, maxBytes: Number.POSITIVE_INFINITY };
      expect(await remembering.log.read(range)).toEqual(await forgetful.log.read(range));
      const query = { space: SPACE, after: 0, limit: 100 };
      expect(await remembering.log.documents(query)).toEqual(await forgetful.log.documents(query));
    }),
    { numRuns: 60, seed: 145 },
  );
});
