const PATHS = {
  search: "M2.5 7a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M10.5 10.5l3 3",
  memories: "M2.500 4h11M2.500 8h11M2.500 12h7",
  timeline: "M2 13h12M4 13V9M7 13V5M10 13V7M13 13V3",
  branch:
    "M2.500 3.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M2.500 12.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M10.500 5.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M4 5v6M12 7c0 3-8 1-8 4",
  review: "M2 9.500 4 3h8l2 6.500V13H2zM2 9.500h3.500l1 1.500h3l1-1.500H14",
  flag: "M4 14V2.500h8L10 5.500l2 3H4",
  auto: "M2.500 8a5.500 5.500 0 1 0 11 0a5.500 5.500 0 1 0-11 0M8 5v3l2 1.500",
  devices: "M4 3h8a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M1.500 12.500h13",
  down: "m4 6 4 4 4-4",
  left: "m10 3-5 5 5 5",
  link: "M6.500 9.500 9.500 6.500M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500 7.500 13A3 3 0 0 1 3 8.500L4.500 7",
  source: "M3 3.500h10v7H7.500L5 13v-2.500H3z",
  plus: "M8 3v10M3 8h10",
  close: "m4 4 8 8M12 4l-8 8",
  keys: "M3 4h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M5 7h0M8 7h0M11 7h0M5.500 9.500h5",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

/** Rings of a tree. */
export const Mark = () => (
  <svg className="i mark" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="10" cy="10" r="8.2" />
    <path d="M10 5.2a4.8 4.8 0 1 1-4.4 2.9" />
    <circle cx="10" cy="10" r="1.4" />
  </svg>
);
