import encodeQR from "qr";
import { useMemo } from "react";

const QUIET_ZONE = 4;

/** For a camera. The same text stands beside it for everybody else. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}

/** One path of a square for each dark module. */
function drawn(text: string): { readonly size: number; readonly path: string } {
  const rows = encodeQR(text, "raw", { ecc: "low", border: QUIET_ZONE });
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size: rows.length, path: squares.join("") };
}
