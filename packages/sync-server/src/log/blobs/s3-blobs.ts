/**
 * Blobs in S3-compatible storage: four requests, signed with version 4. What fails in passing is asked again, a few
 * times and not for long.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { CambiumError } from "@cambium/core";
import type { AwsClient } from "aws4fetch";
import { chunkTools } from "../../chunk-tools.js";
import { toHex } from "../held-documents.js";
import { type BlobStore, blobsFailed, isOfName, type ListedBlob } from "./blob-store.js";

/** Where a bucket is, and who asks. */
export interface S3Place {
  /** With `https://`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before all names; empty, or with a `/` behind it. */
  readonly prefix: string;
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken?: string | undefined;
}

export interface S3Options {
  /** Of one try. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Before it is tried again; twice as long before each further try. Default: 200. */
  readonly pauseMs?: number;
  /** Listed at once. Default: 1,000, which is the most that S3 gives. */
  readonly pageKeys?: number;
  /** Told of each try that failed and is followed by another one. */
  readonly onRetry?: (error: CambiumError) => void;
}

const MOST_TRIES = 4;
/** More than a segment has: whatever sends more is no S3. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What an answer was, as far as it was read. */
interface Answer {
  readonly status: number;
  readonly body: Uint8Array;
}

export class S3Blobs implements BlobStore {
  readonly where: string;
  readonly #place: S3Place;
  readonly #options: S3Options;
  #client: AwsClient | undefined;

  constructor(place: S3Place, options: S3Options = {}) {
    this.#place = place;
    this.#options = options;
    this.where = `s3://${place.bucket}/${place.prefix}`;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#ask("PUT", this.#url(name), bytes);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    let last: Uint8Array | undefined;
    const isWhole = ({ status, body }: Answer): boolean => {
      last = body;
      return status === 404 || isOfName(name, body);
    };
    const answer = await this.#ask("GET", this.#url(name), undefined, isWhole).catch((error: unknown) => {
      // It answers, each time with something else than was stored: whoever reads it says so.
      if (error instanceof OtherBytes) return { status: 200, body: last ?? new Uint8Array() };
      throw error;
    });
    return answer.status === 404 ? undefined : answer.body;
  }

  async delete(name: string): Promise<void> {
    await this.#ask("DELETE", this.#url(name));
  }

  async *list(): AsyncGenerator<ListedBlob> {
    const { prefix } = this.#place;
    const { pageKeys = 1_000 } = this.#options;
    // The first version of listing: every server has it, and going on needs nothing but the last key.
    for (let marker: string | undefined = ""; marker !== undefined; ) {
      const url = this.#url();
      const query = { prefix, marker, "max-keys": `${pageKeys}` };
      // Not as a form: a space is %20 in what is signed.
      url.search = Object.entries(query)
        .map((pair) => pair.map(encodeURIComponent).join("="))
        .join("&");
      const answer = await this.#ask("GET", url);
      const text = Buffer.from(answer.body).toString("utf8");
      if (!text.includes("<ListBucketResult")) throw blobsFailed(this.where, reasonOf(answer));
      const isCut = tagOf(text, "IsTruncated") === "true";
      marker = undefined;
      for (const [, entry = ""] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = tagOf(entry, "Key");
        if (isCut) marker = key;
        yield { name: key.slice(prefix.length), sizeBytes: Number(tagOf(entry, "Size")) };
      }
    }
  }

  /** The bucket is part of the path: that works everywhere, also with a bucket that has dots in its name. */
  #url(name?: string): URL {
    const { endpoint, bucket, prefix } = this.#place;
    return new URL(
      `${endpoint.replace(/\/$/, "")}/${bucket}${name === undefined ? "" : `/${pathOf(prefix + name)}`}`,
    );
  }

  async #ask(
    method: string,
    url: URL,
    body?: Uint8Array,
    isWhole: (answer: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const { pauseMs = 200, onRetry = () => {} } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#try(method, url, body).catch((cause: unknown) =>
        failureOf(this.where, cause),
      );
      const isAnswer = !(answer instanceof CambiumError);
      const isGone = isAnswer && answer.status === 404 && !isNoBucket(answer);
      const isGood = isAnswer && (isGone || (answer.status >= 200 && answer.status < 300));
      if (isGood && isWhole(answer)) return answer;
      const error = isGood
        ? new OtherBytes("STORE_FAILED", `${this.where} gave other bytes than were stored.`)
        : isAnswer
          ? blobsFailed(this.where, reasonOf(answer))
          : answer;
      const isPassing = !isAnswer || isGood || answer.status >= 500 || answer.status === 429;
      if (!isPassing || tries === MOST_TRIES) throw error;
      onRetry(error);
      await delay(pauseMs * 2 ** (tries - 1) * (0.5 + Math.random()));
    }
  }

  async #try(method: string, url: URL, body: Uint8Array | undefined): Promise<Answer> {
    const { timeoutMs = 10_000 } = this.#options;
    const client = await this.#signer();
    // Signed with the request: what arrives shortened or changed is refused.
    const sha256 = toHex(chunkTools.sha256(body ?? new Uint8Array()));
    const request = await client.sign(url.href, {
      method,
      headers: { "x-amz-content-sha256": sha256 },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    const response = await fetch(request, { signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
    return { status: response.status, body: await readBody(response) };
  }

  async #signer(): Promise<AwsClient> {
    if (this.#client !== undefined) return this.#client;
    // Only a relay whose segments are there needs it.
    const { AwsClient } = await import("aws4fetch");
    const { keyId: accessKeyId, secret: secretAccessKey, sessionToken, region } = this.#place;
    const token = sessionToken === undefined ? {} : { sessionToken };
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...token,
      region,
      service: "s3",
      retries: 0,
    });
    return this.#client;
  }
}

class OtherBytes extends CambiumError {}

async function readBody(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error("it sends more than a segment has");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Each part as it stands between two slashes. */
const pathOf = (name: string): string =>
  name
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");

const isNoBucket = ({ body }: Answer): boolean => codeOf(body) === "NoSuchBucket";

const codeOf = (body: Uint8Array): string => tagOf(Buffer.from(body).toString("utf8"), "Code");

function reasonOf(answer: Answer): string {
  const code = codeOf(answer.body);
  return `it answered ${answer.status}${/^\w+$/.test(code) ? ` (${code})` : ""}`;
}

function failureOf(where: string, cause: unknown): CambiumError {
  const {
    name = "",
    message = "",
    cause: inner,
  } = cause as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return blobsFailed(where, "it did not answer in time", cause);
  return blobsFailed(where, inner?.message || inner?.code || message, cause);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first tag of that name. */
function tagOf(xml: string, tag: string): string {
  const start = xml.indexOf(`<${tag}>`);
  const end = xml.indexOf(`</${tag}>`, start);
  if (start < 0 || end < 0) return "";
  const text = xml.slice(start + tag.length + 2, end);
  return text.replaceAll(/&(#x?)?(\w+);/g, (all, number: string | undefined, name: string) =>
    number === undefined
      ? (ENTITIES[name] ?? all)
      : String.fromCodePoint(Number.parseInt(name, number === "#x" ? 16 : 10)),
  );
}
