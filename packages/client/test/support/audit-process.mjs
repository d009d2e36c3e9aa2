/** A program that fills segments of an audit log and has them compressed, until it is killed. Runs on the build. */
import { randomBytes } from "node:crypto";
import { AuditFiles } from "../../dist/governance/audit-files.js";

const { dir, segmentBytes } = JSON.parse(process.argv[2]);
const files = new AuditFiles(dir);
files.begin();
for (let number = 0; ; number += 1) {
  files.append(`${number} ${randomBytes(100).toString("hex")}\n`);
  if (files.sizeBytes < segmentBytes) continue;
  files.rotate();
  process.stdout.write(`${number}\n`);
  await files.compress();
}
