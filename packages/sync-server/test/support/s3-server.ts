/**
 * A small S3 server, which checks signatures, and something in front of it that fails as a test says.
 *
 * @module
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

/** `down`: the connection ends; `silent`: nothing comes; `5xx`; `short`: half of it comes; `other`: as much, and different. */
export type S3Fault = "down" | "silent" | "5xx" | "short" | "other";

/** Its only key, and the secret. */
export const S3_KEY = "S3RVER";
const BUCKET = "relay";

export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  /** `METHOD path` of what was asked, in order. */
  readonly asked: string[];
  /** Asked for each request. */
  fault: (method: string) => S3Fault | undefined;
}

export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), "cambium-s3-"));
  const bucket = { name: BUCKET, configs: [] };
  const options = { port: 0, address: "127.0.0.1", silent: true, directory, configureBuckets: [bucket] };
  const server = new S3rver(options);
  const { port } = await server.run();
  const way = createServer((from, to) => {
    const { method = "", url = "" } = from;
    running.asked.push(`${method} ${url}`);
    const fault = running.fault(method);
    if (fault === "down") return void from.socket.destroy();
    if (fault === "silent") return;
    if (fault === "5xx") return void to.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    pass(from, to, port, fault);
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  const running: S3Server = {
    endpoint: `http://127.0.0.1:${(way.address() as AddressInfo).port}`,
    bucket: BUCKET,
    asked: [],
    fault: () => undefined,
    [Symbol.asyncDispose]: async () => {
      way.closeAllConnections();
      way.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return running;
}

function pass(from: IncomingMessage, to: ServerResponse, port: number, fault: S3Fault | undefined): void {
  const { method, url: path, headers } = from;
  const asked = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
    const parts: Buffer[] = [];
    answer.on("data", (part: Buffer) => parts.push(part));
    answer.on("end", () => {
      const body = Buffer.concat(parts);
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      if (fault === "short") to.write(body.subarray(0, body.length / 2), () => to.destroy());
      else to.end(fault === "other" ? body.toReversed() : body);
    });
  });
  asked.on("error", () => to.destroy());
  from.pipe(asked);
}
