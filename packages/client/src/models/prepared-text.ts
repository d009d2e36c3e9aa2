/**
 * What is really sent for a text, and the name of vectors made so.
 *
 * @module
 */

/** Returns the text with its prefix, cut so that no character is split. */
export function preparedText(
  text: string,
  { prefix, maxTextLength }: { readonly prefix: string; readonly maxTextLength: number },
): string {
  if (text.length <= maxTextLength) return prefix + text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(maxTextLength - 1));
  return prefix + text.slice(0, isSplit ? maxTextLength - 1 : maxTextLength);
}

/** Names everything that shapes a memory's vector; a change of it means that all have to be made again. */
export function vectorModelName(
  model: string,
  shape: {
    readonly dimensions?: number | undefined;
    readonly memoryPrefix?: string;
    readonly dtype?: string;
  },
): string {
  const { dimensions, memoryPrefix = "", dtype } = shape;
  return [
    model,
    ...(dtype === undefined ? [] : [dtype]),
    ...(dimensions === undefined ? [] : [`${dimensions} numbers`]),
    ...(memoryPrefix === "" ? [] : [`after ${JSON.stringify(memoryPrefix)}`]),
  ].join(", ");
}
