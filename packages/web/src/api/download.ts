/**
 * Files for this browser: those that the daemon makes, and short texts that the page shows anyway.
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

/** A text that the page has, as a file. */
export function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  save({ url, name });
  URL.revokeObjectURL(url);
}
