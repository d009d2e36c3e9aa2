import { LOG_START, nextPoint } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { chunkTools } from "../src/chunk-tools.js";
import { openPostgresLog } from "../src/index.js";
import { openPostgres } from "../src/log/postgres/postgres-log.js";
import type { RelayLog } from "../src/log/relay-log.js";
import type { LogBatch } from "../src/log/space-log.js";
import { ChangeMaker, documentHex, logChange } from "./support/change-maker.js";
import { hasPostgres, newPostgresStore, queryPostgres } from "./support/postgres-server.js";
import { relayLogContract } from "./support/relay-log-contract.js";
import { spaceLogContract } from "./support/space-log-contract.js";

const SPACE = "space-a";

describe.skipIf(!hasPostgres)("[RL100] PostgreSQL", () => {
  relayLogContract("PostgreSQL", async () => {
    const url = await newPostgresStore();
    return { open: () => openPostgresLog(url), [Symbol.asyncDispose]: async () => {} };
  });

  spaceLogContract("PostgreSQL, packed", async () => {
    const url = await newPostgresStore();
    // Every other batch finds all that came before it packed.
    const sizes = { bytes: 1 << 20, entries: 4, kept: 0, least: 1 };
    const open = async () => {
      const { spaces, packer, close } = await openPostgres(url, { sizes });
      let count = 0;
      const append = async (batches: readonly LogBatch[]) => {
        count += 1;
        if (count % 2 === 0) await packer.packAll();
        return await spaces.append(batches);
      };
      return { ...spaces, append, close };
    };
    return { open, [Symbol.asyncDispose]: async () => {} };
  });

  test("[RL101] relays that start at once make the tables once; a later version's are not opened", async () => {
    const url = await newPostgresStore();
    const logs = await Promise.all([1, 2, 3].map(() => openPostgresLog(url)));
    expect(await queryPostgres(url, "SELECT version FROM relay_schema")).toEqual([
      { version: 1 },
      { version: 2 },
    ]);
    await Promise.all(logs.map((log) => log.close()));
    await queryPostgres(url, "INSERT INTO relay_schema (version) VALUES (99)");
    await expect(openPostgresLog(url)).rejects.toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
  });

  test("[RL102] several relays append to one space at once: gap-free, in order, nothing twice, nothing lost", async () => {
    const url = await newPostgresStore();
    const relays = await Promise.all([openPostgresLog(url), openPostgresLog(url), openPostgresLog(url)]);
    const draw = draws(20261123);
    const taken = new Map<string, number>();
    await Promise.all(
      ["aa", "bb", "cc", "dd"].map(async (actor) => {
        const maker = new ChangeMaker(actor);
        for (let round = 0; round < 12; round += 1) {
          const chunks = [maker.write(`${round}`, actor), maker.write("last", `${round}`)];
          const items = chunks.map((chunk) => logChange(documentHex(1 + draw(2)), chunk));
          // One that rests on a change in the other document is refused, and sent to its own.
          const whole = items.map((item) => ({ ...item, document: documentHex(1) }));
          for (const some of [items, whole, whole]) {
            // Sent again through another relay, as after a lost answer.
            const { spaces } = relays[draw(relays.length)] as RelayLog;
            const [outcome] = await spaces.append([{ space: SPACE, items: some }]);
            if (outcome?.kind !== "appended") continue;
            for (const [at, { document, hash }] of some.entries()) {
              const place = outcome.positions[at] as number;
              expect(taken.get(`${document} ${hash}`) ?? place).toBe(place);
              taken.set(`${document} ${hash}`, place);
            }
          }
        }
      }),
    );
    const first = relays[0] as RelayLog;
    const entries = await first.spaces.read({ space: SPACE, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
    let point = LOG_START;
    for (const { kind, document, hash, position, mark } of entries) {
      point = nextPoint(point, { kind, document, hash }, chunkTools.sha256);
      expect([position, Buffer.from(mark)]).toEqual([point.position, Buffer.from(point.mark)]);
      expect(taken.get(`${document} ${hash}`)).toBe(position);
    }
    expect(entries.length).toBe(taken.size);
    await Promise.all(relays.map((log) => log.close()));
  });
});
