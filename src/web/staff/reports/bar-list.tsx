import styles from './bar-list.module.css';

type Bar = { label: string; value: number; text: string };

/** Amounts as horizontal bars, below each other, with their text. A picture of the table beside it. */
export function BarList({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const largest = Math.max(1, ...bars.map(({ value }) => Math.abs(value)));
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.label} className={styles.bar}>
          <span className={styles.label}>{bar.label}</span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.fill}
              data-negative={bar.value < 0 || undefined}
              style={{ inlineSize: `${(Math.abs(bar.value) / largest) * 100}%` }}
            />
          </span>
          <span className={styles.text}>{bar.text}</span>
        </li>
      ))}
    </ul>
  );
}
