import { isCambiumError } from "@cambium/core/errors";
import { describe, expect, test } from "vitest";
import { findSecret } from "../../src/secrets/find-secret.js";
import { refuseSecrets } from "../../src/secrets/refuse-secrets.js";

/** Letters and digits without meaning; written in parts, so that no scanner takes this file for a leak. */
const chance = (length: number, alphabet = "aB3xK9mPq2LzW7nRt4Vc"): string =>
  Array.from({ length }, (_, place) => alphabet[(place * 7 + (place >> 2)) % alphabet.length]).join("");
const hex = (length: number): string => chance(length, "3f9a0c7e1b5d8246");
const upper = (length: number): string => chance(length, "QW2ERT3YUI5OP7AS");
const digits = (length: number): string => chance(length, "7301946285");

const PASSWORD = "Tr0ub4dor&3xyz";

const SECRETS: readonly (readonly [kind: string, text: string])[] = [
  ["an AWS access key", `AKIA${upper(16)}`],
  ["an AWS access key", `export AWS_ACCESS_KEY_ID=ASIA${upper(16)}`],
  ["a secret access key", `aws_secret_access_key = ${chance(40)}`],
  ["a GitHub token", `ghp_${chance(36)}`],
  ["a GitHub token", `use ghs_${chance(36)} for CI`],
  ["a GitHub token", `github_pat_${chance(22)}_${chance(59)}`],
  ["a GitLab token", `glpat-${chance(20)}`],
  ["a Slack token", `xoxb-${digits(12)}-${chance(24)}`],
  ["a Slack token", `xapp-1-${upper(11)}-${digits(13)}-${hex(64)}`],
  ["a Slack webhook", `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${chance(24)}`],
  ["a Discord webhook", `https://discord.com/api/webhooks/${digits(18)}/${chance(68)}`],
  ["a Stripe key", `sk_live_${chance(24)}`],
  ["a Stripe key", `rk_test_${chance(24)}`],
  ["a Stripe webhook secret", `whsec_${chance(32)}`],
  ["an Anthropic key", `sk-ant-api03-${chance(93)}AA`],
  ["an OpenAI key", `sk-proj-${chance(48)}`],
  ["an OpenAI key", `sk-${chance(20)}T3BlbkFJ${chance(20)}`],
  ["an API key", `sk-or-v1-${hex(64)}`],
  ["a Google API key", `AIza${chance(35)}`],
  ["a Google secret", `GOCSPX-${chance(28)}`],
  ["a Hugging Face token", `hf_${chance(34)}`],
  ["an npm token", `//registry/:_authToken=npm_${chance(36)}`],
  ["a PyPI token", `pypi-AgEIcHlwaS5vcmc${chance(60)}`],
  ["a SendGrid key", `SG.${chance(22)}.${chance(43)}`],
  ["a Mailgun key", `key-${hex(32)}`],
  ["a Twilio key", `SK${hex(32)}`],
  ["a DigitalOcean token", `dop_v1_${hex(64)}`],
  ["a Databricks token", `dapi${hex(32)}`],
  ["a Shopify token", `shpat_${hex(32)}`],
  ["a Telegram bot token", `${digits(9)}:AA${chance(33)}`],
  ["a Linear key", `lin_api_${chance(40)}`],
  ["a Vault token", `hvs.${chance(24)}`],
  ["a Postman key", `PMAK-${hex(24)}-${hex(34)}`],
  ["a New Relic key", `NRAK-${upper(27)}`],
  ["a Groq key", `gsk_${chance(52)}`],
  ["a Replicate token", `r8_${chance(37)}`],
  ["a Supabase key", `sbp_${hex(40)}`],
  ["a Tailscale key", `tskey-auth-${chance(12)}-${chance(32)}`],
  ["an Azure storage key", `AccountName=x;AccountKey=${chance(86)}==;EndpointSuffix=core`],
  ["a JSON Web Token", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${chance(43)}`],
  ["a password", `{"password": "${PASSWORD}"}`],
  ["a password", JSON.stringify(JSON.stringify({ password: PASSWORD }))],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["a private key", "-----BEGIN PGP PRIVATE KEY BLOCK-----"],
  [
    "an invitation to a space",
    `https://relay.acme.dev/join/0198c2a4-7d3e-7a41-8c52-91b7d20e6f13#${chance(30)}.${chance(43)}`,
  ],
  ["an address with a password", "postgres://ada:hunter2@db.internal:5432/notes"],
  ["an address with a password", "mongodb+srv://app:Zx81qq@cluster0.mongodb.net"],
  ["an address with a password", "redis://:s3cr3t-pw@10.0.0.4:6379/0"],
  ["a connection string with a password", "Server=db;Database=x;User Id=sa;Password=hunter22;Encrypt=true"],
  ["the credentials of a request", `curl -H "Authorization: Bearer ${chance(32)}"`],
  ["a password", "The admin password is Tr0ub4dor&3"],
  ["a password", 'password: "G7#kk29!xQ"'],
  ["a token", `token=${chance(24)}`],
  ["an api key", `API_KEY: ${chance(32)}`],
  ["an api key", `the api key is ${hex(32)}`],
  ["a client secret", `client_secret => '${chance(30)}'`],
  ["a secret", `SECRET=${hex(64)}`],
  ["a passphrase", "passphrase was 9xK!mm2_Qw"],
  ["a password", `The password of the db is ${PASSWORD}`],
  ["a password", `The db password of staging is ${PASSWORD}`],
  ["a password", `the password for the old build machine: ${PASSWORD}`],
  ["a token", `the token for db.staging was ${chance(24)}`],
  ["a passwort", `Das Passwort für die Datenbank lautet ${PASSWORD}`],
];

const HARMLESS: readonly string[] = [
  "Releases are cut on Thursdays",
  "commit 38854c6f0e2b4a7d9c1835e6ab20f47d91ce0358",
  `sha256:${hex(64)}`,
  `The digest is ${hex(64)}`,
  "019fbc92-b8c0-7c76-be0d-499f58ed8a70",
  "token: 550e8400-e29b-41d4-a716-446655440000",
  `data:image/png;base64,${chance(400)}AKIAQWERTYUIOPAS${chance(400)}`,
  `integrity sha512-${chance(86)}==`,
  "The password policy asks for twelve characters",
  "Passwords are kept in 1Password, vault Engineering",
  "password: <your password>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in shell scripts
  "password: ${DB_PASSWORD}",
  "API_KEY=your-api-key-here-1234",
  "token = process.env.GITHUB_TOKEN_2",
  "const token = getToken(user1, Scope.Read)",
  "secretName: myAppSecretV2Store",
  "The secret is stored in arn:aws:secretsmanager:us-east-1:123456789012:secret:prod-AbC123",
  "token: op://Engineering/Deploy-Key1/credential",
  "the token was 2026-08-01T10:00:00Z",
  "token v1.2.3-beta.4 of the parser",
  "AKIAIOSFODNN7EXAMPLE is Amazon's placeholder",
  "sk-ant-... is how Anthropic's keys begin",
  "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "postgres://user:password@localhost:5432/db",
  "postgres://localhost:5432/notes",
  "https://example.com:8080/a@b",
  "git@github.com:acme/notes.git",
  "See https://docs.example.org/tokens#refresh-token-rotation-2024",
  "Authorization: Bearer <token>",
  "The design tokens are Primary-500 and Neutral-900",
  "max_tokens: 4096, temperature 0.2",
  "Tokenizer: cl100k_base-v2",
  "secret: documented-in-the-wiki",
  "credentials: ~/.aws/credentials2Backup",
  "Her access key opens door B-12",
  "-----BEGIN PUBLIC KEY-----\nMIIB",
  "-----BEGIN CERTIFICATE-----",
  "The skeleton key sk-8 is a synth",
  "Invitation: https://relay.example/join/0198c2a4-7d3e-7000-8000-000000000000",
  "passcode is asked at the door",
  "The password of the db is kept in 1Password",
  "The token for the parser is documented under Lexer2Tokens",
  "The password for the wiki. Its version is Fedora-39b",
];

describe("[SE1] known keys, passwords in addresses and labelled chance are found", () => {
  test.each(SECRETS)("%s", (kind, text) => {
    expect(findSecret(text)?.kind).toBe(kind);
    expect(findSecret(`Noted on Monday.\n\nFor the build: ${text}\nThat is all.`)).toEqual({ kind, line: 3 });
  });
});

describe("[SE2] hashes, ids, pictures, placeholders and talk about secrets pass", () => {
  test.each(HARMLESS)("%s", (text) => {
    expect(findSecret(text)).toBeUndefined();
    expect(findSecret(`First.\n${text}\nLast, with a token of thanks.`)).toBeUndefined();
  });
});

describe("[SE3] a refusal names kind and place, and never the secret", () => {
  const secret = `ghp_${chance(36)}`;

  test.each([
    ["content", { content: `one\ntwo ${secret}` }, "content, line 2"],
    ["reason", { content: "harmless", reason: secret }, "reason"],
    ["tags", { content: "harmless", tags: ["a", secret] }, "tags"],
    ["source", { content: "harmless", source: { kind: "chat", uri: secret } }, "source"],
  ])("in %s", (field, input, place) => {
    const error = caught(() => refuseSecrets(input));
    expect(isCambiumError(error, "SECRET_REFUSED")).toBe(true);
    const told = JSON.stringify([(error as Error).message, error]);
    expect(told).toContain(`The ${place} seems to hold a GitHub token`);
    expect(told).toContain(field);
    expect(told).not.toContain(secret.slice(4, 16));
  });

  test("unless it is said that it has to be here", () => {
    expect(() => refuseSecrets({ content: secret }, { allow: true })).not.toThrow();
    expect(() => refuseSecrets({ content: secret }, { allow: false })).toThrow();
  });
});

function caught(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Where time grows with the square of the length, each takes minutes. */
test.each([
  "https://",
  "https://a/join/",
  "host=a;",
  "token   ",
  "eyJaaaaaaaa.",
  "-----BEGIN A ",
  "authorization: ",
  "password of the ",
])("[SE5] a million units of %j are searched at once", (piece) => {
  expect(findSecret(piece.repeat(1_000_000 / piece.length))).toBeUndefined();
  expect(findSecret(`${piece.repeat(100_000 / piece.length)} ghp_${chance(36)}`)).toMatchObject({
    kind: "a GitHub token",
  });
});

test("[SE5] a million brackets are no password", () => {
  expect(findSecret(`ftp://ada:${"<".repeat(1_000_000)}@example`)).toBeUndefined();
});
