/**
 * Words as they stand, within a pattern.
 *
 * @module
 */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
