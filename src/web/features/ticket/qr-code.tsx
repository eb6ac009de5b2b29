import { encode } from 'uqr';
import { t } from '#web/language/texts.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';
import styles from './qr-code.module.css';

type QrCodeProps = { payload: string; label: string };

/** Weighs a few kB: only screens that are loaded lazily may show it. */
export function QrCode({ payload, label }: QrCodeProps) {
  const { size, path } = drawQrCode(payload);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={styles.code}
      role="img"
      data-gate-code=""
      aria-label={label}
      shapeRendering="crispEdges"
    >
      {/* Some browsers that darken pages replace a background, but not what is drawn. */}
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** In place of a code that must not be scanned. */
export function CoveredCode() {
  return <p className={styles.covered}>{t('The code is shown to the customer only.')}</p>;
}

type Drawing = { size: number; path: string };

/** The same code is shown in the list of tickets and at the gate, and drawn before it is shown. */
const drawings = new Map<string, Drawing>();
const MOST_DRAWINGS = 12;
onSessionCleared(() => drawings.clear());

export function drawQrCode(payload: string): Drawing {
  const known = drawings.get(payload);
  if (known) return known;
  if (drawings.size === MOST_DRAWINGS) drawings.clear();
  const drawing = draw(payload);
  drawings.set(payload, drawing);
  return drawing;
}

/** One path of horizontal runs, with the four clear modules around it that readers need. */
function draw(payload: string): Drawing {
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
