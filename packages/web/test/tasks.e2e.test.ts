import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dayOf } from "../src/i18n/dates.ts";
import { axe, hasChromium, type OpenedPage, openShared } from "./support/browser.ts";
import { disposable } from "./support/sample-space.ts";
import type { SharedSpace } from "./support/shared-space.ts";

/** Each as somebody would do it who sees the page for the first time: by what stands on it. */
describe.skipIf(!hasChromium)("somebody new", { timeout: 60_000 }, () => {
  let opened: OpenedPage & { readonly shared: SharedSpace };
  beforeAll(async () => {
    opened = await openShared();
  }, 180_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG16] finds what changed last week", async () => {
    const page = await opened.open();
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("link", { name: "Compare two dates" }).click();
    const rent = page.locator(".chg", { hasText: "heating" });
    await rent.waitFor();
    expect(await rent.locator("del").textContent()).toContain("950");
    await page.locator(".chg", { hasText: "parking permit" }).waitFor();
    expect(await page.locator(".chg", { hasText: "900" }).count()).toBe(0);
    await page.close();
  });

  it("[PG4] sees what was believed on a date", async () => {
    const page = await opened.open();
    await page.getByRole("button", { name: /Choose a date/ }).click();
    await page.getByLabel("Choose a date", { exact: true }).fill(dayOf(Date.now() - 8 * 86_400_000));
    await page.getByText(/As known on/).waitFor();
    await page.getByRole("searchbox").fill("rent");
    await page.locator(".mem", { hasText: "950 euros" }).waitFor();
    expect(await page.locator(".mem .txt", { hasText: "heating" }).count()).toBe(0);
    await page.getByRole("button", { name: /Back to now/ }).click();
    await page.locator(".mem", { hasText: "heating" }).waitFor();
    await page.close();
  });

  it("[PG14] settles a conflict", async () => {
    const page = await opened.open();
    await page.getByRole("button", { name: /Has a conflict/ }).click();
    await page.locator(".mem", { hasText: "2 answers, pick one" }).click();
    await page.locator(".sd", { hasText: "Friday" }).getByRole("button").click();
    await page.getByRole("button", { name: "Settle it" }).click();
    await page.getByRole("heading", { level: 1, name: "The dentist is on Friday at noon." }).waitFor();
    await expect
      .poll(async () => (await opened.shared.phoneSpace.conflicts()).length, { timeout: 15_000 })
      .toBe(0);
    await page.close();
  });

  it("[PG15] [PG17] undoes an agent's bad afternoon, and nothing else of that day", async () => {
    const page = await opened.open();
    await page.getByRole("link", { name: "Timeline" }).click();
    const bad = page.locator(".e", { hasText: "5 memories changed by Codex" });
    await bad.getByRole("link", { name: "Undo this…" }).click();
    await page.getByText(/This will undo 5 changes since/).waitFor();
    await page.getByRole("button", { name: "Undo 5 changes" }).click();
    await page.getByText("5 changes undone.").waitFor();
    const { memories } = JSON.parse(await opened.cambium("list", "--json")) as {
      readonly memories: readonly { readonly content: string }[];
    };
    const contents = memories.map(({ content }) => content);
    expect(contents).toContain("The soup needs an hour.");
    expect(contents).toContain("The neighbours are away until Sunday.");
    expect(contents).not.toContain("Order a pizza instead.");
    await page.close();
  });

  it("[PG18] [PG19] tries an idea on a branch and brings it home", async () => {
    const page = await opened.open();
    await page.getByRole("link", { name: "Save and go back" }).click();
    await page.getByRole("link", { name: "Try something on a branch" }).click();
    await page.getByLabel("Name of the branch").fill("moving out");
    await page.getByRole("button", { name: "Make the branch" }).click();
    await page.getByRole("button", { name: "Branch: moving-out. Choose another." }).waitFor();
    await page.getByRole("button", { name: "Add a memory" }).click();
    await page.getByLabel("What should be remembered?").fill("The new flat is in Weber Street.");
    await page.getByRole("button", { name: "Remember", exact: true }).click();
    await page.locator(".mem", { hasText: "Weber Street" }).waitFor();
    expect(await opened.cambium("recall", "Weber")).not.toContain("Weber Street");
    await page.getByRole("link", { name: /^Branches/ }).click();
    const row = page.locator(".br", { hasText: "moving-out" });
    await row.getByRole("link", { name: "Bring into main…" }).click();
    await page.getByRole("button", { name: "Bring 1 into main" }).click();
    await page.getByText("1 memory brought into main.").waitFor();
    expect(await opened.cambium("recall", "Weber")).toContain("Weber Street");
    await page.close();
  });

  it("[PG21] pairs a new device by its code, and hears when it has come", async () => {
    const page = await opened.open({ path: "/devices" });
    await page.getByRole("button", { name: "Pair a device" }).click();
    await page.getByRole("img", { name: "The code, for a camera" }).waitFor();
    await page.getByText(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/).waitFor();
    expect(await axe(page)).toEqual([]);
    const command = await page.getByText(/^cambium pair "/).textContent();
    const link = command?.slice('cambium pair "'.length, -1) ?? "";
    await using tablet = disposable(
      await openReplica({ dir: join(opened.home, "..", "tablet"), name: "tablet" }),
    );
    await tablet.replica.pairSpace(link);
    await page.getByText("Paired with tablet.").waitFor();
    await page.getByRole("row", { name: /^tablet/ }).waitFor();
    await page.close();
  });

  it("[PG20] reads who decided what, on whichever device", async () => {
    const { phoneSpace } = opened.shared;
    const page = await opened.open({ path: "/review?show=decided" });
    await page.getByText("Nothing was decided yet.").waitFor();
    await opened.cambium("policy", "set", "write", "agent:cursor", "propose");
    const contents = ["The gym opens at six.", "The gym is closed on Sundays."];
    for (const content of contents) await opened.cambium("remember", content, "--agent", "cursor");
    const proposed = async () => (await phoneSpace.proposals()).proposals;
    await expect.poll(async () => (await proposed()).length, { timeout: 15_000 }).toBe(2);
    const [sunday] = (await proposed()).filter(({ after }) => after.content.includes("Sundays"));
    await phoneSpace.as({ role: "owner" }).rejectProposals([sunday?.id ?? ""]);
    const rejected = page.locator(".chg", { hasText: "Rejected" });
    await rejected.filter({ hasText: "closed on Sundays" }).getByText("Somebody").waitFor();
    await rejected.getByText("on phone").waitFor();
    await page.getByRole("button", { name: /^Proposals/ }).click();
    await page.getByRole("button", { name: /^Accept/ }).click();
    await page.getByRole("button", { name: "Decided" }).click();
    const accepted = page.locator(".chg", { hasText: "Accepted" });
    await accepted.filter({ hasText: "opens at six" }).getByText("on laptop").waitFor();
    const decided = async () => (await phoneSpace.proposalDecisions()).decisions;
    await expect.poll(async () => (await decided()).length, { timeout: 15_000 }).toBe(2);
    expect(await axe(page)).toEqual([]);
    await page.close();
  });

  it("[PG9] [PG23] sees the other device write, fall behind, and the relay go", async () => {
    const { phone, phoneSpace, relay } = opened.shared;
    const page = await opened.open();
    await page.locator(".side").getByText("Synced", { exact: true }).waitFor();
    await page.locator(".mem").first().waitFor();
    await phone.remember({ content: "Written on the phone." });
    const bar = page.locator(".arrive", { hasText: "1 new memory" });
    await bar.getByRole("button", { name: "Show" }).click();
    await page.locator(".mem", { hasText: "Written on the phone." }).getByText("on phone").waitFor();
    await phoneSpace.sync.stop();
    await page.getByRole("button", { name: "Add a memory" }).click();
    await page.getByLabel("What should be remembered?").fill("Nobody told the phone.");
    await page.getByRole("button", { name: "Remember", exact: true }).click();
    await page
      .getByText(/phone is \d+ minutes? behind/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Devices and privacy" }).click();
    await page.getByRole("row", { name: /phone.*has not fetched the newest/ }).waitFor();
    await page.getByRole("button", { name: "Make an invitation…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make an invitation" }).click();
    await page.getByRole("img", { name: "The invitation, for a camera" }).waitFor();
    await relay.close();
    await page.locator(".side").getByText("Offline", { exact: true }).waitFor();
    await page.close();
  });
});
