import styles from './load-meter.module.css';

type LoadMeterProps = {
  label: string;
  /** "45 of 149" */
  figures: string;
  /** Parts of the whole, from 0 to 1. */
  taken: number;
  heldBack?: number;
  /** "12 held back" */
  note?: string | null;
  /** A full boat needs attention; one that everyone has boarded does not. */
  isGoal?: boolean;
};

/** How much of one resource is taken, as figures in a column and as a bar. */
export function LoadMeter({
  label,
  figures,
  taken,
  heldBack = 0,
  note = null,
  isGoal = false,
}: LoadMeterProps) {
  return (
    <div className={styles.meter} data-tone={chooseTone(taken, isGoal)}>
      <span className={styles.label}>{label}</span> <span className={styles.figures}>{figures}</span>
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.taken} style={{ inlineSize: percent(taken) }} />
        <span className={styles.heldBack} style={{ inlineSize: percent(heldBack) }} />
      </span>
      {note !== null && <span className={styles.note}>{note}</span>}
    </div>
  );
}

function chooseTone(level: number, isGoal: boolean) {
  if (isGoal) return level >= 1 ? 'success' : 'info';
  return level >= 1 ? 'danger' : level >= 0.8 ? 'warning' : 'success';
}

function percent(share: number): string {
  return `${Math.max(0, Math.min(1, share)) * 100}%`;
}
