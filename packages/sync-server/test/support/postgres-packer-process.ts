/**
 * Packs the log in a database until it is killed: `node --import ./typescript-hooks.mjs postgres-packer-process.ts
 * <store> <place>`. The place is a directory, the JSON of one in S3, or nothing. Says when it begins.
 *
 * @module
 */
import { DirectoryBlobs } from "../../src/log/blobs/directory-blobs.js";
import { S3Blobs } from "../../src/log/blobs/s3-blobs.js";
import { openPostgres } from "../../src/log/postgres/postgres-log.js";

const [store = "", place = ""] = process.argv.slice(2);
const blobs = place.startsWith("{") ? new S3Blobs(JSON.parse(place)) : new DirectoryBlobs(place);
const log = await openPostgres(store, {
  ...(place === "" ? {} : { blobs }),
  ...{ leastOutsideBytes: 1_024, sizes: { bytes: 1 << 16, entries: 40, kept: 10, least: 8 } },
});
process.stdout.write("begun\n");
while ((await log.packer.packAll()) > 0) await log.packing.sweep();
process.stdout.write("done\n");
await log.close();
