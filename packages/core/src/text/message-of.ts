/** @returns what something that was thrown says of itself: anything can be */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
