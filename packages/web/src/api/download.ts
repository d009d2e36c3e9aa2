/**
 * Files that the daemon makes for this browser.
 *
 * @module
 */
import type { Answer } from "./client.ts";

/** Has the browser fetch it, to where it puts what is downloaded. */
export function save({ url, name }: Pick<Answer<"pageDownload">, "url" | "name">): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
