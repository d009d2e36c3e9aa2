/** A project's notes as people write them. In a module, because a formatter would tidy them in files. */
export const TIDEPOOL_NOTES: Readonly<Record<string, string>> = {
  "CLAUDE.md": `Guidance for agents that work on Tidepool.

# Tidepool

## Commands

- \`pnpm install --frozen-lockfile\` first; npm writes a second lockfile
- \`pnpm test\` before every commit

\`\`\`sh
# not a heading
pnpm exec vitest run tests/tides.test.ts
\`\`\`

## Style

- Prefer \`unknown\` to \`any\`
- See [the tide model](docs/model.md#what-a-tide-is) before touching \`tides.ts\`

## Notes

### Open questions

Does the Azores station report in UTC? Ask Mira.
`,
  "docs/model.md": `---
title: The tide model
tags:
  - tides
  - "domain model"
date: 2026-03-14
reviewer: Mira
---

What a tide is
==============

A height above datum at a time, with the station that measured it.

| field  | unit |
| ------ | ---- |
| height | cm   |

Limits
------

Only harmonic constituents; storm surges are elsewhere. Commands: [here][top].

[top]: ../CLAUDE.md#commands
`,
};
