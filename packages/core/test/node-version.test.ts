import { expect, test } from "vitest";
import { refuseOldNode } from "../src/node-version.js";

test("[PK1] a Node that is too old is refused by its number, and no other", () => {
  for (const version of ["18.20.8", "20.20.2", "21.7.3", "22.15.1", "23.11.1"]) {
    expect(() => refuseOldNode(version)).toThrow(
      `Cambium needs Node 22.16 or later (not 23), and this is Node ${version}: install one from https://nodejs.org.`,
    );
  }
  for (const version of ["22.16.0", "22.21.1", "24.0.0", "24.21.0", "26.0.0-nightly2026"])
    expect(() => refuseOldNode(version)).not.toThrow();
});
