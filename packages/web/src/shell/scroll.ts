/** The place where views scroll. */
export const SCROLL_ID = "scroll";
