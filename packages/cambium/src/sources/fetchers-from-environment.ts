/**
 * Where pruned texts may be read again, beside files and the web, as the environment says.
 *
 * @module
 */
import type { SourceFetcher } from "@cambium/client";
import { emailFetcher } from "./email-fetcher.js";
import { imapAccount } from "./imap-account.js";

/** By the kinds of sources. */
export const fetchersFromEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, SourceFetcher>> => ({ email: emailFetcher(() => imapAccount(env)) });
