/**
 * Where an OpenAI-compatible endpoint is, and the key to it.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";

/**
 * Returns where to post, given the endpoint's base address with or without `/v1`, or the full one.
 *
 * @param path - below the version, such as `embeddings`
 * @param name - of the endpoint, for people
 * @throws {CambiumError} BAD_INPUT when it is no http(s) address, or carries a password or a fragment
 */
export function endpointUrl(base: string, path: string, name: string): string {
  const url = URL.parse(base.trim());
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw badUrl(name, "It has to begin with https:// or http://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw badUrl(name, "It must not carry a name or a password; give the key apart.");
  }
  if (url.hash !== "" || url.search !== "") throw badUrl(name, "It must end with its path.");
  const full = url.pathname.replace(/\/+$/, "");
  const root = full.endsWith(`/${path}`) ? full.slice(0, -path.length - 1) : full;
  return `${url.origin}${/\/v\d+$/.test(root) ? root : `${root}/v1`}/${path}`;
}

/** @throws {CambiumError} BAD_INPUT when the key could not be a header's value */
export function checkApiKey(key: string, name: string): string {
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw new CambiumError("BAD_INPUT", `The ${name} key is empty or has characters that no key has.`);
  }
  return key;
}

// The text may hold a password, so it is not repeated.
const badUrl = (name: string, hint: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The address of the ${name} endpoint is not usable.`, { hint });
