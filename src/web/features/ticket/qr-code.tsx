import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './qr-code.module.css';

type QrCodeProps = { payload: string; label: string };

/** Weighs a few kB: only screens that are loaded lazily may show it. */
export function QrCode({ payload, label }: QrCodeProps) {
  const { size, path } = useMemo(() => drawQrCode(payload), [payload]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={styles.code}
      role="img"
      data-gate-code=""
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** One path of horizontal runs, with the four clear modules around it that readers need. */
export function drawQrCode(payload: string): { size: number; path: string } {
  const { size, data } = encode(payload, { ecc: 'M', border: QUIET_ZONE });
  const path = data.map((row, y) => drawRow(row, y)).join('');
  return { size, path };
}

const QUIET_ZONE = 4;

function drawRow(row: readonly boolean[], y: number): string {
  let path = '';
  let x = 0;
  while (x < row.length) {
    const start = x;
    while (row[x]) x += 1;
    if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`;
    x += 1;
  }
  return path;
}
