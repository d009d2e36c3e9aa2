import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";

const options = (command: OptionTable) =>
  command
    .option("--no-open", "print a link instead of opening the browser")
    .option("--close-all", "end the sessions of every page that is open");

export const ui: CommandDefinition<typeof options> = {
  about:
    "Open the web page of this device's memory in the browser. The link works once, within two minutes, and whoever opens it has your rights. A page that is not used for eight hours has to be opened again",
  examples: ["cambium ui", "cambium ui --no-open --json", "cambium ui --close-all"],
  options,
  act: async (context, _args, { open, closeAll }) => {
    const { io, home } = context;
    await context.refuseAgents("open the web page");
    const { DaemonControl } = await import("../daemon-control.js");
    const control = new DaemonControl(home, io);
    if (closeAll === true) {
      const closed = (await control.closePages()) ?? 0;
      return await context.answer({ closed }, () => closedText(closed));
    }
    const { url, expiresAt } = await control.newPageLink();
    const isOpened = open && !context.json && ((await io.browse?.(url)) ?? false);
    return await context.answer({ url, expiresAt }, () => (isOpened ? OPENED : linkText(url, open)));
  },
};

const OPENED = "Opened the web page in your browser. If it does not appear, run `cambium ui --no-open`.";

const linkText = (url: string, isWanted: boolean): string =>
  [
    ...(isWanted ? ["No browser could be started here."] : []),
    "Open this link in a browser of this device. It works once, within two minutes:",
    url,
  ].join("\n");

const closedText = (closed: number): string => {
  if (closed === 0) return "No page is open.";
  return closed === 1 ? "Closed the page that was open." : `Closed the ${closed} pages that were open.`;
};
