/**
 * `node test/simulation/main.ts`: tries seeds, one after the other. See README.md.
 */
import { writeSync } from "node:fs";
import { setTimeout as realTimeout } from "node:timers";
import { installHost } from "./host/install.ts";
import { parseOptions, USAGE, UsageError } from "./run/options.ts";

const say = (text: string): void => {
  writeSync(2, `${text}\n`);
};

try {
  const options = parseOptions(process.argv.slice(2));
  // Before anything of Cambium, or of what it uses, is loaded.
  installHost();
  const { runCampaign } = await import("./run/campaign.ts");
  process.exitCode = await runCampaign(options, say);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
// Timers of worlds that are over keep nothing alive; what a library left open should not either.
realTimeout(() => process.exit(), 100);
