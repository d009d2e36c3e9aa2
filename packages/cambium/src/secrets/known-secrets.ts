/**
 * Secrets that are known by their looks: what vendors publish about prefixes and alphabets of their keys. A prefix that
 * nothing else has decides, whatever the length: vendors change it.
 *
 * @module
 */

export interface KnownSecret {
  /** Ends the sentence "this seems to hold …". */
  readonly kind: string;
  readonly pattern: RegExp;
}

/** Where a word begins and ends, for words with dashes and underscores in them. */
const START = "(?<![A-Za-z0-9_-])";
const END = "(?![A-Za-z0-9_])";

const key = (kind: string, body: string): KnownSecret => ({
  kind,
  pattern: new RegExp(`${START}${body}${END}`, "g"),
});

export const KNOWN_SECRETS: readonly KnownSecret[] = [
  {
    kind: "a private key",
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\bPuTTY-User-Key-File-\d/g,
  },
  key("a private key", "AGE-SECRET-KEY-1[A-Z0-9]{58}"),
  key("an AWS access key", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
  key("a GitHub token", "gh[opsur]_[A-Za-z0-9]{20,255}"),
  key("a GitHub token", "github_pat_[A-Za-z0-9_]{30,}"),
  key("a GitLab token", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_.-]{20,}"),
  key("a Slack token", "xox[abeoprs]-[A-Za-z0-9-]{10,}"),
  key("a Slack token", "xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]+"),
  key("a Slack webhook", "https://hooks\\.slack\\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{20,}"),
  key("a Discord webhook", "https://(?:\\w+\\.)?discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,}"),
  key("a Discord bot token", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}"),
  key("a Stripe key", "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),
  key("a Stripe webhook secret", "whsec_[A-Za-z0-9+/=]{32,}"),
  key("an Anthropic key", "sk-ant-[a-z]+\\d\\d-[\\w-]{12,}"),
  key("an OpenAI key", "sk-(?:proj|svcacct|admin)-[\\w-]{16,}"),
  key("an OpenAI key", "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
  key("an API key", "sk-(?:or-v1-[0-9a-f]{64}|[A-Za-z0-9]{32,})"),
  key("a Google API key", "AIza[\\w-]{30,45}"),
  key("a Google secret", "GOCSPX-[\\w-]{20,}"),
  key("a Google access token", "ya29\\.[\\w-]{20,}"),
  key("a Hugging Face token", "hf_[A-Za-z0-9]{24,}"),
  key("an npm token", "npm_[A-Za-z0-9]{30,}"),
  key("a PyPI token", "pypi-AgEIcHlwaS5vcmc[\\w-]{50,}"),
  key("a RubyGems key", "rubygems_[a-f0-9]{32,}"),
  key("a crates.io token", "cio[A-Za-z0-9]{32}"),
  key("a Docker token", "dckr_[a-z]+_[\\w-]{27,}"),
  key("a SendGrid key", "SG\\.[\\w-]{22}\\.[\\w-]{43}"),
  key("a Mailgun key", "key-[0-9a-f]{32}"),
  key("a Mailchimp key", "[0-9a-f]{32}-us\\d{1,2}"),
  key("a Twilio key", "SK[0-9a-f]{32}"),
  key("a DigitalOcean token", "do[opr]_v1_[a-f0-9]{40,}"),
  key("a Databricks token", "dapi[a-f0-9]{32}(?:-\\d)?"),
  key("a Shopify token", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}"),
  key("a Square token", "sq0(?:atp|csp)-[\\w-]{22,43}"),
  key("a Telegram bot token", "\\d{8,10}:AA[\\w-]{33}"),
  key("a Linear key", "lin_api_[A-Za-z0-9]{32,}"),
  key("a Notion token", "ntn_[A-Za-z0-9]{40,}"),
  key("a Notion token", "secret_[A-Za-z0-9]{43}"),
  key("a Figma token", "figd_[\\w-]{40,}"),
  key("a Netlify token", "nfp_[A-Za-z0-9]{30,}"),
  key("a Grafana token", "gls[ac]_[A-Za-z0-9+/]{32,}(?:_[a-f0-9]{8})?={0,2}"),
  key("a Vault token", "hv[brs]\\.[\\w-]{24,}"),
  key("a Terraform token", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,}"),
  key("a Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}"),
  key("a Postman key", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  key("a New Relic key", "NRAK-[A-Z0-9]{27}"),
  key("a Sentry token", "sntry[su]_[\\w+/=-]{40,}"),
  key("a Groq key", "gsk_[A-Za-z0-9]{40,}"),
  key("an xAI key", "xai-[A-Za-z0-9]{60,}"),
  key("a Replicate token", "r8_[A-Za-z0-9]{30,}"),
  key("a Perplexity key", "pplx-[A-Za-z0-9]{36,}"),
  key("a Supabase key", "sb(?:p_[a-f0-9]{40}|_secret_[\\w-]{22,})"),
  key("a PlanetScale token", "pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,}"),
  key("a Tailscale key", "tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}"),
  key("an Atlassian token", "ATATT3[\\w=-]{100,}"),
  key("a Dropbox token", "sl\\.[\\w-]{100,}"),
  key("an Azure storage key", "AccountKey=[A-Za-z0-9+/]{86}=="),
  key("a JSON Web Token", "eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{16,}"),
  // The key of a space stands behind the token, in 43 characters. Bounded, as addresses may stand in each other.
  key("an invitation to a space", "https?://\\S{1,400}/join/[0-9a-f-]{36}#[^\\s.]{1,1000}\\.[\\w-]{43}"),
];
