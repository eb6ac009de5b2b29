import type { ReactNode } from 'react';
import styles from './balance-chart.module.css';
import { type BalancePoint, HEIGHT, heightOf, linePath, scaleOf, topUpsPath, WIDTH } from './balance-line.ts';
import { formatMoney } from './money.tsx';

export type BalanceChartProps = {
  title: string;
  /** One sentence that says what the line shows, for people who cannot see it. */
  summary: string;
  /** Oldest first. */
  points: readonly BalancePoint[];
  /** Up to when the last balance is known to have stayed. */
  until: number;
  currency: string;
  /** What stands below the two ends of the line. */
  startText: ReactNode;
  endText: ReactNode;
};

/** Says nothing that is not in the list beside it. */
export function BalanceChart(props: BalanceChartProps) {
  const { title, summary, points, until, currency, startText, endText } = props;
  const scale = scaleOf(points, until);
  const line = linePath(points, scale);
  const topUps = topUpsPath(points, scale);
  const floor = heightOf(0, scale);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        {topUps !== '' && (
          <span className={styles.key}>
            <span className={styles.dot} aria-hidden="true" />
            Top-up
          </span>
        )}
      </figcaption>
      <div className={styles.plot} role="img" aria-label={summary}>
        <div className={styles.amounts}>
          {scale.ticks.map((amount) => (
            <span key={amount}>{formatMoney(amount, currency).replace(/\.00$/, '')}</span>
          ))}
        </div>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {scale.ticks.map((amount) => (
            <path
              key={amount}
              className={amount === 0 ? styles.zero : styles.grid}
              d={`M0 ${heightOf(amount, scale)}H${WIDTH}`}
            />
          ))}
          <path className={styles.area} d={`${line}V${floor}H0Z`} />
          <path className={styles.line} d={line} />
          <path className={styles.topUps} d={topUps} />
        </svg>
        <div className={styles.times}>
          <span>{startText}</span>
          <span>{endText}</span>
        </div>
      </div>
    </figure>
  );
}
