/**
 * Lines of JSON, without those that are none.
 *
 * @module
 */
import { Transform } from "node:stream";

const NEW_LINE = 0x0a;
/** The SDK refuses a longer line; it is left to that. */
const LONGEST_LINE = 10 * 1024 * 1024;

/** Passes whole lines on. @param onOther - called for each line that is neither JSON nor blank */
export function jsonLines(onOther: () => void): Transform {
  let begun: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf(NEW_LINE); end !== -1; end = rest.indexOf(NEW_LINE)) {
        const line = Buffer.concat([...begun, rest.subarray(0, end + 1)]);
        [begun, size, rest] = [[], 0, rest.subarray(end + 1)];
        if (isJson(line)) this.push(line);
        else if (line.toString("utf8").trim() !== "") onOther();
      }
      if (rest.length > 0) begun.push(rest);
      size += rest.length;
      if (size > LONGEST_LINE) {
        this.push(Buffer.concat(begun));
        [begun, size] = [[], 0];
      }
      done();
    },
  });
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
