/**
 * From where a request comes: the address of the socket, or what a proxy that is trusted says.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";

/** The first address, from this end of the chain, that is no trusted proxy. */
export function clientAddress(request: IncomingMessage, trusted: BlockList | undefined): string {
  const remote = plain(request.socket.remoteAddress ?? "");
  if (trusted === undefined || !isTrusted(remote, trusted)) return grouped(remote);
  const header = request.headers["x-forwarded-for"];
  const chain = String(header ?? "")
    .split(",")
    .map((one) => plain(one.trim()))
    .filter((one) => isIP(one) !== 0);
  return grouped(chain.findLast((one) => !isTrusted(one, trusted)) ?? chain[0] ?? remote);
}

/** Of the other end of a socket. @returns undefined for a proxy that is trusted: many come through it */
export function peerAddress(
  { remoteAddress = "" }: { readonly remoteAddress?: string | undefined },
  trusted: BlockList | undefined,
): string | undefined {
  const remote = plain(remoteAddress);
  return trusted !== undefined && isTrusted(remote, trusted) ? undefined : grouped(remote);
}

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** An IPv4 address that reached a socket of both kinds. */
const plain = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.replace(/%.*$/, "");

/** Whoever has one IPv6 address has the 2^64 of its network: they count as one. */
function grouped(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const parts = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  return `${parts.slice(0, 4).join(":")}::/64`;
}
