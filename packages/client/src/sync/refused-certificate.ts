/**
 * What to do about a relay whose certificate this device does not take.
 *
 * @module
 */

const UNTRUSTED =
  "This device does not trust its certificate. If it is of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that authority, and run `cambium daemon stop`.";

/** By Node's codes. */
const HINTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: "Its certificate has expired. Renew it at the relay.",
  CERT_NOT_YET_VALID: "Its certificate is not valid yet. Check the clock of this device.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "Its certificate is for another name. Use an address with a name that is in it.",
};

/** @returns undefined when the certificate was not the reason */
export function certificateHint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined && Object.hasOwn(HINTS, code)) return HINTS[code];
  }
  return undefined;
}
