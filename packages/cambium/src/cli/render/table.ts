/**
 * Tables that fit the terminal: one column gives way to the others.
 *
 * @module
 */
import type { Style } from "./style.js";
import { displayWidth, fit } from "./terminal-text.js";

export interface Column<Row> {
  readonly title: string;
  /** Plain text on one line. */
  readonly text: (row: Row) => string;
  readonly paint?: (text: string, row: Row) => string;
  /** Gives way when the terminal is narrow; one column at most. */
  readonly flexible?: true;
  readonly align?: "right";
}

const GAP = "  ";
const MIN_FLEXIBLE_COLUMNS = 16;
/** Where there is no terminal: a table is for reading, and often for an agent's; `--json` has it all. */
const DEFAULT_COLUMNS = 120;

/** Columns that are empty in every row are left out. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: Pick<Style, "columns" | "colors">,
): string {
  const shown = columns
    .map((column) => ({ column, cells: rows.map(column.text) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const natural = shown.map(({ column, cells }) => Math.max(...[column.title, ...cells].map(displayWidth)));
  const flexible = shown.findIndex(({ column }) => column.flexible === true);
  const widths = shrink(natural, flexible, style.columns ?? DEFAULT_COLUMNS);

  const cell = (at: number, text: string, paint: (text: string) => string): string => {
    const width = widths[at] ?? 0;
    const fitted = fit(text, width);
    const padding = " ".repeat(Math.max(0, width - displayWidth(fitted)));
    return shown[at]?.column.align === "right" ? padding + paint(fitted) : paint(fitted) + padding;
  };
  const head = shown.map(({ column }, at) => cell(at, column.title, style.colors.dim));
  const body = rows.map((row, index) =>
    shown.map(({ column, cells }, at) =>
      cell(at, cells[index] ?? "", (text) => column.paint?.(text, row) ?? text),
    ),
  );
  return [head, ...body].map((cells) => cells.join(GAP).trimEnd()).join("\n");
}

function shrink(widths: readonly number[], flexible: number, columns: number): readonly number[] {
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
  if (flexible < 0 || total <= columns) return widths;
  const room = (widths[flexible] ?? 0) - (total - columns);
  return widths.map((width, index) => (index === flexible ? Math.max(MIN_FLEXIBLE_COLUMNS, room) : width));
}
